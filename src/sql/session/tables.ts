/**
 * Tables of a session: one object a name, after defaults and the dialect's rules; what is known of their columns; which
 * are temporary and what those stand for.
 */

import { isUncounted } from '../resolve/renamed.ts'
import type { Dialect } from '../dialects/dialect.ts'
import type { TableName } from '../ir/query.ts'
import { KIND, type OutColumn, type Sources, type Table, type TableColumn, type Tables } from '../resolve/model.ts'
import { SourceSet, openColumn, outColumn, union } from '../resolve/sources.ts'
import { splitDotted } from '../parser/name.ts'
import type { Profile, SchemaResolver } from '../types.ts'
import type { TypeShape } from '../ir/shape.ts'
import type { DeclaredType } from '../ir/statement.ts'
import { DynamicTexts } from './dynamic-text.ts'
import { ForeseenTables } from './foreseen-tables.ts'
import { type TypeOf, typedColumns } from './typed-columns.ts'

/** A temporary table or table variable: its columns, folded into their sources, and the tables behind it. */
interface Temporary {
  columns: OutColumn[]
  readonly inputs: Set<Table>
  readonly variable: boolean
}

/** A table whose name may change while the session goes on. */
interface MutableTable extends Table {
  parts: readonly string[]
  name: string
}

const NO_TABLES: readonly Table[] = []
const NULL_COLUMNS = new Map<string, TableColumn>()

export class SessionTables implements Tables {
  database: string | undefined
  schema: string | undefined
  /** Whether temporary tables that nothing reads are left out, too. */
  hidesTemporary = false
  /** While further variants of a template run: what they define adds to what the first defined. */
  adding = false
  /** What texts further on define. */
  readonly foreseen = new ForeseenTables()
  /** What variables hold as text. */
  readonly texts = new DynamicTexts()
  readonly #dialect: Dialect
  readonly #profile: Profile
  readonly #resolver: SchemaResolver | undefined
  /** What a database's tables without a schema belong to. */
  readonly #schemaOfDatabases: string | undefined
  readonly #composites = new Map<string, TypeShape>()
  readonly #byKey = new Map<string, MutableTable>()
  readonly #byWritten = new Map<string, MutableTable>()
  readonly #temporary = new Map<Table, Temporary>()
  /** Temporary tables that something has read. */
  readonly #read = new Set<Table>()

  constructor(
    dialect: Dialect,
    profile: Profile,
    resolver: SchemaResolver | undefined,
    database: string | undefined,
    schema: string | null | undefined,
  ) {
    this.#dialect = dialect
    this.#profile = profile
    this.#resolver = resolver
    // The other profiles name what the text names.
    const standard = profile === 'datahub' && schema !== null ? dialect.defaultSchema : undefined
    this.#schemaOfDatabases = standard === undefined ? undefined : (schema ?? standard)
    this.connect(database, schema)
  }

  /** The names that stand in front where none is written, before any USE. */
  connect(database: string | undefined, schema: string | null | undefined): void {
    this.database = database
    this.schema = schema ?? (database === undefined ? undefined : this.#schemaOfDatabases)
    this.#byWritten.clear()
  }

  use(database: string | undefined, schema: string | undefined): void {
    if (database !== undefined) {
      this.database = database
      this.schema = schema ?? this.#schemaOfDatabases
    } else if (schema !== undefined) this.schema = schema
    this.#byWritten.clear()
  }

  /** Back to the default schema of before. */
  leave(schema: string | undefined): void {
    this.schema = schema
    this.#byWritten.clear()
  }

  find(name: TableName): Table {
    const written =
      name.sort === 'table' && name.parts.length === 1 ? name.parts[0]! : `${name.sort} ${name.parts.join('\u0000')}`
    const known = this.#byWritten.get(written)
    if (known) return known
    const parts = name.sort === 'table' ? this.#complete(name) : name.parts
    const key = parts.join('.').toLowerCase()
    let table = this.#byKey.get(key) ?? (name.sort === 'path' ? this.#stageOf(parts[0]!) : undefined)
    if (!table) {
      table = this.#create(parts, name.sort === 'path')
      this.#byKey.set(key, table)
    }
    this.#byWritten.set(written, table)
    return table
  }

  /** Snowflake: the stage that `@db.schema.stage/path` is a place in, where the session has seen it made. */
  #stageOf(path: string): MutableTable | undefined {
    const name = /^@([\w$.]+)(?:\/|$)/.exec(path)?.[1]
    if (name === undefined) return undefined
    const parts = this.#complete({ parts: name.split('.'), start: 0, end: 0, sort: 'table', quoted: 0 })
    return this.#byKey.get(parts.join('.').toLowerCase())
  }

