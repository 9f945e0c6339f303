/** Trino: `WITH FUNCTION f(x bigint) RETURNS bigint RETURN x * 2 SELECT …`: a function that one query has for itself. */

import { T } from '../lexer/tokens.ts'
import { K } from '../lexer/words.ts'
import { Collector } from './collector.ts'
import type { Cursor } from './cursor.ts'

/** With the cursor on FUNCTION: goes behind its body. The body reads no tables; a call derives from its arguments. */
export function stepOverInlineFunction(c: Cursor): void {
  while (!c.at(K.RETURN) && !c.at(K.BEGIN) && c.type !== T.EOF) {
    if (c.at(T.LPAREN)) c.stepOverParens()
    else c.pos++
  }
  if (c.take(K.RETURN)) c.rules.expression(c, new Collector())
  else stepOverBlock(c)
}

function stepOverBlock(c: Cursor): void {
  let depth = 0
  while (c.type !== T.EOF) {
    const opens = opensBlock(c)
    const closes = c.at(K.END)
    c.pos++
    if (opens) depth++
    if (!closes) continue
    depth--
    if (opensBlock(c)) c.pos++
    if (depth <= 0) return
  }
}

function opensBlock(c: Cursor): boolean {
  if (c.at(K.IF)) return c.peek(1) !== T.LPAREN || !c.touches(c.pos + 1)
  return (
    c.at(K.BEGIN) ||
    c.at(K.CASE) ||
    c.at(K.LOOP) ||
    c.at(K.WHILE) ||
    (c.isWord(c.pos, 'repeat') && c.peek(1) !== T.LPAREN)
  )
}
