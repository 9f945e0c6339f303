/** The rows of an INSERT: a query, or VALUES one by one. */

import type { Item } from '../ir/expression.ts'
import type { Cte, Query } from '../ir/query.ts'
import { T } from '../lexer/tokens.ts'
import { K } from '../lexer/words.ts'
import type { Cursor } from './cursor.ts'
import { itemsInParentheses } from './item.ts'
import { startsQuery } from './lookahead.ts'
import { stepOverLocking } from './locking.ts'
import { parseQueryBody } from './query.ts'

/** The parenthesis behind the target holds a query, not columns. */
export function startsInsertedQuery(c: Cursor): boolean {
  let i = c.pos
  while (c.types[i] === T.LPAREN) i++
  return startsQuery(c, i) && c.types[i] !== K.TABLE
}

/** The query behind an INSERT, with the CTEs in front of it. */
export function insertedQuery(c: Cursor, ctes: readonly Cte[]): Query | undefined {
  stepOverLocking(c)
  if (c.atEnd() || c.at(T.RPAREN) || (c.at(K.ON) && ctes.length === 0)) return undefined
  if (c.at(K.WITH)) {
    const query = c.rules.query(c)
    return ctes.length > 0 ? { ...query, with: [...ctes, ...query.with] } : query
  }
  return parseQueryBody(c, ctes)
}

/** VALUES (a, b) as items, so that each has its place. */
export function insertedValues(c: Cursor): Item[] {
  c.pos++
  if (c.at(T.LPAREN)) return itemsInParentheses(c)
  c.missing('(')
  return []
}
