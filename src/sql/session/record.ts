/** From a statement that was resolved to its record. */

import { DIAGNOSTIC_RULES } from '../diagnostics.ts'
import type { Query } from '../ir/query.ts'
import type { ParseNote, Statement } from '../ir/statement.ts'
import type { Doubt, Gathered } from '../resolve/model.ts'
import type { Effect } from '../resolve/target.ts'
import type { Diagnostic, LearntSchema, StatementKind } from '../types.ts'
import type { Lines } from './lines.ts'
import { diagnosticAt, type StatementRecord } from './report.ts'

/** The text that statements stand in. */
export interface Source {
  readonly text: string
  readonly lines: Lines
  readonly file: string | undefined
}

/** Nothing gathered yet. */
export function gathering(): Gathered {
  return { inputs: new Set(), outputs: new Set(), updated: new Set(), indirect: new Map(), doubts: [] }
}

/** A statement as the session remembers it, with what its parser and its resolver were not sure of. */
export function toRecord(
  statement: Statement,
  source: Source,
  index: number,
  gathered: Gathered,
  effect: Effect,
  schemas: readonly LearntSchema[],
  kind: StatementKind | undefined,
): StatementRecord {
  const diagnostics: Diagnostic[] = []
  let confidence = 1
  for (const note of statement.notes) {
    diagnostics.push(fromNote(note, index, source))
    confidence *= DIAGNOSTIC_RULES[note.code].confidence
  }
  for (const doubt of distinct(gathered.doubts))
    diagnostics.push(diagnosticAt(doubt.code, doubt.text, doubt.start, index, source.lines, source.file))
  return {
    statement,
    kind: kind ?? kindOf(statement, gathered),
    index,
    inputs: gathered.inputs,
    outputs: gathered.outputs,
    edges: effect.edges,
    gathered,
    schemas,
    diagnostics,
    confidence,
    skipped: statement.skipped,
    text: source.text,
    lines: source.lines,
    file: source.file,
  }
}

/** What the parser noted, as a diagnostic at its place. */
export function fromNote(note: ParseNote, index: number, source: Source): Diagnostic {
  return diagnosticAt(note.code, note.text, note.start, index, source.lines, source.file)
}

/** SELECT … INTO makes a table. */
function kindOf(statement: Statement, gathered: Gathered): StatementKind {
  if (statement.kind === 'block') return 'command'
  return statement.kind === 'query' && gathered.outputs.size > 0 && isInto(statement.query) ? 'ctas' : statement.kind
}

function isInto(query: Query): boolean {
  let at = query
  while (at.kind === 'set') at = at.left
  return at.kind === 'select' && at.into !== undefined
}

function distinct(doubts: readonly Doubt[]): readonly Doubt[] {
  if (doubts.length < 2) return doubts
  const seen = new Set<string>()
  return doubts.filter((doubt) => {
    const key = `${doubt.code} ${doubt.start} ${doubt.text}`
    if (seen.has(key)) return false
    seen.add(key)
    return true
  })
}
