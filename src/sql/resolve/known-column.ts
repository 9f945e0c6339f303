/** A relation's column by its name, where its columns are known. */
import type { OutColumn, Resolving, ScopeRelation } from './model.ts'
import type { Reference } from '../ir/expression.ts'

/** ClickHouse: a derived table's column that a join made `r.id` is found by `id`, as older servers call it. */
export function columnBehindAlias(relations: readonly ScopeRelation[], key: string): OutColumn | undefined {
  const found = relations
    .filter(({ path }) => path.length === 0)
    .flatMap(({ columns }) => columns.filter((column) => column.key.endsWith(`.${key}`) && !column.open))
  return found.length === 1 ? found[0] : undefined
}

/** The column of a relation by name: exactly, else the only one that matches without case. */
export function knownColumn(
  r: Resolving,
  relation: ScopeRelation,
  name: string,
  key: string,
  reference: Reference | undefined,
): OutColumn | undefined {
  const columns = relation.columns
  if (columns.length <= 6 && relation.index === undefined) {
    let loose: OutColumn | undefined
    let count = 0
    for (const column of columns) {
      if (column.key !== key || column.open) continue
      if (column.name === name) return column
      loose = column
      count++
    }
    if (count > 1 && reference) r.gathered.doubts.push({ code: 'AMBIGUOUS_CASE', text: name, start: reference.start })
    return count === 1 ? loose : count > 1 ? loose : undefined
  }
  relation.index ??= indexOf(columns)
  const found = relation.index.get(key)
  if (found === undefined) return undefined
  if (!Array.isArray(found)) return found as OutColumn
  const several = found as readonly OutColumn[]
  const exact = several.find((column) => column.name === name)
  if (exact) return exact
  if (reference) r.gathered.doubts.push({ code: 'AMBIGUOUS_CASE', text: name, start: reference.start })
  return several[0]
}

function indexOf(columns: readonly OutColumn[]): Map<string, OutColumn | readonly OutColumn[]> {
  const index = new Map<string, OutColumn | readonly OutColumn[]>()
  for (const column of columns) {
    if (column.open) continue
    const before = index.get(column.key)
    if (before === undefined) index.set(column.key, column)
    else
      index.set(
        column.key,
        Array.isArray(before) ? [...(before as readonly OutColumn[]), column] : [before as OutColumn, column],
      )
  }
  return index
}
