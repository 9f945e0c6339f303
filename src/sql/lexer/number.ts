/** Numbers with their exponents and suffixes, and what only looks like one: `t.2019_sales`. */

import { isDigit } from './chars.ts'
import { DOT, MINUS, PLUS, UNDERSCORE } from './codes.ts'
import { nameEnd } from './name.ts'
import type { Scan } from './scan.ts'
import { T, type Tokens } from './tokens.ts'

/** `e` in both cases, with the bit of the lower case. */
const EXPONENT = 101

export function readNumber(scan: Scan, start: number): void {
  const { text, dialect } = scan
  let at = start
  if (text.charCodeAt(at) === 48 && (text.charCodeAt(at + 1) | 32) === 120) at = nameEnd(text, at + 2)
  else {
    at = digitsEnd(scan, at)
    if (text.charCodeAt(at) === DOT && text.charCodeAt(at + 1) !== DOT && !followsDot(text, start))
      at = digitsEnd(scan, at + 1)
    at = exponentEnd(scan, at)
  }
  const end = nameEnd(text, at)
  if (end === at) return scan.push(T.NUMBER, at)
  if (isSuffix(text, at, end)) return scan.push(T.NUMBER, end)
  // 2019_sales is a name where the dialect allows it; elsewhere the rest is the next word (SELECT 1a).
  if (dialect.digitNames || text.charCodeAt(at) === UNDERSCORE || followsDot(text, start)) return scan.push(T.WORD, end)
  scan.push(T.NUMBER, at)
}

/** `.5` is a number unless it continues a name: t.2019_sales, tuple.1. */
export function readDot(scan: Scan, at: number, next: number): void {
  if (isDigit(next) && !continuesPath(scan.tokens, at)) {
    return scan.push(T.NUMBER, exponentEnd(scan, digitsEnd(scan, at + 1)))
  }
  scan.push(T.DOT, at + 1)
}

export function digitsEnd({ text, dialect }: Scan, at: number): number {
  let i = at
  while (
    isDigit(text.charCodeAt(i)) ||
    (text.charCodeAt(i) === UNDERSCORE &&
      isDigit(text.charCodeAt(i + 1)) &&
      isDigit(text.charCodeAt(i - 1)) &&
      !dialect.digitNames)
  )
    i++
  return i
}

/** The end of `e10`, `E-3` at `at`; `at` itself where there is no exponent. */
function exponentEnd(scan: Scan, at: number): number {
  const { text } = scan
  if ((text.charCodeAt(at) | 32) !== EXPONENT) return at
  const sign = text.charCodeAt(at + 1)
  const digits = sign === PLUS || sign === MINUS ? at + 2 : at + 1
  return isDigit(text.charCodeAt(digits)) ? digitsEnd(scan, digits) : at
}

function followsDot(text: string, start: number): boolean {
  return start > 0 && text.charCodeAt(start - 1) === DOT
}

/** Type suffixes of Spark and Hive numbers. */
function isSuffix(text: string, at: number, end: number): boolean {
  const first = text.charCodeAt(at) | 32
  if (end - at === 1) return first === 108 || first === 115 || first === 121 || first === 100 || first === 102
  return end - at === 2 && first === 98 && (text.charCodeAt(at + 1) | 32) === 100
}

function continuesPath(tokens: Tokens, at: number): boolean {
  const last = tokens.count - 1
  if (last < 0 || tokens.ends[last] !== at) return false
  const type = tokens.types[last]!
  return (
    type === T.WORD ||
    type === T.QUOTED ||
    type >= 64 ||
    type === T.RPAREN ||
    type === T.RBRACKET ||
    type === T.PARAM ||
    type === T.HOLE
  )
}
