/** Statements: what each reads, writes, and which columns it feeds from where. */

import { told } from './renamed.ts'
import type { Expression } from '../ir/expression.ts'
import type { Query, TableName } from '../ir/query.ts'
import type { CallStatement, CopyStatement, Statement } from '../ir/statement.ts'
import { resolveCreate } from './create.ts'
import { edge, land } from './edges.ts'
import { elementFields } from './element-columns.ts'
import { expressionSources, resolveUses } from './expression.ts'
import { recordColumns, resolveInsert, resolveInsertAll } from './insert.ts'
import {
  type CteEnv,
  KIND,
  NO_COLUMNS,
  NO_SOURCES,
  type OutColumn,
  type ResolverRules,
  type Resolving,
  type Sources,
} from './model.ts'
import { resolveQuery } from './query.ts'
import { resolveRelation } from './relation.ts'
import { newScope } from './scope.ts'
import { openColumn, outColumn, union } from './sources.ts'
import { NOT_FIXED, type StatementResolving, targetRelation, write } from './target.ts'
import { expandStar } from './star.ts'
import { resolveMerge } from './merge.ts'
import { resolveDelete, resolveUpdate } from './update.ts'

/** Rules for `Resolving.rules`. */
export function resolverRules(
  resolveInner: (r: Resolving, statement: Statement, env: CteEnv | undefined) => readonly OutColumn[],
): ResolverRules {
  return {
    query: resolveQuery,
    relation: resolveRelation,
    expression: expressionSources,
    uses: resolveUses,
    star: expandStar,
    fields: elementFields,
    statement: (r, statement, env) => rowsRead(r, statement, resolveInner(r, statement, env)),
  }
}

/** Db2: FINAL, NEW and OLD TABLE (INSERT …) read whole rows of the target, also columns that the statement leaves alone. */
function rowsRead(r: Resolving, statement: Statement, columns: readonly OutColumn[]): readonly OutColumn[] {
  if (!('returning' in statement) || statement.returning.length > 0) return columns
  const name = statement.kind === 'delete' ? statement.targets[0] : statement.target
  if (!name || name.sort === 'hole') return columns
  const written = new Set(columns.map(({ key }) => key))
  const rows = targetRelation(r.tables.find(name), undefined).columns.filter(
    ({ key, open }) => open || !written.has(key),
  )
  const others = rows.map((row) =>
    row.open ? { ...row, open: row.open.map((one) => ({ ...one, except: written })) } : row,
  )
  return [...columns, ...others]
}

/** Db2: columns of INCLUDE are the rows' own and no column of the target. */
function withIncluded(
  r: StatementResolving,
  include: readonly string[] | undefined,
  columns: readonly OutColumn[],
): readonly OutColumn[] {
  if (!include) return columns
  const names = new Set(include.map((name) => name.toLowerCase()))
  const own = r.effect.edges.filter(({ name }) => names.has(name.toLowerCase()))
  r.effect.edges.splice(0, Infinity, ...r.effect.edges.filter((one) => !own.includes(one)))
  const added = include.map((name) => {
    const fed = own.filter((one) => one.name.toLowerCase() === name.toLowerCase())
    return outColumn(
      name,
      fed.reduce((all: Sources, { sources }) => union(all, sources), NO_SOURCES),
    )
  })
  return [...columns.filter(({ key }) => !names.has(key)), ...added]
}

/** Resolves a statement: edges and tables go to `r`; returned are the columns it gives as rows (RETURNING, a query). */
export function resolveStatement(
  r: StatementResolving,
  statement: Statement,
  env: CteEnv | undefined,
): readonly OutColumn[] {
  switch (statement.kind) {
    case 'query':
      return resolveQueryStatement(r, statement.query, env)
    case 'insert':
      return withIncluded(r, statement.include, resolveInsert(r, statement, env))
    case 'multiInsert':
      for (const insert of statement.inserts) resolveInsert(r, insert, env)
      return NO_COLUMNS
    case 'insertAll':
      return resolveInsertAll(r, statement, env)
    case 'ctas':
    case 'view':
    case 'materializedView':
    case 'table':
      return resolveCreate(r, statement, env)
    case 'update':
      return withIncluded(r, statement.include, resolveUpdate(r, statement, env))
    case 'delete':
      return resolveDelete(r, statement, env)
    case 'merge':
      return withIncluded(r, statement.include, resolveMerge(r, statement, env))
    case 'copy':
      return resolveCopy(r, statement, env)
    case 'explain':
      return NO_COLUMNS
    case 'declare':
    case 'set':
      if (statement.query) return resolveQuery(r, statement.query, env, undefined)
      return assignedValues(r, statement.expressions, env)
    case 'call':
      return resolveCall(r, statement, env)
    case 'command':
    case 'other':
      if (statement.word === 'return') return assignedValues(r, statement.expressions, env)
      for (const expression of statement.expressions)
        if (expression.queries.length > 0) expressionSources(r, expression, newScope(undefined, env))
      return NO_COLUMNS
    default:
      return NO_COLUMNS
  }
}