  #create(parts: readonly string[], path: boolean): MutableTable {
    const table: MutableTable = { parts, name: parts.join('.'), path, columns: undefined, met: new Map() }
    const names = path ? undefined : (this.#resolver?.columnsOf(parts) ?? this.foreseen.columnsOf(parts))
    if (names) this.#setColumns(table, names)
    return table
  }

  #setColumns(table: Table, names: readonly string[], typeOf?: TypeOf): void {
    table.columns = typedColumns(names, typeOf, {
      columnOf: (name) => this.columnOf(table, name),
      paths: this.#profile === 'datahub',
      composite: (type) => this.#composites.get(lastPart(type)),
    })
  }

  /** A type with fields, which columns may have from here on. */
  defineType({ name, fields, types }: DeclaredType): void {
    const shape = fields?.map((field, at) => ({ name: field, type: types?.[at] ?? '' }))
    if (shape) this.#composites.set(lastPart(name), { fields: shape, isList: false })
  }

  /** The name with what defaults add in front. */
  #complete(name: TableName): readonly string[] {
    let parts = name.parts
    if (this.#dialect.shardedTables && this.#profile === 'datahub') parts = withoutShard(parts)
    if (parts.length > 2 && parts.includes('')) return this.#filled(parts)
    // BigQuery: INFORMATION_SCHEMA.TABLES is a view of the dataset or region before it.
    const levels =
      this.#dialect.shardedTables && /^information_schema$/i.test(parts.at(-2) ?? '') ? parts.length - 1 : parts.length
    if (levels === 1) {
      // The catalog stands in front of every search path.
      if (this.#dialect.unnamed === 'postgres' && /^pg_/i.test(parts[0]!)) return parts
      if (this.schema !== undefined) parts = [this.schema, ...parts]
      if (this.database !== undefined) parts = [this.database, ...parts]
    } else if (levels === 2 && this.database !== undefined) parts = [this.database, ...parts]
    return parts
  }

  /** `db..table`: the default schema stands between the dots; without one the two parts are all that is known. */
  #filled(parts: readonly string[]): readonly string[] {
    const schema = this.#schemaOfDatabases ?? this.schema
    if (schema === undefined || parts.at(-2) !== '') return parts.filter((part) => part !== '')
    return parts.map((part) => (part === '' ? schema : part))
  }

  known(name: TableName): TableName {
    const variable = /^[:$](\w+)$/.exec(name.parts[0]!)?.[1]?.toLowerCase()
    const pieces =
      name.pieces ??
      (variable === undefined
        ? undefined
        : [{ kind: 'variable', name: variable, start: name.start, end: name.end } as const])
    const text = pieces && this.texts.textsOf(pieces)[0]
    if (!text || text.length === 0 || !text.every(({ isKnown }) => isKnown)) return name
    return { ...name, parts: splitDotted(text.map((part) => part.text).join('')), sort: 'table' }
  }

  columnOf(table: Table | null, name: string): TableColumn {
    const met = table ? table.met : NULL_COLUMNS
    const known = met.get(name)
    if (known) return known
    const column: TableColumn = { table, name }
    met.set(name, column)
    return column
  }

  folded(table: Table): readonly OutColumn[] | undefined {
    const temporary = this.#temporary.get(table)
    if (!temporary || !(temporary.variable || this.#profile === 'datahub')) return undefined
    this.#read.add(table)
    return temporary.columns
  }

  /** A table's columns as a row of it has them. */
  rows(table: Table): readonly OutColumn[] {
    return this.folded(table) ?? table.columns ?? [openColumn([{ table, except: undefined, kind: KIND.identity }])]
  }

  /** Tables behind a temporary one. */
  behind(table: Table): Iterable<Table> {
    return this.#temporary.get(table)?.inputs ?? NO_TABLES
  }

  isTemporary(table: Table): boolean {
    return this.#temporary.has(table)
  }

  /** Whether a temporary table was read, so that it is neither an input nor an output of the whole. */
  isFolded(table: Table): boolean {
    const temporary = this.#temporary.get(table)
    const isHidden = this.hidesTemporary || this.#read.has(table)
    return temporary !== undefined && (temporary.variable || (this.#profile === 'datahub' && isHidden))
  }

  /** A statement defined a table's columns. */
  define(table: Table, columns: readonly OutColumn[], temporary: boolean, typeOf?: TypeOf): void {
    if (this.adding && !temporary) return this.#extend(table, columns)
    if (this.adding && this.#temporary.has(table)) return this.feed(table, columns)
    if (temporary) {
      this.#temporary.set(table, { columns: [...columns], inputs: new Set(), variable: false })
      this.#read.delete(table)
    } else this.#temporary.delete(table)
    if (columns.some(isUncounted)) {
      if (!temporary) table.columns = undefined
    } else if (columns.length > 0)
      this.#setColumns(
        table,
        columns.map((column) => column.name),
        typeOf,
      )
  }

  /** Another reading of the same text defines the table, too: it has the columns of both. */
  #extend(table: Table, columns: readonly OutColumn[]): void {
    const known = table.columns
    // Open in another reading: it stays so.
    if (!known) return
    if (columns.some(isUncounted)) table.columns = undefined
    else {
      const keys = new Set(known.map(({ key }) => key))
      const added = columns.filter(({ key }) => !keys.has(key))
      if (added.length > 0)
        this.#setColumns(
          table,
          [...known, ...added].map(({ name }) => name),
        )
    }
  }

  /** A table variable. */
  declareVariable(name: string, columns: readonly string[]): void {
    const table = this.find({ parts: [name], start: 0, end: 0, sort: 'hole', quoted: 0 })
    this.#temporary.set(table, {
      columns: columns.map((column) => outColumn(column, [])),
      inputs: new Set(),
      variable: true,
    })
    this.#setColumns(table, columns)
  }

  /** The rows that a table variable holds; undefined where the name is none of one. */
  variableRows(name: string): readonly OutColumn[] | undefined {
    return this.#temporary.get(this.#variable(name))?.columns
  }

  /** A routine's parameter holds the rows of its caller's table variable, until the returned function is called. */
  bindVariable(name: string, caller: string): () => void {
    const [table, given] = [this.#variable(name), this.#variable(caller)]
    const [before, known, rows] = [this.#temporary.get(table), table.columns, this.#temporary.get(given)]
    const columns = [...(rows?.columns ?? [])]
    this.#temporary.set(table, { columns, inputs: new Set(rows?.inputs), variable: true })
    this.#setColumns(
      table,
      columns.map((column) => column.name),
    )
    return () => {
      if (before) this.#temporary.set(table, before)
      else this.#temporary.delete(table)
      table.columns = known
    }
  }

  #variable(name: string): Table {
    return this.find({ parts: [name], start: 0, end: 0, sort: 'hole', quoted: 0 })
  }

  /** Rows were added to a temporary table: its columns come from there too. */
  feed(table: Table, columns: readonly OutColumn[]): void {
    const temporary = this.#temporary.get(table)
    if (!temporary) return
    for (const column of columns) {
      const at = temporary.columns.findIndex((one) => one.key === column.key && !one.open === !column.open)
      const sources = throughOwn(table, temporary.columns, column.sources)
      if (at < 0) temporary.columns.push({ ...column, sources })
      else {
        const before = temporary.columns[at]!
        temporary.columns[at] = {
          ...before,
          sources: union(before.sources, sources),
          open: before.open && column.open ? [...before.open, ...column.open] : before.open,
        }
      }
    }
  }

  /** Tables that the statement read to fill temporary ones. */
  feedInputs(table: Table, inputs: Iterable<Table>): void {
    const temporary = this.#temporary.get(table)
    if (!temporary) return
    for (const input of inputs) if (input !== table) temporary.inputs.add(input)
  }

  drop(table: Table): void {
    const key = table.name.toLowerCase()
    if (!this.#temporary.has(table)) table.columns = undefined
    else {
      // The name may come back as another table; what was read through it stays.
      this.#byKey.delete(key)
      this.#byWritten.clear()
    }
  }

  alter(
    table: Table,
    added: readonly string[],
    dropped: readonly string[],
    renamed: readonly (readonly [string, string])[],
  ): void {
    if (!table.columns) return
    const gone = new Set(dropped.map((name) => name.toLowerCase()))
    const names = new Map(renamed.map(([from, to]) => [from.toLowerCase(), to]))
    const before = new Map(table.columns.map((column) => [column.key, column]))
    const kept = table.columns
      .filter((column) => !gone.has(column.key))
      .map((column) => names.get(column.key) ?? column.name)
    this.#setColumns(table, [...kept, ...added])
    table.columns = table.columns.map((column) => (names.size === 0 ? before.get(column.key) : undefined) ?? column)
  }

  /** `from` goes on under the name of `to`. */
  rename(from: Table, to: TableName): void {
    const parts = to.sort === 'table' ? this.#complete(to) : to.parts
    this.#byKey.delete(from.name.toLowerCase())
    this.#name(from, parts)
    this.#byWritten.clear()
  }

  swap(left: Table, right: Table): void {
    const parts = left.parts
    this.#name(left, right.parts)
    this.#name(right, parts)
    this.#byWritten.clear()
  }

  #name(table: MutableTable, parts: readonly string[]): void {
    table.parts = parts
    table.name = parts.join('.')
    this.#byKey.set(table.name.toLowerCase(), table)
  }
}

