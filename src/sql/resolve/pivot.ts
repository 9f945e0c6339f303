/** PIVOT and UNPIVOT over resolved columns. */

import type { Item } from '../ir/expression.ts'
import type { Pivot, PivotValue } from '../ir/query.ts'
import {
  KIND,
  NO_SOURCES,
  type OutColumn,
  type Resolving,
  type Scope,
  type ScopeRelation,
  type Sources,
} from './model.ts'
import { openColumnNamed } from './open.ts'
import { newScope } from './scope.ts'
import { knownColumn } from './known-column.ts'
import { expandStar } from './star.ts'
import { openColumn, outColumn, raised, union } from './sources.ts'

export interface Pivoted {
  readonly columns: readonly OutColumn[]
  /** Sources of a column that the data name. */
  readonly any: Sources | undefined
}

/** A relation's columns after one PIVOT or UNPIVOT. */
export function applyPivot(r: Resolving, pivot: Pivot, relation: ScopeRelation, scope: Scope): Pivoted {
  const inner = newScope(scope.parent, scope.env)
  inner.relations.push(relation)
  const result = pivot.kind === 'pivot' ? pivoted(r, pivot, relation, inner) : unpivoted(r, pivot, relation, inner)
  if (!pivot.columnAliases) return result
  return { ...result, columns: renamedThrough(result.columns, pivot.columnAliases) }
}

/** Names by position; an open column in front leaves the last names to the known columns behind it. */
function renamedThrough(columns: readonly OutColumn[], names: readonly string[]): readonly OutColumn[] {
  const open = columns.findIndex((column) => column.open)
  if (open < 0)
    return columns.map((column, index) =>
      index < names.length ? { ...column, name: names[index]!, key: names[index]!.toLowerCase() } : column,
    )
  const behind = columns.length - open - 1
  const front = names.length - behind
  return names.map((name, index) => {
    const column = index < open ? columns[index] : index >= front ? columns[open + 1 + index - front] : undefined
    return column ? { ...column, name, key: name.toLowerCase() } : outColumn(name, NO_SOURCES, 'UNKNOWN_COLUMNS')
  })
}

function pivoted(
  r: Resolving,
  pivot: Extract<Pivot, { kind: 'pivot' }>,
  relation: ScopeRelation,
  scope: Scope,
): Pivoted {
  const used = new Set<string>()
  const aggregates = pivot.aggregates.map((item) => {
    for (const reference of item.expression.references) used.add(reference.parts.at(-1)!.toLowerCase())
    return { item, sources: raised(r.rules.expression(r, item.expression, scope), KIND.aggregated) }
  })
  for (const key of pivot.keys) {
    r.rules.uses(r, [{ kind: 'GROUP_BY', expression: key }], scope)
    for (const reference of key.references) used.add(reference.parts.at(-1)!.toLowerCase())
  }
  const groups = pivot.groups && new Set(pivot.groups.map((name) => name.toLowerCase()))
  const columns: OutColumn[] = []
  for (const column of relation.columns) {
    if (column.open)
      columns.push(
        groups
          ? groupedOpen(r, relation, groups, columns)
          : openColumn(column.open.map((one) => ({ ...one, except: new Set([...(one.except ?? []), ...used]) }))),
      )
    else if (groups ? groups.has(column.key) : !used.has(column.key)) columns.push(column)
  }
  const kept = columns.filter((column) => column.name !== '')
  let any: Sources = NO_SOURCES
  for (const { sources } of aggregates) any = union(any, sources)
  if (!pivot.values) {
    r.gathered.doubts.push({ code: 'DEPENDS_ON_ROWS', text: 'PIVOT', start: pivot.keys[0]?.start ?? 0 })
    // Names beyond the groups are values, whatever the rows say.
    const beyond = kept.some((column) => column.open) ? [] : (pivot.columnAliases?.slice(kept.length) ?? [])
    return { columns: [...kept, ...beyond.map((name) => outColumn(name, any))], any }
  }
  for (const value of pivot.values)
    for (const { item, sources } of aggregates)
      kept.push(outColumn(pivotName(r, value, item, aggregates.length), sources))
  for (const name of pivot.totals ?? []) kept.push(outColumn(name, any))
  return { columns: kept, any: undefined }
}

