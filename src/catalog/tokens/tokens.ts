/**
 * Personal access tokens (contract §10): random texts that stand for a user until they expire or are revoked. A token is
 * shown once, when it is made; afterwards there is only its digest.
 */
import { createHash, randomBytes } from 'node:crypto'
import { asUrn, entityTypeOf, type Urn } from '../../model/urn.ts'
import { addToken, deleteToken, listTokens, tokenByDigest, touchToken, type TokenRow } from '../../store/token-store.ts'
import { BadRequestError } from '../errors.ts'
import type { Ports } from '../ports.ts'

/** What a token allows: reading; writing and deleting metadata; operations on indexes and tokens. */
export const SCOPES = ['read', 'write', 'operate'] as const
export type Scope = (typeof SCOPES)[number]

export interface AccessToken {
  readonly id: string
  readonly name: string
  readonly description: string | null
  /** The user that the token stands for. */
  readonly actor: Urn
  /** The user who made it. */
  readonly owner: Urn
  readonly scopes: readonly Scope[]
  readonly createdMs: number
  /** null: never. */
  readonly expiresMs: number | null
  /** To the minute; null: not yet. */
  readonly lastUsedMs: number | null
}

export interface NewToken {
  readonly name: string
  readonly description?: string | undefined
  readonly actor: Urn
  readonly owner: Urn
  /** At least one. */
  readonly scopes: readonly Scope[]
  /** How long it holds; for ever when absent. */
  readonly holdsMs?: number | undefined
}

export interface Tokens {
  /** @returns the token itself, which is nowhere else. @throws BadRequestError */
  create(token: NewToken): Promise<{ readonly text: string; readonly token: AccessToken }>
  /** A page, the newest first. */
  list(
    filter: { readonly actor?: string | undefined; readonly owner?: string | undefined },
    range: { readonly start: number; readonly count: number },
  ): Promise<{ readonly tokens: readonly AccessToken[]; readonly total: number }>
  /** @returns false where there is no such token */
  revoke(id: string): Promise<boolean>
  /** The token of this text, and whether it still holds; undefined where there is none. Notes its use. */
  find(text: string): Promise<(AccessToken & { readonly expired: boolean }) | undefined>
}

/** Marks our tokens, so that scanners for leaked secrets can tell them. */
const PREFIX = 'hw_'
const SHAPE = /^hw_[A-Za-z0-9_-]{43}$/
/** A token that was revoked by another process holds here for so long. */
const REMEMBERED_MS = 1000
const MAX_REMEMBERED = 1000
const USE_NOTED_EVERY_MS = 60_000
const MAX_NAME = 200

export function createTokens({ database, clock, ids }: Pick<Ports, 'database' | 'clock' | 'ids'>): Tokens {
  const known = new Map<string, { readonly token: AccessToken; readonly readMs: number }>()

  async function read(digest: string): Promise<AccessToken | undefined> {
    const nowMs = clock.now()
    const remembered = known.get(digest)
    if (remembered !== undefined && Math.abs(nowMs - remembered.readMs) < REMEMBERED_MS) return remembered.token
    known.delete(digest)
    const row = await tokenByDigest(database, digest)
    if (row === undefined) return undefined
    const token = tokenOf(row)
    if (token.expiresMs === null || nowMs < token.expiresMs) await noteUse(token, nowMs)
    if (known.size >= MAX_REMEMBERED) known.clear()
    known.set(digest, { token, readMs: nowMs })
    return token
  }

  async function noteUse({ id, lastUsedMs }: AccessToken, nowMs: number): Promise<void> {
    if (lastUsedMs !== null && nowMs - lastUsedMs < USE_NOTED_EVERY_MS) return
    await touchToken(database, id, nowMs, nowMs - USE_NOTED_EVERY_MS)
  }

  return {
    async create({ name, description, actor, owner, scopes, holdsMs }) {
      check(name, actor, scopes)
      const nowMs = clock.now()
      const text = PREFIX + randomBytes(32).toString('base64url')
      const token: AccessToken = {
        id: ids.next('token', nowMs),
        name,
        description: description ?? null,
        actor,
        owner,
        scopes: SCOPES.filter((scope) => scopes.includes(scope)),
        createdMs: nowMs,
        expiresMs: holdsMs === undefined ? null : nowMs + holdsMs,
        lastUsedMs: null,
      }
      await addToken(database, token, digestOf(text))
      return { text, token }
    },
    async list(filter, range) {
      const { tokens, total } = await listTokens(database, filter, range)
      return { tokens: tokens.map(tokenOf), total }
    },
    async revoke(id) {
      known.clear()
      return deleteToken(database, id)
    },
    async find(text) {
      if (!SHAPE.test(text)) return undefined
      const token = await read(digestOf(text))
      if (token === undefined) return undefined
      return { ...token, expired: token.expiresMs !== null && token.expiresMs <= clock.now() }
    },
  }
}

function check(name: string, actor: Urn, scopes: readonly Scope[]): void {
  if (name.trim() === '' || name.length > MAX_NAME) {
    throw new BadRequestError(`A token needs a name of at most ${MAX_NAME} characters`)
  }
  if (entityTypeOf(actor) !== 'corpuser') {
    throw new BadRequestError(`A token stands for a user, and ${actor} is none`, {
      remedy: 'name a user: urn:li:corpuser:<name>',
    })
  }
  if (scopes.length === 0) throw new BadRequestError(`A token needs at least one scope of ${SCOPES.join(', ')}`)
}

function tokenOf(row: TokenRow): AccessToken {
  return {
    ...row,
    actor: asUrn(row.actor),
    owner: asUrn(row.owner),
    scopes: SCOPES.filter((scope) => row.scopes.includes(scope)),
  }
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
