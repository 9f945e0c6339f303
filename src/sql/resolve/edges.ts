/** From a query's columns to the columns of a target: by position, by name, or as a star. */

import { isFieldStar, renamed, told } from './renamed.ts'
import type { Item } from '../ir/expression.ts'
import type { MergeBranch } from '../types.ts'
import { type OpenTable, type OutColumn, type Resolving, type Sources, type Table, NO_SOURCES } from './model.ts'
import { toldApart } from './output-name.ts'

/** One column of a target and where it comes from. */
export interface Edge {
  /** Null for the output of a bare query. */
  readonly target: Table | null
  readonly name: string
  readonly sources: Sources
  /** Set where the edge is from all columns to all columns. */
  readonly open: readonly OpenTable[] | undefined
  readonly item: Item | undefined
  readonly branch: MergeBranch | undefined
  readonly doubt: OutColumn['doubt']
}

export function edge(target: Table | null, name: string, column: OutColumn, branch?: MergeBranch): Edge {
  return { target, name, sources: column.sources, open: column.open, item: column.item, branch, doubt: column.doubt }
}

/** The column that an edge feeds. */
export function columnOf(one: Edge): OutColumn {
  return {
    name: one.name,
    key: one.name.toLowerCase(),
    sources: one.sources,
    open: one.open,
    item: undefined,
    doubt: one.doubt,
  }
}

/** How a target takes the columns of a query. */
export interface Landing {
  /** Names by position; undefined: the query's own names, or the target's known order. */
  readonly names: readonly string[] | undefined
  readonly byName: boolean
  /** Known columns of the target that the query does not feed, lower case. */
  readonly fixed: ReadonlySet<string>
  /** The target takes the query's names whatever it had before (CTAS, views). */
  readonly defines: boolean
}

/** Edges from the columns of a query to a target. */
export function land(
  r: Resolving,
  given: readonly OutColumn[],
  target: Table,
  landing: Landing,
  start: number,
): Edge[] {
  const columns = given.some(isFieldStar) ? spread(given, target, landing) : given
  if (landing.names) return byPosition(r, columns, target, landing.names, start)
  if (landing.defines || landing.byName || !target.columns)
    return toldApart(r, columns).map((column) => edge(target, column.open ? '*' : spelled(target, column), column))
  const known = target.columns.filter((column) => !landing.fixed.has(column.key)).map((column) => column.name)
  const open = columns.some((column) => column.open)
  if (open) return byKnownName(r, columns, target, known)
  if (columns.length > known.length) {
    r.gathered.doubts.push({ code: 'COLUMN_COUNT', text: target.name, start })
    return columns.map((column) => edge(target, spelled(target, column), column))
  }
  return columns.map((column, index) => edge(target, known[index]!, column))
}

/** Fields that nobody can count take the names that are left; without names those of no source are told by none. */
function spread(columns: readonly OutColumn[], target: Table, landing: Landing): readonly OutColumn[] {
  const isNamed = !(landing.defines || landing.byName)
  const known = target.columns?.filter((column) => !landing.fixed.has(column.key)).map((column) => column.name)
  const names = landing.names ?? (isNamed ? known : undefined)
  if (names && !columns.some((column) => column.open)) return renamed(columns, names)
  return told(columns)
}

function spelled(target: Table, column: OutColumn): string {
  return target.columns?.find((one) => one.key === column.key)?.name ?? column.name
}

/** A star over unknown columns into a target whose columns are known: same names meet. */
function byKnownName(r: Resolving, columns: readonly OutColumn[], target: Table, known: readonly string[]): Edge[] {
  if (columns.length === 1) {
    const only = columns[0]!
    return known.map((name) => {
      const key = name.toLowerCase()
      const sources = only
        .open!.filter((one) => !one.except?.has(key))
        .map((one) => ({ column: r.tables.columnOf(one.table, name), kind: one.kind }))
      return { target, name, sources, open: undefined, item: only.item, branch: undefined, doubt: 'UNKNOWN_COLUMNS' }
    })
  }
  return columns.map((column) => edge(target, column.open ? '*' : spelled(target, column), column))
}

function byPosition(
  r: Resolving,
  columns: readonly OutColumn[],
  target: Table,
  names: readonly string[],
  start: number,
): Edge[] {
  const open = columns.findIndex((column) => column.open)
  if (open < 0) {
    if (columns.length !== names.length && columns.length > 0)
      r.gathered.doubts.push({ code: 'COLUMN_COUNT', text: target.name, start })
    return columns.slice(0, names.length).map((column, index) => edge(target, names[index]!, column))
  }
  // Columns before the star meet the first names, those behind it the last; the star fills what is between.
  const behind = columns.length - open - 1
  const width = names.length - open - behind
  r.gathered.doubts.push({ code: 'UNKNOWN_COLUMNS', text: target.name, start })
  return names.map((name, index) => {
    const column =
      index < open
        ? columns[index]!
        : index >= open + Math.max(0, width)
          ? columns[columns.length - (names.length - index)]
          : undefined
    if (column && !column.open) return edge(target, name, column)
    return {
      target,
      name,
      sources: NO_SOURCES,
      open: undefined,
      item: columns[open]!.item,
      branch: undefined,
      doubt: 'UNKNOWN_COLUMNS',
    }
  })
}
