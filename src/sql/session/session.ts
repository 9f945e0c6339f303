/**
 * Statements in order, as one database session would run them: temporary tables, table variables, USE, renames, views
 * and schemas learnt on the way, routines defined and called, dynamic SQL that is a literal.
 *
 *   text ─ parse ─ statements ─ resolve each ─ record ─ sum by profile
 */

import type { JsonValue } from '../../model/json.ts'
import { ANSI, type Dialect } from '../dialects/dialect.ts'
import { findDialect } from '../dialects/registry.ts'
import { DIAGNOSTIC_RULES } from '../diagnostics.ts'
import type { Script } from '../ir/statement.ts'
import { parseText } from '../parser/script.ts'
import { readDataform } from '../template/dataform.ts'
import { readLiquibase } from '../template/liquibase.ts'
import type { RelationName, TemplateOptions } from '../template/options.ts'
import { inJinjaMarks } from '../template/other-templates.ts'
import { projectOf, type ProjectFacts, type TemplateText } from '../template/project-facts.ts'
import { hasTemplateMarks } from '../template/scanner.ts'
import { modelText, readSqlmesh, seedDefinition, type SqlmeshText } from '../template/sqlmesh/model.ts'
import type { Diagnostic, LineageOptions, ScriptLineage, StatementLineage } from '../types.ts'
import { fillVariables, type ClientVariables } from './client-variables.ts'
import { Execution } from './execution.ts'
import { Lines } from './lines.ts'
import { MappedLines } from './mapped-lines.ts'
import type { Source } from './record.ts'
import { reportStatement, type StatementRecord } from './report.ts'
import { hereDocuments } from './shell-script.ts'
import { sum } from './sum.ts'
import { withTemplateDiagnostics } from './template-diagnostics.ts'
import { modelNamed, partsOf, readText } from './template-text.ts'
import { mergeVariants } from './variants.ts'

/** A template that belongs to no project may still ask for the columns of tables. */
const NO_PROJECT: ProjectFacts = { refs: {}, sources: {}, macros: [] }

export class Session {
  readonly #options: LineageOptions
  /** What `templateTarget` says of every text. */
  readonly #ownModel: TemplateText | undefined
  readonly #execution: Execution
  readonly #records: StatementRecord[] = []
  readonly #diagnostics: Diagnostic[] = []
  readonly #clientVariables: ClientVariables

