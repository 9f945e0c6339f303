/**
 * Who may call. On loopback the service may be open; it then checks the Host header, so that a page in a browser cannot
 * reach it under a name of its own (DNS rebinding). Elsewhere it does not start without a token.
 */
import { timingSafeEqual, createHash } from 'node:crypto'
import { isIP } from 'node:net'
import type { Tokens } from '../catalog/tokens/tokens.ts'
import { HeadwaterError } from '../model/errors.ts'
import { SERVICE_CALLER, type Authenticate, type Caller } from './caller.ts'

export class OpenBeyondLoopbackError extends HeadwaterError {
  readonly code = 'OPEN_BEYOND_LOOPBACK'
  override readonly badInput = true

  constructor(host: string, what: string) {
    super(`${what} would be open to everyone who reaches ${host}`, {
      remedy: 'set HEADWATER_TOKEN, or bind to 127.0.0.1',
    })
  }
}

export class UnauthorizedError extends HeadwaterError {
  readonly code = 'UNAUTHORIZED'

  constructor(reason = 'Unauthorized to perform this action.') {
    super(reason, { remedy: 'send the header Authorization: Bearer <token>' })
  }
}

/** The Host header names neither loopback nor the address that the service listens on. */
export class ForeignHostError extends HeadwaterError {
  readonly code = 'FORBIDDEN'

  constructor(host: string) {
    super(`Host ${host.slice(0, 100)} is not this service`, { remedy: 'call it as localhost or 127.0.0.1' })
  }
}

export function isLoopback(host: string): boolean {
  const name = host.replace(/^\[|\]$/g, '').toLowerCase()
  return name === 'localhost' || name === '::1' || (isIP(name) === 4 && name.startsWith('127.'))
}

/** @param what is to be bound there. @throws OpenBeyondLoopbackError */
export function requireSafeBinding(host: string, token: string | undefined, what = 'the catalog'): void {
  if (token === undefined && !isLoopback(host)) throw new OpenBeyondLoopbackError(host, what)
}

/** @throws ForeignHostError for a Host header that is not loopback */
export function requireLoopbackHost(header: string | undefined): void {
  const host = header ?? ''
  const name = host.startsWith('[') ? host.slice(0, host.indexOf(']') + 1) : host.split(':')[0]
  if (name === undefined || !isLoopback(name)) throw new ForeignHostError(host)
}

/**
 * Tells who calls. Without `token` the service is open, and only the Host header is looked at; with it, callers bring it
 * or a personal access token.
 * @throws UnauthorizedError, ForeignHostError
 */
export function createAuthentication(token: string | undefined, tokens: Tokens): Authenticate {
  async function personal(given: string): Promise<Caller> {
    const found = await tokens.find(given)
    if (found === undefined) throw new UnauthorizedError()
    if (found.expired) throw new UnauthorizedError('Unauthorized to perform this action. The token has expired.')
    return { actor: found.actor, scopes: found.scopes }
  }
  return (request) => {
    const { authorization, host } = request.headers
    if (token === undefined) {
      requireLoopbackHost(host)
      return SERVICE_CALLER
    }
    const given = bearerToken(authorization) ?? (isForPeople(request) ? password(authorization) : undefined)
    if (given === undefined) throw new UnauthorizedError()
    // Compared in constant time.
    if (timingSafeEqual(digest(given), digest(token))) return SERVICE_CALLER
    return personal(given)
  }
}

/**
 * The OpenAPI page, which a person opens in a browser. A browser asks for a password and brings no Bearer token: the
 * token is taken as the password, of any user, but for reading this page only. A browser sends passwords by itself, also
 * on behalf of foreign pages.
 */
export const DOCUMENTATION_PATH = '/openapi/swagger-ui'

export function isForPeople({ method, url }: { readonly method: string; readonly url: string }): boolean {
  return method === 'GET' && (url === DOCUMENTATION_PATH || url.startsWith(`${DOCUMENTATION_PATH}/`))
}

function bearerToken(authorization: string | undefined): string | undefined {
  return /^Bearer\s+(\S+)$/i.exec(authorization ?? '')?.[1]
}

function password(authorization: string | undefined): string | undefined {
  const encoded = /^Basic\s+(\S+)$/i.exec(authorization ?? '')?.[1]
  if (encoded === undefined) return undefined
  const pair = Buffer.from(encoded, 'base64').toString()
  return pair.slice(pair.indexOf(':') + 1)
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
