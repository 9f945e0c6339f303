/** What jobs remember from run to run. Writes name the attempt and do nothing once another worker has the run. */
import type { Queryable } from '../database.ts'
import type { Hold } from './runs.ts'

/** A value as JSON text. */
export interface MemoryRow {
  readonly key: string
  readonly value: string
}

export function readMemory(db: Queryable, scope: string, keys: readonly string[]): Promise<readonly MemoryRow[]> {
  return db.rows<MemoryRow>(
    {
      name: 'ledger-memory-read',
      text: 'select key, value from ledger.memory where scope = $1 and key = any($2::text[])',
    },
    [scope, keys],
  )
}

/** A page of what begins with `prefix`, in the order of the keys, after `after`. */
export function scanMemory(
  db: Queryable,
  scope: string,
  range: { readonly prefix: string; readonly after: string; readonly limit: number },
): Promise<readonly MemoryRow[]> {
  return db.rows<MemoryRow>(
    {
      name: 'ledger-memory-scan',
      text: `select key, value from ledger.memory
        where scope = $1 and key > $3 and key >= $2 and starts_with(key, $2) order by key limit $4`,
    },
    [scope, range.prefix, range.after, range.limit],
  )
}

/** As `scanMemory`, without the values. */
export function scanMemoryKeys(
  db: Queryable,
  scope: string,
  range: { readonly prefix: string; readonly after: string; readonly limit: number },
): Promise<readonly { readonly key: string }[]> {
  return db.rows<{ readonly key: string }>(
    {
      name: 'ledger-memory-keys',
      text: `select key from ledger.memory
        where scope = $1 and key > $3 and key >= $2 and starts_with(key, $2) order by key limit $4`,
    },
    [scope, range.prefix, range.after, range.limit],
  )
}

/** Call it in the transaction that has locked the run's row. */
export async function writeMemory(
  tx: Queryable,
  hold: Hold,
  scope: string,
  changes: { readonly put: readonly MemoryRow[]; readonly remove: readonly string[] },
  nowMs: number,
): Promise<void> {
  if (changes.remove.length > 0) {
    await tx.execute(
      { name: 'ledger-memory-remove', text: 'delete from ledger.memory where scope = $1 and key = any($2::text[])' },
      [scope, changes.remove],
    )
  }
  if (changes.put.length === 0) return
  await tx.execute(
    {
      name: 'ledger-memory-put',
      text: `insert into ledger.memory (scope, key, value, run_id, saved_ms)
        select $1, entry.*, $4, $5 from unnest($2::text[], $3::text[]) entry
        on conflict (scope, key) do update
          set value = excluded.value, run_id = excluded.run_id, saved_ms = excluded.saved_ms`,
    },
    [scope, changes.put.map((row) => row.key), changes.put.map((row) => row.value), hold.runId, nowMs],
  )
}
