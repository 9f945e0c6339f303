/** Hive's multi-insert: relations once, and several INSERTs that read them. */

import type { Cte, Relation, Use } from '../ir/query.ts'
import type { InsertStatement } from '../ir/statement.ts'
import { K } from '../lexer/words.ts'
import type { Core, CoreOf } from './core.ts'
import type { Cursor } from './cursor.ts'
import { UNKNOWN_TARGET } from './changed-table.ts'
import { parseInsert } from './insert.ts'

/** Hive: FROM relations INSERT … SELECT … [INSERT … SELECT …]. The cursor is at the first INSERT. */
export function parseMultiInsert(
  c: Cursor,
  ctes: readonly Cte[],
  from: readonly Relation[],
  uses: readonly Use[],
): Core {
  const inserts: InsertStatement[] = []
  while (c.at(K.INSERT)) {
    const start = c.start()
    const core = parseInsert(c, ctes)
    if (core.kind === 'insert' || core.kind === 'copy') inserts.push(withSource(core, from, uses, start, c.end()))
  }
  return { kind: 'multiInsert', inserts }
}

function withSource(
  core: CoreOf<'insert'> | CoreOf<'copy'>,
  from: readonly Relation[],
  uses: readonly Use[],
  start: number,
  end: number,
): InsertStatement {
  const query =
    core.query?.kind === 'select' && core.query.from.length === 0
      ? { ...core.query, from, uses: [...uses, ...core.query.uses] }
      : core.query
  const added = { query, start, end, skipped: 0, notes: [], fingerprint: '' }
  if (core.kind === 'insert') return { ...core, ...added }
  const target = core.outputs[0] ?? UNKNOWN_TARGET
  return {
    kind: 'insert',
    target,
    columns: undefined,
    assignments: [],
    onConflict: [],
    byName: false,
    partition: [],
    dynamicPartition: [],
    returning: [],
    ...added,
  }
}
