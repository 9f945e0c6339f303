/** VALUES: rows that are written down. */

import type { Query } from '../ir/query.ts'
import type { Expression } from '../ir/expression.ts'
import { T } from '../lexer/tokens.ts'
import { K } from '../lexer/words.ts'
import type { Cursor } from './cursor.ts'
import { parseExpression } from './expression.ts'
import { startsQuery } from './lookahead.ts'
import { NO_CTES } from './with.ts'

/** VALUES (…), (…) or VALUES 1, 2. */
export function parseValues(c: Cursor, start: number): Query {
  c.pos++
  const rows: Expression[][] = []
  do {
    c.take(K.ROW)
    if (c.at(T.LPAREN)) {
      c.pos++
      rows.push(parseRow(c, rows.length))
    } else if (c.atEnd() || c.at(T.RPAREN)) c.missing('a row')
    else {
      const before = c.pos
      rows.push([parseExpression(c)])
      if (c.pos === before) break
    }
  } while (c.take(T.COMMA) || (c.at(T.LPAREN) && c.dialect.name === 'clickhouse'))
  return { kind: 'values', rows, uses: [], with: NO_CTES, start, end: c.end() }
}

function parseRow(c: Cursor, index: number): Expression[] {
  const row: Expression[] = []
  // Rows of constants are read but not kept beyond the first thousand: they refer to nothing.
  while (!c.at(T.RPAREN) && !c.atEnd()) {
    const before = c.pos
    const expression = parseExpression(c)
    if (index < 1000 || expression.form !== 'literal') row.push(expression)
    if (c.at(K.AS)) c.pos += 2
    if (c.at(T.COMMA) && c.peek(1) === T.RPAREN && !c.dialect.trailingCommas) {
      c.pos++
      c.missing('a value')
    } else if (!c.take(T.COMMA) && !c.at(T.RPAREN)) {
      if (c.pos === before || !c.at(T.RPAREN)) c.skip()
    }
  }
  c.closeParen()
  return row
}

/** Teradata: INSERT INTO t (1, 'x') gives a row without the word VALUES. */
export function atBareRow(c: Cursor): boolean {
  if (c.dialect.name !== 'teradata' || !c.at(T.LPAREN) || startsQuery(c, c.pos + 1)) return false
  const after = c.types[c.closing(c.pos) + 1]
  return after === T.SEMICOLON || after === T.EOF
}

/** That row. */
export function parseBareRow(c: Cursor): Query {
  const start = c.start()
  c.pos++
  return { kind: 'values', rows: [parseRow(c, 0)], uses: [], with: NO_CTES, start, end: c.end() }
}
