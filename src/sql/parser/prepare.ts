/** PREPARE: a statement for later, as it stands or as text. */

import { T } from '../lexer/tokens.ts'
import { K } from '../lexer/words.ts'
import { type Core, command } from './core.ts'
import type { Cursor } from './cursor.ts'
import { parseExpression } from './expression.ts'
import { startsQuery } from './lookahead.ts'
import { piecesOf } from './text.ts'

/** PREPARE p AS statement; PREPARE p FROM '…'. */
export function parsePrepare(c: Cursor): Core {
  c.pos++
  const prepares = c.isName(c.pos) ? c.nameAt(c.pos) : undefined
  while (!c.atEnd() && !c.at(K.AS) && !c.at(K.FROM)) {
    if (c.at(T.LPAREN)) c.stepOverParens()
    else c.pos++
  }
  if (c.take(K.AS)) return { kind: 'block', body: [c.rules.statement(c)] }
  if (c.take(K.FROM)) {
    // Trino: PREPARE p FROM SELECT ….
    if (startsQuery(c, c.pos) && c.type !== K.FROM) return { kind: 'block', body: [c.rules.statement(c)] }
    const start = c.start()
    const at = c.pos
    parseExpression(c)
    const pieces = piecesOf(c, at, c.pos)
    while (!c.atEnd()) c.pos++
    return { kind: 'call', name: undefined, args: [], dynamic: { pieces, start }, prepares }
  }
  return command('prepare')
}
