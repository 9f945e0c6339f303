/** A warehouse of tables in three layers, each of which is filled from a few tables of the layers below. */
import type { Random } from '../../src/cli/demo/random.ts'

export interface WarehouseTable {
  /** `schema.name`. */
  readonly name: string
  readonly columns: readonly string[]
  /** Tables that it is filled from; none for those of the first layer. */
  readonly from: readonly WarehouseTable[]
}

const WORDS =
  'id amount price qty status country city street email phone name title kind note currency rate weight height score level ' +
  'opened closed shipped paid due owner team region zone channel origin goal factor share units total mean median low high'
const VOCABULARY = WORDS.split(' ')

/** Columns of each table, and tables that one is filled from. */
const WIDTH = 8
const SOURCES = 6

/** The same for the same count. */
export function warehouse(tables: number): readonly WarehouseTable[] {
  const made: WarehouseTable[] = []
  for (let n = 0; n < tables; n++) {
    const layer = n < tables * 0.4 ? 'raw' : n < tables * 0.75 ? 'stg' : 'mart'
    const below = layer === 'raw' ? 0 : Math.ceil(tables * (layer === 'stg' ? 0.4 : 0.75))
    const from = below === 0 ? [] : Array.from({ length: SOURCES }, (_, i) => made[(n * 7 + i * 131) % below])
    made.push({
      name: `${layer}.t${n}`,
      columns: Array.from({ length: WIDTH }, (_, i) => VOCABULARY[(n * 3 + i) % VOCABULARY.length] ?? 'id'),
      from: from.filter((table) => table !== undefined),
    })
  }
  return made
}

/**
 * A column of `source` from which column `at` of a table may be filled: one of two, as people do not fill a price from
 * whatever is there.
 */
export function fittingColumn(source: WarehouseTable, at: number, random: Random): string {
  const choice = (at * 3 + (random.next() < 0.5 ? 0 : 5)) % source.columns.length
  return source.columns[choice] ?? 'id'
}

const filled = new WeakMap<readonly WarehouseTable[], readonly WarehouseTable[]>()

/** Tables that are filled from others. */
export function filledTables(tables: readonly WarehouseTable[]): readonly WarehouseTable[] {
  const known = filled.get(tables) ?? tables.filter(({ from }) => from.length > 0)
  filled.set(tables, known)
  return known
}
