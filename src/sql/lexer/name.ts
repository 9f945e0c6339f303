/** Where a name ends: of letters and digits, and with variables glued into it (`db_${env}`, `sales_&year`). */

import type { Dialect } from '../dialects/dialect.ts'
import { continuesName, isSpace, startsName } from './chars.ts'
import { AMPERSAND, AT, COLON, DOLLAR, DOT, LBRACE, LPAREN, RBRACE, UNDERSCORE } from './codes.ts'

export function nameEnd(text: string, at: number): number {
  let i = at
  while (i < text.length && continuesName(text.charCodeAt(i))) i++
  return i
}

/** End of a name without dollar signs. */
export function dollarlessNameEnd(text: string, at: number): number {
  let i = at
  while (i < text.length && text.charCodeAt(i) !== DOLLAR && continuesName(text.charCodeAt(i))) i++
  return i
}

/** End of a name that goes on at `at`, with the variables glued into it. */
export function gluedNameEnd(text: string, from: number, dialect: Dialect): number {
  let at = from
  while (at < text.length) {
    const code = text.charCodeAt(at)
    if (continuesName(code)) at++
    else {
      const glued = gluedVariableEnd(text, at, code, dialect)
      if (glued === at) break
      at = glued
    }
  }
  return at
}

/** End of a variable that goes on a name at `at`, whose sign is `code`; `at` itself where there is none. */
export function gluedVariableEnd(text: string, at: number, code: number, dialect: Dialect): number {
  const next = text.charCodeAt(at + 1)
  if (code === LBRACE && text.charCodeAt(at - 1) === DOLLAR) return endBehind(text, at, '}')
  if (code === LPAREN && text.charCodeAt(at - 1) === DOLLAR && dialect.client === 'sqlcmd')
    return endBehind(text, at, ')')
  if (code === LBRACE && startsName(next) && !isSpace(text.charCodeAt(at - 1))) {
    const end = bracedNameEnd(text, at)
    return end > 0 ? end : at
  }
  if (code === AMPERSAND && dialect.ampersandVariables && dialect.client === 'sqlplus' && startsName(next)) {
    return nameEnd(text, at + 1)
  }
  // SqlRender: achilles_@detail.
  if (code === AT && dialect.looseStatements && text.charCodeAt(at - 1) === UNDERSCORE && startsName(next))
    return nameEnd(text, at + 1)
  return at
}

/** The offset behind the next `closing`; `at` itself where there is none. */
export function endBehind(text: string, at: number, closing: string): number {
  const end = text.indexOf(closing, at)
  return end < 0 ? at : end + 1
}

/** `{name}`, ClickHouse `{name:Type}`: its end, or 0 for any other brace. */
export function bracedVariableEnd(text: string, at: number, dialect: Dialect): number {
  const plain = bracedNameEnd(text, at)
  if (plain > 0) return plain
  if (dialect.name !== 'clickhouse') return 0
  const name = nameEnd(text, at + 1)
  if (name === at + 1 || text.charCodeAt(name) !== COLON) return 0
  const end = text.indexOf('}', name)
  return end < 0 ? 0 : end + 1
}

/** `{name}` or `{name.part}` without anything else in the braces: its end, or 0. */
function bracedNameEnd(text: string, at: number): number {
  let i = at + 1
  while (i < text.length && (continuesName(text.charCodeAt(i)) || text.charCodeAt(i) === DOT)) i++
  return i > at + 1 && text.charCodeAt(i) === RBRACE && startsName(text.charCodeAt(at + 1)) ? i + 1 : 0
}
