/** ORDER BY lists and windows. */

import { ROLE } from '../ir/expression.ts'
import { T } from '../lexer/tokens.ts'
import { K } from '../lexer/words.ts'
import { Collector } from './collector.ts'
import type { Cursor } from './cursor.ts'

/** ORDER BY and its kin: expressions with direction. Gives the places of outputs (`ORDER BY 2`), if there are any. */
export function scanOrderList(c: Cursor, x: Collector): readonly number[] | undefined {
  let outputs: number[] | undefined
  do {
    const at = c.pos
    c.rules.expression(c, x)
    const place = outputPlace(c, at)
    if (place > 0) (outputs ??= []).push(place)
    stepOverDirection(c)
  } while (c.take(T.COMMA))
  return outputs
}

/** The number that the expression from token `at` to the cursor is, as the place of an output; 0 for any other. */
export function outputPlace(c: Cursor, at: number): number {
  if (c.pos !== at + 1 || c.types[at] !== T.NUMBER) return 0
  const place = Number(c.textAt(at))
  return Number.isInteger(place) && place > 0 ? place : 0
}

function stepOverDirection(c: Cursor): void {
  if (!c.take(K.ASC)) c.take(K.DESC)
  for (;;) {
    if (c.at(K.NULLS) && (c.peek(1) === K.FIRST || c.peek(1) === K.LAST)) c.pos += 2
    else if (c.at(K.USING) && c.peek(1) !== T.LPAREN) c.pos += 2
    else if (c.at(K.WITH) && c.isWord(c.pos + 1, 'fill')) stepOverFill(c)
    else return
  }
}

/** ClickHouse: WITH FILL FROM a TO b STEP c. */
function stepOverFill(c: Cursor): void {
  c.pos += 2
  while (c.at(K.FROM) || c.at(K.TO) || c.isWord(c.pos, 'step') || c.isWord(c.pos, 'staleness')) {
    c.pos++
    c.rules.expression(c, new Collector())
  }
}

/** The inside of a window's parentheses, and its closing one. */
export function scanWindowBody(c: Cursor, x: Collector, bit: number): void {
  const role = x.role
  // A window's order is no argument of the aggregate it belongs to.
  x.role = bit === 0 ? role : (role & ~ROLE.AGGREGATED) | bit
  c.enter(1)
  if (
    c.isName(c.pos) &&
    !c.at(K.PARTITION) &&
    !c.at(K.ORDER) &&
    !isFrame(c.type) &&
    (c.peek(1) === T.RPAREN || c.peek(1) === K.PARTITION || c.peek(1) === K.ORDER || isFrame(c.peek(1)))
  ) {
    x.addWindow(c.nameAt(c.pos).toLowerCase())
    c.pos++
  }
  // Vertica: OVER (PARTITION BEST).
  if (c.at(K.PARTITION) && c.isName(c.pos + 1) && c.peek(2) === T.RPAREN && c.dialect.name === 'vertica') c.pos += 2
  while (!c.at(T.RPAREN) && !c.atEnd()) {
    const type = c.type
    if ((type === K.PARTITION || type === K.DISTRIBUTE || type === K.CLUSTER) && c.peek(1) === K.BY) {
      c.pos += 2
      scanOrderList(c, x)
    } else if ((type === K.ORDER || type === K.SORT) && (c.peek(1) === K.BY || c.peek(1) === K.SIBLINGS)) {
      c.pos += c.peek(1) === K.BY ? 2 : 3
      scanOrderList(c, x)
    } else if (isFrame(type)) scanFrame(c)
    else if (type === K.MEASURES) scanMeasures(c, x)
    else if (type === K.RESET && c.peek(1) === K.WHEN) {
      c.pos += 2
      c.rules.expression(c, x)
    } else c.skip()
  }
  c.closeParen()
  c.leave(1)
  x.role = role
}

/**
 * Trino: OVER (… MEASURES LAST(b.amount) AS low … PATTERN (a b+)) names values for `low OVER w`; a and b are rows of the
 * pattern and no relations.
 */
function scanMeasures(c: Cursor, x: Collector): void {
  c.pos++
  const variables = patternVariables(c)
  do {
    if (c.at(K.FINAL) || c.isWord(c.pos, 'running')) c.pos++
    const part = new Collector()
    part.start = c.start()
    c.rules.expression(c, part)
    part.end = c.end()
    part.references = part.references.map((reference) => {
      const isRow = reference.parts.length > 1 && variables.has(reference.parts[0]!.toLowerCase())
      return isRow ? { ...reference, parts: reference.parts.slice(1) } : reference
    })
    if (!c.take(K.AS)) break
    const name = c.nameAt(c.pos++)
    const measure = {
      name,
      columns: undefined,
      expression: part,
      recursive: false,
      start: part.start,
      extraColumns: [],
    }
    x.measures = [...(x.measures ?? []), measure]
  } while (c.take(T.COMMA))
}

/** Names in PATTERN (…) and SUBSET before the end of the window, lower case. */
function patternVariables(c: Cursor): ReadonlySet<string> {
  const names = new Set<string>()
  for (let i = c.pos, depth = 0; depth >= 0 && i < c.count; i++) {
    if (c.types[i] === T.LPAREN) depth++
    else if (c.types[i] === T.RPAREN) depth--
    else if (depth === 0 && c.isWord(i, 'subset')) names.add(c.nameAt(i + 1).toLowerCase())
    else if (depth === 0 && c.isWord(i, 'pattern') && c.types[i + 1] === T.LPAREN)
      for (let k = i + 2; k < c.closing(i + 1); k++) if (c.isName(k)) names.add(c.nameAt(k).toLowerCase())
  }
  return names
}

function isFrame(type: number): boolean {
  return type === K.ROWS || type === K.RANGE || type === K.GROUPS
}

/** ROWS BETWEEN 3 PRECEDING AND CURRENT ROW EXCLUDE TIES, and what Trino puts behind it. */
function scanFrame(c: Cursor): void {
  c.pos++
  if (c.take(K.BETWEEN)) {
    scanBound(c)
    c.expect(K.AND, 'AND')
  }
  scanBound(c)
  if (c.take(K.EXCLUDE)) {
    if ((c.at(K.CURRENT) && c.peek(1) === K.ROW) || (c.at(K.NO) && c.peek(1) === K.OTHERS)) c.pos += 2
    else if (c.at(K.GROUP) || c.at(K.TIES)) c.pos++
    else c.missing('TIES')
  }
  if (c.dialect.unnamed === 'trino' && !c.at(T.RPAREN)) stepToParenEnd(c)
}

/** UNBOUNDED PRECEDING, CURRENT ROW, x FOLLOWING. */
function scanBound(c: Cursor): void {
  if (c.at(K.CURRENT) && c.peek(1) === K.ROW) {
    c.pos += 2
    return
  }
  if (!c.take(K.UNBOUNDED)) c.rules.expression(c, new Collector())
  if (!c.take(K.PRECEDING) && !c.take(K.FOLLOWING) && !c.at(T.HOLE)) c.missing('PRECEDING')
}

function stepToParenEnd(c: Cursor): void {
  let depth = 0
  while (!c.atEnd()) {
    const type = c.type
    if (type === T.LPAREN) depth++
    else if (type === T.RPAREN && depth-- === 0) return
    c.pos++
  }
}
