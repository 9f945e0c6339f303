/** MATCH_RECOGNIZE: rows of a relation matched by a pattern, measures computed over them. */

import type { Expression, Item } from '../ir/expression.ts'
import type { Relation, Use } from '../ir/query.ts'
import { T } from '../lexer/tokens.ts'
import { K } from '../lexer/words.ts'
import { Collector } from './collector.ts'
import type { Cursor } from './cursor.ts'
import { parseExpression } from './expression.ts'
import { parseItem } from './item.ts'
import { scanOrderList } from './order.ts'

/** With the cursor at MATCH_RECOGNIZE: reads the clause over `source`. */
export function parseMatchRecognize(c: Cursor, source: Relation): Relation {
  c.pos += 2
  const partition: Expression[] = []
  const measures: Item[] = []
  const uses: Use[] = []
  const variables: string[] = []
  let keepsAll = false
  while (!c.at(T.RPAREN) && !c.atEnd()) {
    if (c.take2(K.PARTITION, K.BY)) {
      do {
        const expression = parseExpression(c)
        partition.push(expression)
        uses.push({ kind: 'WINDOW', expression })
      } while (c.take(T.COMMA))
    } else if (c.take2(K.ORDER, K.BY)) uses.push({ kind: 'SORT', expression: orderList(c) })
    else if (c.take(K.MEASURES)) {
      do {
        if (c.at(K.FINAL) || c.isWord(c.pos, 'running')) c.pos++
        measures.push(parseItem(c))
      } while (c.take(T.COMMA))
    } else if (c.take(K.DEFINE)) {
      do {
        variables.push(c.nameAt(c.pos).toLowerCase())
        c.pos++
        c.take(K.AS)
        uses.push({ kind: 'FILTER', expression: parseExpression(c) })
      } while (c.take(T.COMMA))
    } else if (c.isWord(c.pos, 'pattern') && c.peek(1) === T.LPAREN) {
      const closing = c.closing(c.pos + 1)
      for (let i = c.pos + 2; i < closing; i++) if (c.isName(i)) variables.push(c.nameAt(i).toLowerCase())
      c.pos = closing + 1
    } else if (c.isWord(c.pos, 'subset') && c.isName(c.pos + 1)) {
      do {
        c.pos++
        variables.push(c.nameAt(c.pos).toLowerCase())
        c.pos += 2
        if (c.at(T.LPAREN)) c.stepOverParens()
      } while (c.at(T.COMMA))
    } else if (c.take2(K.ALL, K.ROWS)) keepsAll = true
    else if (c.at(T.LPAREN)) c.stepOverParens()
    else c.pos++
  }
  c.closeParen()
  return {
    kind: 'derived',
    source,
    measures: measures.map((item) => withoutClassified(c, item)),
    keepsAll,
    partition,
    uses,
    variables,
    join: source.join,
    pivots: [],
    start: source.start,
    end: c.end(),
  }
}

/** CLASSIFIER(u) names a variable, no column. */
function withoutClassified(c: Cursor, item: Item): Item {
  const references = item.expression.references.filter(
    ({ start, parts }) =>
      parts.length > 1 || !/\bclassifier\s*\(\s*$/i.test(c.text.slice(Math.max(0, start - 20), start)),
  )
  return { ...item, expression: { ...item.expression, references } }
}

function orderList(c: Cursor): Expression {
  const x = new Collector()
  x.start = c.start()
  scanOrderList(c, x)
  x.end = c.end()
  return x
}
