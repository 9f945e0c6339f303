/** What follows a whole query, set operations included. */

import type { Use } from '../ir/query.ts'
import { T } from '../lexer/tokens.ts'
import { K } from '../lexer/words.ts'
import { Collector } from './collector.ts'
import type { Cursor } from './cursor.ts'
import { scanExpression } from './expression.ts'
import { scanOrderList } from './order.ts'
import { stepOverClause } from './clause.ts'

/** ORDER BY, LIMIT, FETCH, FOR UPDATE and everything else that follows a whole query. */
export function parseTail(c: Cursor, uses: Use[]): void {
  for (;;) {
    const next = c.peek(1)
    const type = c.type
    if (
      ((type === K.ORDER || type === K.SORT || type === K.CLUSTER || type === K.DISTRIBUTE) && next === K.BY) ||
      (type === K.ORDER && next === K.SIBLINGS) ||
      (type === K.PARTITION && next === K.BY)
    ) {
      c.pos += next === K.SIBLINGS ? 3 : 2
      if (c.at(K.ALL)) {
        c.pos++
        if (c.at(K.ASC) || c.at(K.DESC)) c.pos++
        if (c.at(K.NULLS)) c.pos += 2
        uses.push({ kind: 'SORT', expression: new Collector(), outputs: 'all' })
        continue
      }
      const x = new Collector()
      x.start = c.start()
      const outputs = scanOrderList(c, x)
      x.end = c.end()
      uses.push({ kind: 'SORT', expression: x, ...(outputs ? { outputs } : {}) })
    } else if (type === K.LIMIT || (type === K.OFFSET && !c.at(T.COMMA))) {
      c.pos++
      if (c.at(K.ALL)) c.pos++
      else scanExpression(c, new Collector())
      if (c.take(T.COMMA)) scanExpression(c, new Collector())
      if (c.at(K.PERCENT) || c.at(K.ROWS) || c.at(K.ROW)) c.pos++
      c.take2(K.WITH, K.TIES)
      if (c.at(K.BY)) {
        c.pos++
        const x = new Collector()
        x.start = c.start()
        scanOrderList(c, x)
        uses.push({ kind: 'FILTER', expression: x })
      }
    } else if (!stepOverClause(c)) return
  }
}
