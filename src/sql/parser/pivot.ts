/** PIVOT and UNPIVOT behind a relation, in the forms of all dialects. */

import type { Expression, Item, Star } from '../ir/expression.ts'
import type { Pivot, PivotValue } from '../ir/query.ts'
import { T } from '../lexer/tokens.ts'
import { K } from '../lexer/words.ts'
import { type Cursor, stringValue } from './cursor.ts'
import { parseExpression } from './expression.ts'
import { parseColumnsCall, parseItem, starModifiers } from './item.ts'
import { nameList } from './name-list.ts'
import { startsQuery } from './lookahead.ts'
import { neverTableAlias } from './words.ts'

/** With the cursor at PIVOT or UNPIVOT: all that follow each other, each with its alias. */
export function parsePivots(c: Cursor): Pivot[] {
  const pivots: Pivot[] = []
  while ((c.at(K.PIVOT) || c.at(K.UNPIVOT)) && c.peek(1) !== T.COMMA) {
    const pivot = c.at(K.PIVOT) ? parsePivot(c) : parseUnpivot(c)
    pivots.push({ ...pivot, ...parsePivotAlias(c) })
  }
  return pivots
}

function parsePivotAlias(c: Cursor): { alias?: string; columnAliases?: readonly string[] } {
  if (c.at(K.AS) && c.isName(c.pos + 1)) c.pos++
  else if (!(c.isName(c.pos) && !neverTableAlias(c.type))) return {}
  const alias = c.nameAt(c.pos)
  c.pos++
  if (c.at(T.LPAREN) && c.isName(c.pos + 1)) return { alias, columnAliases: nameList(c, c.pos) }
  return { alias }
}

/** PIVOT [XML] (aggregates FOR key IN (values) [GROUP BY …]). */
function parsePivot(c: Cursor): Pivot {
  c.pos++
  c.take(K.XML)
  c.take(T.LPAREN)
  const aggregates: Item[] = []
  do {
    const before = c.pos
    aggregates.push(parseItem(c))
    if (c.pos === before) break
  } while (c.take(T.COMMA))
  const keys: Expression[] = []
  let values: PivotValue[] | undefined = []
  while (c.at(K.FOR) || (keys.length > 0 && isNextKey(c))) {
    c.take(K.FOR)
    const list = parsePivotKey(c, keys)
    values = values && list && (values.length === 0 ? list : combine(values, list))
  }
  if (keys.length === 0) c.missing('FOR')
  let groups: string[] | undefined
  if (c.take2(K.GROUP, K.BY)) groups = parseNames(c)
  const totals = parseTotals(c, values)
  // Snowflake: DEFAULT ON NULL (0).
  while (!c.at(T.RPAREN) && !c.atEnd()) {
    if (c.at(T.LPAREN)) c.stepOverParens()
    else c.pos++
  }
  c.closeParen()
  return { kind: 'pivot', aggregates, keys, values, groups, totals }
}

/** Teradata: WITH SUM(*) AS total, AVG(*) AS mean: one more column each over all that the values make. */
function parseTotals(c: Cursor, values: readonly PivotValue[] | undefined): string[] | undefined {
  if (!c.at(K.WITH) || c.dialect.name !== 'teradata' || !values) return undefined
  const totals: string[] = []
  c.pos++
  do {
    const item = parseItem(c)
    if (item.alias !== undefined) totals.push(item.alias)
  } while (c.take(T.COMMA))
  return totals
}

/** DuckDB: a further `key IN (…)` without FOR. */
function isNextKey(c: Cursor): boolean {
  return c.isName(c.pos) && c.peek(1) === K.IN
}

/** Values of two keys: each with each. */
export function combine(left: readonly PivotValue[], right: readonly PivotValue[]): PivotValue[] {
  return left.flatMap((a) => right.map((b) => ({ text: `${a.alias ?? a.text}_${b.alias ?? b.text}` })))
}

/** `key IN (values)`; undefined where the values depend on the rows. */
export function parsePivotKey(c: Cursor, keys: Expression[]): PivotValue[] | undefined {
  if (c.at(T.LPAREN)) {
    // (a, b) IN ((1, 2), …)
    c.pos++
    do keys.push(parseName(c))
    while (c.take(T.COMMA))
    c.closeParen()
  } else keys.push(parseName(c))
  if (!c.take(K.IN)) return undefined
  if (!c.at(T.LPAREN)) {
    if (c.isName(c.pos)) c.pos++
    return undefined
  }
  if (startsQuery(c, c.pos + 1)) {
    keys.push(parseExpression(c))
    return undefined
  }
  if (c.peek(1) === K.ANY) {
    c.stepOverParens()
    return undefined
  }
  return parsePivotValues(c)
}

function parseName(c: Cursor): Expression {
  const start = c.start()
  const parts: string[] = []
  const quoted = c.at(T.QUOTED)
  while (c.isName(c.pos)) {
    parts.push(c.nameAt(c.pos))
    c.pos++
    if (!c.at(T.DOT)) break
    c.pos++
  }
  const end = c.end()
  if (parts.length === 0) return parseExpression(c)
  if (c.at(T.LPAREN)) {
    c.pos = c.pos - 1
    return parseExpression(c)
  }
  return {
    start,
    end,
    references: [{ parts, quoted, start, end, role: 0 }],
    queries: [],
    stars: [],
    windows: [],
    form: 'column',
  }
}

