/** FROM: tables, derived tables, joins and what dialects hang on them. */
import type { Alias, FuncCall, JoinExpr, Node } from 'sql-parser-cst'
import type { Expression } from '../ir/expression.ts'
import type { FunctionRelation, Join, JoinKind, Query, Relation, Use } from '../ir/query.ts'
import { ELEMENT_FUNCTIONS } from '../parser/rowset-columns.ts'
import { aliasName, namePartsOf, namesOf, NotCarriedError, rangeOf, tableNameOf } from './nodes.ts'

/** What reads the queries and the expressions that stand inside of FROM. */
export interface Readers {
  readonly query: (node: Node) => Query
  readonly expression: (node: Node) => Expression
}

export interface From {
  readonly relations: Relation[]
  readonly uses: Use[]
}

const FIRST: Join = { kind: 'first', natural: false, using: undefined }

/** The relations of a FROM expression, each with how it was joined, and the conditions of the joins. */
export function readFrom(node: Node, read: Readers, join: Join = FIRST): From {
  switch (node.type) {
    case 'dual_table':
      return { relations: [], uses: [] }
    case 'join_expr':
      return readJoin(node, read, join)
    case 'tablesample_expr':
    case 'for_system_time_as_of_expr':
      return readFrom(node.left, read, join)
    case 'indexed_table':
    case 'not_indexed_table':
    case 'partitioned_table':
    case 'table_with_inheritance':
    case 'table_without_inheritance':
      return readFrom(node.table, read, join)
    default:
      return { relations: [readFactor(node, read, join, {})], uses: [] }
  }
}

function readJoin(node: JoinExpr, read: Readers, join: Join): From {
  const left = readFrom(node.left, read, join)
  const { specification } = node
  const using = specification?.type === 'join_using_specification' ? namesOf(specification.expr.expr.items) : undefined
  const words = wordsOf(node.operator)
  const right = readFrom(node.right, read, { kind: joinKind(words), natural: words.includes('NATURAL'), using })
  const on: Use[] =
    specification?.type === 'join_on_specification'
      ? [{ kind: 'JOIN', expression: read.expression(specification.expr) }]
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

function readFactor(node: Node, read: Readers, join: Join, naming: Naming): Relation {
  const base = { join, ...naming, pivots: [], ...rangeOf(node) }
  switch (node.type) {
    case 'alias':
      return readFactor(node.expr, read, join, readNaming(node))
    case 'identifier':
    case 'member_expr':
    case 'bigquery_quoted_member_expr':
      return { kind: 'table', name: tableNameOf(node), ...base }
    case 'table_without_inheritance':
    case 'table_with_inheritance':
    case 'indexed_table':
    case 'not_indexed_table':
    case 'partitioned_table':
      return readFactor(node.table, read, join, naming)
    case 'paren_expr':
      return readParenthesised(node.expr, read, base)
    case 'lateral_derived_table':
      if (node.expr.type !== 'paren_expr') return readFactor(node.expr, read, join, naming)
      return { kind: 'query', query: read.query(node.expr.expr), lateral: true, ...base }
    case 'unnest_expr':
      return { ...rowsOf('unnest', ['unnest'], [node.expr.expr], read), ...base }
    case 'func_call':
      return { ...readCall(node, read), ...base }
    case 'with_ordinality_expr': {
      const rows = readFactor(node.expr, read, join, naming)
      return rows.kind === 'function' ? { ...rows, ordinality: 'ordinality' } : refused(node)
    }
    case 'unnest_with_offset_expr': {
      const rows = readFactor(node.unnest, read, join, {})
      if (rows.kind === 'function') return { ...rows, ordinality: naming.alias ?? 'offset' }
      return rows.kind === 'table' ? { ...rows, position: naming.alias ?? 'offset' } : refused(node)
    }
    default:
      throw new NotCarriedError(node.type)
  }
}

function refused(node: Node): never {
  throw new NotCarriedError(node.type)
}

type Rows = Omit<FunctionRelation, keyof Relation | 'join' | 'pivots' | 'start' | 'end'> & { readonly kind: 'function' }

function rowsOf(name: string, parts: readonly string[], nodes: readonly Node[], read: Readers): Rows {
  return {
    kind: 'function',
    name,
    parts,
    args: nodes.map((node) => read.expression(node)),
    relations: [],
    columns: undefined,
    elements: true,
    ordinality: undefined,
  }
}

/** Functions whose rows are elements of their arguments; all others are left to the other front end. */
function readCall(node: FuncCall, read: Readers): Rows {
  const parts = namePartsOf(node.name) ?? refused(node)
  const name = parts.at(-1)!.toLowerCase()
  const args: readonly Node[] = node.args?.expr.args.items ?? []
  if (!ELEMENT_FUNCTIONS.has(name)) throw new NotCarriedError(`table function ${name}`)
  return rowsOf(name, parts, args, read)
}

function readParenthesised(
  inner: Node,
  read: Readers,
  base: Omit<Relation & { kind: 'query' }, 'kind' | 'query' | 'lateral'>,
): Relation {
  if (inner.type === 'select_stmt' || inner.type === 'compound_select_stmt' || inner.type === 'paren_expr') {
    return { kind: 'query', query: read.query(inner), lateral: false, ...base }
  }
  return { kind: 'group', ...readFrom(inner, read), ...base }
}

/** `AS x`, `AS x (a, b)`. */
function readNaming(node: Alias): Naming {
  const columns = node.columnAliases?.expr.items
  return { alias: aliasName(node.alias), ...(columns === undefined ? {} : { columnAliases: namesOf(columns) }) }
}
