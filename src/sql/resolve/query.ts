/** Queries: each kind becomes its columns. */

import { assertNever } from '../../model/errors.ts'
import { ROLE, type Item } from '../ir/expression.ts'
import type { NamedWindow, Pipe, PipeStep, Query, Select, SetOperation, TableQuery, Use, Values } from '../ir/query.ts'
import { extendEnv, resolveInOrder, resolveUnused } from './cte.ts'
import { noteIndirect, resolveUses, type Value, valueOf } from './expression.ts'
import {
  KIND,
  NO_SOURCES,
  type CteEnv,
  type OutColumn,
  type Resolving,
  type Scope,
  type ScopeRelation,
} from './model.ts'
import { clickhouseName } from './clickhouse-name.ts'
import { describedColumns } from './described.ts'
import { generatedNames, generatedPart } from './generated-names.ts'
import { outputName, valuesName } from './output-name.ts'
import { applyPivot } from './pivot.ts'
import { renamed, resolveRelation } from './relation.ts'
import { starColumns } from './star-columns.ts'
import { newScope } from './scope.ts'
import { allSources, openColumn, outColumn, raised, SourceSet, union } from './sources.ts'
import { expandStar } from './star.ts'
import { structFields, structRows } from './struct-fields.ts'

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
  return (select.valueTable === 'value' && columns.length === 1 && columns[0]!.fields) || columns
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

/** Outputs of a SELECT list. */
function resolveItems(
  r: Resolving,
  items: readonly Item[],
  scope: Scope,
  windows: readonly NamedWindow[],
): OutColumn[] {
  const columns: OutColumn[] = []
  const aliases = new Map<string, OutColumn>()
  scope.aliases = aliases
  // LOCAL.x means the output x, also where that is a column under its own name.
  const namesOutputs = r.dialect.name === 'exasol'
  if (r.dialect.name === 'clickhouse') scope.laterAlias = laterAliases(r, items, scope, windows)
  let unnamed = 0
  for (const item of items) {
    if (item.star) {
      const [use] = item.expression.stars
      const kind = use && (use.role & ROLE.AGGREGATED) !== 0 ? KIND.aggregated : KIND.transformed
      const starred = expandStar(r, item.star, scope)
      for (const column of item.aliases ? renamed(starred, item.aliases) : starred)
        columns.push(use ? { ...column, sources: raised(column.sources, kind), item } : { ...column, item })
      continue
    }
    const rows = structRows(r, item.expression, scope)
    const value = rows
      ? { sources: allSources(rows, KIND.transformed), doubt: undefined, column: undefined, fields: undefined }
      : valueOf(r, item.expression, scope, r.lateral, windows)
    const fields = rows ?? value.fields ?? structFields(r, item.expression, scope)
    for (const { name, references } of item.expression.inline ?? []) {
      const part = { ...item.expression, references, queries: [], stars: [], windows: [], form: 'other' as const }
      aliases.set(name.toLowerCase(), outColumn(name, valueOf(r, part, scope, r.lateral, windows).sources))
    }
    const names = item.aliases ?? generatedNames(r, item)
    if (names) {
      for (const [index, name] of names.entries()) {
        const part = generatedPart(r, item, index)
        const sources = part ? valueOf(r, part, scope, r.lateral, windows).sources : value.sources
        const column = { ...outColumn(name, sources, value.doubt), item }
        columns.push(column)
        if (item.aliases && !aliases.has(column.key)) aliases.set(column.key, column)
      }
      continue
    }
    const name = item.alias ?? nameOf(r, item, value, scope, columns.length, unnamed)
    if (item.alias === undefined && item.expression.form !== 'column') unnamed++
    const column: OutColumn = {
      name,
      key: name.toLowerCase(),
      sources: value.sources,
      open: undefined,
      fields,
      item,
      doubt: value.doubt,
    }
    columns.push(column)
    if ((item.alias !== undefined || namesOutputs) && !aliases.has(column.key)) aliases.set(column.key, column)
  }
  return columns
}

