/**
 * The runner's HTTP server: what operators and their programs ask of runs, plans and schedules. Every route decodes,
 * calls one use case of the runner, encodes:
 *
 *   request ─► Host, token, Origin ─► /api/runs | /api/plans | /api/schedules ─► ledger
 *                                  ├► /metrics, /queues
 *   anyone  ─► /health/live, /health/ready
 */
import { fastify, type FastifyInstance } from 'fastify'
import { requireSafeBinding } from '../http/access.ts'
import type { Authenticate } from '../http/caller.ts'
import type { Metrics } from '../observe/metrics.ts'
import type { RunnerParts } from '../runner/parts.ts'
import { answerFailures } from './failures.ts'
import { openGauges, type Ticking } from './gauges.ts'
import { readiness } from './health.ts'
import { planRoutes } from './plans.ts'
import { queuePage } from './queue-page.ts'
import { runRoutes, type RunRoutesOptions } from './runs.ts'
import { scheduleRoutes } from './schedules.ts'
import { guardConsole } from './visitor.ts'

export interface ConsoleOptions extends Omit<RunRoutesOptions, 'parts'> {
  readonly parts: RunnerParts
  readonly metrics: Metrics
  /** Address to listen on; beyond loopback there must be a token. */
  readonly host: string
  /** 0 takes a free one. */
  readonly port: number
  /** Whether callers must bring a token. */
  readonly closed: boolean
  readonly authenticate: Authenticate
  /** Where this process ticks. */
  readonly ticking?: Ticking | undefined
  /** Where this process works: false once it takes nothing more. */
  readonly working?: (() => boolean) | undefined
}

export interface Console {
  readonly url: string
  close(): Promise<void>
}

const MAX_BODY_BYTES = 1024 * 1024
const REQUEST_TIMEOUT_MS = 60_000

/** @throws OpenBeyondLoopbackError where everybody could approve plans */
export async function startConsole(options: ConsoleOptions): Promise<Console> {
  requireSafeBinding(options.host, options.closed ? 'a token' : undefined, 'the console')
  const app = buildConsole(options)
  const url = await app.listen({ host: options.host, port: options.port })
  options.parts.logger.info({ url }, 'console listening')
  return { url, close: () => app.close() }
}

/** For whoever opens the address in a browser: what there is. */
const SEE = ['/api/runs', '/api/plans', '/api/schedules', '/api/jobs', '/metrics', '/health/ready', '/queues']

function buildConsole(options: ConsoleOptions): FastifyInstance {
  const { parts, metrics, ticking, working } = options
  const app = fastify({
    bodyLimit: MAX_BODY_BYTES,
    requestTimeout: REQUEST_TIMEOUT_MS,
    routerOptions: { maxParamLength: 512, ignoreTrailingSlash: true },
    forceCloseConnections: 'idle',
  })
  acceptJson(app)
  guardConsole(app, options.authenticate)
  answerFailures(app, parts.logger)

  const anyone = { config: { needs: 'nothing' } } as const
  app.get('/health/live', anyone, () => ({ live: true }))
  app.get('/health/ready', anyone, async (_request, reply) => {
    const health = await readiness({ parts, ticking, working })
    return reply.code(health.ready ? 200 : 503).send(health)
  })

  app.get('/', () => ({ see: SEE }))
  const gauges = openGauges(metrics.registry, parts, ticking)
  app.get('/metrics', async (_request, reply) => {
    await gauges.refresh()
    return reply.type(metrics.registry.contentType).send(await metrics.registry.metrics())
  })
  runRoutes(app, options)
  planRoutes(app, parts)
  scheduleRoutes(app, parts)
  queuePage(app, parts)
  return app
}

/** JSON alone: a form of a foreign page cannot be sent as that. No body is an empty one. */
function acceptJson(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body.toString().trim() === '') return done(null, undefined)
    return parse(request, body.toString(), done)
  })
}
