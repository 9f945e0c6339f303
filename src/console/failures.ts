/** Errors on the console's wire: `{ error: { code, message, remedy } }`, and a status by the error's class. */
import type { FastifyError, FastifyInstance, FastifyReply } from 'fastify'
import { HeadwaterError } from '../model/errors.ts'
import type { Logger } from '../observe/logger.ts'

const STATUS: Readonly<Record<string, number>> = {
  UNAUTHORIZED: 401,
  FORBIDDEN: 403,
  RUN_NOT_FOUND: 404,
  RUN_LOG_NOT_FOUND: 404,
  PLAN_NOT_FOUND: 404,
  SCHEDULE_NOT_FOUND: 404,
  JOB_UNKNOWN: 404,
  RUN_STATE: 409,
  PLAN_STATE: 409,
  PLAN_CHANGED: 409,
}

export function answerFailures(app: FastifyInstance, logger: Logger): void {
  app.setErrorHandler((error, request, reply) => {
    if (statusOf(error) === 500) logger.error({ err: error, route: request.routeOptions.url }, 'request failed')
    return answerFailure(reply, error)
  })
  app.setNotFoundHandler((request, reply) =>
    reply.code(404).send({
      error: { code: 'NOT_FOUND', message: `there is no ${request.method} ${request.url.split('?')[0]}` },
    }),
  )
}

export function answerFailure(reply: FastifyReply, error: unknown): FastifyReply {
  const status = statusOf(error)
  if (status === 503) void reply.header('retry-after', 1)
  // A browser that is asked this way lets its user in.
  if (status === 401) void reply.header('www-authenticate', 'Basic realm="headwater", Bearer')
  return reply.code(status).send({ error: toldOf(error) })
}

function statusOf(error: unknown): number {
  if (error instanceof HeadwaterError) {
    return STATUS[error.code] ?? (error.badInput ? 400 : error.retryable ? 503 : 500)
  }
  const { statusCode } = error as FastifyError
  return statusCode !== undefined && statusCode < 500 ? statusCode : 500
}

/** What a caller may know of an error: never a stack, never a statement. */
export function toldOf(error: unknown): object {
  if (error instanceof HeadwaterError) {
    const { code, message, remedy } = error
    return { code, message, ...(remedy === undefined ? {} : { remedy }) }
  }
  if (statusOf(error) === 500) return { code: 'UNEXPECTED', message: 'the service failed; its log says why' }
  const { code, message } = error as FastifyError
  return { code, message }
}
