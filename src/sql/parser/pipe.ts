/** Pipe syntax (BigQuery, Spark, Databricks): each `|>` step reads the rows of the one before. */

import type { Expression, Item } from '../ir/expression.ts'
import type { Cte, NamedWindow, Pipe, PipeStep, Query, SetOperation, Use } from '../ir/query.ts'
import { T } from '../lexer/tokens.ts'
import { K } from '../lexer/words.ts'
import { FIRST } from './plain-query.ts'
import { Collector } from './collector.ts'
import type { Cursor } from './cursor.ts'
import { parseExpression } from './expression.ts'
import { parseItem, parseItems } from './item.ts'
import { scanOrderList, scanWindowBody } from './order.ts'
import { parsePivots } from './pivot.ts'
import { parseFunctionRelation } from './rowset.ts'
import { stepOverClause } from './clause.ts'

/** With the cursor at the first `|>` behind `source`. */
export function parsePipe(c: Cursor, source: Query): Pipe {
  const steps: PipeStep[] = []
  const ctes: Cte[] = []
  while (c.take(T.PIPE)) {
    if (c.at(K.WITH)) {
      // The CTEs of a step: in reach of all that the pipe reads.
      ctes.push(...c.rules.ctes(c))
      continue
    }
    const step = parseStep(c)
    if (step) steps.push(step)
    while (!c.at(T.PIPE) && !c.at(T.RPAREN) && !c.atEnd()) c.skip()
  }
  return { kind: 'pipe', source, steps, with: ctes, start: source.start, end: c.end() }
}

function parseStep(c: Cursor): PipeStep | undefined {
  const start = c.start()
  switch (c.type) {
    case K.SELECT: {
      c.pos++
      if (c.at(K.DISTINCT) || c.at(K.ALL)) c.pos++
      if (c.at(K.AS) && (c.peek(1) === K.STRUCT || c.peek(1) === K.VALUE)) c.pos += 2
      return { kind: 'select', items: parseItems(c), windows: parseWindows(c) }
    }
    case K.EXTEND:
    case K.WINDOW:
      c.pos++
      return { kind: 'extend', items: parseItems(c), windows: parseWindows(c) }
    case K.SET: {
      c.pos++
      const items: Item[] = []
      do {
        const at = c.start()
        const alias = c.nameAt(c.pos)
        c.pos++
        c.take(T.EQUALS)
        items.push({ expression: parseExpression(c), alias, start: at, end: c.end() })
      } while (c.take(T.COMMA) && c.isName(c.pos))
      return { kind: 'set', items }
    }
    case K.DROP: {
      c.pos++
      const names: string[] = []
      do names.push(c.nameAt(c.pos++))
      while (c.take(T.COMMA) && c.isName(c.pos))
      return { kind: 'drop', names }
    }
    case K.RENAME: {
      c.pos++
      const names: (readonly [string, string])[] = []
      do {
        const from = c.nameAt(c.pos++)
        c.take(K.AS)
        names.push([from, c.nameAt(c.pos++)])
      } while (c.take(T.COMMA) && c.isName(c.pos))
      return { kind: 'rename', names }
    }
    case K.AS:
      c.pos += 2
      return { kind: 'as', alias: c.nameAt(c.pos - 1) }
    case K.AGGREGATE:
      return parseAggregate(c)
    case K.WHERE:
    case K.QUALIFY:
      c.pos++
      return { kind: 'where', uses: [{ kind: 'FILTER', expression: parseExpression(c) }] }
    case K.ORDER:
      c.pos += 2
      return { kind: 'where', uses: [{ kind: 'SORT', expression: orderList(c) }] }
    case K.LIMIT:
      c.pos++
      parseExpression(c)
      if (c.take(K.OFFSET)) parseExpression(c)
      return undefined
    case K.DISTINCT:
      c.pos++
      return undefined
    case K.PIVOT:
    case K.UNPIVOT: {
      const pivot = parsePivots(c)[0]
      return pivot && { kind: 'pivot', pivot }
    }
    case K.CALL: {
      c.pos++
      const call = parseFunctionRelation(c, FIRST, start)
      if (!call) return undefined
      if (c.take(K.AS)) return { kind: 'call', call: { ...call, alias: c.nameAt(c.pos++) } }
      return { kind: 'call', call }
    }
    case K.UNION:
    case K.INTERSECT:
    case K.EXCEPT:
      return parseSetOperation(c)
    default: {
      if (c.at(K.FULL) || c.at(K.LEFT) || c.at(K.INNER) || c.at(K.OUTER)) {
        let i = c.pos
        while (c.types[i] === K.FULL || c.types[i] === K.LEFT || c.types[i] === K.INNER || c.types[i] === K.OUTER) i++
        if (c.types[i] === K.UNION || c.types[i] === K.INTERSECT || c.types[i] === K.EXCEPT) {
          const keeps = c.at(K.INNER) ? 'both' : c.at(K.LEFT) ? 'left' : 'either'
          c.pos = i
          return parseSetOperation(c, keeps)
        }
      }
      const join = parseJoinStep(c)
      if (join) return join
      if (!stepOverClause(c)) c.missing('an operator of pipe syntax')
      return undefined
    }
  }
}

