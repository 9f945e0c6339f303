import type { OutColumn, Resolving, ScopeRelation } from './model.ts'
import { SourceSet } from './sources.ts'

/** The column of that name in a relation that holds all columns of tables not known. */
export function openColumnNamed(
  r: Resolving,
  relation: Pick<ScopeRelation, 'columns'>,
  name: string,
  key: string,
): OutColumn | undefined {
  let set: SourceSet | undefined
  for (const column of relation.columns) {
    if (!column.open) continue
    for (const { table, except, kind } of column.open) {
      if (except?.has(key)) continue
      set ??= new SourceSet()
      set.add(r.tables.columnOf(table, name), kind)
    }
  }
  return set && { name, key, sources: set.sources(), open: undefined, item: undefined, doubt: 'ASSUMED_COLUMN' }
}
