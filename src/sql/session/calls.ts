/** CALL, EXECUTE and LOAD: what a routine does it does for its caller, and a text that is executed is read as SQL. */

import { DIAGNOSTIC_RULES } from '../diagnostics.ts'
import type { CallStatement } from '../ir/statement.ts'
import { parseText } from '../parser/script.ts'
import { columnOf, edge } from '../resolve/edges.ts'
import type { Effect } from '../resolve/target.ts'
import type { Diagnostic } from '../types.ts'
import { sqlOf, type DynamicSql } from './dynamic-text.ts'
import type { Execution } from './execution.ts'
import { foldInputs, readThroughVariables } from './inputs.ts'
import { MappedLines } from './mapped-lines.ts'
import { fromNote, gathering, toRecord, type Source } from './record.ts'
import type { StatementRecord } from './report.ts'
import { summary } from './routine.ts'
import type { Routines } from './routines.ts'

const MAX_DYNAMIC_DEPTH = 8

export class Calls {
  readonly #execution: Execution
  readonly #routines: Routines
  /** Names of prepared statements, lower case. */
  readonly #prepared = new Set<string>()
  #dynamicDepth = 0

  constructor(execution: Execution, routines: Routines) {
    this.#execution = execution
    this.#routines = routines
  }

  call(statement: CallStatement, source: Source, into: StatementRecord[]): void {
    if (statement.dynamic) return this.#callDynamic(statement, source, into)
    if (statement.rowsOf !== undefined) return this.#loadCursor(statement, source, into)
    const name = statement.name?.parts.at(-1)?.toLowerCase()
    if (name !== undefined && this.#prepared.has(name))
      return this.#execution.record({ ...statement, kind: 'command', word: 'execute', expressions: [] }, source, into)
    const known = this.#routines.find(name)
    const routine = statement.name?.parts.join('.') ?? ''
    if (!known) {
      this.#execution.record(
        {
          ...statement,
          notes: [...statement.notes, { code: 'CALLED_ROUTINE', start: statement.start, text: routine }],
        },
        source,
        into,
      )
      const last = into.pop()!
      into.push({ ...last, routine })
      return
    }
    // What is wrong in the body was said where it stands.
    const body = this.#routines.bodyFor(statement, name!, known)
    const call = summary(statement, source, this.#execution.index++, body, routine, this.#execution.profile)
    into.push({ ...call, diagnostics: [], skipped: statement.skipped })
    if (statement.into) this.#insertRows(statement, source, body, into)
  }

  /** Db2: LOAD FROM c OF CURSOR INSERT INTO t. */
  #loadCursor(statement: CallStatement, source: Source, into: StatementRecord[]): void {
    const gathered = gathering()
    const target = this.#execution.tables.find(statement.into!)
    gathered.outputs.add(target)
    const rows = this.#execution.frame.variables.held.get(statement.rowsOf!.toLowerCase())?.row ?? []
    const names = statement.columns ?? target.columns?.map(({ name }) => name)
    const effect: Effect = { edges: [], defined: [] }
    for (const [index, row] of rows.entries()) effect.edges.push(edge(target, names?.[index] ?? row.name, row))
    readThroughVariables(gathered, effect, this.#execution.tables)
    into.push(toRecord(statement, source, this.#execution.index++, gathered, effect, [], 'copy'))
  }

  /** EXECUTE of a text that the script puts together is read as SQL; what of it only the run tells is reported. */
  #callDynamic(statement: CallStatement, source: Source, into: StatementRecord[]): void {
    const { pieces, start } = statement.dynamic!
    if (statement.prepares !== undefined) this.#prepared.add(statement.prepares.toLowerCase())
    const texts = this.#dynamicDepth < MAX_DYNAMIC_DEPTH ? this.#execution.tables.texts.textsOf(pieces) : []
    const readable = texts.filter((text) => text.some(({ isKnown }) => isKnown))
    const isOpen = readable.length < texts.length || texts.length === 0
    if (isOpen)
      this.#execution.record(
        { ...statement, notes: [...statement.notes, { code: 'DYNAMIC_SQL', start }] },
        source,
        into,
      )
    for (const text of readable) this.#runText(statement, sqlOf(text, source.text), source, into)
  }

  #runText(statement: CallStatement, { text, open }: DynamicSql, source: Source, into: StatementRecord[]): void {
    this.#dynamicDepth++
    const script = parseText(text.toString(), this.#execution.dialect)
    const inner: Source = { text: script.text, lines: new MappedLines(source.lines, text), file: source.file }
    let body: StatementRecord[] = []
    const { database, schema } = this.#execution.tables
    for (const one of script.statements) this.#execution.execute(one, inner, body)
    // T-SQL: a USE in it holds to its end.
    if (this.#execution.dialect.looseStatements) this.#execution.tables.connect(database, schema)
    this.#dynamicDepth--
    if (statement.variables) {
      const rows = body.at(-1)?.edges.filter((one) => one.target === null) ?? []
      this.#execution.frame.variables.take(statement.variables, rows.map(columnOf))
      body = body.map((one) => ({ ...one, fillsVariables: true }))
    }
    if (statement.into) {
      this.#insertRows(statement, source, body, into)
      // Rows that go into a table are no outputs of their own.
      body = body.map((one) => ({ ...one, edges: one.edges.filter(({ target }) => target !== null) }))
    }
    const [first, ...others] = body
    const note = { code: 'DYNAMIC_SQL', text: open.join(', '), start: statement.dynamic!.start } as const
    if (open.length === 0 || !first) return void into.push(...body)
    const confidence = first.confidence * DIAGNOSTIC_RULES.DYNAMIC_SQL.confidence
    const diagnostics = [...toldOnce(first), fromNote(note, first.index, source)]
    into.push({ ...first, diagnostics, confidence }, ...others.map((one) => ({ ...one, diagnostics: toldOnce(one) })))
  }

  /** INSERT INTO t EXEC …: the rows that the statements give go into the table. */
  #insertRows(
    statement: CallStatement,
    source: Source,
    body: readonly StatementRecord[],
    into: StatementRecord[],
  ): void {
    const gathered = gathering()
    const target = this.#execution.tables.find(statement.into!)
    gathered.outputs.add(target)
    const names = statement.columns ?? target.columns?.map(({ name }) => name)
    const effect: Effect = { edges: [], defined: [] }
    for (const record of body.filter(({ kind }) => kind === 'query')) {
      for (const table of record.inputs) gathered.inputs.add(table)
      const rows = record.edges.filter((one) => one.target === null)
      for (const [index, row] of rows.entries()) {
        const name = names === undefined ? row.name : names[index]
        if (name !== undefined) effect.edges.push(edge(target, name, columnOf(row)))
      }
    }
    const columns = effect.edges.map((one) => columnOf(one))
    effect.defined.push({ table: target, columns, temporary: false, replaces: false })
    const schemas = this.#execution.learn(statement, effect)
    foldInputs(gathered, effect, this.#execution.tables)
    into.push(toRecord(statement, source, this.#execution.index++, gathered, effect, schemas, 'insert'))
  }
}

/** What a reader says of text that an open piece may well complete. */
const FORM_CODES: ReadonlySet<string> = new Set([
  'MISSING_PART',
  'SKIPPED_TOKENS',
  'UNBALANCED_PARENTHESES',
  'UNFINISHED_BLOCK',
  'UNKNOWN_STATEMENT',
  'UNKNOWN_OBJECT',
])

/** That a piece of dynamic SQL is open, and what follows from it, is told once: as DYNAMIC_SQL. */
function toldOnce({ diagnostics }: StatementRecord): readonly Diagnostic[] {
  const isOpen = diagnostics.some(({ code, message }) => code === 'UNKNOWN_NAME' && message.includes('${'))
  const told = diagnostics.filter(({ code }) => !FORM_CODES.has(code))
  return isOpen ? told.filter(({ code }) => code !== 'UNKNOWN_NAME' && code !== 'UNRESOLVED_COLUMN') : told
}
