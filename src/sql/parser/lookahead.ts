/** Questions about the tokens ahead that decide which rule reads them. */

import { T } from '../lexer/tokens.ts'
import { K } from '../lexer/words.ts'
import type { Cursor } from './cursor.ts'
import { stopsOperand } from './words.ts'

/** Whether the token at `index` begins a query. */
export function startsQuery(c: Cursor, index: number): boolean {
  const type = c.types[index]!
  const next = c.types[index + 1]!
  switch (type) {
    case K.SELECT:
      return next !== T.COMMA && next !== T.RPAREN && next !== T.DOT
    case K.WITH:
      return c.isName(index + 1) && next !== K.TIME && next !== K.ORDINALITY && next !== K.OFFSET && next !== K.UNIQUE
    case K.VALUES:
      return (
        next === T.LPAREN || next === K.ROW || ((next === T.STRING || next === T.NUMBER) && c.dialect.name !== 'ansi')
      )
    case K.FROM:
      return c.isName(index + 1) || next === T.LPAREN || next === T.STRING || next === T.HOLE
    case K.TABLE:
      return c.isName(index + 1) && c.types[index + 2] !== T.COMMA
    case K.EXPLAIN:
    case K.SHOW:
    case K.DESCRIBE:
    case K.SUMMARIZE:
      return c.isName(index + 1)
    case K.IMPORT:
      return c.dialect.name === 'exasol' && (next === K.INTO || next === K.FROM)
    case K.INSERT:
      return next === K.INTO
    case K.UPDATE:
    case K.DELETE:
    case K.MERGE:
      return c.isName(index + 1) && next !== K.AS
    case K.PIVOT:
    case K.UNPIVOT:
      return c.isName(index + 1) || next === T.LPAREN
    default:
      return type === T.WORD && isPivotWord(c, index)
  }
}

/** DuckDB: PIVOT_WIDER and PIVOT_LONGER are other words for PIVOT and UNPIVOT. */
export function isPivotWord(c: Cursor, index: number): boolean {
  return (
    c.dialect.name === 'duckdb' &&
    (c.isWord(index, 'pivot_wider') || c.isWord(index, 'pivot_longer')) &&
    (c.isName(index + 1) || c.types[index + 1] === T.LPAREN)
  )
}

/** With the cursor at VALUES in FROM: rows stand behind it. Spark's may be plain constants, ClickHouse's are a call. */
export function startsRows(c: Cursor): boolean {
  const next = c.peek(1)
  if (next === T.LPAREN || next === K.ROW) return c.dialect.name !== 'clickhouse'
  const plain = next === T.NUMBER || next === T.STRING
  return plain && (c.dialect.name === 'spark' || c.dialect.name === 'databricks')
}

/** Index of the arrow when the cursor is at `x ->`, `(x, y) ->` of a lambda; 0 otherwise. */
export function lambdaArrow(c: Cursor): number {
  let i = c.pos
  if (c.types[i] === T.LPAREN) {
    i++
    while (c.isName(i)) {
      i++
      // Typed parameters: (x INT, y INT) -> …
      while (c.isName(i)) i++
      if (c.types[i] !== T.COMMA) break
      i++
    }
    if (c.types[i] !== T.RPAREN) return 0
    return c.types[i + 1] === T.ARROW ? i + 1 : 0
  }
  if (!c.isName(i)) return 0
  i++
  if (c.isName(i) && c.types[i + 1] === T.ARROW && c.dialect.name === 'snowflake') i++
  if (c.types[i] !== T.ARROW) return 0
  // `doc -> 'key'` and `doc -> 0` read JSON.
  const after = c.types[i + 1]
  return after === T.STRING || after === T.NUMBER || after === T.PARAM ? 0 : i
}

/** Whether the token before the cursor closes a call: `f(x)`, `f(x)(y)`, `ARRAY<int>(x)`. */
export function isBehindCall(c: Cursor): boolean {
  let i = c.pos - 1
  if (c.types[i] !== T.RPAREN) return false
  for (let depth = 0; i > 0; i--) {
    if (c.types[i] === T.RPAREN) depth++
    else if (c.types[i] === T.LPAREN && --depth === 0) break
  }
  const before = c.types[i - 1]
  if (before === T.RPAREN || before === T.HOLE || before === T.PARAM || before === T.GREATER || before === K.GROUP)
    return true
  return c.isName(i - 1) && !stopsOperand(before!) && before !== K.SELECT
}
