/** Functions in FROM: rows of a routine that the session knows, elements of arrays, columns of files. */
import {
  KIND,
  NO_SOURCES,
  type OutColumn,
  type Resolving,
  type Scope,
  type Sources,
  type ReadRelation,
} from './model.ts'
import type { FunctionRelation } from '../ir/query.ts'
import { renamed } from './renamed.ts'
import { allSources, outColumn, raised, union } from './sources.ts'
import { newScope } from './scope.ts'
import { starColumns } from './star-columns.ts'
import { expanded, isTableArgument } from './macro.ts'
import { elementColumns } from './element-columns.ts'
import { openColumnNamed } from './open.ts'
import { rowColumn, stackWidth } from './generated-names.ts'

/** A function that the session has seen defined gives the rows of its body. */
function readRoutine(r: Resolving, relation: FunctionRelation, scope: Scope): ReadRelation | undefined {
  const rows = relation.columns || relation.elements ? undefined : r.routineRows(relation.name)
  if (!rows || rows.isForeign) return undefined
  for (const table of rows.inputs) r.gathered.inputs.add(table)
  const given = rows.parameters ? expanded(r, rows, relation.args, scope) : rows.columns
  const columns = relation.columnAliases ? renamed(given, relation.columnAliases) : given
  for (const [index, arg] of relation.args.entries())
    if (!isTableArgument(rows, index)) r.rules.expression(r, arg, scope)
  return { columns, alias: relation.alias ?? relation.parts.at(-1)!, path: [], any: undefined, isCte: false }
}

/** What a function in another language makes of its arguments, under the names that its definition gives. */
function foreignColumns(r: Resolving, relation: FunctionRelation, any: Sources): readonly OutColumn[] | undefined {
  const rows = relation.columns || relation.elements ? undefined : r.routineRows(relation.name)
  const columns = rows?.isForeign ? rows.columns.map(({ name }) => outColumn(name, any)) : undefined
  return columns && relation.columnAliases ? renamed(columns, relation.columnAliases) : columns
}

export function readFunction(r: Resolving, relation: FunctionRelation, scope: Scope): ReadRelation {
  const routine = readRoutine(r, relation, scope)
  if (routine) return routine
  const nested = relation.name === 'arrayjoin' ? nestedColumns(relation, scope) : undefined
  if (nested) return { columns: nested, alias: relation.alias ?? '', path: [], any: undefined, isCte: false }
  // An element is not the array it comes from.
  const args = relation.args.map((arg) => raised(r.rules.expression(r, arg, scope), KIND.transformed))
  let any: Sources = NO_SOURCES
  for (const sources of args) any = union(any, sources)
  const passed: OutColumn[] = []
  for (const inner of relation.relations) {
    const innerScope = newScope(scope, scope.env)
    r.rules.relation(r, inner, innerScope)
    passed.push(...starColumns(r, innerScope))
  }
  any = union(any, allSources(passed, KIND.transformed))
  const alias = relation.alias ?? (relation.elements || relation.columns ? relation.name : relation.parts.at(-1)!)
  const elements = elementColumns(r, relation, args, scope)
  if (elements) return { columns: elements, alias, path: [], any, isCte: false }
  const columns =
    RESHAPING.has(relation.name) || (relation.columns && relation.relations.length > 0 && toldColumns(r))
      ? reshapedColumns(r, relation, passed)
      : relation.name === 'exclude_columns' && relation.columnAliases
        ? renamed(passed, relation.columnAliases)
        : [...passed, ...(foreignColumns(r, relation, any) ?? functionColumns(r, relation, args, any))]
  return { columns, alias, path: [], any, isCte: false }
}

/** ClickHouse, Databricks: a table function that is told its columns reads these of its file. */
function toldColumns(r: Resolving): boolean {
  return r.dialect.name === 'clickhouse' || r.dialect.name === 'databricks'
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
