/** Words that only Teradata hangs on values and SELECT: (NAMED x), DAY(4) TO SECOND, NOT CASESPECIFIC, NORMALIZE. */

import { T } from '../lexer/tokens.ts'
import { K } from '../lexer/words.ts'
import type { Collector } from './collector.ts'
import type { Cursor } from './cursor.ts'
import { isUnit } from './words.ts'

/** `amount * 2 (NAMED twice, FORMAT '9(5)')`, perhaps between other phrases: the name of the item that began at `start`. */
export function namedInPhrase(c: Cursor, start: number): string | undefined {
  for (let i = c.pos - 1; i > 0 && c.starts[i]! > start; i--)
    if (c.isWord(i, 'named') && c.isName(i + 1) && (c.types[i - 1] === T.LPAREN || c.types[i - 1] === T.COMMA))
      return c.nameAt(i + 1)
  return undefined
}

/** `a.amount (DECIMAL(18,2))`: the column under another type keeps its name. */
export function retypedName(c: Cursor, x: Collector): string | undefined {
  const [only, ...others] = x.references
  if (!only || others.length > 0 || x.queries.length > 0 || only.start !== x.start || c.types[c.pos - 1] !== T.RPAREN)
    return undefined
  let at = c.pos
  while (c.starts[at - 1]! >= only.end) at--
  while (at < c.pos && c.types[at] === T.LPAREN) at = c.closing(at) + 1
  return at === c.pos ? only.parts.at(-1) : undefined
}

/** `(end - start) DAY(4) TO SECOND(2)`, `name (NOT) CASESPECIFIC` behind a value: its type, no column. */
export function stepOverValuePhrase(c: Cursor): boolean {
  const word = c.at(K.NOT) ? c.pos + 1 : c.pos
  if (isCaseWord(c, word)) {
    c.pos = word + 1
    return true
  }
  if (!isUnit(c.type)) return false
  const at = c.pos
  stepOverUnit(c)
  if (c.at(K.TO) && isUnit(c.peek(1))) {
    c.pos++
    stepOverUnit(c)
  } else if (c.pos === at + 1 && c.types[at - 1] !== T.RPAREN) c.pos = at
  return c.pos > at
}

function stepOverUnit(c: Cursor): void {
  c.pos++
  if (c.at(T.LPAREN) && c.peek(1) === T.NUMBER) c.stepOverParens()
}

/** CASESPECIFIC, CS: how strings are compared. */
export function isCaseWord(c: Cursor, index: number): boolean {
  return c.isWord(index, 'casespecific') || c.isWord(index, 'cs')
}

/** `CURRENT VALIDTIME`, `SEQUENCED VALIDTIME PERIOD '(…)' AND NONSEQUENCED TRANSACTIONTIME` in front of a statement. */
export function stepOverTemporalQualifier(c: Cursor): boolean {
  if (c.dialect.name !== 'teradata' || !isTemporalQualifier(c)) return false
  for (;;) {
    c.pos += 2
    if (c.at(K.AS) && c.peek(1) === K.OF) c.pos += 2
    if (c.at(K.PERIOD) || c.at(K.DATE) || c.at(K.TIMESTAMP)) c.pos++
    if (c.at(T.STRING)) c.pos++
    else if (c.at(T.LPAREN) && c.types[c.pos - 1] === K.PERIOD) c.stepOverParens()
    if (!c.take(K.AND)) return true
  }
}

function isTemporalQualifier(c: Cursor): boolean {
  const isTime = c.isWord(c.pos + 1, 'validtime') || c.isWord(c.pos + 1, 'transactiontime')
  return isTime && (c.at(K.CURRENT) || c.isWord(c.pos, 'sequenced') || c.isWord(c.pos, 'nonsequenced'))
}

/** SELECT NORMALIZE [ON MEETS OR OVERLAPS]. */
export function stepOverNormalize(c: Cursor): boolean {
  if (!c.isWord(c.pos, 'normalize')) return false
  const isPhrase = c.peek(1) === K.ON && (c.isWord(c.pos + 2, 'meets') || c.peek(2) === K.OVERLAPS)
  if (!isPhrase) {
    if (!c.isName(c.pos + 1) || c.peek(1) === K.FROM || c.peek(1) === K.AS) return false
    c.pos++
    return true
  }
  c.pos += 3
  if (c.take(K.OR)) c.pos++
  return true
}