  constructor(options: LineageOptions) {
    this.#options = options
    this.#ownModel = modelNamed(options.templateTarget)
    const found = findDialect(options.dialect ?? 'ansi')
    this.#execution = new Execution(options, found ?? ANSI)
    this.#clientVariables = new Map(
      Object.entries(options.variables ?? {}).map(([name, value]) => [name.toLowerCase(), value]),
    )
    if (!found)
      this.#diagnostics.push({
        severity: 'warning',
        code: 'UNKNOWN_DIALECT',
        message: `${DIAGNOSTIC_RULES.UNKNOWN_DIALECT.meaning}: ${options.dialect}`,
      })
  }

  get dialect(): Dialect {
    return this.#execution.dialect
  }

  /** Begins a connection: the default names are those of the options again. */
  connect(): void {
    const { defaultDatabase, defaultSchema } = this.#options
    this.#execution.tables.connect(defaultDatabase, defaultSchema)
  }

  /** Runs a parsed script. */
  run(script: Script, file: string | undefined): void {
    const source: Source = { text: script.text, lines: new Lines(script.text), file }
    this.#execution.run(script.statements, source, this.#records)
  }

  /** Notes what routines, tables and views a text defines that is read later on. */
  foresee(text: string, file: string | undefined): void {
    const { foreseen, frame, tables } = this.#execution
    if (hasTemplateMarks(text) || !/\b(?:create|alter|replace)\b/i.test(text)) return
    const sql = fillVariables(text, this.dialect, new Map(this.#clientVariables))?.toString() ?? text
    const script = parseText(sql, this.dialect)
    const { defaultDatabase: database, defaultSchema: schema } = this.#options
    const source: Source = { text: sql, lines: new Lines(sql), file }
    foreseen.note(script.statements, source, { database, schema: schema ?? undefined }, frame.variables)
    tables.foreseen.note(script.statements, file)
  }

  /**
   * Runs a text as a file holds it. Template tags (dbt, jinja) are read first: every way that the template can go is run
   * from here on, and all of them together are the text's statements. `model` says what table a model's query makes.
   */
  add(
    written: string,
    file: string | undefined,
    model?: TemplateText,
    parse = (text: string): Script => parseText(text, this.dialect),
  ): void {
    const mesh = readSqlmesh(written)
    if (mesh) return this.#addSqlmesh(mesh, file, model?.config ?? {})
    const plain = inJinjaMarks(readLiquibase(written), this.dialect.name === 'snowflake')
    const { sql: text, model: own } = readDataform(plain, file)
    this.#execution.tables.foreseen.forget(file)
    const makes = model ?? own ?? this.#ownModel
    if (!makes && !hasTemplateMarks(text)) return this.#addScript(hereDocuments(text) ?? text, file, parse)
    this.#addTemplate(text, file, makes, this.#templateOptions(makes))
  }

  /**
   * A file of SQLMesh, once for each of its blueprints.
   * @param project variables of the project that it belongs to
   */
  #addSqlmesh(
    { sql, model }: SqlmeshText,
    file: string | undefined,
    project: Readonly<Record<string, JsonValue>>,
  ): void {
    this.#execution.tables.foreseen.forget(file)
    const variables = { ...project, ...this.#templateOptions(undefined).variables }
    for (const blueprint of model?.blueprints ?? [{}]) {
      const makes = model && modelText(model, { ...variables, ...blueprint })
      if (makes?.materialized === 'seed')
        this.#addScript(seedDefinition(makes.target, model!.columns), file, (text) => parseText(text, this.dialect))
      this.#addTemplate(sql, file, makes, { ...this.#templateOptions(makes), variables, sqlmesh: { blueprint } })
    }
  }

  /** Every way that a template can go; what they say together is what the text says. */
  #addTemplate(
    text: string,
    file: string | undefined,
    makes: TemplateText | undefined,
    options: TemplateOptions,
  ): void {
    const read = readText(text, this.dialect, options, makes)
    const source: Source = { text: read.text, lines: read.lines, file }
    const first = this.#execution.index
    const variants = read.scripts.map((script, at) => {
      const records: StatementRecord[] = []
      this.#execution.index = first
      this.#execution.tables.adding = at > 0
      this.#execution.run(script.statements, source, records)
      return records
    })
    this.#execution.tables.adding = false
    const told = withTemplateDiagnostics(mergeVariants(variants), read.reading, new Lines(text), file)
    const records = told.records.map((record, at) => ({ ...record, index: first + at }))
    this.#execution.index = first + records.length
    this.#records.push(...records)
    this.#diagnostics.push(...told.diagnostics)
  }

  /** A text without templates, with the variables of its client filled in. */
  #addScript(text: string, file: string | undefined, parse: (text: string) => Script): void {
    const filled = fillVariables(text, this.dialect, this.#clientVariables)
    if (!filled) return this.run(parse(text), file)
    const script = parse(filled.toString())
    const source: Source = { text: script.text, lines: new MappedLines(new Lines(text), filled), file }
    this.#execution.run(script.statements, source, this.#records)
  }

  #templateOptions(model: TemplateText | undefined): TemplateOptions {
    const { project, variables } = this.#options
    const home = model?.package ?? project?.name ?? ''
    const columnsOf = (name: RelationName) => {
      const table = this.#execution.tables.find({ parts: partsOf(name), start: 0, end: 0, sort: 'table', quoted: 0 })
      return table.columns?.map((column) => column.name)
    }
    return {
      dialect: this.dialect.name,
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
    const { tables, columns } = sum(this.#records, statements, this.#execution.profile, this.#execution.tables)
    let confidence = 1
    for (const record of this.#records) confidence = Math.min(confidence, record.confidence)
    return { tables, columns, statements, confidence, diagnostics }
  }
}
