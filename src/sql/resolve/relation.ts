/** FROM: each relation becomes its columns; joins decide which of them merge or stay hidden. */

import { assertNever } from '../../model/errors.ts'
import type { Expression } from '../ir/expression.ts'
import type { DerivedRelation, FunctionRelation, Join, Relation, TableRelation } from '../ir/query.ts'
import { findCte } from './cte.ts'
import {
  INDIRECT_KINDS,
  KIND,
  NO_COLUMNS,
  NO_SOURCES,
  type OutColumn,
  type Resolving,
  type Scope,
  type ScopeRelation,
  type Sources,
} from './model.ts'
import { applyPivot } from './pivot.ts'
import { starColumns } from './star-columns.ts'
import { rowColumn, stackWidth } from './generated-names.ts'
import { openColumnNamed } from './open.ts'
import { findReference, knownColumn, newScope } from './scope.ts'
import { allSources, openColumn, outColumn, raised, union } from './sources.ts'
import { structFields } from './struct-fields.ts'

/** Adds a relation to the scope. */
export function resolveRelation(r: Resolving, relation: Relation, scope: Scope): void {
  if (relation.kind === 'group' && relation.alias === undefined && relation.pivots.length === 0) {
    const before = scope.relations.length
    for (const inner of relation.relations) resolveRelation(r, inner, scope)
    r.rules.uses(r, relation.uses, scope)
    if (relation.join.kind === 'semi' || relation.join.kind === 'anti') hide(scope, before)
    merge(r, scope, relation.join, before)
    return
  }
  const before = scope.relations.length
  scope.relations.push(scopeRelation(r, relation, scope))
  merge(r, scope, relation.join, before)
}

function hide(scope: Scope, from: number): void {
  for (let i = from; i < scope.relations.length; i++)
    scope.relations[i] = { ...scope.relations[i]!, hidden: true, beside: true }
}

function scopeRelation(r: Resolving, relation: Relation, scope: Scope): ScopeRelation {
  const base = readRelation(r, relation, scope)
  let columns = base.columns
  let alias = relation.alias
  let path = base.path
  let any = base.any
  if (relation.pivots.length === 0) {
    if (relation.columnAliases && relation.kind !== 'function') columns = renamed(columns, relation.columnAliases)
  } else {
    if (relation.columnAliases && relation.kind !== 'function') columns = renamed(columns, relation.columnAliases)
    for (const pivot of relation.pivots) {
      const pivoted = applyPivot(
        r,
        pivot,
        { alias: (alias ?? '').toLowerCase(), path, columns, any, hidden: false, index: undefined },
        scope,
      )
      columns = pivoted.columns
      any = pivoted.any ?? any
      if (pivot.alias !== undefined) alias = pivot.alias
    }
  }
  if (alias !== undefined && relation.kind === 'table' && base.isCte) path = []
  const overlay = relation.kind === 'function' && relation.name === 'arrayjoin'
  const beside = relation.join.kind === 'semi' || relation.join.kind === 'anti'
  const hidden = overlay || beside
  return { alias: (alias ?? base.alias).toLowerCase(), path, columns, any, hidden, overlay, beside, index: undefined }
}

interface ReadRelation {
  readonly columns: readonly OutColumn[]
  readonly alias: string
  readonly path: readonly string[]
  readonly any: Sources | undefined
  readonly isCte: boolean
}

function readRelation(r: Resolving, relation: Relation, scope: Scope): ReadRelation {
  switch (relation.kind) {
    case 'table':
      return readTable(r, relation, scope)
    case 'query': {
      const columns = r.rules.query(r, relation.query, scope.env, relation.lateral ? scope : scope.parent)
      return { columns, alias: '', path: [], any: undefined, isCte: false }
    }
    case 'function':
      return readFunction(r, relation, scope)
    case 'group': {
      const inner = newScope(scope.parent, scope.env)
      for (const one of relation.relations) resolveRelation(r, one, inner)
      r.rules.uses(r, relation.uses, inner)
      return { columns: starColumns(r, inner), alias: '', path: [], any: undefined, isCte: false }
    }
    case 'derived':
      return readDerived(r, relation, scope)
    default:
      return assertNever(relation)
  }
}

