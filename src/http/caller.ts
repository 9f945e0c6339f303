/**
 * Who calls and what the caller may do. Every route says what it needs in its `config`; a route that does not say so is
 * refused when the server is built, so none is left open by forgetting.
 */
import type { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify'
import { SCOPES, type Scope } from '../catalog/tokens/tokens.ts'
import { HeadwaterError } from '../model/errors.ts'
import { asUrn, type Urn } from '../model/urn.ts'

export interface Caller {
  /** Named in the audit stamps of what the call changes. */
  readonly actor: Urn
  readonly scopes: readonly Scope[]
}

/**
 * What a route needs: a scope, nothing at all (`/health`, `/config`), or what the action or the GraphQL operation inside
 * of the call needs, which its handler then asks for by {@link requireScope}.
 */
export type Need = Scope | 'nothing' | 'as its action'

declare module 'fastify' {
  interface FastifyContextConfig {
    needs?: Need
  }
  interface FastifyRequest {
    /** Set before any handler runs, but for routes that need nothing. */
    caller: Caller
  }
}

/** Who acts where calls carry no person: everyone on an open loopback, and the holder of the service's own token. */
export const SERVICE_CALLER: Caller = { actor: asUrn('urn:li:corpuser:datahub'), scopes: SCOPES }

/** The caller is known, and the token lacks the scope. */
export class MissingScopeError extends HeadwaterError {
  readonly code = 'FORBIDDEN'
  readonly scope: Scope

  constructor(caller: Caller, scope: Scope, what: string) {
    super(`${caller.actor} is unauthorized to ${what}: the token has the scopes ${caller.scopes.join(', ')}`, {
      remedy: `use a token with the scope ${scope}`,
    })
    this.scope = scope
  }
}

/** @param what completes "unauthorized to …". @throws MissingScopeError */
export function requireScope(caller: Caller, scope: Scope, what: string): void {
  if (!caller.scopes.includes(scope)) throw new MissingScopeError(caller, scope, what)
}

/** Tells who calls, at once where nothing has to be asked for. */
export type Authenticate = (request: Pick<FastifyRequest, 'headers' | 'method' | 'url'>) => Caller | Promise<Caller>

/** Puts the caller on each request and holds each route to what it needs. */
export function guardRoutes(app: FastifyInstance, authenticate: Authenticate): void {
  app.decorateRequest('caller')
  const routes: RouteOptions[] = []
  app.addHook('onRoute', (route) => void routes.push(route))
  app.addHook('onReady', async () => {
    const silent = routes.find(({ config }) => config?.needs === undefined)
    if (silent !== undefined) throw new TypeError(`the route ${silent.url} does not say what it needs`)
  })
  app.addHook('onRequest', (request, _reply, done) => {
    const { needs } = request.routeOptions.config
    if (needs === 'nothing') return done()
    const admit = (caller: Caller): void => {
      request.caller = caller
      // Unknown addresses have no route and no need; they are answered to whoever may call at all.
      if (needs === undefined || needs === 'as its action') return
      requireScope(caller, needs, `${request.method} ${request.routeOptions.url}`)
    }
    const caller = authenticate(request)
    if (caller instanceof Promise) return void caller.then(admit).then(() => done(), done)
    admit(caller)
    return done()
  })
}
