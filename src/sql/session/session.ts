/**
 * Statements in order, as one database session would run them: temporary tables, table variables, USE, renames, views
 * and schemas learnt on the way, routines defined and called, dynamic SQL that is a literal.
 *
 *   text ─ parse ─ statements ─ resolve each ─ record ─ sum by profile
 */

import { findDialect } from '../dialects/registry.ts'
import { ANSI, type Dialect } from '../dialects/dialect.ts'
import { DIAGNOSTIC_RULES } from '../diagnostics.ts'
import type { TableName } from '../ir/query.ts'
import type {
  CallStatement,
  DeclareStatement,
  RoutineStatement,
  Script,
  Statement,
  UseStatement,
} from '../ir/statement.ts'
import { parseText } from '../parser/script.ts'
import { readDataform } from '../template/dataform.ts'
import { inJinjaMarks } from '../template/other-templates.ts'
import { hasTemplateMarks } from '../template/scanner.ts'
import { modelText, readSqlmesh, seedDefinition, type SqlmeshText } from '../template/sqlmesh/model.ts'
import { columnOf, edge } from '../resolve/edges.ts'
import {
  KIND,
  type CteEnv,
  type FunctionValue,
  type Gathered,
  type Resolving,
  type RoutineRows,
  type Table,
} from '../resolve/model.ts'
import { SourceSet, allSources } from '../resolve/sources.ts'
import { resolverRules, resolveStatement } from '../resolve/statement.ts'
import type { Effect, StatementResolving } from '../resolve/target.ts'
import type { Diagnostic, LineageOptions, Profile, ScriptLineage, StatementKind, StatementLineage } from '../types.ts'
import { fillVariables, type ClientVariables } from './client-variables.ts'
import { sqlOf, type DynamicSql } from './dynamic-text.ts'
import { Lines } from './lines.ts'
import { MappedLines } from './mapped-lines.ts'
import { reportStatement, type StatementRecord } from './report.ts'
import { hereDocuments } from './shell-script.ts'
import { sum } from './sum.ts'
import { SessionTables } from './tables.ts'
import { modelNamed, partsOf, readText } from './template-text.ts'
import { withTemplateDiagnostics } from './template-diagnostics.ts'
import { assignedNames, Variables } from './variables.ts'
import { mergeVariants } from './variants.ts'
import { countOwnTarget, foldInputs, readThroughVariables } from './inputs.ts'
import { learn } from './learn.ts'
import { fromNote, gathering, toRecord, type Source } from './record.ts'
import { restructure } from './restructure.ts'
import { rowsGiven, summary } from './routine.ts'
import { triggerName, triggerRows } from './trigger.ts'
import { viewsEnv } from './views.ts'
import type { RelationName, TemplateOptions } from '../template/options.ts'
import { projectOf, type ProjectFacts, type TemplateText } from '../template/project-facts.ts'

const RULES = resolverRules((r, statement, env) => resolveStatement(r as StatementResolving, statement, env))
const MAX_DYNAMIC_DEPTH = 8
/** A template that belongs to no project may still ask for the columns of tables. */
const NO_PROJECT: ProjectFacts = { refs: {}, sources: {}, macros: [] }

/** What stands in front of names that lack it. */
interface Defaults {
  readonly database: string | undefined
  readonly schema: string | undefined
}

/** A routine that is defined further on. */
interface Foreseen {
  readonly statement: RoutineStatement
  readonly source: Source
  /** Where it is defined. */
  readonly names: Defaults
}

