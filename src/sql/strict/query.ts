/**
 * Queries of sql-parser-cst's tree as queries of the IR: SELECT with its clauses, set operations, VALUES and CTEs. Every
 * kind of node is carried over or refused by name (`NotCarriedError`).
 */
import type {
  CommonTableExpr,
  CompoundSelectStmt,
  Node,
  OrderByClause,
  SelectClause,
  SelectStmt,
  SubSelect,
  ValuesClause,
  WindowDefinition,
} from 'sql-parser-cst'
import type { Expression, Item, Star } from '../ir/expression.ts'
import type { Statement } from '../ir/statement.ts'
import type { Cte, NamedWindow, Query, Relation, Select, SetOperation, TableName, Use } from '../ir/query.ts'
import { aliasName, namePartsOf, namesOf, NotCarriedError, rangeOf, tableNameOf } from './nodes.ts'
import { gather, gatherWindow, type Gathered } from './references.ts'
import { readFrom, type From } from './relation.ts'
import { elementsOf, structFieldsOf } from './struct-fields.ts'

export function readQuery(node: Node): Query {
  switch (node.type) {
    case 'paren_expr':
      return readQuery(node.expr)
    case 'compound_select_stmt':
      return readSetOperation(node)
    case 'select_stmt':
      return readSelectStatement(node)
    case 'values_clause':
      return readValues(node)
    case 'table_clause':
      return { kind: 'table', from: [...readRelations(node.table).relations], uses: [], with: [], ...rangeOf(node) }
    default:
      throw new NotCarriedError(node.type)
  }
}

/** The CTEs of a WITH clause. */
export function readWith(clause: Node | undefined): Cte[] {
  if (clause?.type !== 'with_clause') return []
  const recursive = clause.recursiveKw !== undefined
  return clause.tables.items.map((table) => readCte(table, recursive))
}

function readCte(node: CommonTableExpr, recursive: boolean): Cte {
  const inner = node.expr.expr
  const searched = namesOf(node.search?.columns.items ?? [])
  const compared = namesOf(node.cycle?.columns.items ?? [])
  const added = [
    { name: node.search?.resultColumn.name, of: searched },
    { name: node.cycle?.resultColumn.name, of: compared },
    { name: node.cycle?.pathColumn?.name, of: compared },
  ]
  return {
    name: node.table.name,
    columns: node.columns === undefined ? undefined : namesOf(node.columns.expr.items),
    query: CHANGES.has(inner.type) ? changedRows(inner) : readQuery(inner),
    recursive,
    start: rangeOf(node).start,
    extraColumns: added.flatMap(({ name, of }) => (name === undefined ? [] : { name, of })),
  }
}

const CHANGES: ReadonlySet<string> = new Set(['insert_stmt', 'update_stmt', 'delete_stmt', 'merge_stmt'])

/** The reader of statements, which in turn reads queries: told once, so that the files do not need each other. */
let statementOf: ((node: Node) => Statement) | undefined

export function readStatementsBy(read: (node: Node) => Statement): void {
  statementOf = read
}

/** Rows that a change within a CTE gives back. */
function changedRows(node: Node): Query {
  if (statementOf === undefined) throw new NotCarriedError(`${node.type} in a CTE`)
  return { kind: 'statement', statement: statementOf(node), with: [], ...rangeOf(node) }
}

function readSetOperation(node: CompoundSelectStmt): SetOperation {
  const operator = Array.isArray(node.operator) ? node.operator[0] : node.operator
  // WITH stands inside the left branch in the tree and holds for the whole.
  const left = readQuery(node.left)
  return {
    kind: 'set',
    with: left.kind === 'select' && !isParenthesised(node.left) ? left.with : [],
    ...rangeOf(node),
    operator: operator.name === 'UNION' ? 'union' : operator.name === 'EXCEPT' ? 'except' : 'intersect',
    byName: false,
    left,
    ...sortedTogether(readQuery(node.right), isParenthesised(node.right)),
  }
}

/** ORDER BY stands inside the right branch in the tree and sorts the whole. */
function sortedTogether(right: Query, isApart: boolean): Pick<SetOperation, 'right' | 'uses'> {
  if (right.kind !== 'select' || isApart) return { right, uses: [] }
  const uses = right.uses.filter(({ kind }) => kind === 'SORT')
  return { right: { ...right, uses: right.uses.filter(({ kind }) => kind !== 'SORT') }, uses }
}

