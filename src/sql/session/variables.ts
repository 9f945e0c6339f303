/**
 * Variables of a script: what each holds, so that a value which goes through one keeps its sources.
 *
 *   SELECT max(id) INTO v FROM t; INSERT INTO u VALUES (v)      u <- t.id
 *
 * Statements are read once, in order. What a branch or a loop assigns adds to what the variable held, since the branch
 * may not be taken.
 */

import type { DeclaredType, Statement } from '../ir/statement.ts'
import { KIND, NO_SOURCES, type OutColumn, type Variable } from '../resolve/model.ts'
import { allSources, outColumn, raised, union } from '../resolve/sources.ts'

const EMPTY: Variable = { value: outColumn('', NO_SOURCES), row: undefined }

/** What PL/pgSQL declares for each routine: how a trigger's function was called, what the last command did. */
export const PLPGSQL_VARIABLES: readonly string[] =
  'found sqlstate sqlerrm tg_name tg_when tg_level tg_op tg_relid tg_relname tg_table_name tg_table_schema tg_nargs tg_argv tg_event tg_tag'.split(
    ' ',
  )

export class Variables {
  readonly #held: Map<string, Variable>
  /** Branches and loops around the statement that runs. */
  branches = 0

  /** Fields of the types that the script declares, by the type's name. */
  readonly #types: Map<string, readonly string[]>
  /** Those that are types of tables. */
  readonly #tableTypes: Set<string>
  /** Fields of variables with such a type. */
  readonly #fields = new Map<string, readonly string[]>()

  constructor(
    held: Map<string, Variable> = new Map(),
    types: Map<string, readonly string[]> = new Map(),
    tableTypes: Set<string> = new Set(),
  ) {
    this.#held = held
    this.#types = types
    this.#tableTypes = tableTypes
  }

  get held(): ReadonlyMap<string, Variable> {
    return this.#held
  }

  /** Those of a routine: it sees the ones around it, its own are gone with it. */
  inner(): Variables {
    return new Variables(new Map(this.#held), this.#types, this.#tableTypes)
  }

  /** What a variable holds, as a column of its name. */
  value(name: string): OutColumn {
    const { value } = this.#held.get(keyOf(name)) ?? EMPTY
    return { ...value, name, key: keyOf(name) }
  }

  declareType({ name, fields, of = '', isTable }: DeclaredType): void {
    if (isTable) this.#tableTypes.add(keyOf(name))
    const known = fields ?? this.#types.get(keyOf(of))
    if (known) this.#types.set(keyOf(name), known)
  }

  /** Columns of table variables of that type; undefined where it is no type of tables. */
  columnsOf(type: string | undefined): readonly string[] | undefined {
    return type !== undefined && this.#tableTypes.has(keyOf(type)) ? this.fieldsOf(type) : undefined
  }

  /** Fields of the rows that a function of that type returns. */
  fieldsOf(type: string | undefined): readonly string[] | undefined {
    return type === undefined ? undefined : this.#types.get(keyOf(type))
  }

  declare(name: string, type?: string): void {
    const key = keyOf(name)
    const fields = this.fieldsOf(type)
    if (fields) this.#fields.set(key, fields)
    else if (type !== undefined) this.#fields.delete(key)
    if (!this.#held.has(key)) this.#held.set(key, EMPTY)
  }

  holdRow(name: string, row: readonly OutColumn[]): void {
    this.#held.set(keyOf(name), { value: outColumn(name, allSources(row, KIND.transformed)), row })
  }

  /** What a statement's columns fill: DECLARE and SET by name, SELECT … INTO and FETCH by position. */
  assign(statement: Statement, columns: readonly OutColumn[]): void {
    if ('returningVariables' in statement && statement.returningVariables)
      return this.take(statement.returningVariables, columns)
    if (statement.kind === 'query' && statement.query.kind === 'select') {
      if (statement.query.variables.length > 0) this.take(statement.query.variables, columns)
      return
    }
    if (statement.kind === 'query' && statement.query.kind === 'set' && statement.query.variables)
      return this.take(statement.query.variables, columns)
    if (statement.kind !== 'declare' && statement.kind !== 'set') return
    const { names, cursor, query } = statement
    if (cursor !== undefined) {
      const rows = this.#held.get(keyOf(cursor))
      if (rows) this.take(names, rows.row ?? [rows.value])
    } else if (query && names.length > 1 && names.length === columns.length) this.take(names, columns)
    else if (query) for (const name of names) this.holdRow(name, columns)
    else if (columns.length > 0) this.#takeValues(names, columns)
  }

  /** Variables take a row by position; a single one takes the row as a record. */
  take(names: readonly string[], columns: readonly OutColumn[]): void {
    const only = names.length === 1 ? names[0]! : undefined
    const first = columns[0]
    if (only !== undefined && first && (columns.length > 1 || first.open))
      return this.#put(only, recordOf(only, named(columns, this.#fields.get(keyOf(only)))))
    for (const [index, name] of names.entries()) {
      const column = columns[index]
      if (column && name !== '') this.#put(name, { value: column, row: undefined })
    }
  }

  /** SET a = x, b = y: each takes its value; one query feeds one record or all names. */
  #takeValues(names: readonly string[], columns: readonly OutColumn[]): void {
    const values = columns.map((column) => ({ ...column, sources: raised(column.sources, KIND.transformed) }))
    this.take(names, values)
  }

  #put(name: string, variable: Variable): void {
    const dot = name.indexOf('.')
    if (dot > 0) return this.#putField(keyOf(name.slice(0, dot)), name.slice(dot + 1), variable.value)
    const key = keyOf(name)
    const before = this.branches > 0 ? this.#held.get(key) : undefined
    this.#held.set(key, before ? added(before, variable) : variable)
  }

  /** record.field := value. */
  #putField(key: string, field: string, value: OutColumn): void {
    const before = this.#held.get(key) ?? EMPTY
    const column = { ...value, name: field, key: field.toLowerCase() }
    const row = [...(before.row ?? []).filter((one) => one.key !== column.key), column]
    this.#held.set(key, { value: outColumn(key, allSources(row, KIND.transformed)), row })
  }
}

/** Variables that a statement fills, as written. */
export function assignedNames(statement: Statement): readonly string[] {
  if (statement.kind === 'declare' || statement.kind === 'set') return statement.names
  return statement.kind === 'query' && statement.query.kind === 'select' ? statement.query.variables : []
}

function keyOf(name: string): string {
  return name.toLowerCase()
}

/** A record's fields have its type's names, whatever the query calls them. */
function named(columns: readonly OutColumn[], fields: readonly string[] | undefined): readonly OutColumn[] {
  if (fields?.length !== columns.length || columns.some(({ open }) => open)) return columns
  return columns.map((column, index) => ({ ...column, name: fields[index]!, key: keyOf(fields[index]!) }))
}

function recordOf(name: string, columns: readonly OutColumn[]): Variable {
  return { value: outColumn(name, allSources(columns, KIND.transformed)), row: columns }
}

function added(before: Variable, variable: Variable): Variable {
  return {
    value: { ...variable.value, sources: union(before.value.sources, variable.value.sources) },
    row: variable.row ?? before.row,
  }
}
