/**
 * The catalog's HTTP server. Every route decodes, calls one use case, encodes:
 *
 *   request ─► prefix stripped ─► Host or token checked ─► rest.li | operations | GraphQL | OpenAPI ─► catalog
 */
import { Type } from 'typebox'
import { fastify, type FastifyInstance, type FastifyReply } from 'fastify'
import type { Catalog } from '../catalog/catalog.ts'
import { SETTLED_WITHIN_MS } from '../catalog/write/accepted.ts'
import { DecodeError } from '../model/errors.ts'
import type { Logger } from '../observe/logger.ts'
import { createAuthentication, requireSafeBinding } from './access.ts'
import { guardRoutes } from './caller.ts'
import { CONFIG_PAGE } from './config-page.ts'
import { requireHarmless } from './decode.ts'
import { answerUnauthorized, failureOf, type Failure } from './errors.ts'
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
  /** How long `close()` waits for requests under way. */
  readonly closeWithinMs?: number
}

export interface CatalogServer {
  readonly url: string
  /** Ends after the requests under way, or after some seconds. */
  close(): Promise<void>
}

/** Largest body: what the newest clients send at most, 15 MiB of proposals, and some room (contract §4.2). */
export const MAX_BODY_BYTES = 16_000_000
const REQUEST_TIMEOUT_MS = 120_000
const CLOSE_WITHIN_MS = 5000

/** @throws OpenBeyondLoopbackError when it would be open to other machines */
export async function startCatalogServer(options: CatalogServerOptions): Promise<CatalogServer> {
  requireSafeBinding(options.host, options.token)
  const app = buildServer(options)
  const url = await app.listen({ host: options.host, port: options.port })
  options.logger.info({ url }, 'catalog listening')
  return { url, close: () => closeWithin(app, options.closeWithinMs ?? CLOSE_WITHIN_MS) }
}

/** Ends after the requests under way; those that do not end, such as half a request, are cut off after the time given. */
async function closeWithin(app: FastifyInstance, ms: number): Promise<void> {
  const cut = setTimeout(() => app.server.closeAllConnections(), ms)
  try {
    await app.close()
  } finally {
    clearTimeout(cut)
  }
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
  waitForAccepted(app, options.catalog)
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
  // The usual name is said, so that it is found without being taken apart.
  app.addContentTypeParser(['application/json', '*'], { parseAs: 'string' }, (_request, body, done) => {
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

/**
 * What this process accepted for soon is carried out before it answers a read, within reason: clients that were written
 * for synchronous writes read what they wrote. Traces are answered without waiting, and so are writes: those that are
 * carried out at once wait by themselves, so that they come after what was accepted before.
 */
function waitForAccepted(app: FastifyInstance, { accepting }: Catalog): void {
  app.addHook('preHandler', ({ routeOptions, query }, _reply, done) => {
    if (accepting.isSettled()) return done()
    const { action } = query as { readonly action?: unknown }
    const writes = routeOptions.config.needs === 'write' || (typeof action === 'string' && action.startsWith('ingest'))
    if (writes || routeOptions.url?.includes('/trace/') === true) return done()
    return void accepting.settled(SETTLED_WITHIN_MS).then(() => done(), done)
  })
}

/** What a validator refuses is 400 here and has a heading; so has a condition that does not hold, 412 (contract §5.4). */
function openapiFailure(failure: Failure): Failure & { readonly heading?: string } {
  if (failure.code === 'INVALID_WRITE') return { ...failure, status: 400, heading: 'Validation Error' }
  return failure.status === 412 ? { ...failure, heading: 'Validation Error' } : failure
}

function answerFailures(app: FastifyInstance, logger: Logger): void {
  app.setErrorHandler((error, request, reply) => {
    const failure = openapiFailure(failureOf(error, request))
    if (failure.code === 'INTERNAL') logger.error({ err: error, route: request.routeOptions.url }, 'request failed')
    if (failure.retryAfterSeconds !== undefined) void reply.header('retry-after', failure.retryAfterSeconds)
    if (failure.status === 401) return answerUnauthorized(reply, failure)
    return reply.code(failure.status).send({
      error: failure.heading ?? failure.message,
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
