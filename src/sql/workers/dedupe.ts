import { hasTemplateMarks } from '../template/scanner.ts'
import type { LineageRequest } from './request.ts'

/**
 * Requests with the same key have the same lineage. Literals that are compared, listed or counted are generalised, for
 * query logs repeat with other values; every other literal stays, since it may name a file, a column or a table. A text
 * with a backslash or dollar quotes is taken as it is: where its strings end depends on the dialect.
 */
export function dedupeKey({ sql, files, models, options, schemas }: LineageRequest): string {
  const text = typeof sql === 'string' ? generalise(sql) : sql.map(generalise).join('\u0000')
  const names = files === undefined ? '' : files.join('\u0000')
  const made = models === undefined ? '' : identityOf(models)
  return `${identityOf(options)} ${names} ${made} ${schemas === undefined ? '' : identityOf(schemas)} \u0000${text}`
}

/** Words behind which a literal is a value and nothing else. */
const BEFORE_VALUE: ReadonlySet<string> = new Set(['like', 'between', 'and', 'limit', 'offset'])

const [TAB, SPACE, QUOTE, DOUBLE, LPAREN, STAR, COMMA, MINUS, SLASH, BACKTICK] = [9, 32, 39, 34, 40, 42, 44, 45, 47, 96]
const [ZERO, NINE, LESS, EQUALS, GREATER, NEWLINE] = [48, 57, 60, 61, 62, 10]

/** One pass over the characters; what is copied is copied in long slices. */
function generalise(text: string): string {
  // Literals of a template choose names and columns.
  if (text.includes('\\') || text.includes('$$') || hasTemplateMarks(text)) return text
  let out = ''
  let copied = 0
  // `value`: a literal here is compared. `in`: behind the word IN. `list`: inside the parentheses of IN.
  let state: 'none' | 'value' | 'in' | 'list' = 'none'
  let at = 0
  while (at < text.length) {
    const code = text.charCodeAt(at)
    const end = endOfToken(text, at, code)
    const isLiteral = code === QUOTE || (code >= ZERO && code <= NINE)
    // A literal over a line's end may be an apostrophe in a comment that this pass does not know.
    if (isLiteral && (state === 'value' || state === 'list') && !text.slice(at, end).includes('\n')) {
      out += `${text.slice(copied, at)}?`
      copied = end
      if (state === 'value') state = 'none'
    } else if (!isNoise(text, at, code)) state = nextState(text, at, end, code, state)
    at = end
  }
  return out + text.slice(copied)
}

function nextState(
  text: string,
  at: number,
  end: number,
  code: number,
  state: 'none' | 'value' | 'in' | 'list',
): 'none' | 'value' | 'in' | 'list' {
  if (code === EQUALS || code === LESS || code === GREATER) return 'value'
  if (code === LPAREN) return state === 'in' ? 'list' : 'none'
  if (code === COMMA) return state === 'list' ? 'list' : 'none'
  if (!isWord(code) || end - at > 7) return 'none'
  const word = text.slice(at, end).toLowerCase()
  if (word === 'in') return 'in'
  return BEFORE_VALUE.has(word) ? 'value' : 'none'
}

function endOfToken(text: string, at: number, code: number): number {
  if (code === QUOTE || code === DOUBLE || code === BACKTICK) {
    const end = text.indexOf(text[at] ?? '', at + 1)
    return end < 0 ? text.length : end + 1
  }
  if (code === MINUS && text.charCodeAt(at + 1) === MINUS) {
    const end = text.indexOf('\n', at)
    return end < 0 ? text.length : end
  }
  if (code === SLASH && text.charCodeAt(at + 1) === STAR) {
    const end = text.indexOf('*/', at + 2)
    return end < 0 ? text.length : end + 2
  }
  if (!isWord(code)) return at + 1
  let end = at + 1
  while (end < text.length && isWord(text.charCodeAt(end))) end++
  return end
}

/** White space and comments leave the state as it is. */
function isNoise(text: string, at: number, code: number): boolean {
  if (code === SPACE || (code >= TAB && code <= NEWLINE + 3)) return true
  const next = text.charCodeAt(at + 1)
  return (code === MINUS && next === MINUS) || (code === SLASH && next === STAR)
}

/** Letters, digits, `_`, `$`, `#`, `@` and everything above ASCII. */
function isWord(code: number): boolean {
  if (code >= 97 ? code <= 122 || code > 127 : code >= 64 && code <= 90) return true
  return (code >= ZERO && code <= NINE) || code === 95 || code === 36 || code === 35
}

const identities = new WeakMap<object, number>()
let nextIdentity = 0

/** Options and schemas are compared by identity: callers hand the same objects in for a whole log. */
function identityOf(value: object): number {
  const known = identities.get(value)
  if (known !== undefined) return known
  identities.set(value, nextIdentity)
  return nextIdentity++
}
