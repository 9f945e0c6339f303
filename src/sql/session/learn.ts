/** Tables that statements define, as the session knows them from then on. */

import type { Statement } from '../ir/statement.ts'
import { isUncounted } from '../resolve/renamed.ts'
import { outColumn } from '../resolve/sources.ts'
import type { Effect } from '../resolve/target.ts'
import type { LearntSchema } from '../types.ts'
import type { SessionTables } from './tables.ts'

/** What the statement teaches about tables. */
export function learn(
  statement: Statement,
  effect: Effect,
  tables: SessionTables,
  isTemporary: (name: string) => boolean,
): LearntSchema[] {
  const schemas: LearntSchema[] = []
  for (const defined of effect.defined) {
    const temporary = defined.temporary || isTemporary(defined.table.name)
    if (!defined.replaces) {
      if (temporary && !tables.isTemporary(defined.table)) tables.define(defined.table, [], true)
      tables.feed(defined.table, defined.columns)
      continue
    }
    const types = new Map(
      (('columns' in statement && Array.isArray(statement.columns) ? statement.columns : []) as readonly unknown[])
        .filter(isDefinition)
        .map((column) => [column.name.toLowerCase(), column]),
    )
    tables.define(defined.table, defined.columns, temporary, (key) => types.get(key)?.type)
    const { hidden = [] } = defined
    if (hidden.length > 0) defined.table.hidden = new Set(hidden.map((name) => name.toLowerCase()))
    if (defined.columns.length === 0 || defined.columns.some(isUncounted)) continue
    schemas.push({
      table: defined.table.name,
      temporary,
      ...('comment' in statement && typeof statement.comment === 'string' ? { comment: statement.comment } : {}),
      columns: [...defined.columns.map(({ name }) => name), ...hidden].map((name, index) => {
        const known = types.get(name.toLowerCase())
        return {
          name,
          ...(index < defined.columns.length ? {} : { hidden: true as const }),
          ...(known?.type === undefined ? {} : { type: known.type }),
          ...(known?.nullable === undefined ? {} : { nullable: known.nullable }),
          ...(known?.primaryKey === undefined ? {} : { primaryKey: known.primaryKey }),
          ...(known?.comment === undefined ? {} : { comment: known.comment }),
        }
      }),
    })
  }
  if (statement.kind === 'update' || statement.kind === 'merge') {
    for (const one of effect.edges)
      if (one.target && tables.isTemporary(one.target)) tables.feed(one.target, [outColumn(one.name, one.sources)])
  }
  return schemas
}

interface Definition {
  readonly name: string
  readonly type?: string
  readonly nullable?: boolean
  readonly primaryKey?: boolean
  readonly comment?: string
}

function isDefinition(value: unknown): value is Definition {
  return typeof value === 'object' && value !== null && 'name' in value
}
