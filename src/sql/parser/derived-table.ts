/** Parentheses in FROM: a query, or joins. */

import { T } from '../lexer/tokens.ts'
import { K } from '../lexer/words.ts'
import type { Cursor } from './cursor.ts'
import { startsQuery } from './lookahead.ts'

/** DuckDB: FROM (DESCRIBE t), (SUMMARIZE t). */
const DESCRIBING: ReadonlySet<number> = new Set([K.DESCRIBE, K.SUMMARIZE])

/** Whether the parenthesis at the cursor holds a query and not joins. */
export function isDerivedTable(c: Cursor): boolean {
  let inner = c.pos + 1
  if (DESCRIBING.has(c.types[inner]!) && c.isName(inner + 1)) return true
  if (startsQuery(c, inner)) return c.types[inner] !== K.TABLE || c.isName(inner + 1)
  if (c.types[inner] !== T.LPAREN) return false
  while (c.types[inner] === T.LPAREN) inner++
  if (!startsQuery(c, inner)) return false
  // `((SELECT …) UNION …)` against `((SELECT …) a JOIN b)`: what follows the inner parenthesis tells.
  const after = c.types[c.closing(c.pos + 1) + 1]!
  return (
    after === T.RPAREN ||
    after === K.UNION ||
    after === K.INTERSECT ||
    after === K.EXCEPT ||
    after === K.MINUS ||
    after === K.ORDER ||
    after === K.LIMIT ||
    after === K.OFFSET ||
    after === T.PIPE
  )
}
