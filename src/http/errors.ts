/** Errors on the wire: a status by the error's code, and the body that each interface's clients read (contract §4, §5.4). */
import type { FastifyError, FastifyReply } from 'fastify'
import { isForPeople } from './access.ts'
import { HeadwaterError } from '../model/errors.ts'

export interface Failure {
  readonly status: number
  /** Safe to show: never a stack, never a statement. */
  readonly message: string
  /** What to do about it; one sentence. */
  readonly remedy?: string | undefined
  readonly code: string
  readonly retryAfterSeconds?: number
}

const STATUS: Readonly<Record<string, number>> = {
  DECODE: 400,
  INVALID_URN: 400,
  UNSTORABLE_VALUE: 400,
  BAD_REQUEST: 400,
  ENTITY_NOT_FOUND: 404,
  INVALID_WRITE: 422,
  PRECONDITION_FAILED: 412,
  UNAUTHORIZED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  NOT_IMPLEMENTED: 501,
  DATABASE_UNAVAILABLE: 503,
}

/** What a client may know of an error. Anything that is not ours or Fastify's own is a fault of the service. */
export function failureOf(error: unknown): Failure {
  if (error instanceof HeadwaterError) {
    const status = STATUS[error.code] ?? 500
    const retry = status === 503 ? { retryAfterSeconds: 1 } : {}
    return { status, message: error.message, remedy: error.remedy, code: error.code, ...retry }
  }
  if (isFastifyError(error) && error.statusCode !== undefined && error.statusCode < 500) {
    return { status: error.statusCode, message: error.message, code: error.code }
  }
  return { status: 500, message: 'Internal server error occurred', code: 'INTERNAL' }
}

/** 401 looks the same on every interface (contract §10). */
export function answerUnauthorized(reply: FastifyReply, { message }: Failure): FastifyReply {
  const scheme = isForPeople(reply.request) ? 'Basic realm="the password is an access token"' : 'Bearer'
  return reply.code(401).header('www-authenticate', scheme).send({ message, status: 401 })
}

function isFastifyError(error: unknown): error is FastifyError {
  return error instanceof Error && 'statusCode' in error && 'code' in error
}
