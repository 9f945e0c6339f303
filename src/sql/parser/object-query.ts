/**
 * Calls that query an object by a grammar of their own and give named columns of it:
 *
 *   GRAPH_TABLE(g MATCH (a)-[e]->(b) WHERE … COLUMNS (a.name AS n))      duckdb, oracle; RETURN n in BigQuery
 *   SEMANTIC_VIEW(v DIMENSIONS customer.segment METRICS orders.total)    snowflake
 *
 * They are read as a SELECT of these columns from the object: what qualifies a name inside (a pattern's variable, a
 * table of the view) tells nothing about the object's own columns, so it goes.
 */

import type { Expression, Item } from '../ir/expression.ts'
import type { Join, Relation, Select, TableName, Use } from '../ir/query.ts'
import { T } from '../lexer/tokens.ts'
import { K } from '../lexer/words.ts'
import { tableRelation } from './plain-query.ts'
import type { Cursor } from './cursor.ts'
import { parseExpression } from './expression.ts'
import { parseItem } from './item.ts'
import { parseTableName } from './name.ts'

/** With the cursor at the name of such a call; undefined, and nothing consumed, where none stands. */
export function parseObjectQuery(c: Cursor, join: Join, start: number): Relation | undefined {
  if (c.peek(1) !== T.LPAREN) return undefined
  const graph = c.isWord(c.pos, 'graph_table')
  if (!graph && !c.isWord(c.pos, 'semantic_view')) return undefined
  c.pos += 2
  const name = parseTableName(c)
  if (!name) return undefined
  const items: Item[] = []
  const uses: Use[] = []
  while (!c.at(T.RPAREN) && !c.atEnd()) {
    if (c.take(K.WHERE)) uses.push({ kind: 'FILTER', expression: unqualified(parseExpression(c)) })
    else if (graph ? startsColumns(c) : startsSemanticColumns(c)) readColumns(c, items, graph)
    else if (c.at(T.LPAREN)) readPattern(c, uses)
    else c.pos++
  }
  c.closeParen()
  return {
    kind: 'query',
    query: selectFrom(name, items, uses, start, c.end()),
    lateral: false,
    join,
    pivots: [],
    start,
    end: c.end(),
  }
}

function startsColumns(c: Cursor): boolean {
  return (c.at(K.COLUMNS) && c.peek(1) === T.LPAREN) || c.at(K.RETURN)
}

const SEMANTIC_LISTS: readonly string[] = ['dimensions', 'metrics', 'facts']

function startsSemanticColumns(c: Cursor): boolean {
  return SEMANTIC_LISTS.some((word) => c.isWord(c.pos, word))
}

function readColumns(c: Cursor, items: Item[], graph: boolean): void {
  c.pos++
  const inside = graph && c.take(T.LPAREN)
  if (c.at(K.DISTINCT)) c.pos++
  do {
    if (c.at(T.RPAREN) || c.atEnd()) break
    const item = graph || isStar(c) ? parseItem(c) : semanticItem(c)
    items.push({ ...item, expression: unqualified(item.expression) })
  } while (c.take(T.COMMA))
  if (inside) c.closeParen()
}

function isStar(c: Cursor): boolean {
  return c.isName(c.pos) && c.peek(1) === T.DOT && c.peek(2) === T.STAR
}

/** What follows an item may be the next list's word, so an alias needs its AS. */
function semanticItem(c: Cursor): Item {
  const start = c.start()
  const expression = parseExpression(c)
  const alias = c.take(K.AS) && c.isName(c.pos) ? c.nameAt(c.pos++) : expression.references.at(-1)?.parts.at(-1)
  return { expression, alias, start, end: c.end() }
}

/** `(p:Person WHERE p.age > 30)`: only its condition uses columns. */
function readPattern(c: Cursor, uses: Use[]): void {
  const closing = c.closing(c.pos)
  while (c.pos < closing && !c.at(K.WHERE)) c.pos++
  if (c.take(K.WHERE)) uses.push({ kind: 'FILTER', expression: unqualified(parseExpression(c)) })
  c.pos = closing + 1
}

function unqualified(expression: Expression): Expression {
  const references = expression.references.map((one) => ({ ...one, parts: one.parts.slice(-1) }))
  return { ...expression, references }
}

function selectFrom(name: TableName, items: readonly Item[], uses: readonly Use[], start: number, end: number): Select {
  return {
    kind: 'select',
    with: [],
    items,
    from: [tableRelation(name)],
    uses,
    windows: [],
    intoTemporary: false,
    variables: [],
    start,
    end,
  }
}