function isParenthesised(node: SubSelect): boolean {
  return node.type === 'paren_expr'
}

/** What the clauses of a SELECT add up to. */
interface Draft {
  with: Cte[]
  items: Item[]
  from: Relation[]
  uses: Use[]
  windows: NamedWindow[]
  into: TableName | undefined
  valueTable: 'struct' | 'value' | undefined
  variables: readonly string[]
  /** VALUES, TABLE or a query in parentheses instead of SELECT. */
  instead: Query | undefined
}

function readSelectStatement(node: SelectStmt): Query {
  const draft: Draft = {
    with: [],
    items: [],
    from: [],
    uses: [],
    windows: [],
    into: undefined,
    valueTable: undefined,
    variables: [],
    instead: undefined,
  }
  for (const clause of node.clauses) readClause(clause, draft)
  // The grammar takes `ARRAY(SELECT …) FROM t` for `(SELECT …) FROM t`.
  if (draft.instead !== undefined && draft.from.length > 0) throw new NotCarriedError('FROM behind a query')
  if (draft.instead !== undefined) return { ...draft.instead, with: [...draft.with, ...draft.instead.with] }
  const select: Select = {
    kind: 'select',
    ...rangeOf(node),
    with: draft.with,
    items: draft.items,
    from: draft.from,
    uses: draft.uses,
    windows: draft.windows,
    variables: draft.variables,
    intoTemporary: false,
    ...(draft.into === undefined ? {} : { into: draft.into }),
    ...(draft.valueTable === undefined ? {} : { valueTable: draft.valueTable }),
  }
  return select
}

function readClause(clause: Node, draft: Draft): void {
  switch (clause.type) {
    case 'with_clause':
      draft.with = readWith(clause)
      return
    case 'select_clause':
      readSelectClause(clause, draft)
      return
    case 'from_clause': {
      const from = readRelations(clause.expr)
      draft.from.push(...from.relations)
      draft.uses.push(...from.uses)
      return
    }
    case 'where_clause':
    case 'having_clause':
    case 'qualify_clause':
      draft.uses.push({ kind: 'FILTER', expression: readExpression(clause.expr) })
      return
    case 'group_by_clause':
      draft.uses.push({
        kind: 'GROUP_BY',
        expression: readExpression(...groupingNodes(clause.columns.items)),
        ...placesOf(clause.columns.items),
      })
      return
    case 'order_by_clause':
      draft.uses.push(sortedBy(clause))
      return
    case 'window_clause':
      draft.windows = clause.namedWindows.items.map(({ name, window }) => ({
        name: name.name.toLowerCase(),
        expression: readWindow(window.expr),
      }))
      return
    case 'into_table_clause':
      draft.into = tableNameOf(clause.name)
      return
    case 'paren_expr':
    case 'values_clause':
    case 'table_clause':
      draft.instead = readQuery(clause)
      return
    case 'limit_clause':
    case 'offset_clause':
    case 'fetch_clause':
    case 'for_clause':
    case 'lock_in_share_mode_clause':
      return
    case 'into_variables_clause':
      draft.variables = clause.variables.items.map((item) => (item.type === 'variable' ? item.text : item.name))
      return
    default:
      throw new NotCarriedError(clause.type)
  }
}

/** GROUP BY ALL comes as an element that is no node. */
function groupingNodes(items: readonly unknown[]): Node[] {
  return items.flat().filter((item): item is Node => typeof item === 'object' && item !== null && 'type' in item)
}

/** ORDER BY 1, 2 and a. */
function sortedBy({ specifications }: OrderByClause): Use {
  const items: readonly Node[] = specifications.items
  const nodes = items.map((item) => (item.type === 'sort_specification' ? item.expr : item))
  return { kind: 'SORT', expression: readExpression(...items), ...placesOf(nodes) }
}

/** Outputs that are named by their place, or all of them. */
function placesOf(items: readonly unknown[]): Pick<Use, 'outputs'> {
  const nodes = groupingNodes(items)
  if (nodes.some((node) => node.type === 'group_by_all')) return { outputs: 'all' }
  const places = nodes.flatMap((node) => (node.type === 'number_literal' ? [Number(node.text)] : []))
  return places.length > 0 ? { outputs: places } : {}
}

