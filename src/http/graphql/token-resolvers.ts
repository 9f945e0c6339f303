/** Access tokens (contract §10): made, listed and revoked by whoever may operate. */
import { BadRequestError } from '../../catalog/errors.ts'
import { SCOPES, type AccessToken, type Scope } from '../../catalog/tokens/tokens.ts'
import { requireScope } from '../caller.ts'
import { searchFilter } from '../filter-decoder.ts'
import { urnArgument } from './nodes.ts'
import type { FieldResolvers } from './resolver.ts'

const DAY_MS = 86_400_000
const DURATION_MS: Readonly<Record<string, number>> = {
  ONE_HOUR: DAY_MS / 24,
  ONE_DAY: DAY_MS,
  ONE_WEEK: 7 * DAY_MS,
  ONE_MONTH: 30 * DAY_MS,
  THREE_MONTHS: 90 * DAY_MS,
  SIX_MONTHS: 180 * DAY_MS,
  ONE_YEAR: 365 * DAY_MS,
}
const MAX_PAGE = 1000

export const TOKEN_QUERIES: FieldResolvers<unknown> = {
  listAccessTokens: async (_, { input }, { catalog }) => {
    const range = { start: Math.max(0, input.start ?? 0), count: Math.min(Math.max(0, input.count ?? 10), MAX_PAGE) }
    const { tokens, total } = await catalog.tokens.list(filterOf(input.filters), range)
    return { start: range.start, count: tokens.length, total, tokens: tokens.map(metadataOf) }
  },
}

export const TOKEN_MUTATIONS: FieldResolvers<unknown> = {
  createAccessToken: async (_, { input }, { catalog, caller }) => {
    const scopes = input.scopes?.map((scope: string) => scope.toLowerCase() as Scope) ?? caller.scopes
    // A token hands on no more than it has.
    for (const scope of scopes) requireScope(caller, scope, `create a token with the scope ${scope}`)
    const holdsMs = DURATION_MS[input.duration]
    const { text, token } = await catalog.tokens.create({
      name: input.name,
      ...(typeof input.description === 'string' ? { description: input.description } : {}),
      actor: urnArgument(input.actorUrn),
      owner: caller.actor,
      scopes,
      ...(holdsMs === undefined ? {} : { holdsMs }),
    })
    return { accessToken: text, metadata: metadataOf(token) }
  },
  revokeAccessToken: async (_, { tokenId }, { catalog }) => {
    if (await catalog.tokens.revoke(tokenId)) return true
    throw new BadRequestError(`There is no access token ${JSON.stringify(String(tokenId).slice(0, 100))}`, {
      remedy: 'listAccessTokens gives the ids',
    })
  },
}

function metadataOf(token: AccessToken) {
  return {
    urn: `urn:li:dataHubAccessToken:${token.id}`,
    type: 'ACCESS_TOKEN',
    id: token.id,
    name: token.name,
    description: token.description,
    actorUrn: token.actor,
    ownerUrn: token.owner,
    createdAt: token.createdMs,
    expiresAt: token.expiresMs,
    scopes: SCOPES.filter((scope) => token.scopes.includes(scope)).map((scope) => scope.toUpperCase()),
    lastUsedAt: token.lastUsedMs,
  }
}

/** Clients filter by `actorUrn` or `ownerUrn`. */
function filterOf(filters: unknown): { readonly actor?: string | undefined; readonly owner?: string | undefined } {
  const criteria = searchFilter(filters === undefined || filters === null ? undefined : [{ and: filters as [] }]).flat()
  const valueOf = (field: string) => criteria.find((one) => one.field === field)?.values[0]
  const strange = criteria.find(({ field }) => field !== 'actorUrn' && field !== 'ownerUrn')
  if (strange !== undefined)
    throw new BadRequestError(`Tokens are filtered by actorUrn or ownerUrn, not ${strange.field}`)
  return { actor: valueOf('actorUrn'), owner: valueOf('ownerUrn') }
}