/** A value an expression; all columns of the query where it is nothing but one. */
function assignedValues(
  r: StatementResolving,
  expressions: readonly Expression[],
  env: CteEnv | undefined,
): readonly OutColumn[] {
  const only = expressions.length === 1 ? expressions[0]! : undefined
  if (only?.queries.length === 1 && only.references.length === 0)
    return resolveQuery(r, only.queries[0]!.query, env, undefined)
  return expressions.map((expression) => outColumn('', assignedSources(r, expression, env)))
}

/** A variable's new value; names in it that are no variables are none of ours to doubt. */
function assignedSources(r: StatementResolving, expression: Expression, env: CteEnv | undefined): Sources {
  const known = expression.references.filter((reference) => r.variables.has(reference.parts[0]!.toLowerCase()))
  if (known.length === 0 && expression.queries.length === 0 && !r.functionValue) return NO_SOURCES
  return expressionSources(r, { ...expression, references: known }, newScope(undefined, env))
}

function resolveCall(r: StatementResolving, statement: CallStatement, env: CteEnv | undefined): readonly OutColumn[] {
  for (const expression of statement.args)
    if (expression.queries.length > 0) expressionSources(r, expression, newScope(undefined, env))
  const target = statement.into && write(r, statement.into)
  if (target)
    for (const name of statement.columns ?? []) r.effect.edges.push(edge(target, name, outColumn(name, NO_SOURCES)))
  return NO_COLUMNS
}

function resolveQueryStatement(r: StatementResolving, query: Query, env: CteEnv | undefined): readonly OutColumn[] {
  // PL/SQL: PIPE ROW (record).
  const columns = recordColumns(r, query) ?? resolveQuery(r, query, env, undefined)
  const into = intoOf(query)
  if (!into) {
    // SELECT … INTO variables gives no rows.
    if (query.kind === 'select' && query.variables.length > 0 && !query.givesRows) return columns
    if (query.kind === 'set' && query.variables) return columns
    for (const column of told(columns)) r.effect.edges.push(edge(null, column.name, column))
    return columns
  }
  const target = write(r, into.name)
  if (!target) return columns
  for (const column of columns) r.effect.edges.push(edge(target, column.name, column))
  r.effect.defined.push({
    table: target,
    columns,
    temporary: into.temporary || into.name.parts.at(-1)!.startsWith('#'),
    replaces: true,
  })
  return columns
}

/** SELECT … INTO, perhaps in the first branch of a UNION. */
function intoOf(query: Query): { name: TableName; temporary: boolean } | undefined {
  let at: Query = query
  while (at.kind === 'set') at = at.left
  return at.kind === 'select' && at.into ? { name: at.into, temporary: at.intoTemporary } : undefined
}

/** COPY t (a, b) FROM 'x': the columns that it lists, by name. */
function listedColumns(r: StatementResolving, { inputs, columns = [] }: CopyStatement): readonly OutColumn[] {
  const tables = inputs.map((name) => r.tables.find(name))
  return columns.map((name) =>
    outColumn(
      name,
      tables.flatMap((table) => {
        const known = (r.tables.folded(table) ?? table.columns)?.find(({ key }) => key === name.toLowerCase())
        return known ? known.sources : [{ column: r.tables.columnOf(table, name), kind: KIND.identity }]
      }),
    ),
  )
}

function resolveCopy(r: StatementResolving, statement: CopyStatement, env: CteEnv | undefined): readonly OutColumn[] {
  const columns: OutColumn[] = [...(statement.query ? resolveQuery(r, statement.query, env, undefined) : [])]
  for (const name of statement.inputs) {
    const table = r.tables.find(name)
    const folded = r.tables.folded(table)
    if (!folded) r.gathered.inputs.add(table)
    if (!statement.query && statement.inputs.length === 1 && statement.columns === undefined)
      columns.push(...(folded ?? table.columns ?? [openColumn([{ table, except: undefined, kind: KIND.identity }])]))
  }
  if (!statement.query) columns.push(...listedColumns(r, statement))
  for (const name of statement.outputs) {
    const target = write(r, name)
    if (target)
      r.effect.edges.push(
        ...land(
          r,
          columns,
          target,
          {
            names: statement.columns,
            byName: false,
            fixed: NOT_FIXED,
            defines: target.path,
          },
          statement.start,
        ),
      )
  }
  return NO_COLUMNS
}