/** ClickHouse: an output may use an alias that the list gives only later. Each is resolved when it is first asked for. */
function laterAliases(
  r: Resolving,
  items: readonly Item[],
  scope: Scope,
  windows: readonly NamedWindow[],
): Scope['laterAlias'] {
  const waiting = new Map<string, Item>()
  for (const item of items) if (item.alias !== undefined) waiting.set(item.alias.toLowerCase(), item)
  if (waiting.size === 0) return undefined
  return (key) => {
    const item = waiting.get(key)
    if (!item) return undefined
    // Not twice, and not by itself: `x + 1 AS x` means the column.
    waiting.delete(key)
    return outColumn(item.alias!, valueOf(r, item.expression, scope, r.lateral, windows).sources)
  }
}

/** The name of an output without an alias. */
function nameOf(r: Resolving, item: Item, value: Value, scope: Scope, position: number, unnamed: number): string {
  const [reference] = item.expression.references
  if (item.expression.form === 'column' && reference) {
    if (r.dialect.name === 'clickhouse' && reference.parts.length > 1) return clickhouseName(reference.parts, scope)
    // DuckDB: #2 has the name of the column that it means.
    if (reference.parts[0]!.startsWith('#') && value.column) return value.column.name
  }
  return outputName(r, item, position, unnamed)
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

/** Plain columns of equal number: their sources can be put into sets that grow, instead of a new set each time. */
function canGather(left: readonly OutColumn[], right: readonly OutColumn[], set: SetOperation): boolean {
  return (
    !set.byName &&
    set.uses.length === 0 &&
    left.length === right.length &&
    ![...left, ...right].some(({ open }) => open)
  )
}

function gather(sets: SourceSet[] | undefined, left: readonly OutColumn[], right: readonly OutColumn[]): SourceSet[] {
  const grown = sets ?? left.map((column) => startSet(column))
  for (const [index, column] of right.entries()) grown[index]!.addAll(column.sources, KIND.identity)
  return grown
}

function withGathered(columns: readonly OutColumn[], sets: readonly SourceSet[]): readonly OutColumn[] {
  return columns.map((column, index) => ({ ...column, sources: sets[index]!.sources(), fields: undefined }))
}

function startSet(column: OutColumn): SourceSet {
  const set = new SourceSet()
  set.addAll(column.sources, KIND.identity)
  return set
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
  scope.relations.push({ alias: '', path: [], columns, any: NO_SOURCES, hidden: false, index: undefined })
  resolveUses(r, uses, scope)
  noteOutputs(r, uses, columns)
}

/** The columns of that name as one; none where no side has it. */
function namedIn(columns: readonly OutColumn[], name: string): OutColumn[] {
  const [first, ...others] = columns.filter(({ key }) => key === name.toLowerCase())
  if (!first) return []
  return [{ ...first, sources: others.reduce((sources, one) => union(sources, one.sources), first.sources) }]
}

/** Columns of one name become one; `keeps` says what becomes of those that only one side has. */
function unitedByName(
  left: readonly OutColumn[],
  right: readonly OutColumn[],
  keeps: SetOperation['keeps'],
  only?: SetOperation['only'],
): readonly OutColumn[] {
  const isOpen = [...left, ...right].some((column) => column.open)
  if (only && !isOpen) return only.flatMap((name) => namedIn([...left, ...right], name))
  const both = keeps === 'both' && !isOpen
  const result = both ? left.filter(({ key }) => right.some((one) => one.key === key)) : [...left]
  for (const column of right) {
    const at = column.open ? -1 : result.findIndex((one) => one.key === column.key && !one.open)
    if (at < 0) {
      if (isOpen || !(both || keeps === 'left')) result.push(column)
    } else {
      const one = result[at]!
      const fields = one.fields && unitedFields(one.fields, column)
      result[at] = { ...one, sources: union(one.sources, column.sources), fields }
    }
  }
  return result
}

function unitedByPosition(
  r: Resolving,
  left: readonly OutColumn[],
  right: readonly OutColumn[],
  set: SetOperation,
): readonly OutColumn[] {
  const result: OutColumn[] = []
  let l = 0
  let q = 0
  while (l < left.length) {
    const a = left[l]!
    const b = right[q]
    if (!b) {
      result.push(a)
      l++
    } else if (a.open && b.open) {
      result.push({ ...a, open: [...a.open, ...b.open] })
      l++
      q++
    } else if (!a.open && !b.open) {
      result.push(
        a.sources === b.sources
          ? a
          : {
              ...a,
              sources: union(a.sources, b.sources),
              fields: a.fields && unitedFields(a.fields, b),
              doubt: a.doubt ?? b.doubt,
            },
      )
      l++
      q++
    } else return [...result, ...unevenlyUnited(r, left.slice(l), right.slice(q))]
  }
  if (q < right.length && left.length > 0)
    r.gathered.doubts.push({ code: 'SET_OPERATION_WIDTH', text: String(right.length), start: set.right.start })
  return result
}

/** Fields of structs meet by position; where one side's are not known, none are. A constant adds nothing. */
function unitedFields(left: readonly OutColumn[], right: OutColumn): readonly OutColumn[] | undefined {
  if (right.sources.length === 0) return left
  const { fields } = right
  if (fields?.length !== left.length || [...left, ...fields].some((field) => field.open)) return undefined
  return left.map((field, index) => ({
    ...field,
    sources: union(field.sources, fields[index]!.sources),
    fields: undefined,
  }))
}

/** From here on one side is a star over unknown columns: names are all that is left to go by. */
function unevenlyUnited(r: Resolving, left: readonly OutColumn[], right: readonly OutColumn[]): readonly OutColumn[] {
  const open = [...left, ...right].flatMap((column) => column.open ?? [])
  const named = left.some((column) => column.open)
    ? right.filter((column) => !column.open)
    : left.filter((column) => !column.open)
  const leftOpen = left.find((column) => column.open)
  const columns = named.map((column) => {
    let sources = column.sources
    for (const one of open)
      if (!one.except?.has(column.key))
        sources = union(sources, [{ column: r.tables.columnOf(one.table, column.name), kind: one.kind }])
    return { ...column, sources, doubt: 'ASSUMED_COLUMN' as const }
  })
  if (!leftOpen) return columns
  const except = new Set(named.map((column) => column.key))
  return [
    ...columns,
    openColumn((leftOpen.open ?? []).map((one) => ({ ...one, except: new Set([...(one.except ?? []), ...except]) }))),
  ]
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

/** Each step of a pipe reads the columns of the one before. */
function resolvePipe(
  r: Resolving,
  pipe: Pipe,
  env: CteEnv | undefined,
  parent: Scope | undefined,
): readonly OutColumn[] {
  let scope = newScope(parent, env)
  if (pipe.source.kind === 'table' && pipe.source.with.length === 0) {
    for (const relation of pipe.source.from) resolveRelation(r, relation, scope)
    resolveUses(r, pipe.source.uses, scope)
  } else scope.relations.push(relationOf(resolveQuery(r, pipe.source, env, parent), ''))
  for (const step of pipe.steps) scope = resolveStep(r, step, scope, env, parent)
  return starColumns(r, scope)
}

function relationOf(columns: readonly OutColumn[], alias: string): ScopeRelation {
  return { alias: alias.toLowerCase(), path: [], columns, any: undefined, hidden: false, index: undefined }
}

function resolveStep(
  r: Resolving,
  step: PipeStep,
  scope: Scope,
  env: CteEnv | undefined,
  parent: Scope | undefined,
): Scope {
  const next = newScope(parent, env)
  switch (step.kind) {
    case 'select':
      next.relations.push(relationOf(resolveItems(r, step.items, scope, step.windows), ''))
      return next
    case 'extend': {
      const added = resolveItems(r, step.items, scope, step.windows)
      // The tables before keep their names; what is added belongs to none.
      next.relations.push(...scope.relations, relationOf(added, ''))
      next.merged = scope.merged
      return next
    }
    case 'set': {
      const values = new Map(
        step.items.map((item) => [
          item.alias!.toLowerCase(),
          { ...outColumn(item.alias!, valueOf(r, item.expression, scope, 'none', undefined).sources), item },
        ]),
      )
      next.relations.push(relationOf(replacedColumns(starColumns(r, scope), values), ''))
      return next
    }
    case 'aggregate': {
      const groups = resolveItems(r, step.groups, scope, [])
      for (const group of groups) noteIndirect(r, group.sources, step.sorts ? 'SORT' : 'GROUP_BY')
      if (step.sorts) for (const group of groups) noteIndirect(r, group.sources, 'GROUP_BY')
      const values = resolveItems(r, step.items, scope, [])
      next.relations.push(relationOf([...groups, ...values], ''))
      return next
    }
    case 'drop': {
      const names = new Set(step.names.map((name) => name.toLowerCase()))
      next.relations.push(
        relationOf(
          starColumns(r, scope)
            .filter((column) => !names.has(column.key))
            .map((column) => (column.open ? without(column, names) : column)),
          '',
        ),
      )
      return next
    }
    case 'rename': {
      const names = new Map(step.names.map(([from, to]) => [from.toLowerCase(), to]))
      const columns = starColumns(r, scope)
      const renamedColumns = columns.map((column) => {
        const name = names.get(column.key)
        return name === undefined || column.open ? column : { ...column, name, key: name.toLowerCase() }
      })
      next.relations.push(relationOf(renamedColumns, ''))
      return next
    }
    case 'as':
      next.relations.push(relationOf(starColumns(r, scope), step.alias))
      return next
    case 'where':
      resolveUses(r, step.uses, scope)
      return scope
    case 'join':
      for (const relation of step.relations) resolveRelation(r, relation, scope)
      resolveUses(r, step.uses, scope)
      return scope
    case 'set-operation': {
      let columns = starColumns(r, scope)
      for (const query of step.queries) {
        const right = resolveQuery(r, query, env, parent)
        if (step.operator === 'except') continue
        columns = step.byName
          ? unitedByName(columns, right, step.keeps)
          : unitedByPosition(r, columns, right, {
              kind: 'set',
              operator: step.operator,
              byName: false,
              left: query,
              right: query,
              with: [],
              uses: [],
              start: query.start,
              end: query.end,
            })
      }
      next.relations.push(relationOf(columns, ''))
      return next
    }
    case 'pivot': {
      const pivoted = applyPivot(r, step.pivot, relationOf(starColumns(r, scope), ''), scope)
      next.relations.push({ ...relationOf(pivoted.columns, step.pivot.alias ?? ''), any: pivoted.any })
      return next
    }
    case 'call': {
      const any = allSources(starColumns(r, scope), KIND.transformed)
      resolveRelation(r, step.call, next)
      next.relations = next.relations.map((relation) => ({
        ...relation,
        columns: [...starColumns(r, scope), ...relation.columns],
        any: union(relation.any ?? NO_SOURCES, any),
      }))
      return next
    }
    default:
      return assertNever(step)
  }
}

function without(column: OutColumn, names: ReadonlySet<string>): OutColumn {
  return openColumn(column.open!.map((one) => ({ ...one, except: new Set([...(one.except ?? []), ...names]) })))
}

function replacedColumns(columns: readonly OutColumn[], values: Map<string, OutColumn>): OutColumn[] {
  const left = new Map(values)
  const result = columns.map((column) => {
    if (column.open) return without(column, new Set(values.keys()))
    const value = left.get(column.key)
    if (!value) return column
    left.delete(column.key)
    return { ...value, name: column.name }
  })
  return [...result, ...left.values()]
}
