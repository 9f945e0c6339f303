import { K } from '../lexer/words.ts'
import type { Cursor } from './cursor.ts'

/** Teradata: LOCKING ROW FOR ACCESS in front of a query. */
export function stepOverLocking(c: Cursor): boolean {
  const next = c.peek(1)
  const isShort = c.at(K.LOCK) && c.dialect.name === 'teradata' && (next === K.ROW || next === K.TABLE)
  if (!isShort && !c.isWord(c.pos, 'locking')) return false
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
