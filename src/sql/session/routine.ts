/** Routines: the statements of a body as one record, and the rows that it gives. */

import type { RoutineStatement, Statement } from '../ir/statement.ts'
import { columnOf } from '../resolve/edges.ts'
import type { OutColumn, Table } from '../resolve/model.ts'
import { union } from '../resolve/sources.ts'
import type { Effect } from '../resolve/target.ts'
import type { Diagnostic, Profile } from '../types.ts'
import { gathering, toRecord, type Source } from './record.ts'
import type { StatementRecord } from './report.ts'
import type { SessionTables } from './tables.ts'

/** One record for the statements of a body. */
export function summary(
  statement: Statement,
  source: Source,
  index: number,
  body: readonly StatementRecord[],
  routine: string,
  profile: Profile,
): StatementRecord {
  const gathered = gathering()
  const effect: Effect = { edges: [], defined: [] }
  const written = new Set<Table>()
  let confidence = 1
  let skipped = statement.skipped
  const diagnostics: Diagnostic[] = []
  for (const record of body) {
    if (profile === 'sqllineage' && record.kind === 'delete') continue
    for (const table of record.inputs)
      if (!(profile === 'openlineage' && written.has(table))) gathered.inputs.add(table)
    if (!(
      profile === 'sqllineage' &&
      (record.kind === 'drop' || record.kind === 'truncate' || record.kind === 'alter')
    )) {
      for (const table of record.outputs) {
        gathered.outputs.add(table)
        written.add(table)
      }
    }
    effect.edges.push(...record.edges.filter((one) => one.target !== null))
    for (const [column, bits] of record.gathered.indirect)
      gathered.indirect.set(column, (gathered.indirect.get(column) ?? 0) | bits)
    confidence = Math.min(confidence, record.confidence)
    skipped += record.skipped
    diagnostics.push(...record.diagnostics)
  }
  const own = toRecord(
    { ...statement, skipped },
    source,
    index,
    gathered,
    effect,
    body.flatMap((record) => record.schemas),
    statement.kind === 'block' ? 'command' : statement.kind,
  )
  return {
    ...own,
    confidence: Math.min(confidence, own.confidence),
    diagnostics: [...diagnostics, ...own.diagnostics],
    routine,
    body,
  }
}

/** What a function or procedure gives as rows: its table variable, or its queries and its parameters that go out. */
export function rowsGiven(
  { returns, returnsVariable }: RoutineStatement,
  body: readonly StatementRecord[],
  tables: SessionTables,
  fields: readonly string[] | undefined,
  outs: readonly OutColumn[],
): readonly OutColumn[] {
  if (returnsVariable !== undefined) {
    const name = { parts: [returnsVariable], start: 0, end: 0, sort: 'hole', quoted: 0 } as const
    return [...(tables.folded(tables.find(name)) ?? [])]
  }
  const results: (readonly OutColumn[])[] = body
    .filter(({ kind, fillsVariables }) => kind === 'query' && !fillsVariables)
    .map(({ edges }) => edges.filter((one) => one.target === null).map((one) => columnOf(one)))
    .filter((columns) => columns.length > 0)
  if (outs.length > 0) results.push(outs)
  const names = returns ?? fields
  const widest = results.reduce((one, other) => (other.length > one.length ? other : one), [])
  return widest.map((column, index) => {
    const name = names?.[index] ?? column.name
    const sources = results.reduce((all, one) => union(all, one[index]?.sources ?? []), column.sources)
    return { ...column, name, key: name.toLowerCase(), sources, item: undefined }
  })
}
