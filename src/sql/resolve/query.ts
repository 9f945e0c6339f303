/** Queries: each kind becomes its columns. */

import { assertNever } from '../../model/errors.ts'
import { ROLE, type Item } from '../ir/expression.ts'
import type { Query, Select, SetOperation, TableQuery, Use, Values } from '../ir/query.ts'
import { extendEnv, resolveInOrder, resolveUnused } from './cte.ts'
import { noteIndirect, resolveUses } from './expression.ts'
import { type CteEnv, KIND, NO_SOURCES, type OutColumn, type Resolving, type Scope } from './model.ts'
import { describedColumns } from './described.ts'
import { valuesName } from './output-name.ts'
import { resolveRelation } from './relation.ts'
import { starColumns } from './star-columns.ts'
import { newScope, relationOf } from './scope.ts'
import { outColumn, raised, type SourceSet, union } from './sources.ts'
import { canGather, gather, unitedByName, unitedByPosition, withGathered } from './union.ts'
import { resolveItems } from './items.ts'
import { resolvePipe } from './pipe.ts'

/** CTEs that may read each other in a chain without resolving one inside the other. */
const LONG_CHAIN = 100

/** The columns that a query gives. */
export function resolveQuery(
  r: Resolving,
  query: Query,
  env: CteEnv | undefined,
  parent: Scope | undefined,
): readonly OutColumn[] {
  const inner = query.with.length > 0 ? extendEnv(query.with, env, parent) : env
  if (query.with.length > LONG_CHAIN) resolveInOrder(r, inner, env)
  const columns = resolveBody(r, query, inner, parent)
  if (inner !== env) resolveUnused(r, inner, env)
  return columns
}

function resolveBody(
  r: Resolving,
  query: Query,
  env: CteEnv | undefined,
  parent: Scope | undefined,
): readonly OutColumn[] {
  switch (query.kind) {
    case 'select':
      return resolveSelect(r, query, env, parent)
    case 'set':
      return resolveSet(r, query, env, parent)
    case 'values':
      return resolveValues(r, query, env, parent)
    case 'table':
      return resolveTableQuery(r, query, env, parent)
    case 'pipe':
      return resolvePipe(r, query, env, parent)
    case 'statement':
      return describedColumns(r, query.statement, env) ?? r.rules.statement(r, query.statement, env)
    default:
      return assertNever(query)
  }
}

function resolveSelect(
  r: Resolving,
  select: Select,
  env: CteEnv | undefined,
  parent: Scope | undefined,
): readonly OutColumn[] {
  const scope = newScope(parent, env)
  for (const relation of select.from) resolveRelation(r, relation, scope)
  addTimeWindow(r, select.uses, scope)
  const columns = resolveItems(r, select.items, scope, select.windows)
  if (select.uses.length > 0) {
    resolveUses(r, select.uses, scope)
    noteOutputs(r, select.uses, columns)
  }
  for (const window of select.windows) resolveUses(r, [{ kind: 'WINDOW', expression: window.expression }], scope)
  // BigQuery: the rows of SELECT AS VALUE STRUCT(…) are its fields.
  if (select.valueTable !== 'value' || columns.length !== 1) return columns
  return columns[0]!.fields ?? [{ ...columns[0]!, spread: true }]
}

