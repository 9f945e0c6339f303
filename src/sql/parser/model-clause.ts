/**
 * Oracle's MODEL clause: what SELECT sees are its partitions, dimensions and measures under the names given there.
 *
 *   FROM sales MODEL DIMENSION BY (year y) MEASURES (amount a) RULES (…)   is read as   FROM (SELECT year y, amount a FROM sales)
 *
 * Rules compute cells from cells; a measure keeps the sources it has.
 */

import type { Item } from '../ir/expression.ts'
import type { Relation, Use } from '../ir/query.ts'
import { T } from '../lexer/tokens.ts'
import { K } from '../lexer/words.ts'
import { FIRST } from './plain-query.ts'
import type { Cursor } from './cursor.ts'
import { parseItems } from './item.ts'

/** With the cursor at MODEL: the relation that stands for `from` and what filters it. */
export function parseModelClause(c: Cursor, from: readonly Relation[], uses: Use[]): readonly Relation[] {
  const start = c.start()
  const items: Item[] = []
  while (!c.atEnd() && !c.at(T.RPAREN) && !(c.at(K.ORDER) && c.peek(1) === K.BY) && !c.at(K.UNION)) {
    if (isColumnList(c)) {
      c.pos++
      items.push(...parseItems(c))
      c.closeParen()
    } else if (c.at(T.LPAREN)) c.stepOverParens()
    else c.pos++
  }
  if (items.length === 0) return from
  const [first] = from
  const alias = first?.alias ?? (first?.kind === 'table' ? first.name.parts.at(-1) : undefined)
  const place = { start, end: c.end() }
  const query = {
    kind: 'select',
    with: [],
    items,
    from,
    uses: uses.splice(0),
    windows: [],
    intoTemporary: false,
    variables: [],
    ...place,
  } as const
  return [{ kind: 'query', query, lateral: false, alias, join: FIRST, pivots: [], ...place }]
}

/** `PARTITION BY (`, `DIMENSION BY (`, `MEASURES (`. */
function isColumnList(c: Cursor): boolean {
  if (!c.at(T.LPAREN)) return false
  if (c.isWord(c.pos - 1, 'measures')) return true
  return c.types[c.pos - 1] === K.BY && (c.types[c.pos - 2] === K.PARTITION || c.isWord(c.pos - 2, 'dimension'))
}