function readTable(r: Resolving, relation: TableRelation, scope: Scope): ReadRelation {
  const name = relation.name.sort === 'hole' ? r.tables.known(relation.name) : relation.name
  const last = name.parts.at(-1) ?? ''
  if (isDual(name.parts)) return { columns: NO_COLUMNS, alias: last, path: [], any: undefined, isCte: false }
  if (name.parts.length === 1 && name.sort !== 'path') {
    const cte = findCte(r, scope.env, last.toLowerCase())
    if (cte) return { columns: cte, alias: last, path: [], any: undefined, isCte: true }
  } else if (name.sort === 'table') {
    const view = findCte(r, scope.env, name.parts.join('.').toLowerCase())
    if (view)
      return {
        columns: view,
        alias: last,
        path: name.parts.map((part) => part.toLowerCase()),
        any: undefined,
        isCte: false,
      }
    if (isCollection(r, relation, scope)) return readCollection(r, relation, scope)
  }
  if (name.sort === 'hole') {
    const known = r.tables.find(name)
    const folded = r.tables.folded(known)
    if (folded) return { columns: folded, alias: last, path: [last.toLowerCase()], any: undefined, isCte: false }
    if (r.variables.has(last.toLowerCase()))
      return { columns: NO_COLUMNS, alias: last, path: [], any: NO_SOURCES, isCte: false }
    r.gathered.doubts.push({ code: 'UNKNOWN_NAME', text: last, start: name.start })
    return { columns: NO_COLUMNS, alias: last, path: [], any: NO_SOURCES, isCte: false }
  }
  const table = r.tables.find(name)
  const folded = r.tables.folded(table)
  const path = table.parts.map((part) => part.toLowerCase())
  if (folded) {
    for (const source of r.tables.behind(table)) r.gathered.inputs.add(source)
    return { columns: folded, alias: last, path, any: undefined, isCte: false }
  }
  r.gathered.inputs.add(table)
  if (table.columns) return { columns: table.columns, alias: last, path, any: undefined, isCte: false }
  return {
    columns: [openColumn([{ table, except: undefined, kind: KIND.identity }])],
    alias: last,
    path,
    any: undefined,
    isCte: false,
  }
}

/** DUAL and its kin hold one row and nothing. */
function isDual(parts: readonly string[]): boolean {
  const lower = (parts.at(-1) ?? '').toLowerCase()
  return (lower === 'dual' && (parts.length === 1 || parts[0]!.toLowerCase() === 'sys')) || lower === 'sysdummy1'
}

/** BigQuery, Redshift, Impala: FROM t, t.items reads a field of the table before. */
function isCollection(r: Resolving, relation: TableRelation, scope: Scope): boolean {
  if (!r.dialect.nestedCollections) return false
  const first = relation.name.parts[0]!.toLowerCase()
  const owner = relation.name.parts.slice(0, -1).map((part) => part.toLowerCase())
  for (let at: Scope | undefined = scope; at; at = at.parent)
    if (at.relations.some((one) => one.alias === first || (owner.length > 1 && endsWith(one.path, owner)))) return true
  return false
}

function endsWith(path: readonly string[], tail: readonly string[]): boolean {
  return path.length >= tail.length && tail.every((part, i) => part === path[path.length - tail.length + i])
}

function readCollection(r: Resolving, relation: TableRelation, scope: Scope): ReadRelation {
  const { parts, start, end } = relation.name
  const reference = { parts, quoted: false, start, end, role: 0 }
  const expression: Expression = {
    start,
    end,
    references: [reference],
    queries: [],
    stars: [],
    windows: [],
    form: 'column',
  }
  const any = r.rules.expression(r, expression, scope)
  const alias = relation.alias ?? parts.at(-1)!
  const position = relation.position === undefined ? [] : [outColumn(relation.position, NO_SOURCES)]
  const fields = elementFields(r, expression, scope)
  return { columns: [...(fields ?? [outColumn(alias, any)]), ...position], alias, path: [], any, isCte: false }
}