const TIME_WINDOW = /^(window|session_window)\s*\(/i

/** Spark: GROUP BY window(ts, '1 hour') gives a struct called window, which outputs read: window.start. */
function addTimeWindow(r: Resolving, uses: readonly Use[], scope: Scope): void {
  if (r.dialect.name !== 'spark' && r.dialect.name !== 'databricks') return
  for (const { kind, expression } of uses) {
    if (kind !== 'GROUP_BY') continue
    const [, name] = TIME_WINDOW.exec(r.text.slice(expression.start, expression.start + 20)) ?? []
    if (name === undefined) continue
    const column = outColumn(name.toLowerCase(), raised(r.rules.expression(r, expression, scope), KIND.transformed))
    scope.relations.push({ ...relationOf([column], ''), hidden: true })
  }
}

/** `GROUP BY 1`, `ORDER BY 2`, `GROUP BY ALL`: the sources of the outputs that stand at these places. */
function noteOutputs(r: Resolving, uses: readonly Use[], columns: readonly OutColumn[]): void {
  for (const { kind, outputs } of uses) {
    if (outputs === undefined) continue
    const meant =
      outputs === 'all'
        ? columns.filter((column) => kind === 'SORT' || !column.item || !isAggregated(column.item))
        : placed(columns, outputs)
    for (const column of meant) noteIndirect(r, column.sources, kind)
  }
}

/** Columns by place; behind a star of unknown columns no place is known. */
function placed(columns: readonly OutColumn[], places: readonly number[]): OutColumn[] {
  const open = columns.findIndex((column) => column.open)
  return places.flatMap((place) => (open >= 0 && place > open ? [] : (columns[place - 1] ?? [])))
}

function isAggregated({ expression }: Item): boolean {
  return expression.references.some((reference) => (reference.role & ROLE.AGGREGATED) !== 0)
}

/** UNION and its kin. The left spine is walked in a loop: it may be thousands long. */
function resolveSet(
  r: Resolving,
  query: SetOperation,
  env: CteEnv | undefined,
  parent: Scope | undefined,
): readonly OutColumn[] {
  const spine: SetOperation[] = []
  let first: Query = query
  while (first.kind === 'set' && (first === query || first.with.length === 0)) {
    spine.push(first)
    first = first.left
  }
  let columns = resolveQuery(r, first, env, parent)
  const long = spine.length > LONG_CHAIN
  let gathered: SourceSet[] | undefined
  for (let i = spine.length - 1; i >= 0; i--) {
    const set = spine[i]!
    const right = resolveQuery(r, set.right, env, parent)
    if (gathered && !(set.operator !== 'except' && canGather(columns, right, set))) {
      columns = withGathered(columns, gathered)
      gathered = undefined
    }
    if (set.operator === 'except') {
      for (const column of right)
        for (const source of column.sources)
          r.gathered.indirect.set(source.column, (r.gathered.indirect.get(source.column) ?? 0) | 1)
    } else if (long && canGather(columns, right, set)) gathered = gather(gathered, columns, right)
    else
      columns = set.byName
        ? unitedByName(columns, right, set.keeps, set.only)
        : unitedByPosition(r, columns, right, set)
    if (set.uses.length > 0) resolveOuterUses(r, set.uses, columns, env, parent)
  }
  return gathered ? withGathered(columns, gathered) : columns
}

/** ORDER BY behind a set operation sees the outputs only. */
function resolveOuterUses(
  r: Resolving,
  uses: readonly Use[],
  columns: readonly OutColumn[],
  env: CteEnv | undefined,
  parent: Scope | undefined,
): void {
  const scope = newScope(parent, env)
  scope.relations.push({ ...relationOf(columns, ''), any: NO_SOURCES })
  resolveUses(r, uses, scope)
  noteOutputs(r, uses, columns)
}

function resolveValues(
  r: Resolving,
  query: Values,
  env: CteEnv | undefined,
  parent: Scope | undefined,
): readonly OutColumn[] {
  const scope = newScope(parent, env)
  const columns: OutColumn[] = []
  for (const row of query.rows) {
    for (const [index, expression] of row.entries()) {
      const plain = expression.references.length === 0 && expression.queries.length === 0
      const sources = plain ? NO_SOURCES : r.rules.expression(r, expression, scope)
      const before = columns[index]
      if (!before)
        columns[index] = {
          ...outColumn(valuesName(r.dialect, index), sources),
          item: { expression, start: expression.start, end: expression.end },
        }
      else if (sources.length > 0) columns[index] = { ...before, sources: union(before.sources, sources) }
    }
  }
  return columns
}

function resolveTableQuery(
  r: Resolving,
  query: TableQuery,
  env: CteEnv | undefined,
  parent: Scope | undefined,
): readonly OutColumn[] {
  const scope = newScope(parent, env)
  for (const relation of query.from) resolveRelation(r, relation, scope)
  resolveUses(r, query.uses, scope)
  return starColumns(r, scope)
}
