/** Statements that carry values: those that this front end answers for. Any other has no second opinion. */
import { assertNever } from '../../model/errors.ts'
import type { InsertStmt, MergeStmt, MergeWhenClause, Node, SetClause, UpdateStmt } from 'sql-parser-cst'
import type { Assignment, CreateStatement, MergeAction, Statement } from '../ir/statement.ts'
import type { Query, Relation, TableName, Use } from '../ir/query.ts'
import { creation } from '../parser/creation.ts'
import { aliasName, namePartsOf, namesOf, NotCarriedError, rangeOf, tableNameOf } from './nodes.ts'
import { readExpression, readItem, readQuery, readRelations, readWith } from './query.ts'

/** @throws NotCarriedError for what it does not answer for */
export function readStatement(node: Node): Statement {
  const base = { ...rangeOf(node), skipped: 0, notes: [], fingerprint: '' }
  switch (node.type) {
    case 'select_stmt':
    case 'compound_select_stmt':
    case 'paren_expr':
      return { kind: 'query', query: readQuery(node), ...base }
    case 'insert_stmt':
      return { kind: 'insert', ...readInsert(node), ...base }
    case 'update_stmt':
      return { kind: 'update', ...readUpdate(node), ...base }
    case 'merge_stmt':
      return { kind: 'merge', ...readMerge(node), ...base }
    case 'create_table_stmt':
    case 'create_view_stmt':
      return { ...readCreate(node), ...base }
    default:
      throw new NotCarriedError(node.type)
  }
}

type Bare<K extends Statement['kind']> = Omit<
  Extract<Statement, { readonly kind: K }>,
  'kind' | 'start' | 'end' | 'skipped' | 'notes' | 'fingerprint'
>

function readInsert(node: InsertStmt): Bare<'insert'> {
  const clause = node.clauses.find((one) => one.type === 'insert_clause')
  if (clause === undefined) throw new NotCarriedError('insert without a target')
  if (clause.table.type === 'partitioned_table') throw new NotCarriedError('partitioned_table')
  const target = clause.table.type === 'alias' ? clause.table.expr : clause.table
  const source = node.clauses.find((one) => SOURCES.has(one.type))
  const ctes = readWith(node.clauses.find((one) => one.type === 'with_clause'))
  const query = source === undefined || source.type === 'set_clause' ? undefined : readQuery(source)
  return {
    target: tableNameOf(target),
    ...(clause.table.type === 'alias' ? { alias: aliasName(clause.table.alias) } : {}),
    columns: clause.columns === undefined ? undefined : namesOf(clause.columns.expr.items),
    query: query === undefined ? undefined : { ...query, with: [...ctes, ...query.with] },
    assignments: source?.type === 'set_clause' ? readAssignments(source) : [],
    rows: rowAlias(node),
    onConflict: node.clauses.flatMap(readConflict),
    byName: false,
    partition: [],
    dynamicPartition: [],
    returning: [],
  }
}

/** MySQL: VALUES (…) AS new (a, b). */
function rowAlias(node: InsertStmt): Bare<'insert'>['rows'] {
  const clause = node.clauses.find((one) => one.type === 'row_alias_clause')
  if (clause === undefined) return undefined
  return { alias: clause.rowAlias.name, columns: clause.columnAliases && namesOf(clause.columnAliases.expr.items) }
}

const SOURCES: ReadonlySet<string> = new Set([
  'select_stmt',
  'compound_select_stmt',
  'paren_expr',
  'values_clause',
  'set_clause',
])

function readConflict(clause: Node): Assignment[] {
  if (clause.type === 'on_duplicate_key_update_clause') return clause.assignments.items.flatMap(readAssignment)
  if (clause.type !== 'upsert_clause' || clause.action.type !== 'upsert_action_update') return []
  return readAssignments(clause.action.set)
}

function readAssignments(clause: SetClause): Assignment[] {
  return clause.assignments.items.flatMap(readAssignment)
}

function readAssignment(node: SetClause['assignments']['items'][number]): Assignment[] {
  const { column } = node
  const targets =
    column.type === 'paren_expr' ? namesOf(column.expr.items).map((name) => [name]) : [namePartsOf(column) ?? []]
  const values = targets.length > 1 ? rowValues(node.expr) : []
  if (values.length === targets.length && targets.length > 1)
    return values.map((value, i) => ({ targets: [targets[i]!], expression: readExpression(value), ...rangeOf(node) }))
  return [{ targets, expression: readExpression(node.expr), ...rangeOf(node) }]
}

