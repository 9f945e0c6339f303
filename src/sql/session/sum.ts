/** The sum of a script's statements, by the profile's rules (docs/lineage.md, "Profiles"). */

import { assertNever } from '../../model/errors.ts'
import { uniqueUpstreams } from '../encode/columns.ts'
import type { Edge } from '../resolve/edges.ts'
import type { Source, Table } from '../resolve/model.ts'
import type { ColumnLineage, Profile, ScriptLineage, StatementLineage } from '../types.ts'
import { ColumnFlow, TableFlow, columnKey } from './flow.ts'
import { names, type StatementRecord } from './report.ts'
import type { SessionTables } from './tables.ts'

export type Summed = Pick<ScriptLineage, 'tables' | 'columns'>

/** A statement and its report, whose columns stand for the record's edges one by one. */
interface Told {
  readonly record: StatementRecord
  readonly report: StatementLineage
}

/** Sums records in order. `reports` are theirs, one each; what is told of an edge is the same object in both. */
export function sum(
  records: readonly StatementRecord[],
  reports: readonly StatementLineage[],
  profile: Profile,
  tables: SessionTables,
): Summed {
  const told = records.map((record, at): Told => ({ record, report: reports[at]! }))
  switch (profile) {
    case 'datahub':
      return sumDatahub(told, tables)
    case 'openlineage':
      return sumOpenLineage(told, tables)
    case 'sqllineage':
      return sumSqlLineage(told, tables)
    default:
      return assertNever(profile)
  }
}

function sumDatahub(told: readonly Told[], tables: SessionTables): Summed {
  const inputs = new Set<Table>()
  const outputs = new Set<Table>()
  const statements: ColumnLineage[][] = []
  for (const { record, report } of told) {
    for (const table of record.inputs) if (!tables.isFolded(table)) inputs.add(table)
    for (const table of record.outputs) if (!tables.isFolded(table)) outputs.add(table)
    const columns: ColumnLineage[] = []
    for (let at = 0; at < record.edges.length; at++) {
      const { target } = record.edges[at]!
      if (!target || !tables.isFolded(target)) columns.push(unfolded(report.columns[at]!, record.edges[at]!, tables))
    }
    statements.push(columns)
  }
  return { tables: { inputs: names(inputs), outputs: names(outputs), intermediates: [] }, columns: joined(statements) }
}

/** A procedure's body may read a temporary table that only its callers make: their calls say what it holds. */
function unfolded(column: ColumnLineage, { open, sources }: Edge, tables: SessionTables): ColumnLineage {
  const isFolded = ({ column: { table } }: Source): boolean => table !== null && tables.isFolded(table)
  if (open || !sources.some(isFolded)) return column
  return { ...column, upstreams: column.upstreams.filter((_, at) => !isFolded(sources[at]!)) }
}

function sumOpenLineage(told: readonly Told[], tables: SessionTables): Summed {
  const inputs = new Set<string>()
  const outputs = new Set<string>()
  const made = new Set<string>()
  const statements: ColumnLineage[][] = []
  for (const { record, report } of told) {
    for (const table of record.inputs) if (!tables.isFolded(table) && !made.has(table.name)) inputs.add(table.name)
    for (const table of record.outputs) if (!tables.isFolded(table)) outputs.add(table.name)
    // Rows of constants do not make a table, nor do rows that go: who reads it later reads what was there.
    if (record.inputs.size > 0 || !keepsRows(record.kind)) for (const table of record.outputs) made.add(table.name)
    const columns: ColumnLineage[] = []
    for (let at = 0; at < record.edges.length; at++) {
      const { target } = record.edges[at]!
      if (!target || !tables.isFolded(target)) columns.push(report.columns[at]!)
    }
    statements.push(columns)
  }
  return { tables: { inputs: [...inputs], outputs: [...outputs], intermediates: [] }, columns: joined(statements) }
}

/** Statements after which a table still holds rows of before. */
function keepsRows(kind: StatementRecord['kind']): boolean {
  return kind === 'insert' || kind === 'update' || kind === 'delete'
}

/** Tables flow from what a statement reads to what it writes; columns from leaf to leaf of that flow. */
function sumSqlLineage(told: readonly Told[], tables: SessionTables): Summed {
  const flow = new TableFlow()
  const columns = new ColumnFlow()
  const swaps: StatementRecord[] = []
  for (const { record, report } of told) {
    // sqllineage takes no lineage from a DELETE, not even from its subqueries, and none from Spark's CACHE.
    if (record.kind === 'delete' || isCache(record.statement)) continue
    if (record.kind === 'swap') {
      swaps.push(record)
      continue
    }
    const counts = (table: Table): boolean => !tables.isFolded(table)
    const written = isStructural(record.kind) ? [] : [...record.outputs].filter(counts)
    flow.add([...record.inputs].filter(counts), written)
    const steps = stepsOf(record)
    for (let at = 0; at < report.columns.length; at++) columns.add(report.columns[at]!, steps[at] ?? record)
  }
  // The names of tables that are read or written follow a swap; between two others it is all that happens.
  for (const { inputs, outputs } of swaps)
    if (![...inputs, ...outputs].some((table) => flow.has(table))) flow.add([...inputs], [...outputs])
  return { tables: flow.summed(), columns: joined(columns.summed().map((line) => [line])) }
}

/** Statements whose targets sqllineage does not count. */
function isStructural(kind: StatementRecord['kind']): boolean {
  return kind === 'drop' || kind === 'alter' || kind === 'truncate'
}

function isCache(statement: StatementRecord['statement']): boolean {
  return statement.kind === 'ctas' && statement.cached === true
}

/** The statement of a routine's body that each edge of the routine comes from. */
function stepsOf(record: StatementRecord): StatementRecord[] {
  if (!record.body) return []
  return record.body.flatMap((step) => {
    const inner = stepsOf(step)
    return step.edges.filter(({ target }) => target !== null).map((_, at) => inner[at] ?? step)
  })
}

/** One entry a downstream column, over all statements. Outputs of one query that share a name stay apart. */
function joined(statements: readonly (readonly ColumnLineage[])[]): ColumnLineage[] {
  const byColumn = new Map<string, number>()
  const result: ColumnLineage[] = []
  for (const columns of statements) {
    const met = new Map<string, number>()
    for (const line of columns) {
      const key = keyOf(line, met)
      const at = byColumn.get(key)
      if (at === undefined) {
        byColumn.set(key, result.length)
        result.push(line)
      } else result[at] = united(result[at]!, line)
    }
  }
  return result
}

/** What an entry is joined by; `met` counts the bare outputs of a name so far. */
function keyOf({ downstream: { table, column } }: ColumnLineage, met: Map<string, number>): string {
  const key = columnKey(table ?? '', column)
  if (table !== null || column === '*') return key
  const before = met.get(key) ?? 0
  met.set(key, before + 1)
  return before === 0 ? key : `${key}\u0000${before}`
}

function united(left: ColumnLineage, right: ColumnLineage): ColumnLineage {
  if (right.upstreams.length === 0) return left
  const upstreams = uniqueUpstreams([...left.upstreams, ...right.upstreams])
  return {
    ...left,
    upstreams,
    confidence: Math.min(left.confidence, right.confidence),
    reasons: left.confidence <= right.confidence ? left.reasons : right.reasons,
  }
}
