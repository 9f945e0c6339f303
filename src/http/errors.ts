/** Errors on the wire: a status by the error's code, and the body that each interface's clients read (contract §4, §5.4). */
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
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
  NOT_APPLICABLE: 422,
  PRECONDITION_FAILED: 412,
  PAYLOAD_TOO_LARGE: 413,
  UNAUTHORIZED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  NOT_IMPLEMENTED: 501,
  BUSY: 429,
  DATABASE_UNAVAILABLE: 503,
  DISK_FULL: 503,
}

/** A request that is larger than the service takes; the message names the limit that it exceeds. */
export class TooLargeError extends HeadwaterError {
  readonly code = 'PAYLOAD_TOO_LARGE'

  constructor(what: string, limit: number, unit: string) {
    super(`${what}: at most ${limit.toLocaleString('en')} ${unit}`, { remedy: 'send it in several calls' })
  }
}

/**
 * What a client may know of an error. Anything that is not ours or Fastify's own is a fault of the service.
 * @param request where the error came up, so that a body that is too large is told its limit
 */
export function failureOf(error: unknown, request?: FastifyRequest): Failure {
  if (isFastifyError(error) && error.statusCode === 413) {
    return failureOf(new TooLargeError('The body is too large', request?.routeOptions.bodyLimit ?? 0, 'bytes'))
  }
  if (error instanceof HeadwaterError) {
    const status = STATUS[error.code] ?? 500
    const retry = status === 503 || status === 429 ? { retryAfterSeconds: 1 } : {}
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