function parsePivotValues(c: Cursor): PivotValue[] {
  const values: PivotValue[] = []
  c.pos++
  while (!c.at(T.RPAREN) && !c.atEnd()) {
    const from = c.pos
    let depth = 0
    while (!c.atEnd()) {
      const type = c.type
      if (depth === 0 && (type === T.COMMA || type === T.RPAREN || type === K.AS)) break
      if (
        depth === 0 &&
        c.pos > from &&
        (c.isName(c.pos) || type === T.STRING) &&
        c.types[c.pos - 1] !== T.DOT &&
        c.types[c.pos - 1] !== T.MINUS &&
        !isTypedValue(c, from)
      )
        break
      if (type === T.LPAREN) depth++
      else if (type === T.RPAREN) depth--
      c.pos++
    }
    const text = valueText(c, from, c.pos)
    c.take(K.AS)
    const alias = c.isName(c.pos) || c.at(T.STRING) ? c.nameAt(c.pos++) : undefined
    values.push({ text, ...sortOfValue(c, from), ...(alias === undefined ? {} : { alias }) })
    if (!c.take(T.COMMA) && !c.at(T.RPAREN)) c.skip()
  }
  c.closeParen()
  return values
}

function sortOfValue(c: Cursor, from: number): Pick<PivotValue, 'sort'> {
  const type = c.types[from]!
  if (type === T.STRING) return { sort: 'string' }
  if (type === T.NUMBER || type === T.MINUS) return { sort: 'number' }
  return type === K.DATE ? { sort: 'date' } : {}
}

/** DATE '2024-01-01' is one value, not a value and its alias. */
function isTypedValue(c: Cursor, from: number): boolean {
  return c.pos === from + 1 && c.at(T.STRING) && (c.types[from] === K.DATE || c.types[from] === K.TIMESTAMP)
}

function valueText(c: Cursor, from: number, to: number): string {
  if (to - from === 1) {
    const type = c.types[from]!
    return type === T.STRING ? stringValue(c.textAt(from)) : c.nameAt(from)
  }
  const parts: string[] = []
  for (let i = from; i < to; i++) {
    const type = c.types[i]!
    if (type === T.LPAREN || type === T.RPAREN || type === T.COMMA) continue
    parts.push(c.nameAt(i))
  }
  return parts.join('_')
}

function parseNames(c: Cursor): string[] {
  const names: string[] = []
  do {
    if (!c.isName(c.pos)) break
    while (c.peek(1) === T.DOT && c.isName(c.pos + 2)) c.pos += 2
    names.push(c.nameAt(c.pos++))
  } while (c.take(T.COMMA))
  return names
}

/** UNPIVOT [INCLUDE NULLS] (value FOR name IN (columns)). */
function parseUnpivot(c: Cursor): Pivot {
  c.pos++
  if (c.peek(1) === K.NULLS) c.pos += 2
  c.take(T.LPAREN)
  const unpivot = parseUnpivotBody(c)
  c.closeParen()
  return unpivot
}

/** `value FOR name IN (columns)`, values and names perhaps several. */
export function parseUnpivotBody(c: Cursor): Pivot {
  // Spark: UNPIVOT ((a, b) FOR n IN ((x, y) AS 'k')).
  const values = c.at(T.LPAREN) ? nameList(c, c.pos) : parseNames(c)
  const names: string[] = []
  const columns: (readonly string[])[] = []
  let star: Star | undefined
  if (c.take(K.FOR)) {
    if (c.at(T.LPAREN)) names.push(...nameList(c, c.pos))
    else names.push(...parseNames(c))
    if (c.take(K.IN)) {
      if (c.take(T.LPAREN)) {
        star = parseUnpivotColumns(c, columns)
        c.closeParen()
      } else if (c.at(K.COLUMNS)) star = parseColumnsCall(c)
    }
  }
  return star ? { kind: 'unpivot', values, names, columns, star } : { kind: 'unpivot', values, names, columns }
}

/** `a, b AS 'x', (c, d) AS 'y', COLUMNS(* EXCLUDE e)`. */
export function parseUnpivotColumns(c: Cursor, columns: (readonly string[])[]): Star | undefined {
  let star: Star | undefined
  while (!c.at(T.RPAREN) && !c.atEnd()) {
    if (c.at(T.LPAREN)) {
      const inner = nameList(c, c.pos)
      columns.push(inner)
    } else if (c.at(K.COLUMNS) && c.peek(1) === T.LPAREN) star = parseColumnsCall(c)
    else if (c.at(T.STAR)) {
      c.pos++
      star = starModifiers(c, undefined, undefined)
    } else if (c.isName(c.pos)) {
      while (c.peek(1) === T.DOT && c.isName(c.pos + 2)) c.pos += 2
      columns.push([c.nameAt(c.pos++)])
    } else c.skip()
    while (!c.at(T.COMMA) && !c.at(T.RPAREN) && !c.atEnd()) {
      if (c.at(T.LPAREN)) c.stepOverParens()
      else c.pos++
    }
    c.take(T.COMMA)
  }
  return star
}
