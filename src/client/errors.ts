import { HeadwaterError } from '../model/errors.ts'

/** Something that a catalog answered, or did not. `url` never holds a password. */
abstract class CatalogError extends HeadwaterError {
  readonly url: string

  constructor(url: string, message: string, options: { readonly cause?: unknown; readonly remedy?: string } = {}) {
    super(message, options)
    this.url = url
  }
}

/** No connection, or it broke before the answer was whole. The request may have been carried out. */
export class CatalogAwayError extends CatalogError {
  readonly code = 'CATALOG_AWAY'
  override readonly retryable = true

  constructor(url: string, cause: unknown) {
    super(url, `no answer from the catalog at ${url}: ${reasonOf(cause)}`, {
      cause,
      remedy: 'check the address, that a catalog listens there, and the network between',
    })
  }
}

/** The two ends do not accept each other's certificates, or one cannot be read: nothing was sent, and waiting mends nothing. */
export class CatalogUntrustedError extends CatalogError {
  readonly code = 'CATALOG_UNTRUSTED'

  constructor(url: string, cause: unknown) {
    super(url, `no trusted connection to the catalog at ${url}: ${reasonOf(cause)}`, {
      cause,
      remedy:
        'name the authority of its certificate (caFile of the connection, or NODE_EXTRA_CA_CERTS), and where it asks for a certificate of yours certFile and keyFile',
    })
  }
}

/** No whole answer within the time given. The request may have been carried out. */
export class CatalogTimeoutError extends CatalogError {
  readonly code = 'CATALOG_TIMEOUT'
  override readonly retryable = true

  constructor(url: string, timeoutMs: number) {
    super(url, `the catalog did not answer within ${timeoutMs} ms: ${url}`, {
      remedy: 'see whether the catalog is overloaded, or raise timeoutSeconds of the connection',
    })
  }
}

/** 401: no token, or one that the catalog does not know. */
export class UnauthorizedError extends CatalogError {
  readonly code = 'UNAUTHORIZED'

  constructor(url: string, detail: string, { hadToken }: { readonly hadToken: boolean }) {
    const what = hadToken ? 'does not accept the token' : 'asks for a token, and none was given'
    super(url, `the catalog ${what} (401): ${url}${detail === '' ? '' : `: ${detail}`}`, {
      remedy: 'set DATAHUB_GMS_TOKEN (or the variable named by the connection) to a valid access token',
    })
  }
}

/** 403: known, but not allowed. */
export class ForbiddenError extends CatalogError {
  readonly code = 'FORBIDDEN'

  constructor(url: string, detail: string) {
    super(url, `the catalog forbids this (403): ${url}: ${detail}`, {
      remedy: 'give the owner of the token the privilege that the message names',
    })
  }
}

/** 429, or 503 with Retry-After: the catalog asks for less. */
export class ThrottledError extends CatalogError {
  readonly code = 'THROTTLED'
  override readonly retryable = true
  readonly status: number
  /** How long the catalog wants to be left alone; undefined where it did not say. */
  readonly retryAfterMs: number | undefined

  constructor(url: string, status: number, retryAfterMs: number | undefined) {
    super(url, `the catalog asks for less (${status}): ${url}`, {
      remedy: 'lower the concurrency of the job, or run it when the catalog is less busy',
    })
    this.status = status
    this.retryAfterMs = retryAfterMs
  }
}

/** 5xx: the catalog failed. DataHub answers some bad proposals so, too (contract §4). */
export class CatalogFailedError extends CatalogError {
  readonly code = 'CATALOG_FAILED'
  override readonly retryable = true
  readonly status: number

  constructor(url: string, status: number, detail: string) {
    super(url, `the catalog failed (${status}): ${url}: ${detail}`, { remedy: "look into the catalog's own log" })
    this.status = status
  }
}

/** 4xx: the catalog read the request and refuses what it asks for. */
export class RefusedError extends CatalogError {
  readonly code = 'PROPOSAL_REFUSED'
  readonly status: number

  constructor(url: string, status: number, detail: string) {
    super(url, `refused by the catalog (${status}): ${detail}`, {
      remedy: 'mend what the message names; the rest of the run is not affected',
    })
    this.status = status
  }
}

/** The aspect is not at the version that the write was made for (contract §6, If-Version-Match). */
export class VersionConflictError extends CatalogError {
  readonly code = 'VERSION_CONFLICT'

  constructor(url: string, detail: string) {
    super(url, `the aspect changed in between: ${detail}`, {
      remedy: 'run the job again: it merges with what is there now',
    })
  }
}

/** The request is larger than the catalog takes. */
export class PayloadTooLargeError extends CatalogError {
  readonly code = 'PAYLOAD_TOO_LARGE'

  constructor(url: string) {
    super(url, `the request is larger than the catalog takes (413): ${url}`, {
      remedy: 'lower emitter.batchBytes in config/headwater.yaml',
    })
  }
}

/** The answer is larger than we are willing to hold. */
export class AnswerTooLargeError extends CatalogError {
  readonly code = 'ANSWER_TOO_LARGE'

  constructor(url: string, maxBytes: number) {
    super(url, `the answer is larger than ${maxBytes} bytes: ${url}`, {
      remedy: 'ask for less at a time',
    })
  }
}

/** What answers at this address is not a catalog, or answers in a shape that we do not know. */
export class NotACatalogError extends CatalogError {
  readonly code = 'NOT_A_CATALOG'

  constructor(url: string, detail: string) {
    super(url, `not the answer of a catalog: ${url}: ${detail}`, {
      remedy:
        'use the address of the metadata service (GMS), not that of the web frontend: http://HOST:8080 or https://HOST/api/gms',
    })
  }
}

/** GraphQL reports failures with status 200 (contract §9.1). */
export class GraphqlError extends CatalogError {
  readonly code = 'GRAPHQL_FAILED'
  /** `extensions.code` of the first error, for example 403. */
  readonly status: number | undefined

  constructor(url: string, messages: readonly string[], status: number | undefined) {
    super(url, `GraphQL: ${messages.join('; ')}`)
    this.status = status
  }
}

/** Node puts the reason of a refused connection into `code`, sometimes one cause deeper. */
function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause)
  const { code, message } = cause as { readonly code?: unknown; readonly message: string }
  const inner = cause.cause instanceof Error ? reasonOf(cause.cause) : ''
  // Most network errors name their code in the message.
  const told = typeof code === 'string' && !message.includes(code) ? [code, message] : [message]
  return [...told, inner].filter((part) => part !== '').join(' ')
}
