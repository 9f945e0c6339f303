/** GROUP BY with all that may stand behind it. */

import type { Use } from '../ir/query.ts'
import { T } from '../lexer/tokens.ts'
import { K } from '../lexer/words.ts'
import { Collector } from './collector.ts'
import type { Cursor } from './cursor.ts'
import { scanExpression } from './expression.ts'
import { outputPlace } from './order.ts'
import { isKeyword } from './words.ts'

/** What follows GROUP BY. */
export function parseGroupBy(c: Cursor, uses: Use[]): void {
  if (c.at(K.ALL) || c.at(K.DISTINCT)) {
    const all = c.take(K.ALL)
    if (!all) c.pos++
    if (!startsGroup(c)) {
      if (all) uses.push({ kind: 'GROUP_BY', expression: new Collector(), outputs: 'all' })
      return
    }
  }
  const x = new Collector()
  x.start = c.start()
  const outputs: number[] = []
  do {
    const at = c.pos
    scanExpression(c, x)
    const place = outputPlace(c, at)
    if (place > 0) outputs.push(place)
    if (c.at(K.AS)) c.pos += 2
    if (c.at(K.ASC) || c.at(K.DESC)) c.pos++
  } while (c.take(T.COMMA))
  while (c.at(K.WITH) && (c.peek(1) === K.ROLLUP || c.peek(1) === K.CUBE || c.peek(1) === K.TOTALS)) c.pos += 2
  // Hive: GROUP BY a, b GROUPING SETS (…).
  if (c.take2(K.GROUPING, K.SETS)) scanExpression(c, x)
  x.end = c.end()
  uses.push({ kind: 'GROUP_BY', expression: x, ...(outputs.length > 0 ? { outputs } : {}) })
}

/** The list of DISTINCT ON, which ends at its parenthesis: in `ON (a) * FROM t` the star is the SELECT list. */
export function parseDistinctOn(c: Cursor, uses: Use[]): void {
  const end = c.closing(c.pos)
  const x = new Collector()
  c.pos++
  x.start = c.start()
  const outputs: number[] = []
  while (c.pos < end) {
    const at = c.pos
    scanExpression(c, x)
    const place = outputPlace(c, at)
    if (place > 0) outputs.push(place)
    if (!c.take(T.COMMA)) break
  }
  x.end = c.end()
  c.pos = end + 1
  uses.push({ kind: 'GROUP_BY', expression: x, ...(outputs.length > 0 ? { outputs } : {}) })
}

/** Whether an expression follows GROUP BY ALL or DISTINCT, so that the word only qualifies it. */
function startsGroup(c: Cursor): boolean {
  const type = c.type
  if (c.atEnd() || type === T.RPAREN || type === T.PIPE || type === T.SEMICOLON) return false
  return c.isName(c.pos) ? !isKeyword(type) || c.at(K.ROLLUP) || c.at(K.CUBE) || c.at(K.GROUPING) : type === T.LPAREN
}
