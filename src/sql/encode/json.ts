import type { ColumnLineage, Diagnostic, IndirectUse, ScriptLineage, StatementKind, Upstream } from '../types.ts'
import { sumByDownstream } from './columns.ts'

/** The answer to one case of a stream: plain names, one entry a downstream column, each upstream once. */
export interface LineageResult {
  readonly id: string | number | null
  readonly tables: ScriptLineage['tables']
  readonly columns: readonly ResultColumn[]
  readonly statements: readonly { readonly kind: StatementKind; readonly skipped: number }[]
  readonly confidence: number
  readonly diagnostics: readonly Diagnostic[]
  /** Only where the case as a whole got no answer. */
  readonly error?: string
}

export interface ResultColumn {
  readonly downstream: { readonly table: string | null; readonly column: string }
  readonly upstreams: readonly { readonly table: string | null; readonly column: string }[]
}

/** The projection that case streams print. */
export function encodeResult(id: string | number | null, lineage: ScriptLineage): LineageResult {
  return {
    id,
    tables: lineage.tables,
    columns: sumByDownstream(lineage.columns).map(({ downstream, upstreams }) => ({
      downstream: { table: downstream.table, column: downstream.column },
      upstreams: upstreams.map(({ table, column }) => ({ table, column })),
    })),
    statements: lineage.statements.map(({ kind, skipped }) => ({ kind, skipped })),
    confidence: lineage.confidence,
    diagnostics: lineage.diagnostics,
  }
}

/** The answer to a case that got none. */
export function encodeFailure(id: string | number | null, error: string): LineageResult {
  return {
    id,
    tables: { inputs: [], outputs: [], intermediates: [] },
    columns: [],
    statements: [],
    confidence: 0,
    diagnostics: [],
    error,
  }
}

/** The same keys with everything that is known of each edge: kind, transformation, place, confidence and its reasons. */
export function encodeDetails(id: string | null, lineage: ScriptLineage): object {
  return {
    ...encodeResult(id, lineage),
    columns: lineage.columns.map(detailsOfColumn),
    statements: lineage.statements.map((statement) => ({
      kind: statement.kind,
      skipped: statement.skipped,
      ...(statement.file === undefined ? {} : { file: statement.file }),
      line: statement.span.line,
      column: statement.span.column,
      fingerprint: statement.fingerprint,
      inputs: statement.inputs,
      outputs: statement.outputs,
      indirect: statement.indirect.map(({ table, column, kind }: IndirectUse) => ({ table, column, kind })),
      confidence: statement.confidence,
    })),
  }
}

function detailsOfColumn(column: ColumnLineage): object {
  const { span, ...rest } = column
  return {
    ...rest,
    upstreams: column.upstreams.map(({ table, column: name, kind }: Upstream) => ({ table, column: name, kind })),
    ...(span === undefined ? {} : { line: span.line, at: span.column }),
  }
}
