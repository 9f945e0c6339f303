/** The columns of a plain `*` over a scope. */

import { clickhouseColumns } from './clickhouse-name.ts'
import { type OutColumn, type Resolving, type Scope, type ScopeRelation, type Sources, NO_SOURCES } from './model.ts'
import { outColumn, union } from './sources.ts'

/** Columns of `*`: each relation's, and merged ones once, before the others or where the left side has them. */
export function starColumns(r: Resolving, scope: Scope): readonly OutColumn[] {
  const visible = scope.relations.filter((relation) => !relation.hidden)
  if (!scope.merged) {
    if (visible.length === 1) return rowsOf(visible[0]!)
    return r.dialect.name === 'clickhouse' ? clickhouseColumns(visible, scope) : visible.flatMap(rowsOf)
  }
  const merged = new Map<string, OutColumn>()
  for (const [key, owners] of scope.merged) {
    const column = mergedColumn(key, owners)
    if (column) merged.set(key, column)
  }
  const columns = r.dialect.mergedColumns === 'first' ? [...merged.values()] : []
  const taken = new Set(columns.map((column) => column.key))
  for (const relation of visible)
    for (const column of relation.columns) {
      const one = column.open ? undefined : merged.get(column.key)
      if (one === undefined) columns.push(column)
      else if (!taken.has(column.key)) columns.push(one)
      if (one) taken.add(column.key)
    }
  return columns
}

/** Columns of a relation; a function whose columns nobody knows has all of its arguments in each. */
function rowsOf({ columns, any }: ScopeRelation): readonly OutColumn[] {
  return columns.length === 0 && any ? [{ ...outColumn('*', any), spread: true }] : columns
}

/** Spelt as its first owner has it, with the sources of all. */
function mergedColumn(key: string, owners: readonly ScopeRelation[]): OutColumn | undefined {
  let name: string | undefined
  let sources: Sources = NO_SOURCES
  for (const owner of owners) {
    const column = owner.columns.find((one) => one.key === key && !one.open)
    if (!column) continue
    name ??= column.name
    sources = union(sources, column.sources)
  }
  return name === undefined ? undefined : outColumn(name, sources)
}
