/**
 * Queries of sql-parser-cst's tree as queries of the IR: SELECT with its clauses, set operations, VALUES and CTEs; FROM
 * with its joins; and expressions, of which the IR keeps what they refer to. They nest in each other, so they stand in
 * one file. Every kind of node is carried over or refused by name (`NotCarriedError`).
 */
import type {
  Alias,
  CommonTableExpr,
  CompoundSelectStmt,
  FuncCall,
  JoinExpr,
  MemberExpr,
  Node,
  SelectClause,
  SelectStmt,
  SubSelect,
  ValuesClause,
  WindowDefinition,
} from 'sql-parser-cst'
import {
  ROLE,
  type Expression,
  type Item,
  type Reference,
  type Star,
  type StarUse,
  type SubqueryUse,
} from '../ir/expression.ts'
import type {
  Cte,
  Join,
  JoinKind,
  NamedWindow,
  Query,
  Relation,
  Select,
  SetOperation,
  TableName,
  Use,
} from '../ir/query.ts'
import { isAggregate } from '../parser/functions.ts'
import { structFieldsOf } from './struct-fields.ts'
import { childrenOf, isQuoted, namePartsOf, namesOf, NotCarriedError, rangeOf, tableNameOf } from './nodes.ts'

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
  if (inner.type !== 'select_stmt' && inner.type !== 'compound_select_stmt' && inner.type !== 'paren_expr') {
    throw new NotCarriedError(`${inner.type} in a CTE`)
  }
  const added = [node.search?.resultColumn, node.cycle?.resultColumn, node.cycle?.pathColumn]
  return {
    name: node.table.name,
    columns: node.columns === undefined ? undefined : namesOf(node.columns.expr.items),
    query: readQuery(inner),
    recursive,
    start: rangeOf(node).start,
    extraColumns: added.flatMap((column) => column?.name ?? []),
  }
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
    right: readQuery(node.right),
    uses: [],
  }
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
    instead: undefined,
  }
  for (const clause of node.clauses) readClause(clause, draft)
  if (draft.instead !== undefined) return { ...draft.instead, with: [...draft.with, ...draft.instead.with] }
  const select: Select = {
    kind: 'select',
    ...rangeOf(node),
    with: draft.with,
    items: draft.items,
    from: draft.from,
    uses: draft.uses,
    windows: draft.windows,
    variables: [],
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
      draft.uses.push({ kind: 'GROUP_BY', expression: readExpression(...groupingNodes(clause.columns.items)) })
      return
    case 'order_by_clause':
      draft.uses.push({ kind: 'SORT', expression: readExpression(...clause.specifications.items) })
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
      draft.instead = readQuery(clause)
      return
    case 'limit_clause':
    case 'offset_clause':
    case 'fetch_clause':
    case 'for_clause':
    case 'lock_in_share_mode_clause':
    case 'into_variables_clause':
      return
    default:
      throw new NotCarriedError(clause.type)
  }
}

/** GROUP BY ALL comes as an element that is no node. */
function groupingNodes(items: readonly unknown[]): Node[] {
  return items.flat().filter((item): item is Node => typeof item === 'object' && item !== null && 'type' in item)
}

