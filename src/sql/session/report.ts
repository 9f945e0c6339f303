/** From resolved edges to what the engine gives back: names, spans, confidence and its reasons. */

import { DIAGNOSTIC_RULES, type DiagnosticCode } from '../diagnostics.ts'
import type { Statement } from '../ir/statement.ts'
import type { Edge } from '../resolve/edges.ts'
import { type Gathered, INDIRECT_KINDS, type Source, type Table } from '../resolve/model.ts'
import type {
  ColumnLineage,
  Diagnostic,
  EdgeKind,
  IndirectUse,
  LearntSchema,
  Span,
  StatementKind,
  StatementLineage,
  Upstream,
} from '../types.ts'
import type { Lines } from './lines.ts'

const KINDS: readonly EdgeKind[] = ['IDENTITY', 'TRANSFORMED', 'AGGREGATED']
const SURE: readonly string[] = []

/** One statement as the session remembers it: names are read when lineage is asked for, since renames may follow. */
export interface StatementRecord {
  readonly statement: Statement
  readonly kind: StatementKind
  readonly index: number
  readonly inputs: ReadonlySet<Table>
  readonly outputs: ReadonlySet<Table>
  readonly edges: readonly Edge[]
  readonly gathered: Gathered
  readonly schemas: readonly LearntSchema[]
  readonly diagnostics: readonly Diagnostic[]
  readonly confidence: number
  readonly skipped: number
  readonly text: string
  readonly lines: Lines
  readonly file: string | undefined
  readonly routine?: string | undefined
  /** Its rows went into variables: who called is not given them. */
  readonly fillsVariables?: boolean
  readonly body?: readonly StatementRecord[] | undefined
}

export function names(tables: Iterable<Table>): string[] {
  const result = new Set<string>()
  for (const table of tables) result.add(table.name)
  return [...result]
}

export function reportStatement(record: StatementRecord): StatementLineage {
  const { statement } = record
  return {
    kind: record.kind,
    index: record.index,
    span: record.lines.span(statement.start, statement.end),
    ...(record.file === undefined ? {} : { file: record.file }),
    fingerprint: statement.fingerprint,
    inputs: names(record.inputs),
    outputs: names(record.outputs),
    columns: reportEdges(record),
    indirect: reportIndirect(record.gathered),
    skipped: record.skipped,
    confidence: record.confidence,
    diagnostics: record.diagnostics,
    schemas: record.schemas,
    ...(record.routine === undefined ? {} : { routine: record.routine }),
    ...(record.body ? { body: record.body.map(reportStatement) } : {}),
  }
}

function reportEdges(record: StatementRecord): ColumnLineage[] {
  const columns: ColumnLineage[] = []
  for (const edge of record.edges) columns.push(reportEdge(edge, record))
  return columns
}

function reportEdge(edge: Edge, record: StatementRecord): ColumnLineage {
  const upstreams: Upstream[] = []
  if (edge.open)
    for (const one of edge.open) upstreams.push({ table: one.table.name, column: '*', kind: KINDS[one.kind]! })
  else for (const source of edge.sources) upstreams.push(upstream(source))
  const item = edge.item
  const span: Span | undefined = item && item.end > item.start ? record.lines.span(item.start, item.end) : undefined
  const transformation =
    item && !item.star && item.expression.form !== 'column'
      ? record.text.slice(item.expression.start, item.expression.end)
      : undefined
  const own = edge.doubt ? DIAGNOSTIC_RULES[edge.doubt].confidence : 1
  const confidence = own * record.confidence
  const reasons = confidence === 1 ? SURE : reasonsOf(edge, record)
  return {
    downstream: { table: edge.target ? edge.target.name : null, column: edge.name },
    upstreams,
    ...(transformation === undefined ? {} : { transformation }),
    ...(span === undefined ? {} : { span }),
    ...(edge.branch === undefined ? {} : { branch: edge.branch }),
    confidence,
    reasons,
  }
}

function upstream(source: Source): Upstream {
  return {
    table: source.column.table ? source.column.table.name : null,
    column: source.column.name,
    kind: KINDS[source.kind]!,
  }
}

function reasonsOf(edge: Edge, record: StatementRecord): string[] {
  const reasons: string[] = []
  if (edge.doubt) reasons.push(DIAGNOSTIC_RULES[edge.doubt].meaning)
  if (record.confidence < 1) {
    const codes = new Set(record.statement.notes.map((note) => note.code))
    for (const code of codes) if (DIAGNOSTIC_RULES[code].confidence < 1) reasons.push(DIAGNOSTIC_RULES[code].meaning)
  }
  return reasons
}

function reportIndirect(gathered: Gathered): IndirectUse[] {
  const uses: IndirectUse[] = []
  for (const [column, bits] of gathered.indirect) {
    for (let bit = 0; bit < INDIRECT_KINDS.length; bit++) {
      if ((bits & (1 << bit)) !== 0)
        uses.push({ table: column.table ? column.table.name : null, column: column.name, kind: INDIRECT_KINDS[bit]! })
    }
  }
  return uses
}

/** A diagnostic at an offset. */
export function diagnosticAt(
  code: DiagnosticCode,
  detail: string | undefined,
  start: number,
  index: number,
  lines: Lines,
  file: string | undefined,
): Diagnostic {
  const rule = DIAGNOSTIC_RULES[code]
  const span = lines.span(start, start)
  return {
    severity: rule.severity,
    code,
    message: detail === undefined || detail === '' ? rule.meaning : `${rule.meaning}: ${detail}`,
    statement: index,
    line: span.line,
    column: span.column,
    ...(file === undefined ? {} : { file }),
  }
}
