/** INSERT: positional, by name, over several tables. */

import type { Query } from '../ir/query.ts'
import type { InsertAllStatement, InsertStatement } from '../ir/statement.ts'
import { type Edge, columnOf, land } from './edges.ts'
import { resolveUses, valueOf } from './expression.ts'
import { type CteEnv, NO_COLUMNS, type OutColumn, type Scope, type ScopeRelation, type Table } from './model.ts'
import { namedByText } from './output-name.ts'
import { resolveQuery } from './query.ts'
import { resolveRelation } from './relation.ts'
import { renamed } from './renamed.ts'
import { returned } from './returning.ts'
import { newScope, relationOf } from './scope.ts'
import { outColumn } from './sources.ts'
import { NOT_FIXED, type StatementResolving, assign, targetScope, write } from './target.ts'

export function resolveInsert(
  r: StatementResolving,
  statement: InsertStatement,
  env: CteEnv | undefined,
): readonly OutColumn[] {
  const target = write(r, statement.target)
  const columns = statement.query ? resolveQuery(r, statement.query, env, undefined) : NO_COLUMNS
  if (!target) return NO_COLUMNS
  // Rows of VALUES have no names: into a table that is not known they meet no column, but for what is computed.
  const nameless = statement.query?.kind === 'values' && !statement.columns && !target.columns
  const fed = nameless ? (recordColumns(r, statement.query) ?? computed(r, columns)) : columns
  const names = statement.columns ?? partitionedNames(statement, fed, target)
  const fixed =
    statement.partition.length > 0 ? new Set(statement.partition.map((name) => name.toLowerCase())) : NOT_FIXED
  const landed = land(
    r,
    fed,
    target,
    { names: insertNames(statement, names, target, fixed), byName: statement.byName, fixed, defines: false },
    statement.start,
  )
  r.effect.edges.push(...landed)
  r.effect.defined.push({
    table: target,
    columns: landed.map((one) => columnOf(one)),
    temporary: false,
    replaces: false,
  })
  const scope = targetScope(target, statement.alias, env)
  const before = r.effect.edges.length
  assign(r, statement.assignments, target, scope)
  if (statement.onConflict.length > 0) {
    const conflicting = conflictScope(scope, [...landed, ...r.effect.edges.slice(before)], statement.rows)
    // MySQL: the rows' own tables may be named as well.
    const { query } = statement
    const read = newScope(undefined, env)
    if (query?.kind === 'select') for (const relation of query.from) resolveRelation(r, relation, read)
    conflicting.relations.push(...read.relations.map((relation) => ({ ...relation, silent: true })))
    assign(r, statement.onConflict, target, conflicting)
  }
  // Db2's FINAL TABLE reads the rows as they were written.
  return statement.returning.length === 0 ? landed.map(columnOf) : returned(r, statement, scope)
}

/** Values that a query gives, by their texts. */
function computed(r: StatementResolving, columns: readonly OutColumn[]): readonly OutColumn[] {
  return columns.filter(({ item }) => item && item.expression.queries.length > 0).map((one) => namedByText(r, one))
}

/** PL/SQL: VALUES record, without parentheses or with an element of a collection. */
export function recordColumns(r: StatementResolving, query: Query | undefined): readonly OutColumn[] | undefined {
  const only =
    query?.kind === 'values' && query.rows.length === 1 && query.rows[0]!.length === 1 ? query.rows[0]![0] : undefined
  const reference = only?.references[0]
  return reference?.parts.length === 1 ? r.variables.get(reference.parts[0]!.toLowerCase())?.row : undefined
}

/** Into a table not known, the last columns are those of PARTITION (a, b) all the same. */
function partitionedNames(
  statement: InsertStatement,
  columns: readonly OutColumn[],
  target: Table,
): readonly string[] | undefined {
  const width = statement.dynamicPartition.length
  if (width === 0 || target.columns || columns.length < width || columns.some((column) => column.open)) return undefined
  return columns.slice(0, columns.length - width).map((column) => column.name)
}

/** Dynamic partition columns come last, whether a list is written or the target is known. */
function insertNames(
  statement: InsertStatement,
  names: readonly string[] | undefined,
  target: Table,
  fixed: ReadonlySet<string>,
): readonly string[] | undefined {
  const dynamic = statement.dynamicPartition
  if (dynamic.length === 0) return names
  if (names) return [...names, ...dynamic]
  if (!target.columns) return undefined
  const last = new Set(dynamic.map((name) => name.toLowerCase()))
  return [
    ...target.columns.filter((column) => !fixed.has(column.key) && !last.has(column.key)).map((column) => column.name),
    ...dynamic,
  ]
}

/** EXCLUDED, VALUES(…) and NEW read what was to be inserted. */
function conflictScope(scope: Scope, landed: readonly Edge[], rows: InsertStatement['rows']): Scope {
  const columns = landed.map(columnOf)
  const excluded: ScopeRelation = {
    alias: 'excluded',
    path: [],
    columns,
    any: undefined,
    hidden: true,
    silent: true,
    index: undefined,
  }
  const inserted: ScopeRelation = {
    ...excluded,
    alias: rows?.alias.toLowerCase() ?? 'new',
    columns: rows?.columns ? renamed(columns, rows.columns) : columns,
    // Names of its own need no qualifier.
    silent: rows?.columns === undefined,
  }
  return { ...scope, relations: [...scope.relations, excluded, inserted] }
}

export function resolveInsertAll(
  r: StatementResolving,
  statement: InsertAllStatement,
  env: CteEnv | undefined,
): readonly OutColumn[] {
  const columns = resolveQuery(r, statement.source, env, undefined)
  const scope = newScope(undefined, env)
  scope.relations.push(relationOf(columns, ''))
  for (const branch of statement.branches) {
    if (branch.condition) resolveUses(r, [{ kind: 'FILTER', expression: branch.condition }], scope)
    const target = write(r, branch.target)
    if (!target) continue
    const fed = branch.values
      ? branch.values.map((item) => ({
          ...outColumn('', valueOf(r, item.expression, scope, 'none', undefined).sources),
          name: item.expression.name ?? '',
          item,
        }))
      : columns
    const names =
      branch.columns ??
      (branch.values && !target.columns ? branch.values.map((item) => item.expression.name ?? '?') : undefined)
    r.effect.edges.push(
      ...land(r, fed, target, { names, byName: false, fixed: NOT_FIXED, defines: false }, statement.start),
    )
  }
  return NO_COLUMNS
}
