/**
 * What the variants of one template do, as what one text does: reads of any, writes of any. Statements meet by their
 * place where there are as many of them, else by what they write. Names that only stood in for something unknown go.
 */

import type { Edge } from '../resolve/edges.ts'
import type { OpenTable, Source, Table } from '../resolve/model.ts'
import { union } from '../resolve/sources.ts'
import { hasMark, isNoTable } from '../template/marks.ts'
import type { Diagnostic, LearntColumn, LearntSchema } from '../types.ts'
import type { StatementRecord } from './report.ts'

/** One list of records for several readings of the same text. */
export function mergeVariants(variants: readonly (readonly StatementRecord[])[]): readonly StatementRecord[] {
  const [first = [], ...others] = variants.map((records): readonly StatementRecord[] =>
    records.map(withoutPlaceholders),
  )
  return others.reduce(mergeTwo, first)
}

function mergeTwo(left: readonly StatementRecord[], right: readonly StatementRecord[]): readonly StatementRecord[] {
  const pairs = left.length === right.length ? byPlace(left, right) : byOutput(left, right)
  const met = new Set(pairs.values())
  const merged = left.map((record) => {
    const other = pairs.get(record)
    return other ? mergeRecords(record, other) : record
  })
  return [...merged, ...right.filter((record) => !met.has(record))]
}

type Pairs = Map<StatementRecord, StatementRecord>

function byPlace(left: readonly StatementRecord[], right: readonly StatementRecord[]): Pairs {
  const pairs: Pairs = new Map()
  for (const [index, record] of left.entries()) {
    const other = right[index]!
    if (other.kind === record.kind || sameOutputs(record, other)) pairs.set(record, other)
  }
  return pairs
}

function byOutput(left: readonly StatementRecord[], right: readonly StatementRecord[]): Pairs {
  const pairs: Pairs = new Map()
  const free = new Set(right)
  for (const record of left) {
    const other = [...free].find((one) => one.kind === record.kind && sameOutputs(record, one))
    if (!other) continue
    free.delete(other)
    pairs.set(record, other)
  }
  return pairs
}

function sameOutputs(left: StatementRecord, right: StatementRecord): boolean {
  return left.outputs.size === right.outputs.size && [...left.outputs].every((table) => right.outputs.has(table))
}

function mergeRecords(left: StatementRecord, right: StatementRecord): StatementRecord {
  // A combination of branches that nobody runs may not be SQL; what it adds nothing to needs no doubt about it.
  if (!isBroken(left) && isBroken(right) && addsNothing(left, right)) return left
  if (!isBroken(right) && isBroken(left) && addsNothing(right, left)) return right
  return {
    ...left,
    inputs: new Set([...left.inputs, ...right.inputs]),
    outputs: new Set([...left.outputs, ...right.outputs]),
    edges: mergeEdges(left, right),
    gathered: { ...left.gathered, indirect: mergeIndirect(left, right) },
    skipped: Math.max(left.skipped, right.skipped),
    confidence: Math.min(left.confidence, right.confidence),
    diagnostics: unique([...left.diagnostics, ...right.diagnostics], diagnosticKey),
    schemas: mergeSchemas(left.schemas, right.schemas),
    ...(left.body ? { body: mergeVariants([left.body, right.body ?? []]) } : {}),
  }
}

function isBroken({ skipped, statement }: StatementRecord): boolean {
  return skipped > 0 || statement.notes.some(({ code }) => code === 'MISSING_PART')
}

function addsNothing(to: StatementRecord, from: StatementRecord): boolean {
  const known = new Set(to.edges.map(edgeKey))
  return (
    [...from.inputs].every((table) => to.inputs.has(table)) &&
    [...from.outputs].every((table) => to.outputs.has(table)) &&
    from.edges.every((edge) => known.has(edgeKey(edge)))
  )
}

function unique<T>(all: readonly T[], key: (item: T) => string): T[] {
  const seen = new Map<string, T>()
  for (const item of all) if (!seen.has(key(item))) seen.set(key(item), item)
  return [...seen.values()]
}

function diagnosticKey({ code, line, column, message }: Diagnostic): string {
  return `${code} ${line ?? ''} ${column ?? ''} ${message}`
}

function edgeKey({ target, name, branch }: Edge): string {
  return `${target?.name ?? ''}\u0000${name}\u0000${branch ?? ''}`.toLowerCase()
}

function mergeEdges(left: StatementRecord, right: StatementRecord): Edge[] {
  const merged = new Map<string, Edge>()
  for (const edge of [...left.edges, ...right.edges]) {
    const key = edgeKey(edge)
    const before = merged.get(key)
    merged.set(key, before ? mergeEdge(before, edge) : edge)
  }
  return [...merged.values()]
}

function mergeEdge(left: Edge, right: Edge): Edge {
  return {
    ...left,
    sources: union(left.sources, right.sources),
    open: left.open && right.open ? uniqueTables([...left.open, ...right.open]) : (left.open ?? right.open),
    doubt: left.doubt ?? right.doubt,
  }
}

function uniqueTables(open: readonly OpenTable[]): readonly OpenTable[] {
  return [...new Map(open.map((one) => [one.table, one])).values()]
}

function mergeIndirect(left: StatementRecord, right: StatementRecord): StatementRecord['gathered']['indirect'] {
  const merged = new Map(left.gathered.indirect)
  for (const [column, bits] of right.gathered.indirect) merged.set(column, (merged.get(column) ?? 0) | bits)
  return merged
}

function mergeSchemas(left: readonly LearntSchema[], right: readonly LearntSchema[]): readonly LearntSchema[] {
  const merged = new Map(left.map((schema) => [schema.table, schema]))
  for (const schema of right) {
    const other = merged.get(schema.table)
    const columns =
      other && unique([...other.columns, ...schema.columns], ({ name }: LearntColumn) => name.toLowerCase())
    merged.set(schema.table, columns ? { ...other, columns } : schema)
  }
  return [...merged.values()]
}

function withoutPlaceholders(record: StatementRecord): StatementRecord {
  return {
    ...record,
    inputs: new Set([...record.inputs].filter(isTable)),
    outputs: new Set([...record.outputs].filter(isTable)),
    edges: record.edges.flatMap(knownEdge),
    gathered: {
      ...record.gathered,
      indirect: new Map([...record.gathered.indirect].filter(([column]) => isKnown({ column, kind: 0 }))),
    },
    diagnostics: record.diagnostics.filter(({ message }) => !hasMark(message)),
    schemas: record.schemas
      .filter(({ table }) => !isNoTable(table))
      .map((schema) => ({ ...schema, columns: schema.columns.filter(({ name }) => !hasMark(name)) })),
    ...(record.body ? { body: record.body.map(withoutPlaceholders) } : {}),
  }
}

function isTable(table: Table): boolean {
  return !isNoTable(table.name)
}

function isKnown({ column: { table, name } }: Source): boolean {
  return (table === null || isTable(table)) && !hasMark(name)
}

/** An output whose name nobody knows is none; neither is a star over nothing that is known. */
function knownEdge(edge: Edge): readonly Edge[] {
  if (hasMark(edge.name)) return []
  const open = edge.open?.filter(({ table }) => isTable(table))
  if (edge.open && open?.length === 0) return []
  return [{ ...edge, open, sources: edge.sources.filter(isKnown) }]
}
