import { K } from '../lexer/words.ts'
import type { Cursor } from './cursor.ts'

/** Teradata: LOCKING ROW FOR ACCESS in front of a query. */
export function stepOverLocking(c: Cursor): boolean {
  if (!c.isWord(c.pos, 'locking')) return false
  const start = c.pos
  while (
    !c.atEnd() &&
    !c.isWord(c.pos, 'access') &&
    !c.isWord(c.pos, 'exclusive') &&
    !c.at(K.READ) &&
    !c.at(K.WRITE) &&
    !c.at(K.SHARE)
  )
    c.pos++
  if (c.atEnd()) {
    c.pos = start
    return false
  }
  c.pos++
  if (c.isWord(c.pos, 'mode')) c.pos++
  c.take(K.NOWAIT)
  return true
}
