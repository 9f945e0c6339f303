/** Vertica's TIMESERIES: a relation of one column, made from an order. */

import type { Relation } from '../ir/query.ts'
import type { Expression } from '../ir/expression.ts'
import { T } from '../lexer/tokens.ts'
import { K } from '../lexer/words.ts'
import { clauseRowset, CROSS } from './clause-rowset.ts'
import { Collector } from './collector.ts'
import type { Cursor } from './cursor.ts'
import { scanWindowBody } from './order.ts'

/** Vertica: TIMESERIES ts AS '1 minute' OVER (PARTITION BY a ORDER BY at): a column made from the order. */
export function parseTimeSeries(c: Cursor): Relation {
  const start = c.start()
  const name = c.nameAt(c.pos + 1)
  c.pos += 2
  c.take(K.AS)
  c.take(T.STRING)
  const x = new Collector()
  x.start = start
  if (c.take(K.OVER) && c.take(T.LPAREN)) scanWindowBody(c, x, 0)
  x.end = c.end()
  const columns = [{ name, from: 'args' }] as const
  return clauseRowset('timeseries', { from: lastOf(x), columns }, CROSS, start, c.end())
}

/** The last reference of what a collector gathered. */
function lastOf(x: Collector): Expression {
  const references = x.references.slice(-1)
  return { start: x.start, end: x.end, references, queries: [], stars: [], windows: [], form: 'other' }
}