/** DuckDB's GROUP BY over a table not known: the named columns, one by one. */
function groupedOpen(
  r: Resolving,
  relation: ScopeRelation,
  groups: ReadonlySet<string>,
  columns: OutColumn[],
): OutColumn {
  for (const key of groups) {
    const column = openColumnNamed(r, relation, key, key)
    if (column) columns.push(column)
  }
  return outColumn('', NO_SOURCES)
}

/** Name of an output by the dialect's rule: the value, the value and the aggregate's alias, or the other way round. */
function pivotName(r: Resolving, value: PivotValue, aggregate: Item, count: number): string {
  const base = value.alias ?? valueName(r, value)
  const alias = aggregate.alias
  switch (r.dialect.name) {
    case 'bigquery':
      return alias === undefined ? base : `${alias}_${base}`
    case 'oracle':
      return alias === undefined ? base : `${base}_${alias}`
    case 'tsql':
      return base
    default:
      if (
        alias !== undefined &&
        (count > 1 || r.dialect.name === 'snowflake' || r.dialect.name === 'redshift' || r.dialect.name === 'duckdb')
      )
        return `${base}_${alias}`
      if (count > 1) return `${base}_${aggregate.expression.name ?? 'agg'}`
      return base
  }
}

/** The name that a value without an alias gives its column: BigQuery writes numbers and dates as names, others quote. */
function valueName(r: Resolving, { text, sort }: PivotValue): string {
  if (r.dialect.name === 'snowflake') return sort === 'string' ? `'${text}'` : text
  if (r.dialect.name !== 'bigquery') return text
  if (sort === 'date') return `_${text.replace(/^DATE_/i, '').replaceAll('-', '_')}`
  if (sort !== 'number') return text
  return `${text.startsWith('-') ? 'minus' : ''}_${text.replace(/^-_?/, '').replace('.', '_point_')}`
}

function unpivoted(
  r: Resolving,
  pivot: Extract<Pivot, { kind: 'unpivot' }>,
  relation: ScopeRelation,
  scope: Scope,
): Pivoted {
  const listed = pivot.columns.map((names) => names.map((name) => columnNamed(r, relation, name)))
  const groups = pivot.star ? [...listed, ...expandStar(r, pivot.star, scope).map((column) => [column])] : listed
  const used = new Set<string>()
  for (const names of pivot.columns) for (const name of names) used.add(name.toLowerCase())
  if (pivot.star) for (const [column] of groups) if (column) used.add(column.key)
  const wholeStar = pivot.star && groups.some(([column]) => column?.open)
  const columns: OutColumn[] = []
  for (const column of relation.columns) {
    if (column.open) {
      if (!wholeStar)
        columns.push(
          openColumn(column.open.map((one) => ({ ...one, except: new Set([...(one.except ?? []), ...used]) }))),
        )
    } else if (!used.has(column.key)) columns.push(column)
  }
  let all: Sources = NO_SOURCES
  for (const group of groups) for (const column of group) all = union(all, column.sources)
  const names = pivot.names.map((name) => outColumn(name, raised(all, KIND.transformed)))
  const valuesFirst = r.dialect.name === 'bigquery'
  if (!valuesFirst) columns.push(...names)
  for (const [index, name] of pivot.values.entries()) {
    let sources: Sources = NO_SOURCES
    for (const group of groups) {
      // As many columns as values: each value takes its own; else all of them.
      const own = group.length === pivot.values.length ? [group[index]!] : group
      for (const column of own) sources = union(sources, column.sources)
    }
    columns.push(outColumn(name, raised(sources, KIND.transformed)))
  }
  if (valuesFirst) columns.push(...names)
  return { columns, any: undefined }
}

function columnNamed(r: Resolving, relation: ScopeRelation, name: string): OutColumn {
  const key = name.toLowerCase()
  return (
    knownColumn(r, relation, name, key, undefined) ??
    openColumnNamed(r, relation, name, key) ??
    outColumn(name, NO_SOURCES)
  )
}