function readSelectClause(clause: SelectClause, draft: Draft): void {
  for (const modifier of clause.modifiers) {
    if (modifier.type === 'select_as_struct') draft.valueTable = 'struct'
    if (modifier.type === 'select_as_value') draft.valueTable = 'value'
    if (modifier.type === 'select_distinct_on') {
      const columns: readonly Node[] = modifier.columns.expr.items
      draft.uses.push({ kind: 'GROUP_BY', expression: readExpression(...columns), ...placesOf(columns) })
    }
  }
  draft.items = (clause.columns?.items ?? []).flatMap((item) => (item.type === 'empty' ? [] : [readItem(item)]))
}

/** One output. */
export function readItem(node: Node): Item {
  const range = rangeOf(node)
  const star = readStar(node)
  if (star !== undefined) return { expression: readExpression(), star, ...range }
  if (node.type !== 'alias') return { expression: readExpression(node), ...range }
  return { expression: readExpression(node.expr), alias: aliasName(node.alias), ...range }
}

function readStar(node: Node): Star | undefined {
  const plain: Star = { except: [], replace: [], rename: undefined }
  switch (node.type) {
    case 'all_columns':
      return plain
    case 'member_expr': {
      if (node.property.type !== 'all_columns') return undefined
      const qualifier = namePartsOf(node.object)
      return qualifier === undefined ? { ...plain, of: readExpression(node.object) } : { ...plain, qualifier }
    }
    case 'except_columns':
      return {
        ...(readStar(node.expr) ?? plain),
        except: namesOf(node.columns.expr.items).map((name) => name.toLowerCase()),
      }
    case 'replace_columns':
      return { ...(readStar(node.expr) ?? plain), replace: node.columns.expr.items.map(readItem) }
    default:
      return undefined
  }
}

function readValues(clause: ValuesClause): Query {
  const rows = clause.values.items.map((row) => {
    const list = row.type === 'row_constructor' ? row.row.expr : row.expr
    return list.items.map((value) => readExpression(value))
  })
  return { kind: 'values', with: [], ...rangeOf(clause), rows, uses: [] }
}

/* What stands inside of a query and holds queries itself. */

/** The relations of a FROM expression, each with how it was joined, and the conditions of the joins. */
export function readRelations(node: Node): From {
  return readFrom(node, { query: readQuery, expression: readExpression })
}

/** One expression of the IR from the nodes that stand in its place. */
export function readExpression(...nodes: readonly Node[]): Expression {
  const [first] = nodes
  const last = nodes.at(-1)
  const sole = nodes.length === 1 ? first : undefined
  const name = sole === undefined ? undefined : nameOf(sole)
  const fields = sole === undefined ? undefined : structFieldsOf(sole, readExpression)
  const elements = sole === undefined ? undefined : elementsOf(sole, readExpression)
  return {
    start: first === undefined ? 0 : rangeOf(first).start,
    end: last === undefined ? 0 : rangeOf(last).end,
    ...withQueries(gather(nodes)),
    form: sole === undefined ? 'other' : formOf(sole),
    ...(name === undefined ? {} : { name }),
    ...(fields === undefined ? {} : { fields }),
    ...(elements === undefined ? {} : { elements }),
  }
}

function readWindow(window: WindowDefinition): Expression {
  return { ...rangeOf(window), ...withQueries(gatherWindow(window)), form: 'other' }
}

function withQueries(gathered: Gathered): Omit<Gathered, 'queries'> & Pick<Expression, 'queries'> {
  const queries = gathered.queries.map(({ node, role, valueless }) => ({ query: readQuery(node), role, valueless }))
  return { ...gathered, queries }
}

function formOf(node: Node): Expression['form'] {
  if (node.type === 'paren_expr') return formOf(node.expr)
  if (namePartsOf(node) !== undefined) return 'column'
  return node.type.endsWith('_literal') ? 'literal' : 'other'
}

/** The name of an output without an alias: of the column, the function or the cast column. */
function nameOf(node: Node): string | undefined {
  if (node.type === 'paren_expr') return nameOf(node.expr)
  if (node.type === 'func_call') return namePartsOf(node.name)?.at(-1)
  if (node.type === 'cast_operator_expr') return nameOf(node.left)
  if (node.type === 'cast_expr') return nameOf(node.args.expr.expr)
  return namePartsOf(node)?.at(-1)
}
