/** Data types, stepped over: `decimal(10, 2)`, `array<struct<a int>>`, `timestamp with time zone`, `int[]`, `t.c%type`. */

import { T } from '../lexer/tokens.ts'
import { K } from '../lexer/words.ts'
import type { Cursor } from './cursor.ts'
import { isCaseWord } from './teradata.ts'
import { isUnit } from './words.ts'

/** Steps over a type; returns the offset where it ends. */
export function scanType(c: Cursor): number {
  if (c.isWord(c.pos, 'setof') || c.isWord(c.pos, 'national')) c.pos++
  // psql: the schema is a variable, `:app.jobs`.
  if (c.at(T.COLON) && c.isName(c.pos + 1) && c.touches(c.pos + 1) && c.dialect.client === 'psql') c.pos++
  if (c.at(K.REF) && c.peek(1) === K.CURSOR) {
    c.pos += 2
    return c.end()
  }
  if (!c.isName(c.pos) && !c.at(T.PARAM) && !c.at(T.HOLE)) {
    if (c.at(T.STRING)) c.pos++
    else if (c.at(T.LPAREN)) c.stepOverParens()
    return c.end()
  }
  const first = c.type
  c.pos++
  while (c.at(T.DOT) && c.isName(c.pos + 1)) c.pos += 2
  if (c.at(T.PERCENT) && c.isName(c.pos + 1)) c.pos += 2
  if (c.at(T.LESS) && hasElementTypes(c, c.pos - 1)) scanAngles(c)
  else scanArguments(c)
  scanTypeWords(c, first)
  for (;;) {
    if (c.at(T.LBRACKET)) c.stepOverParens()
    else if (c.at(K.ARRAY) && c.peek(1) !== T.LPAREN) c.pos++
    else break
  }
  return c.end()
}

function scanArguments(c: Cursor): void {
  if (c.at(T.LPAREN)) c.stepOverParens()
}

const TYPES_OF_TYPES: ReadonlySet<string> = new Set(
  'array map struct uniontype table range row list multiset vector agg_state tuple record variant object nested json'.split(
    ' ',
  ),
)

/** `array<int>`, and not `a::date < b`: the type's name says whether an angle is its own. */
function hasElementTypes(c: Cursor, index: number): boolean {
  return TYPES_OF_TYPES.has(c.textAt(index).toLowerCase())
}

function scanAngles(c: Cursor): void {
  let depth = 0
  while (!c.atEnd()) {
    // `<>` is one token: STRUCT<>.
    if (c.at(T.LESS)) depth += c.lengthAt(c.pos) === 2 ? 0 : 1
    else if (c.at(T.GREATER)) depth--
    c.pos++
    if (depth <= 0) return
  }
}

function scanTypeWords(c: Cursor, first: number): void {
  for (;;) {
    const type = c.type
    if (
      type === K.VARYING ||
      c.isWord(c.pos, 'precision') ||
      c.isWord(c.pos, 'unsigned') ||
      c.isWord(c.pos, 'signed') ||
      c.isWord(c.pos, 'zerofill')
    ) {
      c.pos++
      scanArguments(c)
    } else if ((type === K.WITH || type === K.WITHOUT) && (c.peek(1) === K.TIME || c.peek(1) === K.LOCAL)) {
      c.pos += c.peek(1) === K.LOCAL ? 4 : 3
    } else if ((type === K.CHARACTER || type === K.CHAR) && c.peek(1) === K.SET) {
      c.pos += 3
    } else if (c.isWord(c.pos, 'charset') && c.isName(c.pos + 1)) {
      // MySQL, as its own views are printed: CAST(x AS CHAR CHARSET utf8mb4).
      c.pos += 2
    } else if (first === K.INTERVAL && isUnit(type)) {
      c.pos++
      scanArguments(c)
      if (c.at(K.TO)) {
        c.pos += 2
        scanArguments(c)
      }
    } else if (
      c.dialect.name === 'teradata' &&
      (isCaseWord(c, c.pos) || (type === K.NOT && isCaseWord(c, c.pos + 1)))
    ) {
      c.pos += type === K.NOT ? 2 : 1
    } else if (isLargeObject(c, first)) {
      c.pos++
      scanArguments(c)
    } else return
  }
}

/** `long raw`, `char large object`, `national character`. */
function isLargeObject(c: Cursor, first: number): boolean {
  if (first === K.CHARACTER || first === K.CHAR || first === K.BINARY) return c.isWord(c.pos, 'large') || c.at(K.OBJECT)
  return c.isWord(c.pos - 1, 'long') && (c.isWord(c.pos, 'raw') || c.isWord(c.pos, 'varchar'))
}
