/**
 * HTTP to a catalog by undici: bounded in time and size, one error class per reason. Knows nothing of aspects.
 */
import { getCACertificates } from 'node:tls'
import { Agent, EnvHttpProxyAgent, errors as undiciErrors, request, type Dispatcher } from 'undici'
import { HeadwaterError } from '../model/errors.ts'
import { isJsonObject } from '../model/json.ts'
import { systemClock } from '../observe/clock.ts'
import { maskUrl } from '../observe/logger.ts'
import { textWithin, unpackedBody } from './encoding.ts'
import {
  AnswerTooLargeError,
  CatalogAwayError,
  CatalogFailedError,
  CatalogTimeoutError,
  CatalogUntrustedError,
  ForbiddenError,
  NotACatalogError,
  PayloadTooLargeError,
  RefusedError,
  ThrottledError,
  UnauthorizedError,
  VersionConflictError,
} from './errors.ts'

/** Where a catalog is and how to talk to it. */
export interface CatalogConnection {
  /** Told of each request that ended; status 0 where there was no answer. */
  readonly observe?: (call: { readonly method: string; readonly status: number; readonly seconds: number }) => void
  /** GMS itself, or with the prefix of a proxy: `http://h:8080`, `http://h:9002/api/gms`, `https://h/gms` (contract §1). */
  readonly url: string
  readonly token?: string | undefined
  /** For one request, from connecting to the last byte of its answer. */
  readonly timeoutMs?: number
  readonly maxAnswerBytes?: number
  readonly maxConnections?: number
  /** Sent with every request, for example for a proxy in front of the catalog. */
  readonly extraHeaders?: Readonly<Record<string, string>>
  readonly tls?: {
    /** Certificate authorities to trust besides Node's own, PEM. */
    readonly ca?: string
    /** Client certificate and key, PEM. */
    readonly cert?: string
    readonly key?: string
  }
}

const DEFAULT_TIMEOUT_MS = 30_000
const DEFAULT_MAX_ANSWER_BYTES = 64 * 1024 * 1024
const DEFAULT_MAX_CONNECTIONS = 16

export interface HttpRequest {
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PATCH' | 'DELETE'
  /** Path and query below the base URL, encoded. */
  readonly path: string
  readonly body?: string
  readonly contentType?: string
  readonly signal?: AbortSignal | undefined
  readonly timeoutMs?: number
}

export interface HttpAnswer {
  readonly status: number
  readonly text: string
}

export class Transport {
  readonly url: string
  readonly #connection: CatalogConnection
  readonly #dispatcher: Dispatcher
  /** For answers of any size; opened when first needed. */
  #streams: Dispatcher | undefined
  readonly #headers: Readonly<Record<string, string>>
  readonly #timeoutMs: number
  readonly #maxAnswerBytes: number

