/** INTERVAL in all its spellings. */

import { T } from '../lexer/tokens.ts'
import { K } from '../lexer/words.ts'
import type { Collector } from './collector.ts'
import type { Cursor } from './cursor.ts'
import { FORMS } from './outcome.ts'
import { isUnit, stopsOperand } from './words.ts'

/** INTERVAL as a column's name has no value behind it. */
export function startsIntervalValue(c: Cursor): boolean {
  const next = c.peek(1)
  if (
    next === T.STRING ||
    next === T.NUMBER ||
    next === T.PARAM ||
    next === T.LPAREN ||
    next === T.MINUS ||
    next === T.PLUS ||
    next === T.QUESTION ||
    next === T.HOLE
  )
    return true
  if (next === T.COLON) return c.touches(c.pos + 2)
  return (
    c.isName(c.pos + 1) &&
    !stopsOperand(next) &&
    next !== K.ASC &&
    next !== K.DESC &&
    (isUnit(c.peek(2)) || c.peek(2) === T.DOT || c.peek(2) === T.LPAREN)
  )
}

export function scanInterval(c: Cursor, x: Collector): void {
  c.pos++
  c.rules.operand(c, x)
  while (c.at(T.DOT) && c.isName(c.pos + 1)) c.pos += 2
  if (!isUnit(c.type)) {
    // An expression before the unit: INTERVAL a + 1 DAY.
    while (!isUnit(c.type) && scanArithmetic(c) && c.rules.operand(c, x));
  }
  stepOverUnit(c)
  x.form = FORMS.literal
  x.nameToken = -1
}

function scanArithmetic(c: Cursor): boolean {
  return c.take(T.PLUS) || c.take(T.MINUS) || c.take(T.STAR) || c.take(T.SLASH)
}

/** DAY, DAY (3) TO SECOND (2), YEAR TO MONTH. */
export function stepOverUnit(c: Cursor): void {
  if (!isUnit(c.type) || c.at(K.DATE) || c.at(K.TIME)) return
  c.pos++
  if (c.at(T.LPAREN) && c.peek(1) === T.NUMBER) c.stepOverParens()
  if (c.at(K.TO) && isUnit(c.peek(1))) {
    c.pos += 2
    if (c.at(T.LPAREN) && c.peek(1) === T.NUMBER) c.stepOverParens()
  }
}
