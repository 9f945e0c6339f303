/**
 * The catalog's HTTP server. Every route decodes, calls one use case, encodes:
 *
 *   request ─► prefix stripped ─► Host or token checked ─► rest.li | operations | GraphQL | OpenAPI ─► catalog
 */
import { Type } from 'typebox'
import { fastify, type FastifyInstance, type FastifyReply } from 'fastify'
import type { Catalog } from '../catalog/catalog.ts'
import { DecodeError } from '../model/errors.ts'
import type { Logger } from '../observe/logger.ts'
import { createAuthentication, requireSafeBinding } from './access.ts'
import { guardRoutes } from './caller.ts'
import { CONFIG_PAGE } from './config-page.ts'
import { requireHarmless } from './decode.ts'
import { answerUnauthorized, failureOf } from './errors.ts'
import { graphqlRoutes } from './graphql/route.ts'
import { documentation } from './documentation.ts'
import { openapiRoutes } from './openapi/routes.ts'
import { operationsRoutes } from './operations/routes.ts'
import { open } from './route-options.ts'
import { stripPrefix } from './prefix.ts'
import { restliRoutes } from './restli/routes.ts'

export interface CatalogServerOptions {
  readonly catalog: Catalog
  /** Address to listen on, for example 127.0.0.1. */
  readonly host: string
  /** 0 takes a free port. */
  readonly port: number
  /** When set, every route but /health and /config asks for it. */
  readonly token?: string | undefined
  readonly logger: Logger
}

export interface CatalogServer {
  readonly url: string
  /** Ends after the requests under way. */
  close(): Promise<void>
}

/** Largest body: what the newest clients send at most, 15 MiB of proposals, and some room (contract §4.2). */
export const MAX_BODY_BYTES = 16_000_000
const REQUEST_TIMEOUT_MS = 120_000

/** @throws OpenBeyondLoopbackError when it would be open to other machines */
export async function startCatalogServer(options: CatalogServerOptions): Promise<CatalogServer> {
  requireSafeBinding(options.host, options.token)
  const app = buildServer(options)
  const url = await app.listen({ host: options.host, port: options.port })
  options.logger.info({ url }, 'catalog listening')
  return { url, close: () => app.close() }
}

export function buildServer(options: Omit<CatalogServerOptions, 'host' | 'port'>): FastifyInstance {
  const app = fastify({
    bodyLimit: MAX_BODY_BYTES,
    exposeHeadRoutes: false,
    requestTimeout: REQUEST_TIMEOUT_MS,
    routerOptions: { maxParamLength: 8192, ignoreTrailingSlash: true },
    rewriteUrl: (request) => stripPrefix(request.url ?? '/'),
    ajv: { customOptions: { coerceTypes: false, removeAdditional: false } },
    forceCloseConnections: 'idle',
    // Never the stack, never HTML, for what fails before a route is found.
    frameworkErrors(error, _request, reply: FastifyReply) {
      void reply.code(error.statusCode ?? 400).send({ error: error.message })
    },
  })
  // Handlers decode what they take, and answers go out as they are; the schemas of routes tell of both (route-options.ts).
  app.setValidatorCompiler(() => () => true)
  app.setSerializerCompiler(() => (answer) => JSON.stringify(answer))
  acceptJson(app)
  guardRoutes(app, createAuthentication(options.token, options.catalog.tokens))
  answerFailures(app, options.logger)
  documentation(app)
  void app.register(publicRoutes)
  void app.register(restliRoutes, { catalog: options.catalog })
  void app.register(operationsRoutes, { catalog: options.catalog })
  void app.register(graphqlRoutes, { catalog: options.catalog, logger: options.logger })
  void app.register(openapiRoutes, { catalog: options.catalog })
  return app
}

const HEALTH = open({
  tag: 'service',
  summary: 'Whether it answers',
  answers: { 200: Type.Object({ status: Type.Literal('ok') }) },
})
const CONFIG = open({
  tag: 'service',
  summary: 'What it is and can do; clients read it before anything else',
  answers: { 200: Type.Object({ noCode: Type.Literal('true'), versions: Type.Object({}) }) },
})

/** What anyone may read. */
async function publicRoutes(app: FastifyInstance): Promise<void> {
  app.get('/health', HEALTH, () => ({ status: 'ok' }))
  app.get('/config', CONFIG, () => CONFIG_PAGE)
}

/** JSON under any name that clients give it; an empty body is no body. */
function acceptJson(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => {
    const text = typeof body === 'string' ? body : body.toString()
    if (text.trim() === '') return done(null, undefined)
    try {
      const value: unknown = JSON.parse(text)
      requireHarmless(value, 'the body')
      return done(null, value)
    } catch (error) {
      return done(error instanceof DecodeError ? error : new DecodeError('the body is not JSON', {}), undefined)
    }
  })
}

function answerFailures(app: FastifyInstance, logger: Logger): void {
  app.setErrorHandler((error, request, reply) => {
    const failure = failureOf(error)
    if (failure.code === 'INTERNAL') logger.error({ err: error, route: request.routeOptions.url }, 'request failed')
    if (failure.retryAfterSeconds !== undefined) void reply.header('retry-after', failure.retryAfterSeconds)
    if (failure.status === 401) return answerUnauthorized(reply, failure)
    return reply.code(failure.status).send({
      error: failure.message,
      message: failure.message,
      status: failure.status,
      code: failure.code,
      ...(failure.remedy === undefined ? {} : { remedy: failure.remedy }),
    })
  })
  app.setNotFoundHandler((request, reply) =>
    reply.code(404).send({ error: `No endpoint ${request.method} ${request.url.split('?')[0]}`, status: 404 }),
  )
}
