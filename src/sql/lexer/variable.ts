/** Variables and parameters by the sign that they begin with, and stages and dollar strings, which share those signs. */

import { continuesName, isDigit, isSpace, startsName } from './chars.ts'
import {
  AMPERSAND,
  AT,
  BACKTICK,
  COMMA,
  DOLLAR,
  DOT,
  DOUBLE_QUOTE,
  HASH,
  LBRACE,
  LPAREN,
  PERCENT,
  QUOTE,
  RPAREN,
  SEMICOLON,
  TILDE,
} from './codes.ts'
import { bracedVariableEnd, dollarlessNameEnd, endBehind, gluedNameEnd, nameEnd } from './name.ts'
import { quotedEnd } from './quoted.ts'
import type { Scan } from './scan.ts'
import { T } from './tokens.ts'

/** `${x}`, `$(x)`, `$1`, `$$ … $$`, `$tag$ … $tag$`. */
export function readDollar(scan: Scan, at: number, next: number): void {
  const { text, dialect } = scan
  if (next === LBRACE) {
    const end = endBehind(text, at + 1, '}')
    return readVariableOrName(scan, end > at + 1 ? end : at + 2)
  }
  if (next === LPAREN && (dialect.client === 'sqlcmd' || dialect.client === 'any')) {
    return readVariableOrName(scan, endBehind(text, at + 1, ')'))
  }
  if (dialect.dollarStrings && (next === DOLLAR || startsName(next))) {
    const tagEnd = dollarlessNameEnd(text, at + 1)
    if (text.charCodeAt(tagEnd) === DOLLAR) {
      const tag = text.slice(at, tagEnd + 1)
      const end = text.indexOf(tag, tagEnd + 1)
      return scan.push(T.DOLLAR_STRING, end < 0 ? scan.unterminated(at, 'string') : end + tag.length)
    }
  }
  if (startsName(next) || isDigit(next)) return scan.push(T.PARAM, nameEnd(text, at + 1))
  scan.push(T.OPERATOR, at + 1)
}

/** `${x}` alone is a parameter; with more name on it (`${env}_schema`) it is a name. */
function readVariableOrName(scan: Scan, end: number): void {
  const { text, length } = scan
  const code = text.charCodeAt(end)
  const goesOn = end < length && (continuesName(code) || (code === DOLLAR && text.charCodeAt(end + 1) === LBRACE))
  if (goesOn) scan.push(T.WORD, gluedNameEnd(text, end, scan.dialect))
  else scan.push(T.PARAM, end)
}

/** Snowflake's stage, `@x`, `@@x`, @'quoted', or a sign. */
export function readAt(scan: Scan, at: number, next: number): void {
  const { text, dialect } = scan
  if (
    dialect.stages &&
    (startsName(next) || next === TILDE || next === PERCENT || next === DOUBLE_QUOTE || next === DOLLAR)
  )
    return scan.push(T.STAGE, stageEnd(scan, at + 1))
  if (dialect.atVariables || dialect.name === 'teradata') {
    if (startsName(next) || next === AT || isDigit(next)) {
      let end = at + 1
      while (text.charCodeAt(end) === AT) end++
      end = nameEnd(text, end)
      while (text.charCodeAt(end) === HASH || text.charCodeAt(end) === AT) end = nameEnd(text, end + 1)
      return scan.push(T.PARAM, end)
    }
    if (next === BACKTICK || next === QUOTE || next === DOUBLE_QUOTE) {
      return scan.push(T.PARAM, quotedEnd(scan, at + 1, next, false, 'quoted name'))
    }
  }
  // PostgreSQL: @extschema@.t and @extschema:other@.t in an extension's script.
  const name = startsName(next) ? scriptVariableEnd(text, at + 1) : 0
  scan.push(name > 0 ? T.WORD : T.AT, name > 0 ? name : at + 1)
}

/** Where a name of `@variable@` ends; 0 where no second @ closes it. */
function scriptVariableEnd(text: string, from: number): number {
  let end = nameEnd(text, from)
  if (text[end] === ':') end = nameEnd(text, end + 1)
  return text.charCodeAt(end) === AT ? nameEnd(text, end + 1) : 0
}

function stageEnd(scan: Scan, from: number): number {
  const { text, length } = scan
  let at = from
  while (at < length) {
    const code = text.charCodeAt(at)
    if (code === DOUBLE_QUOTE) at = quotedEnd(scan, at, DOUBLE_QUOTE, false, 'quoted name')
    else if (
      isSpace(code) ||
      code === LPAREN ||
      code === RPAREN ||
      code === COMMA ||
      code === SEMICOLON ||
      code === QUOTE
    )
      break
    else at++
  }
  return at
}

/** `&x`, `&&x`, `&{x}`, or an operator. */
export function readAmpersand(scan: Scan, at: number, next: number): void {
  const { text, dialect } = scan
  const from = next === AMPERSAND ? at + 2 : at + 1
  const first = text.charCodeAt(from)
  const spaced = at === 0 || !continuesName(text.charCodeAt(at - 1))
  if (!dialect.ampersandVariables || !spaced || !(startsName(first) || isDigit(first) || first === LBRACE)) {
    return scan.push(T.OPERATOR, from)
  }
  const end = first === LBRACE ? endBehind(text, from, '}') : nameEnd(text, from)
  const after = text.charCodeAt(end + 1)
  if (text.charCodeAt(end) !== DOT) return scan.push(T.PARAM, end)
  // The dot that ends a variable's name is not part of what follows: &schema..emp.
  if (after === DOT) return scan.push(T.PARAM, end + 1)
  if (continuesName(after) && dialect.client === 'sqlplus') return readVariableOrName(scan, end + 1)
  scan.push(T.PARAM, end)
}

/** Python's `%(x)s`, or a sign. */
export function readPercent(scan: Scan, at: number, next: number): void {
  const { text } = scan
  if (next === LPAREN) {
    const name = nameEnd(text, at + 2)
    const type = text.charCodeAt(name + 1)
    if (name > at + 2 && text.charCodeAt(name) === RPAREN && startsName(type)) return scan.push(T.PARAM, name + 2)
  }
  scan.push(T.PERCENT, at + 1)
}

/** `{x}`, ClickHouse `{x:Type}`, or a brace. */
export function readBrace(scan: Scan, at: number): void {
  const end = bracedVariableEnd(scan.text, at, scan.dialect)
  if (end > 0) scan.push(T.PARAM, end)
  else scan.push(T.LBRACE, at + 1)
}
