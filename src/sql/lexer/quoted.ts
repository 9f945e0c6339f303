/** Strings with their prefixes, and names in quotes, backticks or brackets. */

import { continuesName, startsName } from './chars.ts'
import { BACKSLASH, DOT, QUOTE, RBRACKET } from './codes.ts'
import type { Scan } from './scan.ts'
import { T } from './tokens.ts'
import { K } from './words.ts'

/** E'…', N'…', r"…", _utf8'…', q'[…]': whether the word before the quote belongs to a string; that is read then. */
export function readPrefixedString(scan: Scan, start: number, quoteAt: number, quote: number): boolean {
  const { text, dialect } = scan
  const prefix = text.slice(start, quoteAt).toLowerCase()
  switch (prefix) {
    case 'q':
    case 'nq': {
      if (dialect.name !== 'oracle' && dialect.name !== 'ansi') return false
      const open = text[quoteAt + 1] ?? ''
      const close = { '[': ']', '(': ')', '{': '}', '<': '>' }[open] ?? open
      const end = text.indexOf(`${close}'`, quoteAt + 2)
      scan.push(T.STRING, end < 0 ? scan.unterminated(start, 'string') : end + 2)
      return true
    }
    case 'e':
      readString(scan, start, quoteAt, quote, true)
      return true
    case 'n':
    case 'b':
    case 'x':
      readString(scan, start, quoteAt, quote, dialect.backslashEscapes)
      return true
    case 'r':
    case 'br':
    case 'rb':
      // A raw string of BigQuery keeps its backslashes, but a quote behind one does not end it.
      readString(scan, start, quoteAt, quote, dialect.name === 'bigquery')
      return true
    default:
      if (!prefix.startsWith('_')) return false
      readString(scan, start, quoteAt, QUOTE, dialect.backslashEscapes)
      return true
  }
}

/** A string whose quote stands at `quoteAt`; the token begins at `start`. */
export function readString(scan: Scan, start: number, quoteAt: number, quote: number, escapes: boolean): void {
  scan.at = start
  const { text } = scan
  if (
    scan.dialect.name === 'bigquery' &&
    text.charCodeAt(quoteAt + 1) === quote &&
    text.charCodeAt(quoteAt + 2) === quote
  ) {
    const end = text.indexOf(String.fromCharCode(quote, quote, quote), quoteAt + 3)
    return scan.push(T.STRING, end < 0 ? scan.unterminated(start, 'string') : end + 3)
  }
  scan.push(T.STRING, quotedEnd(scan, quoteAt, quote, escapes, 'string'))
}

/** Offset behind the closing quote. Doubled quotes stay inside. */
export function quotedEnd(scan: Scan, quoteAt: number, quote: number, escapes: boolean, what: string): number {
  const { text, length } = scan
  let at = quoteAt + 1
  while (at < length) {
    const code = text.charCodeAt(at)
    if (code === quote) {
      if (text.charCodeAt(at + 1) !== quote) return at + 1
      at += 2
    } else if (code === BACKSLASH && escapes) at += 2
    else at++
  }
  return scan.unterminated(quoteAt, what)
}

export function readQuotedName(scan: Scan, at: number, quote: number, escapes: boolean): void {
  scan.push(T.QUOTED, quotedEnd(scan, at, quote, escapes, 'quoted name'))
}

/** A name in brackets, or the bracket of an array or a subscript. */
export function readBracket(scan: Scan, at: number): void {
  if (scan.dialect.bracketNames || looksBracketed(scan, at)) readQuotedName(scan, at, RBRACKET, false)
  else scan.push(T.LBRACKET, at + 1)
}

/** In `ansi`, `[a].[b]` and `FROM [a]` are names; an array or a subscript is not. */
function looksBracketed({ text, dialect, tokens }: Scan, at: number): boolean {
  if (dialect.name !== 'ansi') return false
  const end = text.indexOf(']', at)
  if (end < 0 || !startsName(text.charCodeAt(at + 1))) return false
  for (let i = at + 1; i < end; i++) if (!continuesName(text.charCodeAt(i)) && text.charCodeAt(i) !== 32) return false
  const last = tokens.count - 1
  const before = last < 0 ? 0 : tokens.types[last]!
  if (before === T.DOT) return true
  const afterDot = text.charCodeAt(end + 1) === DOT
  if (afterDot) return !(before === T.WORD || before === T.QUOTED || before === T.RPAREN || before === T.RBRACKET)
  return before === K.FROM || before === K.JOIN || before === K.INTO || before === K.UPDATE || before === K.TABLE
}
