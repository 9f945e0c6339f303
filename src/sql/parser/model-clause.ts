/**
 * Oracle's MODEL clause: what SELECT sees are its partitions, dimensions and measures under the names given there.
 *
 *   FROM sales MODEL DIMENSION BY (year y) MEASURES (amount a) RULES (…)   is read as   FROM (SELECT year y, amount a FROM sales)
 *
 * Rules compute cells from cells: a measure has its own sources and those of the measures that its rules read.
 */

import type { Item, Reference } from '../ir/expression.ts'
import type { Relation, Use } from '../ir/query.ts'
import { T } from '../lexer/tokens.ts'
import { K } from '../lexer/words.ts'
import { FIRST } from './plain-query.ts'
import type { Cursor } from './cursor.ts'
import { parseExpression } from './expression.ts'
import { parseItems } from './item.ts'

/** With the cursor at MODEL: the relation that stands for `from` and what filters it. */
export function parseModelClause(c: Cursor, from: readonly Relation[], uses: Use[]): readonly Relation[] {
  const start = c.start()
  const items: Item[] = []
  let measures = 0
  while (!c.atEnd() && !c.at(T.RPAREN) && !(c.at(K.ORDER) && c.peek(1) === K.BY) && !c.at(K.UNION)) {
    if (isColumnList(c)) {
      if (c.isWord(c.pos - 1, 'measures')) measures = items.length
      c.pos++
      items.push(...parseItems(c))
      c.closeParen()
    } else if (c.at(T.LPAREN) && isRules(c)) parseRules(c, items, measures)
    else if (c.at(T.LPAREN)) c.stepOverParens()
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

/** `RULES [UPDATE | UPSERT] [SEQUENTIAL ORDER] [ITERATE (10)] (`. */
function isRules(c: Cursor): boolean {
  return c.isName(c.pos + 1) && (c.peek(2) === T.LBRACKET || c.isName(c.pos + 2)) && !isColumnList(c)
}

/** `sale[2002] = sale[2001] + cost[2000], …`: each measure (the items from `measures` on) takes the sources of those that its rules read. */
function parseRules(c: Cursor, items: Item[], measures: number): void {
  c.pos++
  while (!c.at(T.RPAREN) && !c.atEnd()) {
    const before = c.pos
    if (c.isName(c.pos + 1) && c.peek(1) !== T.LBRACKET) c.pos++
    const at = items.findIndex((item) => nameOf(item) === c.nameAt(c.pos).toLowerCase())
    c.pos++
    if (c.at(T.LBRACKET)) c.stepOverParens()
    if (c.take(T.EQUALS)) {
      const read = parseExpression(c).references.flatMap(({ parts }) => {
        const measure = items.find((item, place) => place >= measures && nameOf(item) === parts[0]!.toLowerCase())
        return measure && measure !== items[at] ? measure.expression.references : []
      })
      if (at >= 0 && read.length > 0) items[at] = computedFrom(items[at]!, read)
    }
    if (!c.take(T.COMMA) && c.pos === before) c.pos++
  }
  c.closeParen()
}

function nameOf({ alias, expression }: Item): string {
  return (alias ?? expression.references[0]?.parts.at(-1) ?? '').toLowerCase()
}

function computedFrom(item: Item, read: readonly Reference[]): Item {
  const references = [...item.expression.references, ...read]
  return { ...item, alias: item.alias ?? nameOf(item), expression: { ...item.expression, references, form: 'other' } }
}

/** `PARTITION BY (`, `DIMENSION BY (`, `MEASURES (`. */
function isColumnList(c: Cursor): boolean {
  if (!c.at(T.LPAREN)) return false
  if (c.isWord(c.pos - 1, 'measures')) return true
  return c.types[c.pos - 1] === K.BY && (c.types[c.pos - 2] === K.PARTITION || c.isWord(c.pos - 2, 'dimension'))
}
