/** Routines of a session: each is run where it is defined or first called; what it gives is kept for those that call it. */

import type { TableName } from '../ir/query.ts'
import type { CallStatement, RoutineStatement } from '../ir/statement.ts'
import { KIND, NO_SOURCES, type FunctionValue, type OutColumn, type RoutineRows, type Table } from '../resolve/model.ts'
import { SourceSet, allSources, outColumn } from '../resolve/sources.ts'
import type { Execution } from './execution.ts'
import { isFunction, routineKey, type WrittenRoutine } from './foreseen-routines.ts'
import type { Source } from './record.ts'
import type { StatementRecord } from './report.ts'
import { rowsGiven, summary } from './routine.ts'
import { triggerRows } from './trigger.ts'
import { PLPGSQL_VARIABLES } from './variables.ts'

export class Routines {
  readonly #execution: Execution
  readonly #known = new Map<string, StatementRecord>()
  /** Procedures as they are written, for those that read what their callers make. */
  readonly #defined = new Map<string, WrittenRoutine>()
  readonly #running = new Set<string>()
  /** What routines give as rows, where a relation may read them. */
  readonly #rows = new Map<string, RoutineRows>()
  /** What scalar functions return. */
  readonly #values = new Map<string, FunctionValue>()

  constructor(execution: Execution) {
    this.#execution = execution
  }

  /** The routine of a name, also one that is defined further on. */
  find(name: string | undefined): StatementRecord | undefined {
    if (name === undefined) return undefined
    const known = this.#known.get(name)
    const execution = this.#execution
    const later = known ? undefined : execution.foreseen.take(name)
    if (!later) return known
    const { index, tables } = execution
    const { database, schema } = tables
    tables.connect(later.names.database, later.names.schema)
    this.define(later.statement, later.source, [])
    tables.connect(database, schema)
    execution.index = index
    return this.#known.get(name)
  }

  /** What a routine gives as rows, by its key. */
  readonly rowsOf = (name: string): RoutineRows | undefined => {
    if (this.#execution.foreseen.has(name)) this.find(name)
    return this.#rows.get(name)
  }

  /** What a function returns, by its key. */
  readonly valueOf = (name: string): FunctionValue | undefined => {
    if (this.#execution.foreseen.has(name)) this.find(name)
    return this.#values.get(name)
  }

  /** Runs a routine's body, and keeps what it gives. */
  define(statement: RoutineStatement, source: Source, into: StatementRecord[]): void {
    const execution = this.#execution
    const { tables, profile, foreseen } = execution
    const key = routineKey(statement)
    const body: StatementRecord[] = []
    const outer = execution.returned
    const returned = (execution.returned = new SourceSet())
    // A trigger's function runs on the rows of each table that it hangs on.
    let outs: readonly OutColumn[] = []
    for (const { table, rows } of foreseen.triggersOf(key) ?? [statement])
      outs = this.#runBody(statement, { table, rows: rows ?? [] }, source, body)
    const parameters = statement.expands && statement.parameters.map((name) => tables.find(simpleName(name)))
    const known = withoutInputs(body, parameters ?? [])
    const record = summary(statement, source, execution.index++, known, statement.name.parts.join('.'), profile)
    foreseen.take(key)
    if (statement.sort === 'procedure') this.#defined.set(key, { statement, source })
    this.#known.set(key, record)
    const rows = rowsGiven(statement, body, tables, execution.frame.variables.fieldsOf(statement.returnsType), outs)
    if (statement.returns && statement.body.length === 0) {
      const columns = statement.returns.map((column) => outColumn(column, NO_SOURCES))
      this.#rows.set(key, { columns, inputs: [], isForeign: true })
    } else if (rows.length > 0)
      this.#rows.set(key, { columns: rows, inputs: record.inputs, ...(parameters && { parameters }) })
    if (isFunction(statement)) {
      returned.addAll(allSources(rows, KIND.transformed), KIND.identity)
      const sources = returned.sources()
      if (sources.length > 0) this.#values.set(key, { sources, inputs: record.inputs })
    }
    execution.returned = outer
    into.push(record)
  }

  /** Runs the statements; returns what stands at the end in the variables that a row is made of. */
  #runBody(
    statement: RoutineStatement,
    { table, rows }: { readonly table: TableName | undefined; readonly rows: readonly string[] },
    source: Source,
    into: StatementRecord[],
  ): readonly OutColumn[] {
    const execution = this.#execution
    const { tables, frame } = execution
    const texts = tables.texts.state
    const variables = frame.variables.inner()
    const { parameters, returns = [], givesOuts, language } = statement
    const routine = statement.name.parts.at(-1)!
    for (const name of parameters) {
      variables.declare(name)
      variables.declare(`${routine}.${name}`)
    }
    if (statement.returnsTrigger) for (const name of ['new', 'old']) variables.declare(name)
    if (language === 'plpgsql') for (const name of PLPGSQL_VARIABLES) variables.declare(name)
    execution.frame = { ...frame, variables, triggered: undefined }
    if (statement.sort === 'package') this.#runSpecification(statement)
    if (table) {
      const names = ['new', 'old', ...rows.map((name) => name.toLowerCase())]
      const row = tables.rows(tables.find(table))
      for (const name of names) variables.holdRow(name, row)
      const views = triggerRows(table, rows, frame.views)
      execution.frame = { variables, views, triggered: tables.find(table), triggerRows: names }
    }
    for (const inner of statement.body) execution.execute(inner, source, into)
    execution.frame = frame
    tables.texts.state = texts
    return givesOuts ? returns.map((name) => variables.value(name)) : []
  }

  /** The declarations of a package's specification, before its body. */
  #runSpecification(statement: RoutineStatement): void {
    const execution = this.#execution
    const found = execution.foreseen.specificationOf(statement)
    if (!found) return
    const { index } = execution
    for (const one of found.statement.body) execution.execute(one, found.source, [])
    execution.index = index
  }

  /** A body that is given table variables, or reads a temporary table that its caller has made, is run anew for the call. */
  bodyFor({ args, argNames }: CallStatement, name: string, known: StatementRecord): readonly StatementRecord[] {
    const execution = this.#execution
    const { tables } = execution
    const defined = this.#defined.get(name)
    if (!defined || this.#running.has(name)) return known.body ?? []
    const given = args.flatMap(({ references }, at) => {
      const variable = references.length === 1 ? references[0]!.parts[0]! : ''
      const parameter = argNames?.[at] ?? defined.statement.parameters[at]
      return parameter !== undefined && tables.variableRows(variable) ? [[parameter, variable] as const] : []
    })
    const reads = [...known.inputs].some((table) => tables.folded(table) !== undefined)
    if (!reads && given.length === 0) return known.body ?? []
    const releases = given.map(([parameter, variable]) => tables.bindVariable(parameter, variable))
    const body: StatementRecord[] = []
    const { index } = execution
    this.#running.add(name)
    this.#runBody(defined.statement, { table: undefined, rows: [] }, defined.source, body)
    this.#running.delete(name)
    execution.index = index
    for (const release of releases.toReversed()) release()
    return body
  }
}

/** A macro's text names its parameters where tables stand. */
function withoutInputs(body: readonly StatementRecord[], tables: readonly Table[]): readonly StatementRecord[] {
  if (tables.length === 0) return body
  return body.map((one) => ({ ...one, inputs: new Set([...one.inputs].filter((input) => !tables.includes(input))) }))
}

function simpleName(name: string): TableName {
  return { parts: [name], start: 0, end: 0, sort: 'table', quoted: 0 }
}
