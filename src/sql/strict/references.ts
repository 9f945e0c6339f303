/**
 * What an expression's tree refers to: columns, stars, named windows and subqueries, each with its role. Most kinds of
 * node only hold others; the few that mean something stand in the switch. A subquery is left as its node, for the reader
 * of queries.
 */
import type { CompoundSelectStmt, FuncCall, MemberExpr, Node, SelectStmt, WindowDefinition } from 'sql-parser-cst'
import { ROLE, type Reference, type StarUse } from '../ir/expression.ts'
import { isAggregate } from '../parser/functions.ts'
import { childrenOf, isQuoted, namePartsOf, NotCarriedError, rangeOf } from './nodes.ts'

export interface Gathered {
  readonly references: Reference[]
  readonly stars: StarUse[]
  readonly windows: string[]
  readonly queries: {
    readonly node: SelectStmt | CompoundSelectStmt
    readonly role: number
    /** Only whether it has rows counts: EXISTS. */
    readonly valueless: boolean
  }[]
}

/** @throws NotCarriedError */
export function gather(nodes: readonly Node[]): Gathered {
  const into = empty()
  for (const node of nodes) walk(node, 0, into)
  return into
}

/** PARTITION BY, ORDER BY and the window that it is built on. @throws NotCarriedError */
export function gatherWindow(window: WindowDefinition): Gathered {
  const into = empty()
  walkWindow(window, ROLE.WINDOW, into)
  return into
}

function empty(): Gathered {
  return { references: [], stars: [], windows: [], queries: [] }
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
      into.queries.push({ node, role, valueless: false })
      return
    case 'binary_expr':
      walk(node.left, role, into)
      // SQLite: x IN t reads a table.
      if (isKeywordOperator(node.operator, 'IN') && namePartsOf(node.right)) throw new NotCarriedError('IN a table')
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
    case 'variable':
      addReference(node, [node.text], role | ROLE.VARIABLE, into)
      return
    case 'all_columns':
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
    into.queries.push({ node: inner, role, valueless: true })
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
