/** Spark's CACHE TABLE: a temporary table from a query. */

import { T } from '../lexer/tokens.ts'
import { K } from '../lexer/words.ts'
import { type Core, command } from './core.ts'
import { creation } from './creation.ts'
import type { Cursor } from './cursor.ts'
import { parseTableName } from './name.ts'
import { startsQuery } from './lookahead.ts'
import { stepOver } from './step-over-statement.ts'

/** Spark: CACHE [LAZY] TABLE name [OPTIONS (…)] [AS] query. */
export function parseCache(c: Cursor): Core {
  c.pos++
  if (c.isWord(c.pos, 'lazy')) c.pos++
  if (!c.take(K.TABLE)) return stepOver(c)
  const target = parseTableName(c)
  while (!c.atEnd() && !startsQuery(c, c.pos)) {
    if (c.at(T.LPAREN) && startsQuery(c, c.pos + 1)) break
    if (c.at(T.LPAREN)) c.stepOverParens()
    else c.pos++
  }
  if (c.atEnd() || !target) return command('cache')
  return creation('ctas', target, { temporary: true, query: c.rules.query(c), cached: true })
}
