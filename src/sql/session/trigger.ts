/** Triggers: what names one, and the rows that its body reads. */

import type { Cte, Query, TableName } from '../ir/query.ts'
import type { RoutineStatement } from '../ir/statement.ts'
import { extendEnv } from '../resolve/cte.ts'
import type { CteEnv } from '../resolve/model.ts'

/** Equal for two definitions of the same trigger. */
export function triggerName({ name, table }: RoutineStatement): string {
  return `${name.parts.join('.')} ${table?.parts.join('.') ?? ''}`
}

/** T-SQL: a trigger reads its table's rows as `inserted` and `deleted`. */
export function triggerRows(table: TableName, names: readonly string[], outer: CteEnv | undefined): CteEnv | undefined {
  const { start, end } = table
  const from = [
    {
      kind: 'table',
      name: table,
      join: { kind: 'first', natural: false, using: undefined },
      pivots: [],
      start,
      end,
    } as const,
  ]
  const query: Query = { kind: 'table', from, uses: [], with: [], start, end }
  const rows = (name: string): Cte => ({ name, columns: undefined, query, recursive: false, start, extraColumns: [] })
  return extendEnv(['inserted', 'deleted', ...names].map(rows), outer, undefined)
}
