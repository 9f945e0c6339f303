/** The columns of a plain `*` over a scope. */

import type { OutColumn, Scope, Sources } from './model.ts'
import { NO_SOURCES } from './model.ts'
import { outColumn, union } from './sources.ts'

/** Columns of `*`: merged ones first and once, then each relation's. */
export function starColumns(scope: Scope): readonly OutColumn[] {
  const visible = scope.relations.filter((relation) => !relation.hidden)
  if (!scope.merged) return visible.length === 1 ? visible[0]!.columns : visible.flatMap((relation) => relation.columns)
  const columns: OutColumn[] = []
  for (const [key, owners] of scope.merged) {
    let name = key
    let sources: Sources = NO_SOURCES
    let found = false
    for (const owner of owners) {
      const column = owner.columns.find((one) => one.key === key && !one.open)
      if (!column) continue
      if (!found) name = column.name
      found = true
      sources = union(sources, column.sources)
    }
    if (found) columns.push(outColumn(name, sources))
  }
  const taken = new Set(columns.map((column) => column.key))
  for (const relation of visible)
    for (const column of relation.columns) if (column.open || !taken.has(column.key)) columns.push(column)
  return columns
}
