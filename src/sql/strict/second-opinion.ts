/**
 * Two parsers that know nothing of each other read the same text; the resolver draws edges from both. Where they agree,
 * the edges are surer; where they do not, a diagnostic holds both answers.
 */
import { columnName, sumByDownstream } from '../encode/columns.ts'
import { createSession, type LineageOptions } from '../index.ts'
import type { ColumnLineage, Diagnostic, ScriptLineage } from '../types.ts'
import { isStrictDialect, parseStrict, type StrictReading } from './parse.ts'
import { isTemplate, parseStrictly } from './script.ts'

/** Which texts get a second reading: none, a share of them (always the same ones), or all. */
export type SecondOpinion = 'off' | 'all' | { readonly share: number }

/** What is left of the doubt in an edge that both parsers draw. */
const DOUBT_LEFT = 0.5

/** A text of a script and the file that it is from. */
export interface SourceText {
  readonly sql: string
  readonly file?: string
  /** The text runs in a connection of its own. */
  readonly connects?: boolean
}

/** Lineage of texts in one session, with the strict parser as second reader where the dialect has one. */
export function lineageWithOpinion(
  texts: readonly SourceText[],
  options: LineageOptions,
  setting: SecondOpinion,
): ScriptLineage {
  const session = createSession(options)
  for (const { sql, ...source } of texts) session.add(sql, source)
  const lineage = session.lineage()
  const { dialect } = options
  if (dialect === undefined || !isStrictDialect(dialect) || !texts.some(({ sql }) => isChosen(sql, setting)))
    return lineage
  const readings = texts.map(({ sql }) => parseStrict(sql, dialect))
  const second = strictLineage(texts, readings, options)
  return second === undefined ? withSyntax(lineage, readings) : weighOpinions(lineage, second)
}

/**
 * Lineage with the strict parser in front. A statement that its grammar or its mapping does not have is read by the
 * tolerant parser, and told (STRICT_SYNTAX). Undefined outside of its dialects, and for templates.
 */
export function lineageByStrictParser(
  texts: readonly SourceText[],
  options: LineageOptions,
): ScriptLineage | undefined {
  const { dialect } = options
  if (dialect === undefined || !isStrictDialect(dialect)) return undefined
  const session = createSession(options)
  for (const { sql, ...source } of texts) {
    const whole = parseStrict(sql, dialect)
    if (whole.kind === 'read') session.run(whole.script, source)
    else if (isTemplate(sql)) return undefined
    else session.add(sql, { ...source, parse: (text) => parseStrictly(text, dialect) })
  }
  return session.lineage()
}

function strictLineage(
  texts: readonly SourceText[],
  readings: readonly StrictReading[],
  options: LineageOptions,
): ScriptLineage | undefined {
  const session = createSession(options)
  for (const [i, reading] of readings.entries()) {
    if (reading.kind !== 'read') return undefined
    const { sql: _, ...source } = texts[i]!
    session.run(reading.script, source)
  }
  return session.lineage()
}

/** Chosen by the text itself, so that a text is read the same way every time. */
function isChosen(text: string, setting: SecondOpinion): boolean {
  if (setting === 'off' || setting === 'all') return setting === 'all'
  let hash = 2_166_136_261
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 16_777_619)
  return (hash >>> 0) / 2 ** 32 < setting.share
}

/** What each parser says of an output; undefined where it has no such output. */
interface Pair {
  readonly ours: ColumnLineage | undefined
  readonly theirs: ColumnLineage | undefined
}

/** The first answer, surer where the second agrees, with a diagnostic where it does not. */
export function weighOpinions(first: ScriptLineage, second: ScriptLineage): ScriptLineage {
  const pairs = pair(sumByDownstream(first.columns), sumByDownstream(second.columns))
  const agreed = new Set(pairs.filter(agrees).map(({ ours }) => (ours === undefined ? '' : keyOf(ours))))
  const disagreements = pairs.filter((one) => !agrees(one))
  return {
    ...first,
    columns: first.columns.map((column) => (agreed.has(keyOf(column)) ? surer(column) : column)),
    confidence: disagreements.length === 0 ? raised(first.confidence) : first.confidence,
    diagnostics: [...first.diagnostics, ...disagreements.map(disagreement)],
  }
}

function pair(ours: readonly ColumnLineage[], theirs: readonly ColumnLineage[]): Pair[] {
  const open = new Map(theirs.map((column) => [keyOf(column), column]))
  const pairs = ours.map((column): Pair => {
    const match = open.get(keyOf(column))
    open.delete(keyOf(column))
    return { ours: column, theirs: match }
  })
  return [...pairs, ...[...open.values()].map((column): Pair => ({ ours: undefined, theirs: column }))]
}

/** Outputs are the same by table and name; names of unnamed expressions differ, so those are told by their place. */
function keyOf({ downstream, span }: ColumnLineage): string {
  const named = /^[\p{L}\p{N}_$*]+$/u.test(downstream.column)
  return `${downstream.table ?? ''}\u0000${named ? downstream.column : `@${span?.start ?? ''}`}`.toLowerCase()
}

function agrees({ ours, theirs }: Pair): boolean {
  return ours !== undefined && theirs !== undefined && sourcesOf(ours) === sourcesOf(theirs)
}

function sourcesOf(column: ColumnLineage): string {
  return column.upstreams.map(columnName).toSorted().join(', ').toLowerCase()
}

function surer(column: ColumnLineage): ColumnLineage {
  return { ...column, confidence: raised(column.confidence) }
}

function raised(confidence: number): number {
  return 1 - (1 - confidence) * DOUBT_LEFT
}

function disagreement({ ours, theirs }: Pair): Diagnostic {
  const column = ours ?? theirs
  const name = column === undefined ? '' : columnName(column.downstream)
  return {
    severity: 'warning',
    code: 'SECOND_OPINION',
    message: `two parsers disagree on ${name}: ${answerOf(ours)}; or ${answerOf(theirs)}`,
    ...(column?.span === undefined ? {} : { line: column.span.line, column: column.span.column }),
  }
}

function answerOf(column: ColumnLineage | undefined): string {
  if (column === undefined) return 'no such output'
  return column.upstreams.length === 0 ? 'no source' : column.upstreams.map(columnName).join(', ')
}

/** Where the tolerant parser had to step over something, the strict one says what the grammar expects there. */
function withSyntax(lineage: ScriptLineage, readings: readonly StrictReading[]): ScriptLineage {
  if (lineage.statements.every((statement) => statement.skipped === 0)) return lineage
  const found = readings.flatMap((reading): Diagnostic[] => {
    if (reading.kind !== 'syntax') return []
    const { line, column, message } = reading
    return [{ severity: 'info', code: 'STRICT_SYNTAX', message, line, column }]
  })
  return { ...lineage, diagnostics: [...lineage.diagnostics, ...found] }
}
