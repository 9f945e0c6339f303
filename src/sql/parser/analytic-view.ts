/**
 * Oracle's analytic views and what they stand on: an attribute dimension names columns of a table, a hierarchy orders
 * levels of a dimension, an analytic view measures a table by hierarchies. Each is read as a view.
 *
 *     CREATE ATTRIBUTE DIMENSION d USING t ATTRIBUTES (yr AS year_id, mon) LEVEL …
 *     CREATE HIERARCHY h USING d (month CHILD OF year)
 *     CREATE ANALYTIC VIEW v USING t DIMENSION BY (d …) MEASURES (units FACT sold, ratio AS (amount / units))
 */

import type { Item, Reference } from '../ir/expression.ts'
import { T } from '../lexer/tokens.ts'
import { K } from '../lexer/words.ts'
import { stepToEnd } from './command-end.ts'
import type { Core } from './core.ts'
import { creation } from './creation.ts'
import type { Cursor } from './cursor.ts'
import { ifNotExists, requiredName } from './ddl-steps.ts'
import { parseExpression } from './expression.ts'
import { parseTableName } from './name.ts'
import { columnItem, plainSelect, tableRelation } from './plain-query.ts'

/** With the cursor at ATTRIBUTE, HIERARCHY or ANALYTIC; undefined, and nothing consumed, where none of them stands. */
export function parseAnalytic(c: Cursor): Core | undefined {
  const width = c.isWord(c.pos + 1, 'dimension') && c.isWord(c.pos, 'attribute') ? 2 : isAnalyticView(c) ? 2 : 1
  if (width === 1 && !(c.isWord(c.pos, 'hierarchy') && c.isName(c.pos + 1))) return undefined
  const start = c.start()
  c.pos += width
  ifNotExists(c)
  const target = requiredName(c)
  while (!c.atEnd() && !c.at(K.USING)) {
    if (c.at(T.LPAREN)) c.stepOverParens()
    else c.pos++
  }
  c.expect(K.USING, 'USING')
  const source = parseTableName(c)
  if (!source) c.missing('a table')
  if (width === 1) {
    stepToEnd(c)
    return creation('view', target, { like: source ? [source] : [], clones: true })
  }
  const items: Item[] = []
  const known = new Map<string, readonly Reference[]>()
  while (!c.atEnd()) {
    const lists = (c.at(K.MEASURES) || c.isWord(c.pos, 'attributes')) && c.peek(1) === T.LPAREN
    const attributes = !c.at(K.MEASURES)
    if (lists) readList(c, (at) => items.push(attributes ? attribute(c, at) : measure(c, at, known)))
    else if (c.at(T.LPAREN)) c.stepOverParens()
    else c.pos++
  }
  const from = source ? [tableRelation(source)] : []
  return creation('view', target, { query: plainSelect(items, from, start, c.end()) })
}

function isAnalyticView(c: Cursor): boolean {
  return c.isWord(c.pos, 'analytic') && c.peek(1) === K.VIEW
}

function readList(c: Cursor, read: (start: number) => void): void {
  c.pos += 2
  while (!c.at(T.RPAREN) && !c.atEnd()) {
    const before = c.pos
    read(c.start())
    while (!c.at(T.COMMA) && !c.at(T.RPAREN) && !c.atEnd()) {
      if (c.at(T.LPAREN)) c.stepOverParens()
      else c.pos++
    }
    if (!c.take(T.COMMA) && c.pos === before) c.pos++
  }
  c.closeParen()
}

/** `column [AS name]`, perhaps behind the table's name. */
function attribute(c: Cursor, start: number): Item {
  while (c.peek(1) === T.DOT) c.pos += 2
  const item = columnItem(c.nameAt(c.pos++), start, c.end())
  return c.take(K.AS) && c.isName(c.pos) ? { ...item, alias: c.nameAt(c.pos++) } : item
}

/** `m FACT column`, `m` (the column of that name), `m AS (expression)` over the measures before. */
function measure(c: Cursor, start: number, known: Map<string, readonly Reference[]>): Item {
  const alias = c.nameAt(c.pos++)
  if (c.take(K.AS)) {
    const expression = parseExpression(c)
    const references = expression.references.flatMap((one) => known.get(one.parts.at(-1)!.toLowerCase()) ?? one)
    return { expression: { ...expression, references, form: 'other' }, alias, start, end: c.end() }
  }
  if (c.takeWord('fact')) while (c.peek(1) === T.DOT) c.pos += 2
  const name = c.isWord(c.pos - 1, 'fact') || c.types[c.pos - 1] === T.DOT ? c.nameAt(c.pos++) : alias
  const item = columnItem(name, start, c.end())
  known.set(alias.toLowerCase(), item.expression.references)
  return { ...item, alias }
}
