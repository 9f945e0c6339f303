/** ClickHouse: values looked up in a dictionary or in a table that is made for joins. */

import type { TableName } from '../ir/query.ts'
import { T } from '../lexer/tokens.ts'
import type { Collector } from './collector.ts'
import type { Cursor } from './cursor.ts'
import { splitDotted } from './name.ts'
import { columnsQuery } from './plain-query.ts'

/** With the cursor on `(` of dictGet('db.d', 'attribute', key) and its kin: what is looked up is read like a subquery. */
export function addDictionary(c: Cursor, x: Collector, name: string): void {
  if (!/^(?:dictget|joinget)/.test(name) || c.peek(1) !== T.STRING || c.peek(2) !== T.COMMA) return
  const at = c.pos + 1
  const attributes: string[] = []
  if (c.peek(3) === T.STRING) attributes.push(c.nameAt(c.pos + 3))
  else if (c.peek(3) === T.LPAREN) {
    const closing = c.closing(c.pos + 3)
    for (let i = c.pos + 4; i < closing; i++) if (c.types[i] === T.STRING) attributes.push(c.nameAt(i))
  }
  if (attributes.length === 0) return
  const parts = splitDotted(c.nameAt(at))
  const dictionary: TableName = { parts, start: c.starts[at]!, end: c.ends[at]!, sort: 'table', quoted: 0 }
  x.addQuery({ query: columnsQuery(dictionary, attributes), role: x.role, valueless: false })
}
