/**
 * The strict parser as the primary front end. It reads a text whole or not at all, so a text that it refuses is handed to
 * it statement by statement, cut by the tolerant parser; what it refuses then stays as that one reads it, with a note.
 */

import { findDialect } from '../dialects/registry.ts'
import type { Script, Statement } from '../ir/statement.ts'
import { parseText } from '../parser/script.ts'
import { inJinjaMarks } from '../template/other-templates.ts'
import { hasTemplateMarks } from '../template/scanner.ts'
import { readSqlmesh } from '../template/sqlmesh/model.ts'
import { parseStrict, type StrictDialect, type StrictReading } from './parse.ts'

/** Statements in their order, each by the strict parser where it reads it. */
export function parseStrictly(text: string, dialect: StrictDialect): Script {
  const whole = parseStrict(text, dialect)
  if (whole.kind === 'read') return whole.script
  const { statements } = parseText(text, findDialect(dialect)!)
  return { text, statements: statements.flatMap((statement) => readAlone(text, statement, dialect)) }
}

/** Whether a text is made into SQL by someone else first: jinja, SQLMesh and their kin. */
export function isTemplate(text: string): boolean {
  return readSqlmesh(text) !== undefined || hasTemplateMarks(inJinjaMarks(text, false))
}

function readAlone(text: string, statement: Statement, dialect: StrictDialect): readonly Statement[] {
  const { start, end } = statement
  // In its own place, so that offsets are those of the text.
  const reading = parseStrict(' '.repeat(start) + text.slice(start, end), dialect)
  if (reading.kind === 'read' && reading.script.statements.length > 0) return reading.script.statements
  const note = { code: 'STRICT_SYNTAX', start, text: reasonOf(reading) } as const
  return [{ ...statement, notes: [...statement.notes, note] }]
}

function reasonOf(reading: StrictReading): string {
  if (reading.kind === 'syntax') return reading.message
  return reading.kind === 'not-carried' ? reading.what : 'no statement'
}
