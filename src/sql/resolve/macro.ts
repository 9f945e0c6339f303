/** A call of a macro: its rows with what the call gives in the place of its parameters. */

import type { Expression, Reference } from '../ir/expression.ts'
import {
  KIND,
  NO_COLUMNS,
  NO_SOURCES,
  type OutColumn,
  type Resolving,
  type RoutineRows,
  type Scope,
  type Table,
} from './model.ts'
import { openColumnNamed } from './open.ts'
import { newScope } from './scope.ts'
import { raised, union } from './sources.ts'
import { starColumns } from './star-columns.ts'

const ALONE = { kind: 'first', natural: false, using: undefined } as const

/** The rows of the macro as this call gives them. */
export function expanded(
  r: Resolving,
  rows: RoutineRows,
  args: readonly Expression[],
  scope: Scope,
): readonly OutColumn[] {
  const given = new Map<Table, readonly OutColumn[]>()
  for (const [index, parameter] of (rows.parameters ?? []).entries()) {
    if (!reads(rows.columns, parameter)) continue
    const [reference] = args[index]?.references ?? []
    given.set(parameter, reference ? tableGiven(r, reference, scope) : NO_COLUMNS)
  }
  return rows.columns.flatMap((column) => substituted(r, column, given))
}

/** Columns of the table or CTE that an argument names. */
function tableGiven(r: Resolving, { parts, start, end }: Reference, scope: Scope): readonly OutColumn[] {
  const name = { parts, start, end, sort: 'table', quoted: 0 } as const
  const inner = newScope(undefined, scope.env)
  r.rules.relation(r, { kind: 'table', name, join: ALONE, pivots: [], start, end }, inner)
  return starColumns(r, inner)
}

/** Whether an argument is a table, and no value. */
export function isTableArgument(rows: RoutineRows, index: number): boolean {
  const parameter = rows.parameters?.[index]
  return parameter !== undefined && reads(rows.columns, parameter)
}

function reads(columns: readonly OutColumn[], table: Table): boolean {
  return columns.some(
    ({ sources, open }) =>
      sources.some(({ column }) => column.table === table) || open?.some((one) => one.table === table),
  )
}

function substituted(
  r: Resolving,
  column: OutColumn,
  given: ReadonlyMap<Table, readonly OutColumn[]>,
): readonly OutColumn[] {
  const open = column.open?.[0]
  const all = open && given.get(open.table)
  if (open && all) return all.filter(({ key }) => !open.except?.has(key))
  let sources = NO_SOURCES
  for (const source of column.sources) {
    const columns = source.column.table && given.get(source.column.table)
    if (!columns) sources = union(sources, [source])
    else {
      const { name } = source.column
      const key = name.toLowerCase()
      const own = columns.find((one) => one.key === key && !one.open) ?? openColumnNamed(r, { columns }, name, key)
      sources = union(
        sources,
        raised(own?.sources ?? NO_SOURCES, source.kind === KIND.identity ? KIND.identity : source.kind),
      )
    }
  }
  return [{ ...column, sources }]
}
