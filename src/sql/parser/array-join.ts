/** ClickHouse's ARRAY JOIN. */

import type { Join, Relation } from '../ir/query.ts'
import { T } from '../lexer/tokens.ts'
import { K } from '../lexer/words.ts'
import { clauseRowset } from './clause-rowset.ts'
import type { Cursor } from './cursor.ts'
import { parseExpression } from './expression.ts'
import { neverTableAlias } from './words.ts'

/** ClickHouse: [LEFT] ARRAY JOIN a AS x, b AS y. */
export function parseArrayJoin(c: Cursor, join: Join): Relation[] {
  c.pos += 2
  const relations: Relation[] = []
  do {
    const start = c.start()
    const expression = parseExpression(c)
    const written = expression.form === 'column' ? expression.references[0]!.parts : undefined
    let name = written?.at(-1) ?? 'arrayJoin'
    if (c.take(K.AS) || (c.isName(c.pos) && !neverTableAlias(c.type))) name = c.nameAt(c.pos++)
    const columns = [{ name, from: 'args' }] as const
    relations.push(clauseRowset('arrayJoin', { from: expression, columns }, join, start, c.end()))
  } while (c.take(T.COMMA))
  return relations
}