function lastPart(type: string): string {
  return type.trim().toLowerCase().replaceAll('"', '').split('.').at(-1)!
}

const DATED = /^(.+?)[_$]?(\d{4})(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])$/
const WILDCARD = /^(.*?)_?\d*\*$/

/** BigQuery: `events_20240131` and `events_2024*` are shards of `events_yyyymmdd`; `t$20240131` is a partition of t. */
function withoutShard(parts: readonly string[]): readonly string[] {
  const last = parts.at(-1)!
  const decorated = last.search(/\$(?!\{)/)
  if (decorated > 0) return [...parts.slice(0, -1), last.slice(0, decorated)]
  const snapshot = last.indexOf('@')
  if (snapshot > 0) return [...parts.slice(0, -1), last.slice(0, snapshot)]
  const wildcard = last.endsWith('*') ? WILDCARD.exec(last) : null
  if (wildcard?.[1]) return [...parts.slice(0, -1), `${wildcard[1]}_yyyymmdd`]
  const dated = DATED.exec(last)
  return dated ? [...parts.slice(0, -1), `${dated[1]}_yyyymmdd`] : parts
}

/** `UPDATE #t SET v = v * 2`: the table's own columns are what filled them so far. */
function throughOwn(table: Table, columns: readonly OutColumn[], sources: Sources): Sources {
  if (!sources.some(({ column }) => column.table === table)) return sources
  const through = new SourceSet()
  for (const source of sources) {
    const key = source.column.name.toLowerCase()
    const own = source.column.table === table ? columns.find((column) => column.key === key) : undefined
    through.addAll(own ? own.sources : [source], source.kind)
  }
  return through.sources()
}
