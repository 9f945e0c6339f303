/** CREATE: tables and views from queries, copies, files; the schemas that they teach. */

import { told } from './renamed.ts'
import type { TableName } from '../ir/query.ts'
import type { CreateStatement } from '../ir/statement.ts'
import { columnOf, edge, land } from './edges.ts'
import { expressionSources } from './expression.ts'
import { type CteEnv, KIND, NO_COLUMNS, NO_SOURCES, type OutColumn, type Table } from './model.ts'
import { resolveQuery } from './query.ts'
import { renamed } from './renamed.ts'
import { openColumn, outColumn } from './sources.ts'
import { NOT_FIXED, type StatementResolving, targetScope, write } from './target.ts'

export function resolveCreate(
  r: StatementResolving,
  statement: CreateStatement,
  env: CteEnv | undefined,
): readonly OutColumn[] {
  const columns = statement.query ? resolveQuery(r, statement.query, env, undefined) : NO_COLUMNS
  const target = write(r, statement.to ?? statement.target)
  if (!target) return NO_COLUMNS
  if (statement.query) {
    if (meetsByName(r, statement)) return createByName(r, statement, target, columns)
    const names = statement.columns?.map((column) => column.name)
    const named = names && names.length > 0 ? landedNames(r, columns, target, names, statement) : columns
    for (const column of told(named)) r.effect.edges.push(edge(target, column.open ? '*' : column.name, column))
    const defined =
      statement.columns && statement.columns.length > named.length && !named.some((column) => column.open)
        ? statement.columns.map(
            (column) =>
              named.find((one) => one.key === column.name.toLowerCase()) ?? outColumn(column.name, NO_SOURCES),
          )
        : named
    if (!statement.to)
      r.effect.defined.push({ table: target, columns: defined, temporary: statement.temporary, replaces: true })
    return columns
  }
  const listed = (statement.columns ?? []).filter(({ hidden }) => !hidden)
  const own = listed.map((column) => outColumn(column.name, NO_SOURCES))
  const copied = copiedColumns(r, statement, target)
  // Beside columns that are not known, those that are tell nothing.
  const all = statement.clones && copied.length === 0 ? [] : [...copied, ...own]
  generatedColumns(r, statement, target)
  const hidden = (statement.columns ?? []).filter((column) => column.hidden).map(({ name }) => name)
  if (all.length > 0)
    r.effect.defined.push({ table: target, columns: all, hidden, temporary: statement.temporary, replaces: true })
  else if (statement.temporary)
    r.effect.defined.push({ table: target, columns: NO_COLUMNS, temporary: true, replaces: true })
  readLocations(r, statement)
  return NO_COLUMNS
}

/** MySQL: in `CREATE TABLE t (a INT) SELECT x AS a, y` the query's columns meet those with types by name. */
function meetsByName(r: StatementResolving, { columns }: CreateStatement): boolean {
  const { name } = r.dialect
  return (name === 'mysql' || name === 'mariadb') && columns?.some((column) => column.type !== undefined) === true
}

function createByName(
  r: StatementResolving,
  statement: CreateStatement,
  target: Table,
  columns: readonly OutColumn[],
): readonly OutColumn[] {
  for (const column of told(columns)) r.effect.edges.push(edge(target, column.open ? '*' : column.name, column))
  const given = new Set(columns.map(({ key }) => key))
  const others = (statement.columns ?? []).filter(({ name }) => !given.has(name.toLowerCase()))
  const all = [...others.map(({ name }) => outColumn(name, NO_SOURCES)), ...columns]
  r.effect.defined.push({ table: target, columns: all, temporary: statement.temporary, replaces: true })
  return columns
}

function landedNames(
  r: StatementResolving,
  columns: readonly OutColumn[],
  target: Table,
  names: readonly string[],
  statement: CreateStatement,
): readonly OutColumn[] {
  if (columns.length === names.length || columns.some((column) => column.open)) {
    return land(r, columns, target, { names, byName: false, fixed: NOT_FIXED, defines: true }, statement.start).map(
      (one) => ({ ...columnOf(one), item: one.item }),
    )
  }
  // MySQL: columns of its own, then the query's under their names.
  if (columns.length > 0 && names.length < columns.length)
    return renamed(columns, statement.kind === 'ctas' ? [] : names)
  return renamed(columns, names.slice(0, columns.length))
}

/** LIKE takes the columns; CLONE and COPY the rows as well. */
function copiedColumns(r: StatementResolving, statement: CreateStatement, target: Table): OutColumn[] {
  const result: OutColumn[] = []
  for (const name of statement.like) {
    const source = r.tables.find(name)
    if (!r.tables.folded(source)) r.gathered.inputs.add(source)
    const columns = r.tables.folded(source) ??
      source.columns ?? [openColumn([{ table: source, except: undefined, kind: KIND.identity }])]
    if (statement.clones) for (const column of columns) r.effect.edges.push(edge(target, column.name, column))
    for (const column of columns)
      if (!column.open) result.push(statement.clones ? column : outColumn(column.name, NO_SOURCES))
  }
  return result
}

/** GENERATED ALWAYS AS (a + b): a column of the table from its others. */
function generatedColumns(r: StatementResolving, statement: CreateStatement, target: Table): void {
  const generated = statement.columns?.filter((column) => column.generated)
  if (!generated || generated.length === 0) return
  const own = targetScope(target, undefined, undefined)
  const names = new Set(statement.columns?.map(({ name }) => name.toLowerCase()))
  const [location] = statement.locations
  // Snowflake: columns of an external table are computed from the file's VALUE.
  const file =
    location === undefined ? own : targetScope(r.tables.find(pathName(statement, location)), undefined, undefined)
  for (const column of generated) {
    const expression = column.generated!
    const isOwn = expression.references.every(({ parts }) => names.has(parts.at(-1)!.toLowerCase()))
    const scope = isOwn ? own : file
    r.effect.edges.push(
      edge(target, column.name, {
        ...outColumn(column.name, expressionSources(r, expression, scope)),
        item: { expression, start: expression.start, end: expression.end },
      }),
    )
  }
}

function readLocations(r: StatementResolving, statement: CreateStatement): void {
  if (r.profile !== 'datahub') return
  for (const text of statement.locations) r.gathered.inputs.add(r.tables.find(pathName(statement, text)))
}

function pathName({ start, end }: CreateStatement, text: string): TableName {
  return { parts: [text], start, end, sort: 'path', quoted: 0 }
}
