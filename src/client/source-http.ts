/**
 * Bytes behind an http(s) address, with bounds on everything that a server could stretch: redirects, silence, the whole
 * time, and how much it sends. Proxy variables (HTTPS_PROXY, NO_PROXY) are obeyed, but for loopback.
 */
import { Agent, EnvHttpProxyAgent, request, type Dispatcher } from 'undici'
import { HeadwaterError } from '../model/errors.ts'
import { maskUrl } from '../observe/logger.ts'

/** Input that cannot be opened or read to its end. */
export class SourceUnreadableError extends HeadwaterError {
  readonly code = 'SOURCE_UNREADABLE'
  override readonly badInput = true
  readonly location: string

  constructor(location: string, reason: string, options: { readonly cause?: unknown; readonly remedy?: string } = {}) {
    super(`cannot read ${location}: ${reason}`, { remedy: 'check the path and the rights to it', ...options })
    this.location = location
  }
}

export interface HttpLimits {
  readonly maxRedirects: number
  readonly maxBytes: number
  /** Before the first byte, and between two pieces. */
  readonly silenceMs: number
  /** From asking to the last byte. */
  readonly wholeMs: number
}

/** Enough for ten million rows over a slow line. */
export const HTTP_LIMITS: HttpLimits = {
  maxRedirects: 5,
  maxBytes: 32 * 1024 ** 3,
  silenceMs: 60_000,
  wholeMs: 6 * 3600 * 1000,
}

const REDIRECTS = new Set([301, 302, 303, 307, 308])

/**
 * @param location may hold variables, `${HEADWATER_SOURCE_…}`
 * @throws SourceUnreadableError, also while reading; the signal's reason when aborted
 */
export async function* readHttp(
  location: string,
  signal?: AbortSignal,
  limits: HttpLimits = HTTP_LIMITS,
): AsyncGenerator<Uint8Array> {
  const address = withVariables(location)
  const shown = maskUrl(location)
  const tooLong = AbortSignal.timeout(limits.wholeMs)
  const until = signal === undefined ? tooLong : AbortSignal.any([signal, tooLong])
  const dispatcher = isLoopback(address) ? new Agent() : new EnvHttpProxyAgent()
  try {
    const response = await follow(address, { dispatcher, signal: until, limits, shown })
    let bytes = 0
    for await (const chunk of response.body) {
      const piece = chunk as Uint8Array
      bytes += piece.length
      if (bytes > limits.maxBytes) throw new SourceUnreadableError(shown, `it is longer than ${limits.maxBytes} bytes`)
      yield piece
    }
  } catch (error) {
    signal?.throwIfAborted()
    if (error instanceof SourceUnreadableError) throw error
    const reason = tooLong.aborted ? `it took longer than ${limits.wholeMs / 1000} s` : (error as Error).message
    throw new SourceUnreadableError(shown, reason, {
      cause: error,
      remedy: 'check the address and whether its server answers',
    })
  } finally {
    await dispatcher.destroy()
  }
}

async function follow(
  location: string,
  {
    dispatcher,
    signal,
    limits,
    shown: asked,
  }: {
    readonly dispatcher: Dispatcher
    readonly signal: AbortSignal
    readonly limits: HttpLimits
    readonly shown: string
  },
): Promise<Dispatcher.ResponseData> {
  let url = new URL(location)
  for (let redirects = 0; ; redirects++) {
    const response = await request(url, {
      method: 'GET',
      dispatcher,
      signal,
      headersTimeout: limits.silenceMs,
      bodyTimeout: limits.silenceMs,
    })
    if (response.statusCode === 200) return response
    await response.body.dump()
    const target = response.headers['location']
    const shown = redirects === 0 ? asked : maskUrl(url.href)
    if (!REDIRECTS.has(response.statusCode) || typeof target !== 'string') {
      throw new SourceUnreadableError(shown, `the server answers ${response.statusCode}`, {
        remedy: 'check the address, and whether it needs a login',
      })
    }
    if (redirects >= limits.maxRedirects) {
      throw new SourceUnreadableError(shown, `more than ${limits.maxRedirects} redirects`, {
        remedy: 'give the last address itself',
      })
    }
    url = checkedTarget(new URL(target, url), url)
  }
}

/**
 * Variables of the environment in an address, so that job data holds no secret. Only those of this name: whoever may begin
 * a run may name them, and must not learn what else a worker's environment holds.
 */
const VARIABLE = /\$\{(HEADWATER_SOURCE_\w+)\}/g

/** The address without its variables: what of it anybody may read. */
export function withoutVariables(location: string): string {
  return location.replaceAll(VARIABLE, '')
}

/** @throws SourceUnreadableError where one is not set */
function withVariables(location: string): string {
  return location.replaceAll(VARIABLE, (_, name: string) => {
    const value = process.env[name]
    if (value !== undefined) return value
    throw new SourceUnreadableError(maskUrl(location), `the environment has no ${name}`, {
      remedy: 'set it where the workers run',
    })
  })
}

/** A redirect may not lead out of http(s), nor from https to http. */
function checkedTarget(target: URL, from: URL): URL {
  if (target.protocol === 'https:' || (target.protocol === 'http:' && from.protocol === 'http:')) return target
  throw new SourceUnreadableError(maskUrl(from.href), `it redirects to ${target.protocol}//`, {
    remedy: 'give the address that it leads to, if you trust it',
  })
}

function isLoopback(location: string): boolean {
  return ['127.0.0.1', 'localhost', '[::1]'].includes(new URL(location).hostname)
}
