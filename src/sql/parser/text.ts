/** Expressions that put a text together: literals, variables, `||` and `+`, and functions such as CONCAT, FORMAT, QUOTENAME. */

import type { TextPiece } from '../ir/text.ts'
import { T } from '../lexer/tokens.ts'
import { type Cursor, stringValue, variableName } from './cursor.ts'

const MAX_DEPTH = 40

/** The pieces of the expression between two tokens; undefined where no literal is among them. */
export function textPieces(c: Cursor, from: number, to: number): readonly TextPiece[] | undefined {
  for (let i = from; i < to; i++)
    if (c.types[i] === T.STRING || c.types[i] === T.DOLLAR_STRING) return concatenation(c, from, to, 0)
  return undefined
}

/** The pieces of an expression, whatever they are. */
export function piecesOf(c: Cursor, from: number, to: number): readonly TextPiece[] {
  return concatenation(c, from, to, 0)
}

/** `a || b`, `a + b`: one after the other. */
function concatenation(c: Cursor, from: number, to: number, depth: number): readonly TextPiece[] {
  return splitAt(c, from, to, (type) => type === T.CONCAT || type === T.PLUS).flatMap(([start, end]) =>
    operand(c, start, end, depth),
  )
}

function operand(c: Cursor, from: number, to: number, depth: number): readonly TextPiece[] {
  const type = c.types[from]!
  const place = { start: c.starts[from]!, end: c.ends[Math.max(from, to - 1)]! }
  if (to - from === 1) {
    if (type === T.STRING || type === T.DOLLAR_STRING) return [{ kind: 'literal', text: unescaped(c, from), ...place }]
    if (type === T.NUMBER) return [{ kind: 'literal', text: c.textAt(from), ...place }]
    return [{ kind: 'variable', name: variableName(c.nameAt(from)).toLowerCase(), ...place }]
  }
  if (type === T.COLON && to - from === 2)
    return [{ kind: 'variable', name: c.nameAt(from + 1).toLowerCase(), ...place }]
  if (depth > MAX_DEPTH || to <= from) return [unknown(c, from, to, place)]
  if (type === T.LPAREN && c.closing(from) === to - 1) return concatenation(c, from + 1, to - 1, depth + 1)
  if (c.isName(from) && c.types[from + 1] === T.LPAREN && c.closing(from + 1) === to - 1) {
    const args = splitAt(c, from + 2, to - 1, (one) => one === T.COMMA).map(([start, end]) =>
      concatenation(c, start, end, depth + 1),
    )
    return [{ kind: 'call', name: c.nameAt(from).toLowerCase(), args, ...place }]
  }
  return [unknown(c, from, to, place)]
}

/** A field of a record keeps its name; anything else is named by its first word. */
function unknown(c: Cursor, from: number, to: number, place: { start: number; end: number }): TextPiece {
  const path = to - from <= 6 && c.isName(from) && c.types[from + 1] === T.DOT
  const name = path ? c.text.slice(c.starts[from], c.ends[to - 1]) : c.isName(from) ? c.nameAt(from) : 'value'
  return { kind: 'variable', name: name.toLowerCase(), ...place }
}

/** Doubled quotes undone; BigQuery and MySQL also write escapes. */
function unescaped(c: Cursor, index: number): string {
  const raw = c.textAt(index)
  // Only BigQuery has strings in three quotes; elsewhere `'''x'` begins with a quote that is part of it.
  const text =
    raw.startsWith("'''") && c.dialect.name !== 'bigquery' ? raw.slice(1, -1).replaceAll("''", "'") : stringValue(raw)
  const plain = !text.includes('\\') || !c.dialect.backslashEscapes || /^[a-z]*r[a-z]*['"]/i.test(raw)
  return plain
    ? text
    : text.replaceAll(/\\(.)/g, (_, escaped: string) => (escaped === 'n' || escaped === 't' ? ' ' : escaped))
}

/** Ranges of tokens between those that split, outside of brackets. */
function splitAt(
  c: Cursor,
  from: number,
  to: number,
  splits: (type: number) => boolean,
): (readonly [number, number])[] {
  const ranges: (readonly [number, number])[] = []
  let start = from
  for (let i = from; i < to; i++) {
    const type = c.types[i]!
    if (type === T.LPAREN || type === T.LBRACKET) i = Math.max(i, c.closing(i))
    else if (splits(type)) {
      ranges.push([start, i])
      start = i + 1
    }
  }
  if (start < to) ranges.push([start, to])
  return ranges
}
