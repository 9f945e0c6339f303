/**
 * DuckDB's COLUMNS with a test on the columns' names: `COLUMNS(c -> c LIKE 'x%')`, `COLUMNS(lambda c: c = 'x')`,
 * `COLUMNS([c FOR c IN (*) IF c != 'x'])`. One test on the name is understood; others let every column pass.
 */

import type { StarPattern } from '../ir/expression.ts'
import { T } from '../lexer/tokens.ts'
import { K } from '../lexer/words.ts'
import { type Cursor, stringValue } from './cursor.ts'

/** Index behind `c ->` or `lambda c:` at the cursor; 0 where none stands. */
export function columnsLambda(c: Cursor): number {
  if (c.isWord(c.pos, 'lambda') && c.isName(c.pos + 1) && c.peek(2) === T.COLON) return c.pos + 3
  return c.isName(c.pos) && c.peek(1) === T.ARROW ? c.pos + 2 : 0
}

/** With the cursor on the bracket of a comprehension that ends at `closing`: its IF. */
export function filteredNames(c: Cursor, closing: number): StarPattern | undefined {
  for (let i = c.pos; i < closing; i++) if (c.types[i] === K.IF) return nameTest(c, i + 1, closing)
  return undefined
}

/** The test that begins at token `start` and ends with the call's parenthesis; the cursor goes there. */
export function columnTest(c: Cursor, start: number): StarPattern | undefined {
  const closing = closingOf(c)
  const test = nameTest(c, start, closing)
  c.pos = closing
  return test
}

function closingOf(c: Cursor): number {
  let depth = 0
  for (let i = c.pos; ; i++) {
    const type = c.types[i]!
    if (type === T.EOF || (type === T.RPAREN && depth === 0)) return i
    if (type === T.LPAREN) depth++
    else if (type === T.RPAREN) depth--
  }
}

/** `name [NOT] LIKE 'x'`, `name = 'x'`, `name IN ('x', 'y')`, and nothing behind. */
function nameTest(c: Cursor, start: number, end: number): StarPattern | undefined {
  if (!c.isName(start)) return undefined
  let at = start + 1
  const negated = c.types[at] === K.NOT
  if (negated) at++
  const operator = c.types[at]!
  if (operator === K.IN && c.types[at + 1] === T.LPAREN && c.closing(at + 1) === end - 1)
    return { kind: 'names', pattern: stringsBetween(c, at + 2, end - 1), negated }
  if (operator === K.SIMILAR) at++
  const text = c.textAt(at)
  if (c.types[at + 1] !== T.STRING || at + 2 !== end) return undefined
  const pattern = stringValue(c.textAt(at + 1))
  if (operator === K.LIKE) return { kind: 'like', pattern, negated }
  if (operator === K.ILIKE) return { kind: 'ilike', pattern, negated }
  if (operator === K.GLOB) return { kind: 'glob', pattern, negated }
  if (operator === K.SIMILAR) return { kind: 'regex', pattern, negated }
  if (text === '=' || text === '==') return { kind: 'names', pattern: pattern.toLowerCase(), negated: false }
  if (text === '!=' || text === '<>') return { kind: 'names', pattern: pattern.toLowerCase(), negated: true }
  return undefined
}

function stringsBetween(c: Cursor, from: number, to: number): string {
  const names: string[] = []
  for (let i = from; i < to; i++) if (c.types[i] === T.STRING) names.push(stringValue(c.textAt(i)).toLowerCase())
  return names.join('\n')
}
