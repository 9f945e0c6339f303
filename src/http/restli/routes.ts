/** rest.li: `POST /<resource>?action=<name>` with named parameters, and reads by URN (contract §4). */
import { Type } from 'typebox'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Catalog } from '../../catalog/catalog.ts'
import { DecodeError } from '../../model/errors.ts'
import { didYouMean } from '../../model/near.ts'
import { requireScope } from '../caller.ts'
import { answerUnauthorized, failureOf } from '../errors.ts'
import { asItsAction } from '../route-options.ts'
import type { Actions } from './action.ts'
import { aspectActions } from './aspects.ts'
import { entityActions, usageActions } from './entities.ts'
import { runActions } from './runs.ts'
import { readRoutes } from './reads.ts'

export async function restliRoutes(app: FastifyInstance, { catalog }: { readonly catalog: Catalog }): Promise<void> {
  answerAsRestli(app)
  actionRoute(app, '/aspects', aspectActions(catalog))
  actionRoute(app, '/entities', entityActions(catalog))
  actionRoute(app, '/usageStats', usageActions(catalog))
  actionRoute(app, '/runs', runActions(catalog))
  readRoutes(app, catalog)
}

/** Routes the actions of one resource. */
export function actionRoute(app: FastifyInstance, path: string, actions: Actions): void {
  const names = Object.keys(actions)
  const route = asItsAction({
    tag: path === '/operations' ? 'operations' : 'rest.li',
    summary: `Actions on ${path}: ${names.join(', ')}`,
    query: Type.Object({ action: Type.Unsafe<string>({ type: 'string', enum: names }) }),
    body: Type.Record(Type.String(), Type.Unknown(), { description: 'The parameters of the action, by their names' }),
    answers: {
      200: Type.Unsafe({
        type: 'object',
        description: 'Empty for actions without a result',
        properties: { value: {} },
      }),
    },
  })
  app.post(path, route, async (request, reply) => {
    const { action } = request.query as { readonly action?: unknown }
    const found = typeof action === 'string' && Object.hasOwn(actions, action) ? actions[action] : undefined
    if (found === undefined) {
      const near = didYouMean(String(action), names)
      throw new DecodeError(`POST ${path} has the actions ${names.join(', ')}${near}`, { path: '?action' })
    }
    requireScope(request.caller, found.needs, `${String(action)} on ${path}`)
    const { value, headers = {} } = await found.run(request.body, request.caller)
    void reply.headers(headers)
    return value === undefined ? reply.code(200).send() : { value }
  })
}

/** Errors in the form that rest.li clients read; a condition that does not hold is 422 here. */
export function answerAsRestli(app: FastifyInstance): void {
  app.setErrorHandler((error, request, reply: FastifyReply) => {
    const failure = failureOf(error, request)
    const status = failure.status === 412 ? 422 : failure.status
    if (status >= 500) request.log.error({ err: error }, 'request failed')
    if (failure.retryAfterSeconds !== undefined) void reply.header('retry-after', failure.retryAfterSeconds)
    if (status === 401) return answerUnauthorized(reply, failure)
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