  constructor(connection: CatalogConnection) {
    this.url = connection.url.replace(/\/+$/, '')
    this.#timeoutMs = connection.timeoutMs ?? DEFAULT_TIMEOUT_MS
    this.#maxAnswerBytes = connection.maxAnswerBytes ?? DEFAULT_MAX_ANSWER_BYTES
    this.#connection = connection
    this.#dispatcher = dispatcherFor(connection, this.#maxAnswerBytes)
    this.#headers = {
      accept: 'application/json',
      'x-restli-protocol-version': '2.0.0',
      'user-agent': 'headwater',
      ...connection.extraHeaders,
      ...(connection.token === undefined ? {} : { authorization: `Bearer ${connection.token}` }),
    }
  }

  get #hadToken(): boolean {
    return Object.keys(this.#headers).some((name) => name.toLowerCase() === 'authorization')
  }

  /** Address of a path, fit for messages. */
  address(path: string): string {
    return maskUrl(this.url + path)
  }

  /**
   * One request, one answer with a status below 400.
   * @throws a class of `errors.ts` by what went wrong; the signal's reason when aborted
   */
  async send(call: HttpRequest): Promise<HttpAnswer> {
    const timeoutMs = call.timeoutMs ?? this.#timeoutMs
    const timeout = AbortSignal.timeout(timeoutMs)
    const signal = call.signal === undefined ? timeout : AbortSignal.any([call.signal, timeout])
    const address = this.address(call.path.replace(/\?.*$/, ''))
    const begun = systemClock.monotonic()
    let answered = 0
    try {
      const response = await request(this.url + call.path, {
        dispatcher: this.#dispatcher,
        method: call.method,
        headers: { ...this.#headers, 'content-type': call.contentType ?? 'application/json' },
        signal,
        ...(call.body === undefined ? {} : { body: call.body }),
      })
      const text = await this.#textOf(response)
      answered = response.statusCode
      throwForStatus(address, response, { text, hadToken: this.#hadToken })
      return { status: response.statusCode, text }
    } catch (error) {
      if (error instanceof HeadwaterError) throw error
      call.signal?.throwIfAborted()
      if (timeout.aborted) throw new CatalogTimeoutError(address, timeoutMs)
      if (error instanceof undiciErrors.ResponseExceededMaxSizeError || error instanceof RangeError) {
        throw new AnswerTooLargeError(address, this.#maxAnswerBytes)
      }
      if (isUntrusted(error)) throw new CatalogUntrustedError(address, error)
      if (isNetworkError(error)) throw new CatalogAwayError(address, error)
      throw error
    } finally {
      const seconds = (systemClock.monotonic() - begun) / 1000
      this.#connection.observe?.({ method: call.method, status: answered, seconds })
    }
  }

  /**
   * The body of a GET, of any size, as it comes. The timeout is for the wait between two pieces.
   * @throws as `send`, also while reading
   */
  async *stream(path: string, signal?: AbortSignal): AsyncGenerator<Uint8Array> {
    this.#streams ??= dispatcherFor(this.#connection, -1)
    const address = this.address(path.replace(/\?.*$/, ''))
    try {
      const response = await request(this.url + path, {
        dispatcher: this.#streams,
        method: 'GET',
        headers: this.#headers,
        headersTimeout: this.#timeoutMs,
        bodyTimeout: this.#timeoutMs,
        ...(signal === undefined ? {} : { signal }),
      })
      if (response.statusCode >= 300) {
        const text = await this.#textOf(response)
        throwForStatus(address, response, { text, hadToken: this.#hadToken })
      }
      yield* unpackedBody(response.body, response.headers['content-encoding'])
    } catch (error) {
      if (error instanceof HeadwaterError) throw error
      signal?.throwIfAborted()
      if (error instanceof undiciErrors.HeadersTimeoutError || error instanceof undiciErrors.BodyTimeoutError) {
        throw new CatalogTimeoutError(address, this.#timeoutMs)
      }
      if (isUntrusted(error)) throw new CatalogUntrustedError(address, error)
      if (isNetworkError(error)) throw new CatalogAwayError(address, error)
      throw error
    }
  }

  #textOf({ body, headers }: Dispatcher.ResponseData): Promise<string> {
    const encoding = headers['content-encoding']
    // Undici bounds the bytes that come, which says nothing about those that are packed in them.
    return encoding === undefined ? body.text() : textWithin(unpackedBody(body, encoding), this.#maxAnswerBytes)
  }

  async close(): Promise<void> {
    await Promise.all([this.#dispatcher.destroy(), this.#streams?.destroy()])
  }
}

/** Proxy variables (HTTPS_PROXY, NO_PROXY) are obeyed, but for loopback, which no proxy can reach for us. */
function dispatcherFor(connection: CatalogConnection, maxResponseSize: number): Dispatcher {
  const { ca, ...certificate } = connection.tls ?? {}
  const tls = { ...certificate, ...(ca === undefined ? {} : { ca: [...getCACertificates('default'), ca] }) }
  const options = {
    connections: connection.maxConnections ?? DEFAULT_MAX_CONNECTIONS,
    maxResponseSize,
    connect: { timeout: connection.timeoutMs ?? DEFAULT_TIMEOUT_MS, ...tls },
  }
  const { hostname } = parseAddress(connection.url)
  const loopback = hostname === 'localhost' || hostname === '[::1]' || hostname.startsWith('127.')
  return loopback ? new Agent(options) : new EnvHttpProxyAgent({ ...options, requestTls: tls })
}

function parseAddress(url: string): URL {
  const parsed = URL.canParse(url) ? new URL(url) : undefined
  if (parsed === undefined || !/^https?:$/.test(parsed.protocol)) {
    throw new NotACatalogError(maskUrl(url), 'the address must start with http:// or https://')
  }
  return parsed
}

/** Codes of OpenSSL for certificates that it does not accept, and of Node for those that do not fit the host. */
const UNTRUSTED =
  /^(ERR_SSL_|ERR_OSSL_|ERR_TLS_CERT|CERT_|DEPTH_ZERO_SELF_SIGNED_CERT$|SELF_SIGNED_CERT|UNABLE_TO_(GET|VERIFY)_)/

/** Also where a proxy stands between, which wraps what went wrong behind it. */
function isUntrusted(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if ('code' in error && typeof error.code === 'string' && UNTRUSTED.test(error.code)) return true
  return isUntrusted(error.cause)
}

function isNetworkError(error: unknown): boolean {
  if (error instanceof undiciErrors.UndiciError) return true
  return error instanceof Error && 'code' in error
}

function throwForStatus(
  url: string,
  { statusCode: status, headers }: Dispatcher.ResponseData,
  { text, hadToken }: { readonly text: string; readonly hadToken: boolean },
): void {
  if (status < 300) return
  const detail = detailOf(text)
  const retryAfterMs = parseRetryAfter(firstOf(headers['retry-after']))
  if (status < 400) throw new NotACatalogError(url, `it redirects (${status})${towards(firstOf(headers['location']))}`)
  if (status === 401) throw new UnauthorizedError(url, detail, { hadToken })
  if (status === 403) throw new ForbiddenError(url, detail)
  if (status === 404 || status === 405 || status === 501) throw new RefusedError(url, status, detail)
  if (status === 408) throw new CatalogFailedError(url, status, detail)
  if (status === 413) throw new PayloadTooLargeError(url)
  if (status === 429 || (status === 503 && retryAfterMs !== undefined)) {
    throw new ThrottledError(url, status, retryAfterMs)
  }
  if (status >= 500) throw new CatalogFailedError(url, status, detail)
  // rest.li answers a lost race with 422 and this text, OpenAPI with 412 (contract §6).
  if (status === 412 || /expected version .*actual version/i.test(detail)) throw new VersionConflictError(url, detail)
  throw new RefusedError(url, status, detail)
}

function firstOf(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header
}

/** Not followed: the address is what the token was given for, and a write that is sent on may become a read. */
function towards(location: string | undefined): string {
  if (location === undefined) return ''
  return ` to ${maskUrl(location.replace(/[?#].*$/s, '')).slice(0, 300)}`
}

/** Seconds or an HTTP date (RFC 9110 §10.2.3) in milliseconds from now; undefined where it is neither. */
function parseRetryAfter(value: string | undefined): number | undefined {
  if (value === undefined) return undefined
  if (/^\d+(\.\d+)?$/.test(value.trim())) return Math.round(Number(value) * 1000)
  const date = Date.parse(value)
  return Number.isNaN(date) ? undefined : Math.max(0, date - systemClock.now())
}

/** What an error body says: rest.li's `message`, OpenAPI's `error` and `message`, else the text's beginning. */
function detailOf(text: string): string {
  try {
    const body: unknown = JSON.parse(text)
    if (isJsonObject(body)) {
      const parts = [body['error'], body['message']].filter((part): part is string => typeof part === 'string')
      if (parts.length > 0) return shorten(parts.join(': '))
    }
  } catch {
    // Containers answer in HTML; its text is better than nothing.
  }
  return shorten(
    text
      .replaceAll(/<[^>]*>/g, ' ')
      .replaceAll(/\s+/g, ' ')
      .trim(),
  )
}

function shorten(text: string): string {
  return text.length > 1000 ? `${text.slice(0, 999)}…` : text
}