export class Session {
  readonly #options: LineageOptions
  /** What `templateTarget` says of every text. */
  readonly #ownModel: TemplateText | undefined
  readonly #dialect: Dialect
  readonly #profile: Profile
  readonly #lateral: Resolving['lateral']
  readonly #tables: SessionTables
  readonly #temporaryNames: readonly RegExp[]
  readonly #records: StatementRecord[] = []
  readonly #diagnostics: Diagnostic[] = []
  #views: CteEnv | undefined
  readonly #routines = new Map<string, StatementRecord>()
  /** Procedures as they are written, for those that read what their callers make. */
  readonly #defined = new Map<string, { readonly statement: RoutineStatement; readonly source: Source }>()
  readonly #running = new Set<string>()
  /** What routines give as rows, where a relation may read them. */
  readonly #routineRows = new Map<string, RoutineRows>()
  /** What scalar functions return. */
  readonly #functionValues = new Map<string, FunctionValue>()
  #definesFunctions = false
  /** What the function whose body runs has returned so far. */
  #returned: SourceSet | undefined
  /** Triggers by the function that they run. */
  readonly #triggersOf = new Map<string, RoutineStatement[]>()
  /** Routines that are defined further on, for calls that stand before. */
  readonly #foreseen = new Map<string, Foreseen>()
  /** Specifications of packages. */
  readonly #specifications = new Map<string, { readonly statement: RoutineStatement; readonly source: Source }>()
  readonly #prepared = new Set<string>()
  #variables: Variables = new Variables()
  readonly #clientVariables: ClientVariables
  /** The table of the trigger whose body runs. */
  #triggered: Table | undefined
  /** Names of its rows, lower case. */
  #triggerRows: readonly string[] = []
  #dynamicDepth = 0
  #index = 0

