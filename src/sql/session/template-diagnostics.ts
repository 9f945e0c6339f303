/** What a template left open, told with the statement that it stands in. */

import { DIAGNOSTIC_RULES, type DiagnosticCode } from '../diagnostics.ts'
import type { ParseNote } from '../ir/statement.ts'
import type { TemplateReading } from '../template/read-template.ts'
import type { Diagnostic } from '../types.ts'
import type { Lines } from './lines.ts'
import { diagnosticAt, type StatementRecord } from './report.ts'

interface Told {
  readonly records: readonly StatementRecord[]
  /** What stands in no statement. */
  readonly diagnostics: readonly Diagnostic[]
}

/** The records with the template's holes and notes among their diagnostics. */
export function withTemplateDiagnostics(
  records: readonly StatementRecord[],
  reading: TemplateReading,
  lines: Lines,
  file: string | undefined,
): Told {
  const notes: readonly ParseNote[] = [
    ...reading.holes
      .filter(({ kind }) => kind !== 'syntax' && kind !== 'value')
      .map(({ text, start }) => note('TEMPLATE_HOLE', text, start)),
    ...reading.notes.map(({ message, start }) => note('TEMPLATE_SYNTAX', message, start)),
  ]
  if (notes.length === 0) return { records, diagnostics: [] }
  const told = records.map((record, index) =>
    withNotes(
      record,
      notes.filter(({ start }) => index === ownerOf(start, records)),
      lines,
      file,
    ),
  )
  const free = records.length > 0 ? [] : notes
  return {
    records: told,
    diagnostics: free.map(({ code, text, start }) => diagnosticAt(code, text, start, 0, lines, file)),
  }
}

function note(code: DiagnosticCode, text: string, start: number): ParseNote {
  return { code, text, start }
}

/** Index of the last statement that begins before an offset of the template. */
function ownerOf(offset: number, records: readonly StatementRecord[]): number {
  const starts = records.map(({ statement, lines }) => lines.span(statement.start, statement.start).start)
  return Math.max(
    0,
    starts.findLastIndex((start) => start <= offset),
  )
}

function withNotes(
  record: StatementRecord,
  notes: readonly ParseNote[],
  lines: Lines,
  file: string | undefined,
): StatementRecord {
  if (notes.length === 0) return record
  const codes = new Set(notes.map(({ code }) => code))
  const factor = [...codes].reduce((product, code) => product * DIAGNOSTIC_RULES[code].confidence, 1)
  const diagnostics = notes.map(({ code, text, start }) => diagnosticAt(code, text, start, record.index, lines, file))
  return {
    ...record,
    statement: { ...record.statement, notes: [...record.statement.notes, ...notes] },
    diagnostics: [...record.diagnostics, ...diagnostics],
    confidence: record.confidence * factor,
  }
}
