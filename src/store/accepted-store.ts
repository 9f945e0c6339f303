/** Rows of asynchronous writes. */
import type { Queryable } from './database.ts'

export interface AcceptedRow {
  readonly trace: string
  readonly actor: string
  /** JSON; null once carried out. */
  readonly proposals: string | null
  /** JSON; null until carried out. */
  readonly outcomes: string | null
}

export async function addAccepted(
  db: Queryable,
  row: { readonly trace: string; readonly actor: string; readonly proposals: string; readonly acceptedMs: number },
): Promise<void> {
  await db.execute(
    'insert into catalog.accepted_write (trace, actor, proposals, accepted_ms) values ($1, $2, $3, $4)',
    [row.trace, row.actor, row.proposals, row.acceptedMs],
  )
}

/** The oldest that wait. */
export async function waitingAccepted(db: Queryable, limit: number): Promise<readonly AcceptedRow[]> {
  return db.rows<AcceptedRow>(
    'select trace, actor, proposals, outcomes from catalog.accepted_write where outcomes is null order by seq limit $1',
    [limit],
  )
}

export async function endAccepted(
  db: Queryable,
  trace: string,
  end: { readonly outcomes: string; readonly appliedMs: number },
): Promise<void> {
  await db.execute(
    'update catalog.accepted_write set proposals = null, outcomes = $2, applied_ms = $3 where trace = $1',
    [trace, end.outcomes, end.appliedMs],
  )
}

export async function readAccepted(db: Queryable, trace: string): Promise<AcceptedRow | undefined> {
  const [row] = await db.rows<AcceptedRow>(
    'select trace, actor, proposals, outcomes from catalog.accepted_write where trace = $1',
    [trace],
  )
  return row
}

/** Forgets outcomes from before a moment. */
export async function forgetAccepted(db: Queryable, beforeMs: number): Promise<void> {
  await db.execute('delete from catalog.accepted_write where outcomes is not null and applied_ms < $1', [beforeMs])
}
