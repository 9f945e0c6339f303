/** Statements that carry values: those that this front end answers for. Any other has no second opinion. */
import { show } from 'sql-parser-cst'
import { assertNever } from '../../model/errors.ts'
import type {
  AlterTableStmt,
  ColumnDefinition,
  CreateTableStmt,
  DeleteStmt,
  InsertStmt,
  MergeStmt,
  MergeWhenClause,
  Node,
  SetClause,
  UpdateStmt,
} from 'sql-parser-cst'
import type { Assignment, CreateStatement, MergeAction, NamedStatement, Statement } from '../ir/statement.ts'
import type { Item } from '../ir/expression.ts'
import type { Query, Relation, TableName, TableRelation, Use } from '../ir/query.ts'
import { creation } from '../parser/creation.ts'
import { aliasName, namePartsOf, namesOf, NotCarriedError, rangeOf, tableNameOf } from './nodes.ts'
import { readExpression, readItem, readQuery, readRelations, readStatementsBy, readWith } from './query.ts'

readStatementsBy(readStatement)

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
    case 'delete_stmt':
      return { kind: 'delete', ...readDelete(node), ...base }
    case 'drop_table_stmt':
      return { kind: 'drop', ...named('table', node.tables.items), ...base }
    case 'drop_view_stmt':
      return { kind: 'drop', ...named('view', node.views.items), ...base }
    case 'truncate_stmt':
      return { kind: 'truncate', ...named('table', node.tables.items), ...base }
    case 'rename_table_stmt':
      return {
        kind: 'rename',
        pairs: node.actions.items.map((one) => [tableNameOf(one.from), tableNameOf(one.to)]),
        ...base,
      }
    case 'alter_table_stmt':
      return { kind: 'alter', ...readAlter(node), ...base }
    case 'explain_stmt':
      return { kind: 'explain', statement: readStatement(node.statement), ...base }
    case 'create_table_stmt':
    case 'create_view_stmt':
      return { ...readCreate(node), ...base }
    default:
      if (WITHOUT_LINEAGE.has(node.type)) return { kind: 'command', word: node.type, expressions: [], ...base }
      throw new NotCarriedError(node.type)
  }
}

const WITHOUT_LINEAGE: ReadonlySet<string> = new Set(
  'create_index_stmt,drop_index_stmt,create_sequence_stmt,drop_sequence_stmt,analyze_stmt,reindex_stmt,vacuum_stmt,commit_transaction_stmt,rollback_transaction_stmt,start_transaction_stmt,savepoint_stmt,release_savepoint_stmt,grant_privilege_stmt,grant_role_stmt,revoke_privilege_stmt,revoke_role_stmt,comment_stmt,create_extension_stmt,drop_extension_stmt,create_role_stmt,drop_role_stmt,create_policy_stmt,drop_policy_stmt'.split(
    ',',
  ),
)

type Named = Pick<NamedStatement, 'object' | 'names' | 'added' | 'dropped' | 'renamed'>

function named(object: string, items: readonly Node[]): Named {
  const names = items.map((item) => tableNameOf(tableIn(item)))
  return { object, names, added: [], dropped: [], renamed: [] }
}

/** The table's own name, without ONLY, * and PARTITION. */
function tableIn(node: Node): Node {
  switch (node.type) {
    case 'table_with_inheritance':
    case 'table_without_inheritance':
    case 'partitioned_table':
      return tableIn(node.table)
    default:
      return node
  }
}

/** Columns that are added, dropped and renamed. */
function readAlter(node: AlterTableStmt): Named {
  const actions: readonly Node[] = node.actions.items
  const [first] = actions
  if (first?.type === 'alter_action_rename') throw new NotCarriedError('rename of a table')
  return {
    object: 'table',
    names: [tableNameOf(tableIn(node.table))],
    added: actions.flatMap((one) => (one.type === 'alter_action_add_column' ? [readColumn(one.column)] : [])),
    dropped: actions.flatMap((one) => (one.type === 'alter_action_drop_column' ? [one.column.name] : [])),
    renamed: actions.flatMap((one) =>
      one.type === 'alter_action_rename_column' ? [[one.oldName.name, one.newName.name] as const] : [],
    ),
  }
}

/** RETURNING and its items. */
function readReturning(clauses: readonly Node[]): Item[] {
  const clause = clauses.find((one) => one.type === 'returning_clause')
  return clause?.type === 'returning_clause' ? clause.columns.items.map(readItem) : []
}

