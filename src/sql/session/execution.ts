/**
 * Statements one after the other: each is resolved with what those before it left behind, learnt from, and put on record.
 * Bodies of routines are in `routines.ts`, calls and dynamic SQL in `calls.ts`; both come back here for each statement.
 */

import type { Dialect } from '../dialects/dialect.ts'
import type { DeclareStatement, Statement } from '../ir/statement.ts'
import { edge } from '../resolve/edges.ts'
import { KIND, type CteEnv, type Gathered, type Resolving, type Table } from '../resolve/model.ts'
import type { SourceSet } from '../resolve/sources.ts'
import { resolverRules, resolveStatement } from '../resolve/statement.ts'
import type { Effect, StatementResolving } from '../resolve/target.ts'
import type { LearntSchema, LineageOptions, Profile, StatementKind } from '../types.ts'
import { Calls } from './calls.ts'
import { ForeseenRoutines } from './foreseen-routines.ts'
import { countOwnTarget, foldInputs, readThroughVariables } from './inputs.ts'
import { learn } from './learn.ts'
import { gathering, toRecord, type Source } from './record.ts'
import type { StatementRecord } from './report.ts'
import { restructure } from './restructure.ts'
import { Routines } from './routines.ts'
import { SessionTables } from './tables.ts'
import { assignedNames, Variables } from './variables.ts'
import { viewsEnv } from './views.ts'

const RULES = resolverRules((r, statement, env) => resolveStatement(r as StatementResolving, statement, env))

/** What names mean around a statement, beside tables: a routine's body has its own. */
export interface Frame {
  readonly variables: Variables
  readonly views: CteEnv | undefined
  /** The table of the trigger whose body runs. */
  readonly triggered: Table | undefined
  /** Names of its rows, lower case. */
  readonly triggerRows: readonly string[]
}

export class Execution {
  readonly dialect: Dialect
  readonly profile: Profile
  readonly tables: SessionTables
  readonly foreseen = new ForeseenRoutines()
  frame: Frame
  /** Number of the next statement. */
  index = 0
  /** What the function whose body runs has returned so far. */
  returned: SourceSet | undefined
  readonly #lateral: Resolving['lateral']
  readonly #temporaryNames: readonly RegExp[]
  readonly #routines: Routines
  readonly #calls: Calls

  constructor(options: LineageOptions, dialect: Dialect) {
    this.dialect = dialect
    this.profile = options.profile ?? 'datahub'
    this.#temporaryNames = (options.temporaryTables ?? []).map((pattern) => new RegExp(`^(?:${pattern})`, 'i'))
    this.#lateral = lateralRule(dialect, this.profile, options.lateralColumnAliases)
    const { schema, defaultDatabase, defaultSchema } = options
    this.tables = new SessionTables(dialect, this.profile, schema, defaultDatabase, defaultSchema)
    this.tables.hidesTemporary = options.hidesTemporary === true
    const views = options.views ? viewsEnv(options.views, dialect) : undefined
    this.frame = { variables: new Variables(), views, triggered: undefined, triggerRows: [] }
    this.#routines = new Routines(this)
    this.#calls = new Calls(this, this.#routines)
  }

  /** A whole text: what it defines anywhere may be called anywhere in it. */
  run(statements: readonly Statement[], source: Source, into: StatementRecord[]): void {
    this.foreseen.note(statements, source, this.tables, this.frame.variables)
    for (const statement of statements) this.execute(statement, source, into)
  }

  /** @param into the records that it adds to */
  execute(statement: Statement, source: Source, into: StatementRecord[]): void {
    switch (statement.kind) {
      case 'block': {
        const { schema } = this.tables
        if (statement.schema !== undefined) this.tables.use(undefined, statement.schema)
        if (statement.conditional) this.frame.variables.branches++
        for (const inner of statement.body) this.execute(inner, source, into)
        if (statement.conditional) this.frame.variables.branches--
        if (statement.schema !== undefined) this.tables.leave(schema)
        this.#noteBlock(statement, source, into)
        return
      }
      case 'use':
        this.tables.use(statement.database, statement.schema)
        return this.record(statement, source, into)
      case 'routine':
        return this.#routines.define(statement, source, into)
      case 'call':
        return this.#calls.call(statement, source, into)
      case 'declare':
      case 'set':
        for (const [at, name] of statement.names.entries()) this.#declare(name, statement.typeNames?.[at])
        if (statement.type) {
          this.frame.variables.declareType(statement.type)
          this.tables.defineType(statement.type)
        }
        for (const name of statement.parameters ?? []) this.frame.variables.declare(name)
        if (statement.kind === 'declare' && statement.table)
          this.tables.declareVariable(
            statement.table.name,
            statement.table.columns.map((column) => column.name),
          )
        this.#holdTexts(statement)
        return this.record(statement, source, into)
      case 'explain': {
        if (!statement.statement) return this.record(statement, source, into)
        return this.#explain(statement.statement, source, into)
      }
      case 'query':
        if (statement.query.kind === 'select')
          for (const { variable, text } of statement.query.items)
            if (variable !== undefined && text)
              this.tables.texts.assign(variable, text, this.frame.variables.branches > 0)
        return this.record(statement, source, into)
      default:
        return this.record(statement, source, into)
    }
  }

