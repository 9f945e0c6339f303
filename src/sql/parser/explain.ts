/** EXPLAIN: a statement that is told of and not run. */

import { T } from '../lexer/tokens.ts'
import { K } from '../lexer/words.ts'
import type { Core } from './core.ts'
import type { Cursor } from './cursor.ts'
import { startsQuery } from './lookahead.ts'

const DESCRIBED: ReadonlySet<number> = new Set([
  K.SELECT,
  K.WITH,
  K.INSERT,
  K.UPDATE,
  K.DELETE,
  K.MERGE,
  K.CREATE,
  K.FROM,
  K.VALUES,
  T.LPAREN,
  K.REPLACE,
  K.EXECUTE,
  K.TABLE,
])

/** EXPLAIN [options] statement. */
export function parseExplain(c: Cursor): Core {
  c.pos++
  while (!c.atEnd() && !DESCRIBED.has(c.type)) {
    // DuckDB: FROM (DESCRIBE t).
    if (c.at(T.RPAREN)) return { kind: 'explain', statement: undefined }
    if (c.at(T.LPAREN)) break
    c.pos++
  }
  if (c.at(T.LPAREN) && !startsQuery(c, c.pos + 1)) c.stepOverParens()
  while (!c.atEnd() && !DESCRIBED.has(c.type)) c.pos++
  if (c.atEnd() || c.at(K.TABLE) || c.at(K.EXECUTE)) {
    while (!c.atEnd()) c.pos++
    return { kind: 'explain', statement: undefined }
  }
  return { kind: 'explain', statement: c.rules.statement(c) }
}