function readDelete(node: DeleteStmt): Bare<'delete'> {
  const relations: Relation[] = []
  const uses: Use[] = []
  let written: readonly TableRelation[] = []
  // PostgreSQL: DELETE FROM t USING t reads the table once more.
  let byAliasOnly = false
  for (const clause of node.clauses) {
    if (clause.type === 'delete_clause') {
      const listed = clause.tables.items.flatMap((item) => readRelations(item).relations)
      written = listed.flatMap((one) => (one.kind === 'table' ? [one] : []))
      if (written.length !== listed.length) throw new NotCarriedError('delete from what is no table')
    } else if (clause.type === 'from_clause') {
      const from = readRelations(clause.expr)
      relations.push(...from.relations)
      uses.push(...from.uses)
      byAliasOnly = clause.fromKw.name === 'USING'
    } else if (clause.type === 'where_clause') uses.push({ kind: 'FILTER', expression: readExpression(clause.expr) })
    else if (clause.type === 'order_by_clause')
      uses.push({ kind: 'SORT', expression: readExpression(...clause.specifications.items) })
  }
  const ctes = readWith(node.clauses.find((clause) => clause.type === 'with_clause'))
  // MySQL: DELETE a, b FROM a JOIN b, where the list names what FROM reads.
  const own = written.filter((one) => !relations.some((other) => isNamed(other, one.name, byAliasOnly)))
  const targets = written.map(({ name }) => name)
  return { targets, relations: [...own, ...relations], uses, returning: readReturning(node.clauses), with: ctes }
}

function isNamed(relation: Relation, { parts }: TableName, byAliasOnly: boolean): boolean {
  if (relation.kind !== 'table') return false
  const name = relation.alias ?? (byAliasOnly ? undefined : relation.name.parts.at(-1))
  return name?.toLowerCase() === parts.at(-1)?.toLowerCase()
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
    returning: readReturning(node.clauses),
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
  return { target: first.name, relations, assignments, uses, returning: readReturning(node.clauses), with: ctes }
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

function readCreate(node: CreateNode): Omit<CreateStatement, 'start' | 'end' | 'skipped' | 'notes' | 'fingerprint'> {
  const clauses: readonly Node[] = node.clauses
  const as = clauses.find((clause) => clause.type === 'as_clause')
  if (as === undefined) return node.type === 'create_table_stmt' ? readDefinition(node) : refuse('view without a query')
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

function refuse(what: string): never {
  throw new NotCarriedError(what)
}

type Definition = ReturnType<typeof readCreate>

/** A table without a query: its columns, and the tables whose columns it takes. */
function readDefinition(node: CreateTableStmt): Definition {
  const temporary = [node.kind?.kindKw].flat().some((word) => word?.name.startsWith('TEMP'))
  const clauses: readonly Node[] = node.clauses
  const items: readonly Node[] = node.columns?.expr.items ?? []
  const like: TableName[] = node.partitionOf === undefined ? [] : [tableNameOf(node.partitionOf.table)]
  let clones = false
  for (const clause of [...items, ...clauses]) {
    if (clause.type === 'create_table_like_clause') like.push(tableNameOf(clause.name))
    else if (clause.type === 'create_table_copy_clause') like.push(tableNameOf(clause.name))
    else if (clause.type === 'create_table_clone_clause') like.push(tableNameOf(timeless(clause.table)))
    else if (clause.type === 'create_table_inherits_clause') like.push(...clause.tables.expr.items.map(tableNameOf))
    else if (clause.type === 'create_table_using_clause' || clause.type === 'create_table_server_clause')
      throw new NotCarriedError(clause.type)
    clones ||= clause.type === 'create_table_copy_clause' || clause.type === 'create_table_clone_clause'
  }
  if (node.kind?.kindKw !== undefined && [node.kind.kindKw].flat().some(({ name }) => name === 'EXTERNAL'))
    throw new NotCarriedError('external table')
  const columns = items.flatMap((item) => (item.type === 'column_definition' ? [readColumn(item)] : []))
  return creation('table', tableNameOf(node.name), {
    temporary,
    columns: node.columns === undefined ? undefined : columns,
    like,
    clones,
    ifNotExists: node.ifNotExistsKw !== undefined,
  })
}

function timeless(node: Node): Node {
  return node.type === 'for_system_time_as_of_expr' ? node.left : node
}

function readColumn(node: ColumnDefinition): ColumnOf {
  const constraints: readonly Node[] = node.constraints
  const said = constraints.map((one) => (one.type === 'constraint' ? one.constraint : one))
  const generated = said.find((one) => one.type === 'constraint_generated')
  const expression =
    generated?.type === 'constraint_generated' && generated.expr.type === 'paren_expr' ? generated.expr.expr : undefined
  const hidden = said.some((one) => one.type === 'constraint_visible' && one.visibleKw.name === 'INVISIBLE')
  return {
    name: node.name.name,
    ...(node.dataType && { type: show(node.dataType).trim() }),
    ...(expression && { generated: readExpression(expression) }),
    ...(hidden && { hidden: true }),
  }
}

type ColumnOf = NonNullable<CreateStatement['columns']>[number]

function readColumns(items: readonly Node[] | undefined): CreateStatement['columns'] {
  return items?.flatMap((item) => (item.type === 'column_definition' ? [{ name: item.name.name }] : []))
}