  #declare(name: string, type: string | undefined): void {
    const columns = this.frame.variables.columnsOf(type)
    if (columns) this.tables.declareVariable(name, columns)
    else this.frame.variables.declare(name, type)
  }

  /** What variables hold as text from here on. */
  #holdTexts({ kind, names, texts = [] }: DeclareStatement): void {
    for (const [index, name] of names.entries()) {
      const pieces = texts[index]
      if (pieces) this.tables.texts.assign(name, pieces, this.frame.variables.branches > 0)
      else if (kind === 'set') this.tables.texts.forget(name)
    }
  }

  /** What the explained query reads counts; the rows of EXPLAIN are not its columns. */
  #explain(statement: Statement, source: Source, into: StatementRecord[]): void {
    const explained = statement.kind === 'query' ? statement : asCommand(statement, 'explain')
    this.record(explained, source, into, 'explain')
  }

  /** A block's own notes (no END, words stepped over) belong to no inner statement. */
  #noteBlock(statement: Statement, source: Source, into: StatementRecord[]): void {
    if (statement.notes.length > 0 || statement.skipped > 0) this.record(asCommand(statement, 'block'), source, into)
  }

  /** Resolves one statement, takes over what it changes, and adds its record. @param kind as it is told; its own when absent */
  record(statement: Statement, source: Source, into: StatementRecord[], kind?: StatementKind): void {
    const gathered = gathering()
    const effect: Effect = { edges: [], defined: [], assigned: [] }
    const r: StatementResolving = {
      dialect: this.dialect,
      profile: this.profile,
      tables: this.tables,
      gathered,
      rules: RULES,
      text: source.text,
      lateral: this.#lateral,
      variables: this.frame.variables.held,
      routineRows: this.#routines.rowsOf,
      functionValue: this.foreseen.definesFunctions ? this.#routines.valueOf : undefined,
      effect,
    }
    try {
      const columns = resolveStatement(r, statement, this.frame.views)
      this.frame.variables.assign(statement, columns)
      if (statement.kind === 'command')
        for (const column of columns) this.returned?.addAll(column.sources, KIND.identity)
      for (const [name, column] of effect.assigned ?? []) this.frame.variables.take([name], [column])
      if (this.frame.triggered) this.#writeRow(this.frame.triggered, statement, gathered, effect)
    } catch (error) {
      // The stack is the only limit on how deep relations refer to each other.
      if (!(error instanceof RangeError)) throw error
      gathered.doubts.push({ code: 'TOO_DEEP', text: '', start: statement.start })
    }
    restructure(statement, r, this.tables)
    if (this.frame.variables.held.size > 0) readThroughVariables(gathered, effect, this.tables)
    countOwnTarget(statement, gathered, effect, this.profile)
    const schemas = this.learn(statement, effect)
    foldInputs(gathered, effect, this.tables)
    into.push(toRecord(statement, source, this.index++, gathered, effect, schemas, kind))
  }

  /** `:new.a := x`, `SET NEW.a = x`: a trigger changes the row that is about to be written. */
  #writeRow(table: Table, statement: Statement, gathered: Gathered, effect: Effect): void {
    for (const name of assignedNames(statement)) {
      const [row = '', field = ''] = name.toLowerCase().split('.')
      if (!this.frame.triggerRows.includes(row)) continue
      const column = this.frame.variables.held.get(row)?.row?.find(({ key, open }) => key === field && !open)
      if (!column) continue
      gathered.outputs.add(table)
      effect.edges.push(edge(table, column.name, column))
    }
  }

  /** What the tables that a statement made are from here on. */
  learn(statement: Statement, effect: Effect): readonly LearntSchema[] {
    return learn(statement, effect, this.tables, (name) => this.#temporaryNames.some((pattern) => pattern.test(name)))
  }
}

function asCommand({ start, end, skipped, notes, fingerprint }: Statement, word: string): Statement {
  return { kind: 'command', word, expressions: [], start, end, skipped, notes, fingerprint }
}

function lateralRule(dialect: Dialect, profile: Profile, override: boolean | undefined): Resolving['lateral'] {
  if (override === true) return dialect.lateralAliases === 'before' ? 'before' : 'after'
  if (override === false) return 'none'
  return profile === 'sqllineage' && dialect.name === 'ansi' ? 'none' : dialect.lateralAliases
}
