/** The sum of a script's statements, by the profile's rules (docs/lineage.md, "Profiles"). */

import { assertNever } from '../../model/errors.ts'
import { uniqueUpstreams } from '../encode/columns.ts'
import type { Table } from '../resolve/model.ts'
import type { ColumnLineage, Profile, ScriptLineage, StatementLineage, Upstream } from '../types.ts'
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
  const columns: ColumnLineage[] = []
  for (const { record, report } of told) {
    for (const table of record.inputs) if (!tables.isFolded(table)) inputs.add(table)
    for (const table of record.outputs) if (!tables.isFolded(table)) outputs.add(table)
    for (let at = 0; at < record.edges.length; at++) {
      const { target } = record.edges[at]!
      if (!target || !tables.isFolded(target)) columns.push(report.columns[at]!)
    }
  }
  return { tables: { inputs: names(inputs), outputs: names(outputs), intermediates: [] }, columns: joined(columns) }
}

function sumOpenLineage(told: readonly Told[], tables: SessionTables): Summed {
  const inputs = new Set<string>()
  const outputs = new Set<string>()
  const made = new Set<string>()
  const columns: ColumnLineage[] = []
  for (const { record, report } of told) {
    for (const table of record.inputs) if (!tables.isFolded(table) && !made.has(table.name)) inputs.add(table.name)
    for (const table of record.outputs) if (!tables.isFolded(table)) outputs.add(table.name)
    // Rows of constants do not make a table: who reads it later reads what was there.
    if (!(record.kind === 'insert' && record.inputs.size === 0))
      for (const table of record.outputs) made.add(table.name)
    for (let at = 0; at < record.edges.length; at++) {
      const { target } = record.edges[at]!
      if (!target || !tables.isFolded(target)) columns.push(report.columns[at]!)
    }
  }
  return { tables: { inputs: [...inputs], outputs: [...outputs], intermediates: [] }, columns: joined(columns) }
}

function sumSqlLineage(told: readonly Told[], tables: SessionTables): Summed {
  const read = new Set<Table>()
  const written = new Set<Table>()
  const both = new Set<Table>()
  const unsummedInputs = new Set<Table>()
  const unsummedOutputs = new Set<Table>()
  const lines: Line[] = []
  for (const { record, report } of told) {
    // sqllineage takes no lineage from a DELETE, not even from its subqueries.
    if (record.kind === 'delete') continue
    const composed = record.kind !== 'routine'
    for (const table of record.inputs) {
      if (tables.isFolded(table)) continue
      if (composed) read.add(table)
      else unsummedInputs.add(table)
      if (composed && record.outputs.has(table)) both.add(table)
    }
    if (!isStructural(record.kind)) {
      for (const table of record.outputs) {
        if (tables.isFolded(table)) continue
        if (composed) written.add(table)
        else unsummedOutputs.add(table)
      }
    }
    for (const line of report.columns) lines.push({ line, composed })
  }
  const intermediates = new Set([...read].filter((table) => written.has(table) && !both.has(table)))
  const inputs = new Set([...[...read].filter((table) => !written.has(table) || both.has(table)), ...unsummedInputs])
  const outputs = new Set([...[...written].filter((table) => !read.has(table) || both.has(table)), ...unsummedOutputs])
  return {
    tables: { inputs: names(inputs), outputs: names(outputs), intermediates: names(intermediates) },
    columns: compose(lines, intermediates),
  }
}

/** Statements whose targets sqllineage does not count. */
function isStructural(kind: StatementRecord['kind']): boolean {
  return kind === 'drop' || kind === 'alter' || kind === 'truncate'
}

/** What a statement says of a column; what a routine's definition says is not composed with the rest. */
interface Line {
  readonly line: ColumnLineage
  readonly composed: boolean
}

/** Columns of what is not an intermediate, followed through the intermediates to where they come from. */
function compose(lines: readonly Line[], intermediates: ReadonlySet<Table>): ColumnLineage[] {
  if (intermediates.size === 0) return joined(lines.map(({ line }) => line))
  const passing = new Set<string>()
  for (const table of intermediates) passing.add(table.name.toLowerCase())
  const byColumn = new Map<string, ColumnLineage[]>()
  for (const { line } of lines) {
    const { table, column } = line.downstream
    if (table === null || !passing.has(table.toLowerCase())) continue
    const key = columnKey(table, column)
    const list = byColumn.get(key)
    if (list) list.push(line)
    else byColumn.set(key, [line])
  }
  const final = lines.filter(
    ({ line, composed }) =>
      !composed || line.downstream.table === null || !passing.has(line.downstream.table.toLowerCase()),
  )
  return joined(
    final.map(({ line, composed }) =>
      composed ? { ...line, upstreams: through(line.upstreams, byColumn, passing) } : line,
    ),
  )
}

function columnKey(table: string, column: string): string {
  return `${table}\u0000${column}`.toLowerCase()
}

function through(
  upstreams: readonly Upstream[],
  byColumn: ReadonlyMap<string, readonly ColumnLineage[]>,
  passing: ReadonlySet<string>,
): Upstream[] {
  const result = new Map<string, Upstream>()
  const seen = new Set<string>()
  const queue = [...upstreams]
  for (let upstream = queue.pop(); upstream; upstream = queue.pop()) {
    const key = columnKey(upstream.table ?? '', upstream.column)
    if (seen.has(key)) continue
    seen.add(key)
    if (upstream.table === null || !passing.has(upstream.table.toLowerCase())) {
      result.set(key, upstream)
      continue
    }
    const own = byColumn.get(key)
    if (own) for (const line of own) queue.push(...line.upstreams)
    else {
      // The intermediate was filled by a star: the column comes from the star's table under its own name.
      for (const line of byColumn.get(columnKey(upstream.table, '*')) ?? [])
        for (const star of line.upstreams)
          queue.push({ ...star, column: star.column === '*' ? upstream.column : star.column })
    }
  }
  return [...result.values()]
}

/** One entry a downstream column; bare outputs stay apart unless they share a name. */
function joined(columns: readonly ColumnLineage[]): ColumnLineage[] {
  const byColumn = new Map<string, number>()
  const result: ColumnLineage[] = []
  for (const line of columns) {
    const key = columnKey(line.downstream.table ?? '', line.downstream.column)
    const at = byColumn.get(key)
    if (at === undefined) {
      byColumn.set(key, result.length)
      result.push(line)
    } else result[at] = united(result[at]!, line)
  }
  return result
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