function parseJoinStep(c: Cursor): PipeStep | undefined {
  let i = c.pos
  while (
    c.types[i] === K.LEFT ||
    c.types[i] === K.RIGHT ||
    c.types[i] === K.FULL ||
    c.types[i] === K.INNER ||
    c.types[i] === K.CROSS ||
    c.types[i] === K.OUTER ||
    c.types[i] === K.NATURAL ||
    c.types[i] === K.SEMI ||
    c.types[i] === K.ANTI ||
    c.types[i] === K.LATERAL
  )
    i++
  if (c.types[i] !== K.JOIN && c.types[i] !== K.LATERAL) return undefined
  c.pos = c.types[i] === K.JOIN ? i + 1 : i
  const uses: Use[] = []
  const relations = c.rules.relations(c, uses)
  return { kind: 'join', relations, uses }
}

function parseSetOperation(c: Cursor, prefixed?: SetOperation['keeps']): PipeStep {
  const operator = c.at(K.UNION) ? 'union' : c.at(K.INTERSECT) ? 'intersect' : 'except'
  c.pos++
  if (c.at(K.ALL) || c.at(K.DISTINCT)) c.pos++
  let byName = false
  let keeps = prefixed
  if (c.at(K.BY) && c.peek(1) === K.NAME) {
    c.pos += 2
    byName = true
  } else if (c.take(K.CORRESPONDING)) {
    byName = true
    keeps ??= 'both'
  }
  const queries: Query[] = []
  do {
    if (c.take(T.LPAREN)) {
      queries.push(c.rules.query(c))
      c.closeParen()
    } else queries.push(c.rules.query(c))
  } while (c.take(T.COMMA))
  return { kind: 'set-operation', operator, byName, keeps, queries }
}

/** AGGREGATE items [GROUP [AND ORDER] BY items]. */
function parseAggregate(c: Cursor): PipeStep {
  c.pos++
  const items = c.at(K.GROUP) ? [] : readItems(c)
  let groups: Item[] = []
  let sorts = false
  if (c.take(K.GROUP)) {
    if (c.at(K.AND)) {
      c.pos += 2
      sorts = true
    }
    c.take(K.BY)
    groups = readGroups(c)
  }
  return { kind: 'aggregate', items, groups, sorts }
}

/** Groups one by one, also those inside ROLLUP (…), CUBE (…) and GROUPING SETS (…). */
function readGroups(c: Cursor): Item[] {
  const items: Item[] = []
  do {
    if (c.at(T.PIPE) || c.atEnd()) break
    const sets = c.at(K.GROUPING) && c.peek(1) === K.SETS
    if (sets || ((c.at(K.ROLLUP) || c.at(K.CUBE)) && c.peek(1) === T.LPAREN)) {
      c.pos += sets ? 3 : 2
      items.push(...readGroups(c))
      c.closeParen()
    } else if (c.at(T.LPAREN) && isGroupList(c)) {
      c.pos++
      if (!c.at(T.RPAREN)) items.push(...readGroups(c))
      c.closeParen()
    } else items.push(...readItems(c))
  } while (c.take(T.COMMA))
  return items
}

/** `()` and `(a, b)`, against `(a + b) * 2`. */
function isGroupList(c: Cursor): boolean {
  const after = c.types[c.closing(c.pos) + 1]
  return after === T.COMMA || after === T.RPAREN || after === T.PIPE || after === T.EOF
}

function readItems(c: Cursor): Item[] {
  const items: Item[] = []
  do {
    if (c.at(T.PIPE) || c.at(K.GROUP) || c.atEnd()) break
    items.push(orderedItem(c))
    if (c.at(K.ASC) || c.at(K.DESC)) c.pos++
    if (c.at(K.NULLS)) c.pos += 2
  } while (c.take(T.COMMA))
  return items
}

/** An item whose direction is no alias: `GROUP AND ORDER BY id DESC`. */
function orderedItem(c: Cursor): Item {
  const item = parseItem(c)
  if (!/^(?:asc|desc)$/i.test(item.alias ?? '') || c.types[c.pos - 2] === K.AS) return item
  return {
    ...item,
    alias: undefined,
    expression: { ...item.expression, name: item.expression.references.at(-1)?.parts.at(-1) },
  }
}

function parseWindows(c: Cursor): NamedWindow[] {
  const windows: NamedWindow[] = []
  if (!c.at(K.WINDOW)) return windows
  c.pos++
  do {
    const name = c.nameAt(c.pos).toLowerCase()
    c.pos++
    c.take(K.AS)
    const x = new Collector()
    if (c.take(T.LPAREN)) scanWindowBody(c, x, 4)
    windows.push({ name, expression: x })
  } while (c.take(T.COMMA))
  return windows
}

function orderList(c: Cursor): Expression {
  const x = new Collector()
  x.start = c.start()
  scanOrderList(c, x)
  x.end = c.end()
  return x
}
