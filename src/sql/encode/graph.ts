import type { ColumnLineage, EdgeKind, ScriptLineage } from '../types.ts'
import { sumByDownstream } from './columns.ts'
import { datasetEdges } from './dataset-edges.ts'

/** What the drawings draw: tables with the columns that edges touch, edges between columns, edges between tables. */
export interface LineageGraph {
  readonly tables: readonly GraphTable[]
  readonly columnEdges: readonly ColumnEdge[]
  /** Tables that are connected although no column edge says so. */
  readonly tableEdges: readonly { readonly from: string; readonly to: string }[]
}

export interface GraphTable {
  readonly name: string
  readonly columns: readonly string[]
}

export interface ColumnEdge {
  readonly from: { readonly table: string; readonly column: string }
  readonly to: { readonly table: string; readonly column: string }
  readonly kind: EdgeKind
}

/** Name that stands for the result of a bare query. */
export const RESULT_NAME = '(result)'

export function lineageGraph(lineage: ScriptLineage): LineageGraph {
  const columnEdges = sumByDownstream(lineage.columns).flatMap(edgesOf)
  const columns = new Map<string, Set<string>>()
  const touch = (table: string, column?: string): void => {
    const known = columns.get(table) ?? new Set()
    if (column !== undefined) known.add(column)
    columns.set(table, known)
  }
  for (const table of [...lineage.tables.inputs, ...lineage.tables.outputs]) touch(table)
  for (const { from, to } of columnEdges) {
    touch(from.table, from.column)
    touch(to.table, to.column)
  }
  const drawn = new Set(columnEdges.map(({ from, to }) => `${from.table}\u0000${to.table}`))
  const tableEdges = tablePairs(lineage).filter(({ from, to }) => !drawn.has(`${from}\u0000${to}`))
  for (const { from, to } of tableEdges) for (const table of [from, to]) touch(table)
  return { tables: [...columns].map(([name, set]) => ({ name, columns: [...set] })), columnEdges, tableEdges }
}

function edgesOf(column: ColumnLineage): ColumnEdge[] {
  const to = { table: column.downstream.table ?? RESULT_NAME, column: column.downstream.column }
  return column.upstreams.flatMap(({ table, column: name, kind }) =>
    table === null ? [] : [{ from: { table, column: name }, to, kind }],
  )
}

function tablePairs(lineage: ScriptLineage): { from: string; to: string }[] {
  const written = datasetEdges(lineage).flatMap(({ downstream, upstreams }) =>
    upstreams.map((from) => ({ from, to: downstream })),
  )
  const queries = lineage.statements.filter((statement) => statement.kind === 'query')
  const read = queries.flatMap((query) => query.inputs.map((from) => ({ from, to: RESULT_NAME })))
  return [...new Map([...written, ...read].map((pair) => [`${pair.from}\u0000${pair.to}`, pair])).values()]
}