/** Columns under new names; those beyond the list keep theirs. */
export function renamed(columns: readonly OutColumn[], names: readonly string[]): readonly OutColumn[] {
  const result: OutColumn[] = []
  let index = 0
  for (const column of columns) {
    if (index >= names.length) {
      result.push(column)
      continue
    }
    if (column.open) {
      // Unknown columns under known names: what each comes from cannot be told.
      const rest = names.slice(index)
      result.push(...rest.map((name) => outColumn(name, NO_SOURCES, 'UNKNOWN_COLUMNS')))
      index = names.length
      continue
    }
    const name = names[index++]!
    result.push({ ...column, name, key: name.toLowerCase() })
  }
  while (index < names.length && columns.length === 0) result.push(outColumn(names[index++]!, NO_SOURCES))
  return result
}

/** A function that the session has seen defined gives the rows of its body. */
function readRoutine(r: Resolving, relation: FunctionRelation): ReadRelation | undefined {
  const rows = relation.columns || relation.elements ? undefined : r.routineRows(relation.name)
  if (!rows) return undefined
  for (const table of rows.inputs) r.gathered.inputs.add(table)
  const columns = relation.columnAliases ? renamed(rows.columns, relation.columnAliases) : rows.columns
  return { columns, alias: relation.alias ?? relation.parts.at(-1)!, path: [], any: undefined, isCte: false }
}

function readFunction(r: Resolving, relation: FunctionRelation, scope: Scope): ReadRelation {
  const routine = readRoutine(r, relation)
  if (routine) {
    for (const arg of relation.args) r.rules.expression(r, arg, scope)
    return routine
  }
  const nested = relation.name === 'arrayjoin' ? nestedColumns(relation, scope) : undefined
  if (nested) return { columns: nested, alias: relation.alias ?? '', path: [], any: undefined, isCte: false }
  // An element is not the array it comes from.
  const args = relation.args.map((arg) => raised(r.rules.expression(r, arg, scope), KIND.transformed))
  let any: Sources = NO_SOURCES
  for (const sources of args) any = union(any, sources)
  const passed: OutColumn[] = []
  for (const inner of relation.relations) {
    const innerScope = newScope(scope, scope.env)
    resolveRelation(r, inner, innerScope)
    passed.push(...starColumns(r, innerScope))
  }
  any = union(any, allSources(passed, KIND.transformed))
  const alias = relation.alias ?? (relation.elements || relation.columns ? relation.name : relation.parts.at(-1)!)
  const fields =
    relation.elements && relation.args.length === 1 ? elementFields(r, relation.args[0]!, scope) : undefined
  if (fields && !relation.columnAliases) return { columns: fields, alias, path: [], any, isCte: false }
  const columns =
    RESHAPING.has(relation.name) || (relation.columns && relation.relations.length > 0 && toldColumns(r))
      ? reshapedColumns(r, relation, passed)
      : relation.name === 'exclude_columns' && relation.columnAliases
        ? renamed(passed, relation.columnAliases)
        : [...passed, ...functionColumns(r, relation, args, any)]
  return { columns, alias, path: [], any, isCte: false }
}

/** ClickHouse: a table function that is told its columns reads these of its file. */
function toldColumns(r: Resolving): boolean {
  return r.dialect.name === 'clickhouse'
}

/** ClickHouse: ARRAY JOIN n, where n is a Nested: its columns n.a and n.b side by side, under its alias if it has one. */
function nestedColumns(relation: FunctionRelation, scope: Scope): readonly OutColumn[] | undefined {
  const [arg] = relation.args
  if (arg?.form !== 'column' || relation.columns?.length !== 1) return undefined
  const written = arg.references[0]!.parts.map((part) => part.toLowerCase())
  for (const one of scope.relations) {
    const path = written.length > 1 && one.alias === written[0] ? written.slice(1) : written
    const name = path.join('.')
    const alias = relation.columns[0]!.name
    if (path.length > 1) {
      const column = one.columns.find(({ key }) => key === name)
      const own = alias.toLowerCase() === path.at(-1) ? column?.name : alias
      if (column && own !== undefined) return [{ ...outColumn(own, raised(column.sources, KIND.transformed)) }]
    } else if (!one.columns.some(({ key }) => key === name)) {
      const parts = one.columns.filter(({ key }) => key.startsWith(`${name}.`))
      if (parts.length > 0)
        return parts.map(({ name: part, sources }) =>
          outColumn(`${alias}.${part.slice(name.length + 1)}`, raised(sources, KIND.transformed)),
        )
    }
  }
  return undefined
}