/** The values of `(x, y)` and ROW(x, y). */
function rowValues(node: Node): readonly Node[] {
  if (node.type === 'paren_expr') return rowValues(node.expr)
  if (node.type === 'list_expr') return node.items
  if (node.type === 'row_constructor') return rowValues(node.row)
  if (node.type === 'func_call' && namePartsOf(node.name)?.[0]?.toLowerCase() === 'row')
    return node.args?.expr.args.items ?? []
  return []
}

function readUpdate(node: UpdateStmt): Bare<'update'> {
  const relations: Relation[] = []
  const uses: Use[] = []
  const assignments: Assignment[] = []
  for (const clause of node.clauses) {
    if (clause.type === 'update_clause' || clause.type === 'from_clause') {
      const items: Node[] = clause.type === 'update_clause' ? clause.tables.items : [clause.expr]
      for (const from of items.map((item) => readRelations(item))) {
        relations.push(...from.relations)
        uses.push(...from.uses)
      }
    } else if (clause.type === 'set_clause') assignments.push(...readAssignments(clause))
    else if (clause.type === 'where_clause') uses.push({ kind: 'FILTER', expression: readExpression(clause.expr) })
  }
  const [first] = relations
  if (first?.kind !== 'table') throw new NotCarriedError('update of what is no table')
  const ctes = readWith(node.clauses.find((clause) => clause.type === 'with_clause'))
  return { target: first.name, relations, assignments, uses, returning: [], with: ctes }
}

function readMerge(node: MergeStmt): Bare<'merge'> {
  const clause = node.clauses.find((one) => one.type === 'merge_clause')
  if (clause === undefined) throw new NotCarriedError('merge without a target')
  const aliased = clause.target.type === 'alias' ? clause.target : undefined
  return {
    target: tableNameOf(aliased?.expr ?? clause.target),
    ...(aliased === undefined ? {} : { alias: aliasName(aliased.alias) }),
    source: readRelations(clause.source).relations,
    on: readExpression(clause.condition),
    actions: node.clauses.flatMap((one) => (one.type === 'merge_when_clause' ? [readAction(one)] : [])),
    returning: [],
    with: readWith(node.clauses.find((one) => one.type === 'with_clause')),
  }
}

function readAction(node: MergeWhenClause): MergeAction {
  const bySource = node.byKw?.[1].name === 'SOURCE'
  const matched = !Array.isArray(node.matchedKw)
  return {
    branch: matched ? 'matched' : bySource ? 'not-matched-by-source' : 'not-matched',
    condition: node.condition === undefined ? undefined : readExpression(node.condition.expr),
    action: readActionOf(node.action),
  }
}

function readActionOf(action: MergeWhenClause['action']): MergeAction['action'] {
  switch (action.type) {
    case 'merge_action_update':
      return { kind: 'update', assignments: readAssignments(action.set) }
    case 'merge_action_delete':
      return { kind: 'delete' }
    case 'merge_action_do_nothing':
      return { kind: 'nothing' }
    case 'merge_action_insert': {
      const values = action.clauses.find((clause) => clause.type === 'values_clause')
      const [row] = values?.values.items ?? []
      if (row === undefined) return { kind: 'insert-all', except: [] }
      const list = row.type === 'row_constructor' ? row.row.expr : row.expr
      const columns = action.columns === undefined ? undefined : namesOf(action.columns.expr.items)
      return { kind: 'insert', columns, values: list.items.map(readItem) }
    }
    default:
      return assertNever(action)
  }
}

type CreateNode = Extract<Node, { type: 'create_table_stmt' | 'create_view_stmt' }>

/** Only what has a query: plain DDL carries no values. */
function readCreate(node: CreateNode): Omit<CreateStatement, 'start' | 'end' | 'skipped' | 'notes' | 'fingerprint'> {
  const clauses: readonly Node[] = node.clauses
  const as = clauses.find((clause) => clause.type === 'as_clause')
  if (as === undefined) throw new NotCarriedError('create without a query')
  const kinds = node.type === 'create_view_stmt' ? node.kinds : node.kind === undefined ? [] : [node.kind]
  const words = kinds.flatMap(({ kindKw }) => [kindKw].flat()).map((word: { readonly name: string }) => word.name)
  const materialized = words.includes('MATERIALIZED')
  const query: Query = readQuery(as.expr)
  const target: TableName = tableNameOf(node.name)
  const kind = node.type === 'create_table_stmt' ? 'ctas' : materialized ? 'materializedView' : 'view'
  return creation(kind, target, {
    temporary: words.some((word) => word === 'TEMP' || word === 'TEMPORARY'),
    columns: readColumns(node.columns?.expr.items),
    query,
    ifNotExists: node.ifNotExistsKw !== undefined,
  })
}

function readColumns(items: readonly Node[] | undefined): CreateStatement['columns'] {
  return items?.flatMap((item) => (item.type === 'column_definition' ? [{ name: item.name.name }] : []))
}
