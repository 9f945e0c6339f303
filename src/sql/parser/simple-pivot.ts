/** DuckDB's statements: PIVOT t ON key USING agg GROUP BY g; UNPIVOT t ON columns INTO NAME n VALUE v. */

import type { Expression, Item, Star } from '../ir/expression.ts'
import type { Pivot, PivotValue, Query, Relation, Use } from '../ir/query.ts'
import { T } from '../lexer/tokens.ts'
import { K } from '../lexer/words.ts'
import { FIRST } from './plain-query.ts'
import type { Cursor } from './cursor.ts'
import { parseItem } from './item.ts'
import { combine, parsePivotKey, parseUnpivotColumns } from './pivot.ts'
import { parseExpression } from './expression.ts'
import { parseRelation } from './relation.ts'

/** With the cursor at PIVOT or UNPIVOT in the place of a query. */
export function parseSimplePivot(c: Cursor, start: number): Query {
  const unpivots = c.at(K.UNPIVOT) || c.isWord(c.pos, 'pivot_longer')
  c.pos++
  const relation = parseRelation(c, FIRST)
  const pivot = unpivots ? readUnpivot(c) : readPivot(c)
  const from: Relation[] = relation ? [{ ...relation, pivots: [...relation.pivots, pivot] }] : []
  const uses: Use[] = []
  return { kind: 'table', from, uses, with: [], start, end: c.end() }
}

function readPivot(c: Cursor): Pivot {
  const keys: Expression[] = []
  let values: PivotValue[] | undefined
  if (c.take(K.ON)) {
    let open = false
    do {
      const list = c.isName(c.pos) && c.peek(1) === K.IN ? parsePivotKey(c, keys) : undefined
      if (!list) {
        if (keys.length === 0 || !(c.types[c.pos - 1] === T.RPAREN)) keys.push(parseExpression(c))
        open = true
      } else values = values ? combine(values, list) : list
    } while (c.take(T.COMMA))
    if (open) values = undefined
  }
  const aggregates: Item[] = []
  if (c.take(K.USING)) {
    do aggregates.push(parseItem(c))
    while (c.take(T.COMMA))
  }
  let groups: string[] | undefined
  if (c.take2(K.GROUP, K.BY)) {
    groups = []
    do groups.push(parseExpression(c).references.at(-1)?.parts.at(-1) ?? '')
    while (c.take(T.COMMA))
  }
  return { kind: 'pivot', aggregates, keys, values, groups }
}

function readUnpivot(c: Cursor): Pivot {
  const columns: (readonly string[])[] = []
  let star: Star | undefined
  if (c.take(K.ON)) star = readUntilInto(c, columns)
  const names = ['name']
  const values = ['value']
  if (c.take(K.INTO)) {
    if (c.take(K.NAME)) names[0] = c.nameAt(c.pos++)
    if (c.take(K.VALUE)) {
      values.length = 0
      do values.push(c.nameAt(c.pos++))
      while (c.take(T.COMMA))
    }
  }
  return star ? { kind: 'unpivot', values, names, columns, star } : { kind: 'unpivot', values, names, columns }
}

/** Columns up to INTO; the column rule stops at a comma or parenthesis, so each is read alone. */
function readUntilInto(c: Cursor, columns: (readonly string[])[]): Star | undefined {
  let star: Star | undefined
  do {
    if (c.at(K.INTO) || c.atEnd()) break
    if (c.at(T.LPAREN)) {
      c.pos++
      const inner: (readonly string[])[] = []
      star = parseUnpivotColumns(c, inner) ?? star
      columns.push(inner.flat())
      c.closeParen()
    } else if (c.at(K.COLUMNS) || c.at(T.STAR)) star = parseItem(c).star ?? star
    else columns.push([c.nameAt(c.pos++)])
    if (c.at(K.AS)) c.pos += 2
  } while (c.take(T.COMMA))
  return star
}
