/** rest.li: `POST /<resource>?action=<name>` with named parameters, and reads by URN (contract §4). */
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Catalog } from '../../catalog/catalog.ts'
import { DecodeError } from '../../model/errors.ts'
import type { JsonValue } from '../../model/json.ts'
import { failureOf } from '../errors.ts'
import { aspectActions } from './aspects.ts'
import { entityActions, usageActions } from './entities.ts'
import { runActions } from './runs.ts'
import { readRoutes } from './reads.ts'

/** What an action gives back: `{"value": …}`, or nothing and an empty body. */
export interface ActionResult {
  readonly value?: JsonValue
  readonly headers?: Readonly<Record<string, string>>
}
export type Action = (body: unknown) => Promise<ActionResult>

export async function restliRoutes(app: FastifyInstance, { catalog }: { readonly catalog: Catalog }): Promise<void> {
  answerAsRestli(app)
  actionRoute(app, '/aspects', aspectActions(catalog))
  actionRoute(app, '/entities', entityActions(catalog))
  actionRoute(app, '/usageStats', usageActions(catalog))
  actionRoute(app, '/runs', runActions(catalog))
  readRoutes(app, catalog)
}

/** Routes the actions of one resource. */
export function actionRoute(app: FastifyInstance, path: string, actions: Readonly<Record<string, Action>>): void {
  app.post(path, async (request, reply) => {
    const { action } = request.query as { readonly action?: unknown }
    const run = typeof action === 'string' && Object.hasOwn(actions, action) ? actions[action] : undefined
    if (run === undefined) {
      throw new DecodeError(`POST ${path} has the actions ${Object.keys(actions).join(', ')}`, { path: '?action' })
    }
    const { value, headers = {} } = await run(request.body)
    void reply.headers(headers)
    return value === undefined ? reply.code(200).send() : { value }
  })
}

/** Errors in the form that rest.li clients read; a condition that does not hold is 422 here. */
export function answerAsRestli(app: FastifyInstance): void {
  app.setErrorHandler((error, request, reply: FastifyReply) => {
    const failure = failureOf(error)
    const status = failure.status === 412 ? 422 : failure.status
    if (status >= 500) request.log.error({ err: error }, 'request failed')
    if (failure.retryAfterSeconds !== undefined) void reply.header('retry-after', failure.retryAfterSeconds)
    if (status === 401) return reply.code(401).send({ message: failure.message, status: 401 })
    return reply
      .code(status)
      .header('x-restli-error-response', 'true')
      .send({
        exceptionClass: 'com.linkedin.restli.server.RestLiServiceException',
        status,
        message: failure.message,
        code: failure.code,
        ...(failure.remedy === undefined ? {} : { remedy: failure.remedy }),
      })
  })
}
