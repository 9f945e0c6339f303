/** A query that stands in a string: `UNLOAD ('SELECT …')`, `STATEMENT 'SELECT …'`. */

import type { Query } from '../ir/query.ts'
import type { Cursor } from './cursor.ts'

/** The query in the string token at `index`; what was not understood in it is told with the statement around it. */
export function textQuery(c: Cursor, index: number): Query | undefined {
  const [statement] = c.subScript(index)
  if (!statement) return undefined
  c.notes.push(...statement.notes)
  c.skipped += statement.skipped
  return statement.kind === 'query' ? statement.query : undefined
}
