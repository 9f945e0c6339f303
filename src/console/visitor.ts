/**
 * Who calls the console, and as whom decisions are noted. The same tokens as at the catalog: HEADWATER_TOKEN, or a
 * personal one with its scopes. Browsers, which send no bearer, hand the token over as the password of HTTP's basic
 * authentication (RFC 7617). Looking needs the scope `read`, everything else `operate`; a route that says nothing of it
 * is held to that, too.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { IncomingHttpHeaders } from 'node:http'
import { requireScope, SERVICE_CALLER, type Authenticate, type Caller } from '../http/caller.ts'
import { HeadwaterError } from '../model/errors.ts'
import { answerFailure } from './failures.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The name by which the caller's decisions are kept. */
    person: string
  }
}

/** A page of another site made a browser call. */
export class ForeignOriginError extends HeadwaterError {
  readonly code = 'FORBIDDEN'

  constructor(origin: string) {
    super(`a page of ${origin.slice(0, 100)} may not call this service`, { remedy: 'call it from its own pages' })
  }
}

/** Public routes say `config: { needs: 'nothing' }`. */
export function guardConsole(app: FastifyInstance, authenticate: Authenticate): void {
  app.decorateRequest('caller')
  app.decorateRequest('person', '')
  app.addHook('onRequest', async (request, reply): Promise<unknown> => {
    if (request.routeOptions.config.needs === 'nothing') return undefined
    try {
      await letIn(request, authenticate)
      return undefined
    } catch (error) {
      // Here, since a plugin may have an error handler of its own.
      return answerFailure(reply, error)
    }
  })
}

async function letIn(request: FastifyRequest, authenticate: Authenticate): Promise<void> {
  const { name, headers } = withoutBasic(request.headers)
  const caller = await authenticate({ headers, method: request.method, url: request.url })
  const looks = request.method === 'GET' || request.method === 'HEAD'
  if (!looks) requireOwnOrigin(request)
  requireScope(caller, looks ? 'read' : 'operate', `${request.method} ${request.routeOptions.url ?? request.url}`)
  request.caller = caller
  request.person = personOf(caller, name)
}

/** A token's owner is known; the bearer of the service's own token may say who they are. */
function personOf({ actor }: Caller, name: string | undefined): string {
  return actor === SERVICE_CALLER.actor ? (name ?? 'http') : actor.slice('urn:li:corpuser:'.length)
}

/** The person of a decision: who the token stands for, or, with the service's own token, the name that the body gives. */
export function decidingPerson(request: FastifyRequest, by: string | undefined): string {
  return request.caller.actor === SERVICE_CALLER.actor ? (by ?? request.person) : request.person
}

function withoutBasic(headers: IncomingHttpHeaders): {
  readonly name: string | undefined
  readonly headers: IncomingHttpHeaders
} {
  const given = /^Basic\s+(\S+)$/i.exec(headers.authorization ?? '')?.[1]
  if (given === undefined) return { name: undefined, headers }
  const [name = '', ...password] = Buffer.from(given, 'base64').toString('utf8').split(':')
  return {
    name: name === '' ? undefined : name.slice(0, 100),
    headers: { ...headers, authorization: `Bearer ${password.join(':')}` },
  }
}

/** Browsers send credentials along whoever asks them to. @throws ForeignOriginError */
function requireOwnOrigin({ headers: { origin, host } }: FastifyRequest): void {
  if (origin === undefined) return
  if (!URL.canParse(origin) || new URL(origin).host !== host) throw new ForeignOriginError(origin)
}