/** Elements of an array of structs that the text builds: their fields. */
function elementFields(r: Resolving, expression: Expression, scope: Scope): readonly OutColumn[] | undefined {
  const { form, references } = expression
  if (expression.fields) return structFields(r, expression, scope)
  if (form !== 'column' || references.length !== 1) return undefined
  const before = r.gathered.doubts.length
  const fields = findReference(r, references[0]!, scope, 'none')?.fields
  r.gathered.doubts.length = before
  return fields?.map((field) => ({ ...field, sources: raised(field.sources, KIND.transformed) }))
}

/** Functions that read a file or table and give columns of their own instead of its columns. */
const RESHAPING: ReadonlySet<string> = new Set(['openrowset', 'containstable', 'freetexttable'])

/** `OPENROWSET(BULK 'file' …) WITH (id int)`: the file's columns of these names; without a list all of them. */
function reshapedColumns(r: Resolving, relation: FunctionRelation, passed: readonly OutColumn[]): readonly OutColumn[] {
  if (!relation.columns) return passed
  return relation.columns.map(({ name, from }) => {
    const read = from === 'args' ? openColumnNamed(r, { columns: passed }, name, name.toLowerCase()) : undefined
    return outColumn(name, read?.sources ?? NO_SOURCES)
  })
}

/** Their arguments become rows side by side; a map or rows in the last place spread over the names that are left. */
const BESIDE: ReadonlySet<string> = new Set(['unnest', 'rows'])

function functionColumns(
  r: Resolving,
  relation: FunctionRelation,
  args: readonly Sources[],
  any: Sources,
): OutColumn[] {
  const names = relation.columnAliases
  const columns: OutColumn[] = []
  if (relation.columns) {
    const stacked = relation.name === 'stack' ? stackedSources(r, relation, args) : undefined
    for (const [index, column] of relation.columns.entries()) {
      const sources = stacked
        ? (stacked[index] ?? NO_SOURCES)
        : column.from === 'none'
          ? NO_SOURCES
          : column.arg === undefined
            ? any
            : (args[column.arg] ?? any)
      columns.push(outColumn(names?.[index] ?? column.name, sources))
    }
    if (names) for (let i = relation.columns.length; i < names.length; i++) columns.push(outColumn(names[i]!, any))
  } else if (names) {
    const counted = relation.ordinality === undefined ? -1 : names.length - 1
    for (const [index, name] of names.entries()) {
      const own = BESIDE.has(relation.name) && args.length > 1 ? (args[index] ?? args.at(-1) ?? any) : any
      columns.push(outColumn(name, index === counted ? NO_SOURCES : own))
    }
    return columns
  } else if (relation.elements)
    columns.push(outColumn(rowColumn(r, relation.name) ?? relation.alias ?? relation.name, any))
  if (relation.ordinality !== undefined) columns.push(outColumn(relation.ordinality, NO_SOURCES))
  return columns
}

/** Spark: stack(2, a, b, c, d) makes rows (a, b) and (c, d); undefined where their number is not written. */
function stackedSources(
  r: Resolving,
  relation: FunctionRelation,
  args: readonly Sources[],
): readonly Sources[] | undefined {
  const [first] = relation.args
  const width = first ? stackWidth(r.text.slice(first.start, first.end), args.length) : 0
  if (width === 0) return undefined
  const columns: Sources[] = Array.from({ length: width }, () => NO_SOURCES)
  for (const [index, sources] of args.slice(1).entries())
    columns[index % width] = union(columns[index % width]!, sources)
  return columns
}

