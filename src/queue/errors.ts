import { HeadwaterError } from '../model/errors.ts'

/** QUEUE_URL is not an address that a queue can be opened at. */
export class QueueUrlError extends HeadwaterError {
  readonly code = 'QUEUE_URL'

  constructor(found: string) {
    super(`not the address of a queue: ${found}`, {
      remedy: 'use redis://, rediss:// or postgres://, or leave QUEUE_URL unset to keep the queue in the database',
    })
  }
}

/** The queue's server does not answer. */
export class QueueUnavailableError extends HeadwaterError {
  readonly code = 'QUEUE_UNAVAILABLE'
  override readonly retryable = true

  constructor(address: string, cause: unknown) {
    super(`the queue at ${address} does not answer: ${cause instanceof Error ? cause.message : String(cause)}`, {
      cause,
      remedy: isAboutCertificate(cause)
        ? 'name the authority of its certificate in NODE_EXTRA_CA_CERTS'
        : 'check QUEUE_URL and that the server runs',
    })
  }
}

/** Node's codes for a certificate that it does not believe. */
function isAboutCertificate(cause: unknown): boolean {
  if (!(cause instanceof Error) || !('code' in cause)) return false
  return /^(ERR_TLS_CERT|CERT_|DEPTH_ZERO_SELF_SIGNED_CERT$|SELF_SIGNED_CERT|UNABLE_TO_(GET|VERIFY)_)/.test(
    String(cause.code),
  )
}

/** The Redis server would lose jobs or lacks what the queue needs. */
export class RedisUnfitError extends HeadwaterError {
  readonly code = 'REDIS_UNFIT'
}

/** A job's data is too large, or its id is one that the queue refuses. */
export class QueuePayloadError extends HeadwaterError {
  readonly code = 'QUEUE_PAYLOAD'
}