function readSelectClause(clause: SelectClause, draft: Draft): void {
  for (const modifier of clause.modifiers) {
    if (modifier.type === 'select_as_struct') draft.valueTable = 'struct'
    if (modifier.type === 'select_as_value') draft.valueTable = 'value'
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

export function aliasName(node: Node): string {
  if (node.type === 'identifier') return node.name
  if (node.type === 'string_literal') return node.value
  throw new NotCarriedError(`alias ${node.type}`)
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

/* FROM: tables, derived tables, joins and what dialects hang on them. */

export interface From {
  readonly relations: Relation[]
  readonly uses: Use[]
}

const FIRST: Join = { kind: 'first', natural: false, using: undefined }

/** The relations of a FROM expression, each with how it was joined, and the conditions of the joins. */
export function readRelations(node: Node, join: Join = FIRST): From {
  switch (node.type) {
    case 'dual_table':
      return { relations: [], uses: [] }
    case 'join_expr':
      return readJoin(node, join)
    case 'tablesample_expr':
    case 'for_system_time_as_of_expr':
      return readRelations(node.left, join)
    case 'indexed_table':
    case 'not_indexed_table':
    case 'partitioned_table':
    case 'table_with_inheritance':
    case 'table_without_inheritance':
      return readRelations(node.table, join)
    default:
      return { relations: [readFactor(node, join, {})], uses: [] }
  }
}

function readJoin(node: JoinExpr, join: Join): From {
  const left = readRelations(node.left, join)
  const { specification } = node
  const using = specification?.type === 'join_using_specification' ? namesOf(specification.expr.expr.items) : undefined
  const words = wordsOf(node.operator)
  const right = readRelations(node.right, { kind: joinKind(words), natural: words.includes('NATURAL'), using })
  const on: Use[] =
    specification?.type === 'join_on_specification'
      ? [{ kind: 'JOIN', expression: readExpression(specification.expr) }]
      : []
  return { relations: [...left.relations, ...right.relations], uses: [...left.uses, ...right.uses, ...on] }
}

function wordsOf(operator: JoinExpr['operator']): string[] {
  if (operator === ',') return [',']
  return Array.isArray(operator) ? operator.map((word) => word.name) : [operator.name]
}

function joinKind(words: readonly string[]): JoinKind {
  if (words.includes(',')) return 'comma'
  if (words.includes('LEFT')) return 'left'
  if (words.includes('RIGHT')) return 'right'
  if (words.includes('FULL')) return 'full'
  return words.includes('CROSS') ? 'cross' : 'inner'
}

interface Naming {
  readonly alias?: string
  readonly columnAliases?: readonly string[]
}

function readFactor(node: Node, join: Join, naming: Naming): Relation {
  const base = { join, ...naming, pivots: [], ...rangeOf(node) }
  switch (node.type) {
    case 'alias':
      return readFactor(node.expr, join, readNaming(node))
    case 'identifier':
    case 'member_expr':
    case 'bigquery_quoted_member_expr':
      return { kind: 'table', name: tableNameOf(node), ...base }
    case 'table_without_inheritance':
    case 'table_with_inheritance':
    case 'indexed_table':
    case 'not_indexed_table':
    case 'partitioned_table':
      return readFactor(node.table, join, naming)
    case 'paren_expr':
      return readParenthesised(node.expr, base)
    case 'lateral_derived_table':
      if (node.expr.type !== 'paren_expr') throw new NotCarriedError(`lateral ${node.expr.type}`)
      return { kind: 'query', query: readQuery(node.expr.expr), lateral: true, ...base }
    default:
      throw new NotCarriedError(node.type)
  }
}

function readParenthesised(
  inner: Node,
  base: Omit<Relation & { kind: 'query' }, 'kind' | 'query' | 'lateral'>,
): Relation {
  if (inner.type === 'select_stmt' || inner.type === 'compound_select_stmt' || inner.type === 'paren_expr') {
    return { kind: 'query', query: readQuery(inner), lateral: false, ...base }
  }
  return { kind: 'group', ...readRelations(inner), ...base }
}

/** `AS x`, `AS x (a, b)`. */
function readNaming(node: Alias): Naming {
  const columns = node.columnAliases?.expr.items
  return { alias: aliasName(node.alias), ...(columns === undefined ? {} : { columnAliases: namesOf(columns) }) }
}

/* Expressions: a walk over the tree. Most kinds of node only hold others; the few that mean something stand in the switch. */

interface Gathered {
  readonly references: Reference[]
  readonly queries: SubqueryUse[]
  readonly stars: StarUse[]
  readonly windows: string[]
}

/** One expression of the IR from the nodes that stand in its place. */
export function readExpression(...nodes: readonly Node[]): Expression {
  const into: Gathered = { references: [], queries: [], stars: [], windows: [] }
  for (const node of nodes) walk(node, 0, into)
  const [first] = nodes
  const last = nodes.at(-1)
  const name = first === undefined || nodes.length > 1 ? undefined : nameOf(first)
  const fields = first === undefined || nodes.length > 1 ? undefined : structFieldsOf(first, readExpression)
  return {
    start: first === undefined ? 0 : rangeOf(first).start,
    end: last === undefined ? 0 : rangeOf(last).end,
    ...into,
    form: nodes.length === 1 && first !== undefined ? formOf(first) : 'other',
    ...(name === undefined ? {} : { name }),
    ...(fields === undefined ? {} : { fields }),
  }
}

/** PARTITION BY, ORDER BY and the window that it is built on. */
export function readWindow(window: WindowDefinition): Expression {
  const into: Gathered = { references: [], queries: [], stars: [], windows: [] }
  walkWindow(window, ROLE.WINDOW, into)
  return { ...rangeOf(window), ...into, form: 'other' }
}

function walk(node: Node, role: number, into: Gathered): void {
  switch (node.type) {
    case 'identifier':
      addReference(node, [node.name], role, into)
      return
    case 'member_expr':
      walkMember(node, role, into)
      return
    case 'func_call':
      walkCall(node, role, into)
      return
    case 'select_stmt':
    case 'compound_select_stmt':
      into.queries.push({ query: readQuery(node), role, valueless: false })
      return
    case 'binary_expr':
      walk(node.left, role, into)
      // What stands behind COLLATE is no column.
      if (!isKeywordOperator(node.operator, 'COLLATE')) walk(node.right, role, into)
      return
    case 'prefix_op_expr':
      walkPrefix(node.operator, node.expr, role, into)
      return
    case 'case_expr':
      if (node.expr !== undefined) walk(node.expr, role | ROLE.CONDITIONAL, into)
      for (const clause of node.clauses) {
        if (clause.type === 'case_when') walk(clause.condition, role | ROLE.CONDITIONAL, into)
        walk(clause.result, role, into)
      }
      return
    case 'cast_arg':
      walk(node.expr, role, into)
      return
    case 'cast_operator_expr':
      walk(node.left, role, into)
      return
    case 'typed_expr':
    case 'extract_from':
    case 'alias':
      walk(node.expr, role, into)
      return
    case 'named_arg':
      walk(node.value, role, into)
      return
    case 'filter_arg':
      walk(node.where, role | ROLE.CONDITIONAL, into)
      return
    case 'all_columns':
    case 'variable':
    case 'parameter':
      return
    default:
      if (isDataType(node.type)) return
      for (const child of childrenOf(node)) walk(child, role, into)
  }
}

function isDataType(type: string): boolean {
  return type.endsWith('data_type') || type === 'keyword' || (type.endsWith('_literal') && type !== 'interval_literal')
}

function isKeywordOperator(operator: unknown, name: string): boolean {
  return typeof operator === 'object' && operator !== null && 'name' in operator && operator.name === name
}

function walkPrefix(operator: unknown, node: Node, role: number, into: Gathered): void {
  const exists = isKeywordOperator(operator, 'EXISTS')
  const inner = node.type === 'paren_expr' ? node.expr : node
  if (exists && (inner.type === 'select_stmt' || inner.type === 'compound_select_stmt')) {
    into.queries.push({ query: readQuery(inner), role, valueless: true })
  } else walk(node, role, into)
}

function walkMember(node: MemberExpr, role: number, into: Gathered): void {
  const parts = namePartsOf(node)
  if (parts !== undefined) {
    addReference(node, parts, role, into)
    return
  }
  if (node.property.type === 'all_columns') {
    const qualifier = namePartsOf(node.object)
    if (qualifier === undefined) walk(node.object, role, into)
    else into.stars.push({ star: { qualifier, except: [], replace: [], rename: undefined }, role })
    return
  }
  const inner = node.object.type === 'paren_expr' ? namePartsOf(node.object.expr) : undefined
  if (inner !== undefined && node.property.type === 'identifier') {
    addReference(node, [...inner, node.property.name], role, into)
    return
  }
  if (node.property.type === 'identifier') throw new NotCarriedError('a field of a value')
  walk(node.object, role, into)
  if (node.property.type === 'array_subscript') walk(node.property, role, into)
}

function walkCall(node: FuncCall, role: number, into: Gathered): void {
  const name = namePartsOf(node.name)?.at(-1)?.toLowerCase() ?? ''
  const inserted = name === 'values' || name === 'value' ? soleColumn(node) : undefined
  if (inserted !== undefined) {
    // MySQL: VALUES(a) behind ON DUPLICATE KEY UPDATE is what was to be inserted.
    into.references.push({ parts: ['excluded', inserted], quoted: false, ...rangeOf(node), role })
    return
  }
  const inner = isAggregate(name) ? role | ROLE.AGGREGATED : role
  for (const arg of node.args === undefined ? [] : childrenOf(node.args.expr)) walkArguments(arg, name, inner, into)
  if (node.filter !== undefined) walk(node.filter, role, into)
  const window = node.over?.window
  if (window?.type === 'identifier') into.windows.push(window.name.toLowerCase())
  else if (window !== undefined) walkWindow(window.expr, role | ROLE.WINDOW, into)
}

function soleColumn(node: FuncCall): string | undefined {
  const args = node.args?.expr.args.items ?? []
  const [only] = args
  return args.length === 1 && only?.type === 'identifier' ? only.name : undefined
}

/**
 * The arguments of a call; a unit (`DAY`, `WEEK(MONDAY)`) in a function over dates is no column, nor is a form of
 * normalize.
 */
function walkArguments(node: Node, name: string, role: number, into: Gathered): void {
  const overDates = /(?:date|time|timestamp)|last_day/.test(name) && !name.endsWith('_bucket')
  const words = overDates ? UNITS : name === 'normalize' ? FORMS : undefined
  for (const arg of node.type === 'list_expr' ? node.items : [node]) {
    const isWord = arg.type === 'identifier' && words?.has(arg.name.toLowerCase())
    if (!isWord && !(overDates && isWeek(arg))) walk(arg, role, into)
  }
}

function isWeek(node: Node): boolean {
  return node.type === 'func_call' && node.name.type === 'identifier' && node.name.name.toLowerCase() === 'week'
}

const FORMS: ReadonlySet<string> = new Set(['nfc', 'nfd', 'nfkc', 'nfkd'])

const UNITS: ReadonlySet<string> = new Set(
  'microsecond,millisecond,second,minute,hour,day,dayofweek,dayofyear,week,isoweek,month,quarter,year,isoyear,date'.split(
    ',',
  ),
)

function walkWindow(window: WindowDefinition, role: number, into: Gathered): void {
  if (window.baseWindowName !== undefined) into.windows.push(window.baseWindowName.name.toLowerCase())
  for (const part of [window.partitionBy, window.orderBy]) if (part !== undefined) walk(part, role, into)
}

function addReference(node: Node, parts: readonly string[], role: number, into: Gathered): void {
  into.references.push({ parts, quoted: node.type === 'identifier' && isQuoted(node), ...rangeOf(node), role })
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
