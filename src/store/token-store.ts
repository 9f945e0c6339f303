/** Rows of access tokens. Only the digest of a token is here; the token itself is never stored. */
import type { Queryable, Statement } from './database.ts'

export interface TokenRow {
  readonly id: string
  readonly name: string
  readonly description: string | null
  /** The user that the token stands for, and the one who made it: URNs. */
  readonly actor: string
  readonly owner: string
  readonly scopes: readonly string[]
  readonly createdMs: number
  /** null: never. */
  readonly expiresMs: number | null
  readonly lastUsedMs: number | null
}

const COLUMNS = `id, name, description, actor, owner, scopes, created_ms as "createdMs", expires_ms as "expiresMs",
  last_used_ms as "lastUsedMs"`

const BY_DIGEST: Statement = {
  name: 'token_by_digest',
  text: `select ${COLUMNS} from catalog.access_token where digest = $1`,
}

export async function addToken(db: Queryable, row: TokenRow, digest: string): Promise<void> {
  await db.execute(
    `insert into catalog.access_token (id, digest, name, description, actor, owner, scopes, created_ms, expires_ms)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [row.id, digest, row.name, row.description, row.actor, row.owner, row.scopes, row.createdMs, row.expiresMs],
  )
}

export async function tokenByDigest(db: Queryable, digest: string): Promise<TokenRow | undefined> {
  const [row] = await db.rows<TokenRow>(BY_DIGEST, [digest])
  return row
}

/** Notes a use, unless one was noted since `beforeMs`. */
export async function touchToken(db: Queryable, id: string, nowMs: number, beforeMs: number): Promise<void> {
  await db.execute(
    `update catalog.access_token set last_used_ms = $2
     where id = $1 and (last_used_ms is null or last_used_ms < $3)`,
    [id, nowMs, beforeMs],
  )
}

/**
 * A page of tokens, the newest first, and how many there are in all.
 * @param filter URNs; only what they name is listed
 */
export async function listTokens(
  db: Queryable,
  filter: { readonly actor?: string | undefined; readonly owner?: string | undefined },
  range: { readonly start: number; readonly count: number },
): Promise<{ readonly tokens: readonly TokenRow[]; readonly total: number }> {
  const where = '($1::text is null or actor = $1) and ($2::text is null or owner = $2)'
  const values = [filter.actor ?? null, filter.owner ?? null]
  const [tokens, [counted]] = await Promise.all([
    db.rows<TokenRow>(
      `select ${COLUMNS} from catalog.access_token where ${where} order by created_ms desc, id offset $3 limit $4`,
      [...values, range.start, range.count],
    ),
    db.rows<{ total: number }>(`select count(*) as total from catalog.access_token where ${where}`, values),
  ])
  return { tokens, total: counted?.total ?? 0 }
}

/** @returns false where there is no such token */
export async function deleteToken(db: Queryable, id: string): Promise<boolean> {
  return (await db.execute('delete from catalog.access_token where id = $1', [id])) === 1
}
