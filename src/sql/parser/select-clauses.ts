/** The clauses of a SELECT, in whatever order they stand. */

import type { NamedWindow, Use } from '../ir/query.ts'
import { T } from '../lexer/tokens.ts'
import { K } from '../lexer/words.ts'
import { Collector } from './collector.ts'
import type { Cursor } from './cursor.ts'
import { parseExpression } from './expression.ts'
import { parseModelClause } from './model-clause.ts'
import { scanWindowBody } from './order.ts'
import { parseRelations } from './relation.ts'
import { parseExpand } from './teradata-relation.ts'
import type { Draft } from './select-draft.ts'
import { parseTimeSeries } from './time-series.ts'
import { parseInto } from './select-into.ts'
import { parseGroupBy } from './group-by.ts'

/** The order that a SELECT has its clauses in; QUALIFY and WINDOW stand as they like. */
const RANKS: Readonly<Record<number, number>> = {
  [K.FROM]: 1,
  [K.PREWHERE]: 2,
  [K.WHERE]: 3,
  [K.GROUP]: 4,
  [K.HAVING]: 5,
}

/** Clauses of a SELECT in whatever order they stand. */
export function parseClauses(c: Cursor, uses: Use[], draft: Draft | undefined): void {
  let last = 0
  for (;;) {
    const next = c.peek(1)
    const rank = RANKS[c.type]
    if (rank !== undefined) {
      if (rank < last && c.dialect.name !== 'teradata') c.missing('its place in the order of clauses')
      last = Math.max(last, rank)
    }
    switch (c.type) {
      case K.FROM:
        if (!draft || draft.from.length > 0) return
        c.pos++
        draft.from = parseRelations(c, uses)
        break
      case K.INTO:
        if (!draft) return
        parseInto(c, draft)
        break
      case K.BULK:
        if (next !== K.COLLECT) return
        c.pos += 2
        break
      case K.WHERE:
      case K.PREWHERE:
      case K.HAVING:
      case K.QUALIFY:
        c.pos++
        if (c.at(K.CURRENT) && c.peek(1) === K.OF) {
          c.pos += 3
          break
        }
        uses.push({ kind: 'FILTER', expression: parseExpression(c) })
        break
      case K.START:
        if (next !== K.WITH) return
        c.pos += 2
        uses.push({ kind: 'FILTER', expression: parseExpression(c) })
        break
      case K.CONNECT:
        if (next !== K.BY) return
        c.pos += 2
        c.take(K.NOCYCLE)
        if (draft) draft.hierarchical = true
        uses.push({ kind: 'JOIN', expression: parseExpression(c) })
        break
      case K.GROUP:
        if (next !== K.BY) return
        c.pos += 2
        parseGroupBy(c, uses)
        break
      case K.WINDOW:
        // KSQL: WINDOW TUMBLING (SIZE 1 MINUTE).
        if (c.isName(c.pos + 1) && c.peek(2) === T.LPAREN) {
          c.pos += 2
          c.stepOverParens()
          break
        }
        if (!draft || !c.isName(c.pos + 1) || c.peek(2) !== K.AS) return
        c.pos++
        parseWindows(c, draft.windows)
        break
      case T.WORD:
        if (draft && next === K.ON && c.isWord(c.pos, 'expand')) {
          draft.from = [...draft.from, parseExpand(c)]
          break
        }
        if (!draft || !c.isWord(c.pos, 'timeseries') || !c.isName(c.pos + 1)) return
        draft.from = [...draft.from, parseTimeSeries(c)]
        break
      case K.MODEL:
        if (!isModelClause(c)) return
        if (!draft) return
        draft.from = parseModelClause(c, draft.from, uses)
        break
      default:
        return
    }
  }
}

function isModelClause(c: Cursor): boolean {
  return (
    c.dialect.name === 'oracle' &&
    (c.peek(1) === K.PARTITION ||
      c.isWord(c.pos + 1, 'dimension') ||
      c.isWord(c.pos + 1, 'main') ||
      c.peek(1) === K.IGNORE ||
      c.peek(1) === K.KEEP ||
      c.peek(1) === K.RETURN ||
      c.isWord(c.pos + 1, 'reference'))
  )
}

function parseWindows(c: Cursor, windows: NamedWindow[]): void {
  do {
    const name = c.nameAt(c.pos).toLowerCase()
    c.pos++
    c.take(K.AS)
    const x = new Collector()
    x.start = c.start()
    if (c.take(T.LPAREN)) scanWindowBody(c, x, 4)
    else if (c.isName(c.pos)) x.addWindow(c.nameAt(c.pos++).toLowerCase())
    x.end = c.end()
    // A window is no copy of the column that it is ordered by.
    x.form = 'other'
    windows.push({ name, expression: x })
  } while (c.take(T.COMMA) && c.isName(c.pos))
}