  constructor(options: LineageOptions) {
    this.#options = options
    this.#ownModel = modelNamed(options.templateTarget)
    const found = findDialect(options.dialect ?? 'ansi')
    this.#dialect = found ?? ANSI
    this.#profile = options.profile ?? 'datahub'
    this.#temporaryNames = (options.temporaryTables ?? []).map((pattern) => new RegExp(`^(?:${pattern})`, 'i'))
    this.#clientVariables = new Map(
      Object.entries(options.variables ?? {}).map(([name, value]) => [name.toLowerCase(), value]),
    )
    this.#lateral = lateralRule(this.#dialect, this.#profile, options.lateralColumnAliases)
    this.#tables = new SessionTables(
      this.#dialect,
      this.#profile,
      options.schema,
      options.defaultDatabase,
      options.defaultSchema,
    )
    this.#tables.hidesTemporary = options.hidesTemporary === true
    this.#views = options.views ? viewsEnv(options.views, this.#dialect) : undefined
    if (!found)
      this.#diagnostics.push({
        severity: 'warning',
        code: 'UNKNOWN_DIALECT',
        message: `${DIAGNOSTIC_RULES.UNKNOWN_DIALECT.meaning}: ${options.dialect}`,
      })
  }

  get dialect(): Dialect {
    return this.#dialect
  }

  /** Begins a connection: the default names are those of the options again. */
  connect(): void {
    const { defaultDatabase, defaultSchema } = this.#options
    this.#tables.connect(defaultDatabase, defaultSchema)
  }

  /** Runs a parsed script. */
  run(script: Script, file: string | undefined): void {
    const source: Source = { text: script.text, lines: new Lines(script.text), file }
    this.#runAll(script.statements, source)
  }

  /** Notes what routines, tables and views a text defines that is read later on. */
  foresee(text: string, file: string | undefined): void {
    if (hasTemplateMarks(text) || !/\b(?:create|alter|replace)\b/i.test(text)) return
    const sql = fillVariables(text, this.#dialect, new Map(this.#clientVariables))?.toString() ?? text
    const script = parseText(sql, this.#dialect)
    const { defaultDatabase: database, defaultSchema: schema } = this.#options
    this.#foresee(script.statements, { text: sql, lines: new Lines(sql), file }, { database, schema })
    this.#tables.foreseen.note(script.statements, file)
  }

  /** @param from what stands in front of names where the text begins */
  #foresee(statements: readonly Statement[], source: Source, from: Defaults): void {
    let names: Defaults = { database: from.database, schema: from.schema }
    for (const statement of statements) {
      if (statement.kind === 'use') names = used(statement, names)
      else if (statement.kind === 'routine') {
        if (isFunction(statement)) this.#definesFunctions = true
        if (statement.executes) this.#noteTrigger(statement, statement.executes)
        if (statement.sort === 'package') {
          this.#foresee(statement.body, source, names)
          this.#notePackage(statement, source)
        } else this.#foreseen.set(statement.name.parts.at(-1)!.toLowerCase(), { statement, source, names })
      } else if (statement.kind === 'block') this.#foresee(statement.body, source, names)
      else if (statement.kind === 'declare' && statement.type) this.#variables.declareType(statement.type)
    }
  }

  /** What a package's specification declares its body sees. */
  #notePackage(statement: RoutineStatement, source: Source): void {
    const declared = statement.body.every(({ kind }) => kind === 'declare')
    if (declared) this.#specifications.set(statement.name.parts.at(-1)!.toLowerCase(), { statement, source })
  }

  /** The declarations of a package's specification, before its body. */
  #runSpecification(statement: RoutineStatement): void {
    const found = this.#specifications.get(statement.name.parts.at(-1)!.toLowerCase())
    if (!found || found.statement.body === statement.body) return
    const index = this.#index
    for (const one of found.statement.body) this.#execute(one, found.source, [])
    this.#index = index
  }

  #noteTrigger(trigger: RoutineStatement, executes: TableName): void {
    const key = executes.parts.at(-1)!.toLowerCase()
    const known = this.#triggersOf.get(key) ?? []
    if (!known.some((one) => triggerName(one) === triggerName(trigger))) this.#triggersOf.set(key, [...known, trigger])
  }

  #runAll(statements: readonly Statement[], source: Source): void {
    this.#foresee(statements, source, this.#tables)
    for (const statement of statements) this.#execute(statement, source, this.#records)
  }

  /** The routine of a name, also one that is defined further on. */
  #routine(name: string | undefined): StatementRecord | undefined {
    if (name === undefined) return undefined
    const known = this.#routines.get(name)
    const later = known ? undefined : this.#foreseen.get(name)
    if (!later) return known
    this.#foreseen.delete(name)
    const index = this.#index
    const { database, schema } = this.#tables
    this.#tables.connect(later.names.database, later.names.schema)
    this.#defineRoutine(later.statement, later.source, [])
    this.#tables.connect(database, schema)
    this.#index = index
    return this.#routines.get(name)
  }

  /**
   * Runs a text as a file holds it. Template tags (dbt, jinja) are read first: every way that the template can go is run
   * from here on, and all of them together are the text's statements. `model` says what table a model's query makes.
   */
  add(written: string, file: string | undefined, model?: TemplateText): void {
    const mesh = readSqlmesh(written)
    if (mesh) return this.#addSqlmesh(mesh, file)
    const plain = inJinjaMarks(written, this.#dialect.name === 'snowflake')
    const { sql: text, model: own } = readDataform(plain, file)
    this.#tables.foreseen.forget(file)
    const makes = model ?? own ?? this.#ownModel
    if (!makes && !hasTemplateMarks(text)) return this.#addScript(hereDocuments(text) ?? text, file)
    this.#addTemplate(text, file, makes, this.#templateOptions(makes))
  }

  /** A file of SQLMesh, once for each of its blueprints. */
  #addSqlmesh({ sql, model }: SqlmeshText, file: string | undefined): void {
    this.#tables.foreseen.forget(file)
    for (const blueprint of model?.blueprints ?? [{}]) {
      const makes = model && modelText(model, { ...this.#templateOptions(undefined).variables, ...blueprint })
      if (makes?.materialized === 'seed') this.#addScript(seedDefinition(makes.target, model!.columns), file)
      this.#addTemplate(sql, file, makes, { ...this.#templateOptions(makes), sqlmesh: { blueprint } })
    }
  }

  /** Every way that a template can go; what they say together is what the text says. */
  #addTemplate(
    text: string,
    file: string | undefined,
    makes: TemplateText | undefined,
    options: TemplateOptions,
  ): void {
    const read = readText(text, this.#dialect, options, makes)
    const source: Source = { text: read.text, lines: read.lines, file }
    const first = this.#index
    const variants = read.scripts.map((script, at) => {
      const records: StatementRecord[] = []
      this.#index = first
      this.#tables.adding = at > 0
      this.#foresee(script.statements, source, this.#tables)
      for (const statement of script.statements) this.#execute(statement, source, records)
      return records
    })
    this.#tables.adding = false
    const told = withTemplateDiagnostics(mergeVariants(variants), read.reading, new Lines(text), file)
    const records = told.records.map((record, at) => ({ ...record, index: first + at }))
    this.#index = first + records.length
    this.#records.push(...records)
    this.#diagnostics.push(...told.diagnostics)
  }

  /** A text without templates, with the variables of its client filled in. */
  #addScript(text: string, file: string | undefined): void {
    const filled = fillVariables(text, this.#dialect, this.#clientVariables)
    if (!filled) return this.run(parseText(text, this.#dialect), file)
    const script = parseText(filled.toString(), this.#dialect)
    this.#runAll(script.statements, {
      text: script.text,
      lines: new MappedLines(new Lines(text), filled),
      file,
    })
  }

  #templateOptions(model: TemplateText | undefined): TemplateOptions {
    const { project, variables } = this.#options
    const home = model?.package ?? project?.name ?? ''
    const columnsOf = (name: RelationName) => {
      const table = this.#tables.find({ parts: partsOf(name), start: 0, end: 0, sort: 'table', quoted: 0 })
      return table.columns?.map((column) => column.name)
    }
    return {
      dialect: this.#dialect.name,
      variables: { ...project?.variables?.[home], ...variables },
      ...(model ? { target: model.target } : {}),
      ...(model?.config ? { config: model.config } : {}),
      project: projectOf(project ?? NO_PROJECT, columnsOf, home),
      ...(project?.profile ? { profile: project.profile } : {}),
    }
  }

  /** Lineage of the statements read since the `first`-th. */
  reports(first: number): StatementLineage[] {
    return this.#records.slice(first).map(reportStatement)
  }

  /** Statements read so far. */
  get count(): number {
    return this.#records.length
  }

  /** The sum of everything run so far. */
  lineage(): ScriptLineage {
    const statements = this.#records.map(reportStatement)
    const diagnostics = [...this.#diagnostics, ...this.#records.flatMap((record) => record.diagnostics)]
    const { tables, columns } = sum(this.#records, statements, this.#profile, this.#tables)
    let confidence = 1
    for (const record of this.#records) confidence = Math.min(confidence, record.confidence)
    return { tables, columns, statements, confidence, diagnostics }
  }

  #execute(statement: Statement, source: Source, into: StatementRecord[]): void {
    switch (statement.kind) {
      case 'block': {
        const { schema } = this.#tables
        if (statement.schema !== undefined) this.#tables.use(undefined, statement.schema)
        if (statement.conditional) this.#variables.branches++
        for (const inner of statement.body) this.#execute(inner, source, into)
        if (statement.conditional) this.#variables.branches--
        if (statement.schema !== undefined) this.#tables.leave(schema)
        this.#noteBlock(statement, source, into)
        return
      }
      case 'use':
        this.#tables.use(statement.database, statement.schema)
        return this.#record(statement, source, into)
      case 'routine':
        return this.#defineRoutine(statement, source, into)
      case 'call':
        return this.#call(statement, source, into)
      case 'declare':
      case 'set':
        for (const [at, name] of statement.names.entries()) this.#declare(name, statement.typeNames?.[at])
        if (statement.type) this.#variables.declareType(statement.type)
        for (const name of statement.parameters ?? []) this.#variables.declare(name)
        if (statement.kind === 'declare' && statement.table)
          this.#tables.declareVariable(
            statement.table.name,
            statement.table.columns.map((column) => column.name),
          )
        this.#holdTexts(statement)
        return this.#record(statement, source, into)
      case 'explain': {
        if (!statement.statement) return this.#record(statement, source, into)
        return this.#explain(statement.statement, source, into)
      }
      case 'query':
        if (statement.query.kind === 'select')
          for (const { variable, text } of statement.query.items)
            if (variable !== undefined && text) this.#tables.texts.assign(variable, text, this.#variables.branches > 0)
        return this.#record(statement, source, into)
      default:
        return this.#record(statement, source, into)
    }
  }

  #declare(name: string, type: string | undefined): void {
    const columns = this.#variables.columnsOf(type)
    if (columns) this.#tables.declareVariable(name, columns)
    else this.#variables.declare(name, type)
  }

  /** What variables hold as text from here on. */
  #holdTexts({ kind, names, texts = [] }: DeclareStatement): void {
    for (const [index, name] of names.entries()) {
      const pieces = texts[index]
      if (pieces) this.#tables.texts.assign(name, pieces, this.#variables.branches > 0)
      else if (kind === 'set') this.#tables.texts.forget(name)
    }
  }

  /** What the explained query reads counts; the rows of EXPLAIN are not its columns. */
  #explain(statement: Statement, source: Source, into: StatementRecord[]): void {
    if (statement.kind !== 'query') {
      return this.#record(
        {
          kind: 'command',
          word: 'explain',
          expressions: [],
          start: statement.start,
          end: statement.end,
          skipped: statement.skipped,
          notes: statement.notes,
          fingerprint: statement.fingerprint,
        },
        source,
        into,
        'explain',
      )
    }
    this.#record(statement, source, into, 'explain')
  }

  /** A block's own notes (no END, words stepped over) belong to no inner statement. */
  #noteBlock(statement: Statement, source: Source, into: StatementRecord[]): void {
    if (statement.notes.length === 0 && statement.skipped === 0) return
    this.#record(
      {
        kind: 'command',
        word: 'block',
        expressions: [],
        start: statement.start,
        end: statement.end,
        skipped: statement.skipped,
        notes: statement.notes,
        fingerprint: statement.fingerprint,
      },
      source,
      into,
    )
  }

  readonly #rowsOf = (name: string): RoutineRows | undefined => {
    if (this.#foreseen.has(name)) this.#routine(name)
    return this.#routineRows.get(name)
  }

  readonly #valueOf = (name: string): FunctionValue | undefined => {
    if (this.#foreseen.has(name)) this.#routine(name)
    return this.#functionValues.get(name)
  }

  #record(statement: Statement, source: Source, into: StatementRecord[], kind?: StatementKind): void {
    const gathered = gathering()
    const effect: Effect = { edges: [], defined: [], assigned: [] }
    const r: StatementResolving = {
      dialect: this.#dialect,
      profile: this.#profile,
      tables: this.#tables,
      gathered,
      rules: RULES,
      text: source.text,
      lateral: this.#lateral,
      variables: this.#variables.held,
      routineRows: this.#rowsOf,
      functionValue: this.#definesFunctions ? this.#valueOf : undefined,
      effect,
    }
    try {
      const columns = resolveStatement(r, statement, this.#views)
      this.#variables.assign(statement, columns)
      if (statement.kind === 'command')
        for (const column of columns) this.#returned?.addAll(column.sources, KIND.identity)
      for (const [name, column] of effect.assigned ?? []) this.#variables.take([name], [column])
      if (this.#triggered) this.#writeRow(this.#triggered, statement, gathered, effect)
    } catch (error) {
      // The stack is the only limit on how deep relations refer to each other.
      if (!(error instanceof RangeError)) throw error
      gathered.doubts.push({ code: 'TOO_DEEP', text: '', start: statement.start })
    }
    restructure(statement, r, this.#tables)
    if (this.#variables.held.size > 0) readThroughVariables(gathered, effect, this.#tables)
    countOwnTarget(statement, gathered, effect, this.#profile)
    const schemas = learn(statement, effect, this.#tables, this.#isTemporaryName)
    foldInputs(gathered, effect, this.#tables)
    into.push(toRecord(statement, source, this.#index++, gathered, effect, schemas, kind))
  }

  /** `:new.a := x`, `SET NEW.a = x`: a trigger changes the row that is about to be written. */
  #writeRow(table: Table, statement: Statement, gathered: Gathered, effect: Effect): void {
    for (const name of assignedNames(statement)) {
      const [row = '', field = ''] = name.toLowerCase().split('.')
      if (!this.#triggerRows.includes(row)) continue
      const column = this.#variables.held.get(row)?.row?.find(({ key, open }) => key === field && !open)
      if (!column) continue
      gathered.outputs.add(table)
      effect.edges.push(edge(table, column.name, column))
    }
  }

  readonly #isTemporaryName = (name: string): boolean => this.#temporaryNames.some((pattern) => pattern.test(name))

  #defineRoutine(statement: RoutineStatement, source: Source, into: StatementRecord[]): void {
    const key = statement.name.parts.at(-1)!.toLowerCase()
    const body: StatementRecord[] = []
    const outer = this.#returned
    this.#returned = new SourceSet()
    // A trigger's function runs on the rows of each table that it hangs on.
    for (const { table, rows } of this.#triggersOf.get(key) ?? [statement])
      this.#runBody(statement, { table, rows: rows ?? [] }, source, body)
    const record = summary(statement, source, this.#index++, body, statement.name.parts.join('.'), this.#profile)
    this.#foreseen.delete(key)
    if (statement.sort === 'procedure') this.#defined.set(key, { statement, source })
    this.#routines.set(key, record)
    const rows = rowsGiven(statement, body, this.#tables, this.#variables.fieldsOf(statement.returnsType))
    if (rows.length > 0) this.#routineRows.set(key, { columns: rows, inputs: record.inputs })
    if (isFunction(statement)) {
      this.#returned.addAll(allSources(rows, KIND.transformed), KIND.identity)
      const sources = this.#returned.sources()
      if (sources.length > 0) this.#functionValues.set(key, { sources, inputs: record.inputs })
    }
    this.#returned = outer
    into.push(record)
  }

  #runBody(
    statement: RoutineStatement,
    { table, rows }: { readonly table: TableName | undefined; readonly rows: readonly string[] },
    source: Source,
    into: StatementRecord[],
  ): void {
    const { parameters, body } = statement
    const [variables, views, triggered, names] = [this.#variables, this.#views, this.#triggered, this.#triggerRows]
    const texts = this.#tables.texts.state
    this.#variables = variables.inner()
    for (const name of parameters) this.#variables.declare(name)
    if (statement.sort === 'package') this.#runSpecification(statement)
    if (table) {
      this.#views = triggerRows(table, rows, views)
      const row = this.#tables.rows(this.#tables.find(table))
      this.#triggerRows = ['new', 'old', ...rows.map((name) => name.toLowerCase())]
      for (const name of this.#triggerRows) this.#variables.holdRow(name, row)
    }
    this.#triggered = table && this.#tables.find(table)
    for (const inner of body) this.#execute(inner, source, into)
    this.#views = views
    this.#variables = variables
    this.#tables.texts.state = texts
    this.#triggered = triggered
    this.#triggerRows = names
  }

  #call(statement: CallStatement, source: Source, into: StatementRecord[]): void {
    if (statement.dynamic) return this.#callDynamic(statement, source, into)
    if (statement.rowsOf !== undefined) return this.#loadCursor(statement, source, into)
    const name = statement.name?.parts.at(-1)?.toLowerCase()
    if (name !== undefined && this.#prepared.has(name))
      return this.#record({ ...statement, kind: 'command', word: 'execute', expressions: [] }, source, into)
    const known = this.#routine(name)
    const routine = statement.name?.parts.join('.') ?? ''
    if (!known) {
      this.#record(
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
    const body = this.#bodyFor(statement, name!, known)
    const call = summary(statement, source, this.#index++, body, routine, this.#profile)
    into.push({ ...call, diagnostics: [], skipped: statement.skipped })
    if (statement.into) this.#insertRows(statement, source, body, into)
  }

  /** A body that is given table variables, or reads a temporary table that its caller has made, is run anew for the call. */
  #bodyFor({ args, argNames }: CallStatement, name: string, known: StatementRecord): readonly StatementRecord[] {
    const defined = this.#defined.get(name)
    if (!defined || this.#running.has(name)) return known.body ?? []
    const given = args.flatMap(({ references }, at) => {
      const variable = references.length === 1 ? references[0]!.parts[0]! : ''
      const parameter = argNames?.[at] ?? defined.statement.parameters[at]
      return parameter !== undefined && this.#tables.variableRows(variable) ? [[parameter, variable] as const] : []
    })
    const reads = [...known.inputs].some((table) => this.#tables.folded(table) !== undefined)
    if (!reads && given.length === 0) return known.body ?? []
    const releases = given.map(([parameter, variable]) => this.#tables.bindVariable(parameter, variable))
    const body: StatementRecord[] = []
    const index = this.#index
    this.#running.add(name)
    this.#runBody(defined.statement, { table: undefined, rows: [] }, defined.source, body)
    this.#running.delete(name)
    this.#index = index
    for (const release of releases.toReversed()) release()
    return body
  }

  /** Db2: LOAD FROM c OF CURSOR INSERT INTO t. */
  #loadCursor(statement: CallStatement, source: Source, into: StatementRecord[]): void {
    const gathered = gathering()
    const target = this.#tables.find(statement.into!)
    gathered.outputs.add(target)
    const rows = this.#variables.held.get(statement.rowsOf!.toLowerCase())?.row ?? []
    const names = statement.columns ?? target.columns?.map(({ name }) => name)
    const effect: Effect = { edges: [], defined: [] }
    for (const [index, row] of rows.entries()) effect.edges.push(edge(target, names?.[index] ?? row.name, row))
    readThroughVariables(gathered, effect, this.#tables)
    into.push(toRecord(statement, source, this.#index++, gathered, effect, [], 'copy'))
  }

  /** EXECUTE of a text that the script puts together is read as SQL; what of it only the run tells is reported. */
  #callDynamic(statement: CallStatement, source: Source, into: StatementRecord[]): void {
    const { pieces, start } = statement.dynamic!
    if (statement.prepares !== undefined) this.#prepared.add(statement.prepares.toLowerCase())
    const texts = this.#dynamicDepth < MAX_DYNAMIC_DEPTH ? this.#tables.texts.textsOf(pieces) : []
    const readable = texts.filter((text) => text.some(({ isKnown }) => isKnown))
    const isOpen = readable.length < texts.length || texts.length === 0
    if (isOpen)
      this.#record({ ...statement, notes: [...statement.notes, { code: 'DYNAMIC_SQL', start }] }, source, into)
    for (const text of readable) this.#runText(statement, sqlOf(text, source.text), source, into)
  }

  #runText(statement: CallStatement, { text, open }: DynamicSql, source: Source, into: StatementRecord[]): void {
    this.#dynamicDepth++
    const script = parseText(text.toString(), this.#dialect)
    const inner: Source = { text: script.text, lines: new MappedLines(source.lines, text), file: source.file }
    const body: StatementRecord[] = []
    const { database, schema } = this.#tables
    for (const one of script.statements) this.#execute(one, inner, body)
    // T-SQL: a USE in it holds to its end.
    if (this.#dialect.looseStatements) this.#tables.connect(database, schema)
    this.#dynamicDepth--
    if (statement.variables) {
      const rows = body.at(-1)?.edges.filter((one) => one.target === null) ?? []
      this.#variables.take(statement.variables, rows.map(columnOf))
    }
    if (statement.into) this.#insertRows(statement, source, body, into)
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
    const target = this.#tables.find(statement.into!)
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
    const schemas = learn(statement, effect, this.#tables, this.#isTemporaryName)
    foldInputs(gathered, effect, this.#tables)
    into.push(toRecord(statement, source, this.#index++, gathered, effect, schemas, 'insert'))
  }
}

/** What an expression may call. */
function isFunction({ sort }: RoutineStatement): boolean {
  return sort === 'function' || sort === 'macro'
}

/** The defaults after a USE. */
function used({ database, schema }: UseStatement, before: Defaults): Defaults {
  return database === undefined ? { ...before, schema: schema ?? before.schema } : { database, schema }
}

/** That a name of dynamic SQL is open, and what follows from it, is told once: as DYNAMIC_SQL. */
function toldOnce({ diagnostics }: StatementRecord): readonly Diagnostic[] {
  const isOpen = diagnostics.some(({ code, message }) => code === 'UNKNOWN_NAME' && message.includes('${'))
  return isOpen
    ? diagnostics.filter(({ code }) => code !== 'UNKNOWN_NAME' && code !== 'UNRESOLVED_COLUMN')
    : diagnostics
}

function lateralRule(dialect: Dialect, profile: Profile, override: boolean | undefined): Resolving['lateral'] {
  if (override === true) return dialect.lateralAliases === 'before' ? 'before' : 'after'
  if (override === false) return 'none'
  return profile === 'sqllineage' && dialect.name === 'ansi' ? 'none' : dialect.lateralAliases
}
