# Headwater in a container: the commands are those one runs by hand, `docker run headwater catalog serve`. State is in
# /data, configuration in /app/config. The image has no PostgreSQL: it is given one by DATABASE_URL (docker-compose.yml).
FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts
COPY tsconfig.json tsconfig.build.json ./
COPY src ./src
COPY jobs ./jobs
RUN npx tsc -p tsconfig.build.json && npm prune --omit=dev --omit=optional --ignore-scripts

FROM node:24-bookworm-slim
ENV NODE_ENV=production HEADWATER_HOME=/data HEADWATER_CONFIG=/app/config
WORKDIR /app
COPY package.json LICENSE ./
COPY bin ./bin
COPY config ./config
COPY examples ./examples
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
RUN ln -s /app/bin/headwater.cjs /usr/local/bin/headwater \
    && useradd --system --uid 10001 --create-home headwater \
    && install -d -o headwater -g headwater /data
USER headwater
VOLUME /data
EXPOSE 8080
STOPSIGNAL SIGTERM
ENTRYPOINT ["headwater"]
CMD ["--help"]