/** MATCH_RECOGNIZE: partition columns and measures, or all rows and measures. */
function readDerived(r: Resolving, relation: DerivedRelation, scope: Scope): ReadRelation {
  const inner = newScope(scope.parent, scope.env)
  resolveRelation(r, relation.source, inner)
  const source = inner.relations[0]!
  for (const variable of relation.variables)
    inner.relations.push({ ...source, alias: variable, path: [], hidden: true, silent: true })
  // Unqualified names are the source's alone; the variables are found by qualifier.
  const plain = { ...inner, relations: [source] }
  const measured = relation.measures.map((item) => {
    const qualified =
      item.expression.references.some((reference) => reference.parts.length > 1) ||
      item.expression.stars.some(({ star }) => star.qualifier !== undefined)
    return outColumn(
      item.alias ?? item.expression.name ?? 'measure',
      r.rules.expression(r, item.expression, qualified ? inner : plain),
    )
  })
  const partition = relation.partition.map((expression) =>
    outColumn(expression.references[0]?.parts.at(-1) ?? '', r.rules.expression(r, expression, plain)),
  )
  r.rules.uses(r, relation.uses, inner)
  const columns = relation.keepsAll ? [...source.columns, ...measured] : [...partition, ...measured]
  return { columns, alias: relation.alias ?? '', path: [], any: undefined, isCte: false }
}

/** USING and NATURAL make columns of both sides one. */
function merge(r: Resolving, scope: Scope, join: Join, from: number): void {
  const right = scope.relations.slice(from)
  const names = join.using ?? (join.natural ? commonNames(scope.relations.slice(0, from), right) : undefined)
  if (!names) return
  scope.merged ??= new Map()
  for (const name of names) {
    const key = name.toLowerCase()
    const owners = scope.merged.get(key) ?? scope.relations.slice(0, from).filter((relation) => mayOwn(relation, key))
    scope.merged.set(key, [...owners, ...right.filter((relation) => mayOwn(relation, key) && !relation.hidden)])
    for (const relation of [...owners, ...right]) noteJoin(r, relation, name, key)
  }
  // MySQL reads a right join from the right: its columns come first.
  if (join.kind === 'right' && (r.dialect.name === 'mysql' || r.dialect.name === 'mariadb'))
    scope.relations = [...right, ...scope.relations.slice(0, from)]
  if (join.alias !== undefined) pushJoinAlias(r, scope, join.alias, names)
}

/** The columns of USING under the join's own alias; a star does not give them a second time. */
function pushJoinAlias(r: Resolving, scope: Scope, alias: string, names: readonly string[]): void {
  const columns = names.map((name) => {
    const owners = scope.merged?.get(name.toLowerCase()) ?? []
    const sources = owners.flatMap(
      (owner) =>
        (
          knownColumn(r, owner, name, name.toLowerCase(), undefined) ??
          openColumnNamed(r, owner, name, name.toLowerCase())
        )?.sources ?? NO_SOURCES,
    )
    return outColumn(name, union(NO_SOURCES, sources))
  })
  const key = alias.toLowerCase()
  scope.relations.push({ alias: key, path: [], columns, any: undefined, hidden: true, silent: true, index: undefined })
}

const JOIN_BIT = 1 << INDIRECT_KINDS.indexOf('JOIN')

/** A column of USING joins, on either side. */
function noteJoin(r: Resolving, relation: ScopeRelation, name: string, key: string): void {
  const column = knownColumn(r, relation, name, key, undefined) ?? openColumnNamed(r, relation, name, key)
  const { indirect } = r.gathered
  for (const source of column?.sources ?? []) indirect.set(source.column, (indirect.get(source.column) ?? 0) | JOIN_BIT)
}

function mayOwn(relation: ScopeRelation, key: string): boolean {
  return relation.columns.some(
    (column) => column.key === key || (column.open !== undefined && !column.open.every((one) => one.except?.has(key))),
  )
}

function commonNames(left: readonly ScopeRelation[], right: readonly ScopeRelation[]): string[] {
  const known = new Set(left.flatMap((relation) => relation.columns.map((column) => column.key)))
  return right.flatMap((relation) =>
    relation.columns.filter((column) => !column.open && known.has(column.key)).map((column) => column.name),
  )
}
