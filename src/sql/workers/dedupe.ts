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

/** Literals, and what hides them: quoted names and comments. A digit inside a name begins no number. */
const TOKEN =
  /'[^']*(?:''[^']*)*'?|"[^"]*"?|`[^`]*`?|--[^\n]*|\/\*[^]*?(?:\*\/|$)|(?<![\w$#@\u0080-\uffff])\d[\w$#@\u0080-\uffff]*/g

/** Words behind which a literal is a value and nothing else. */
const BEFORE_VALUE: ReadonlySet<string> = new Set(['like', 'between', 'and', 'limit', 'offset'])

const [QUOTE, LPAREN, COMMA, ZERO, NINE, LESS, GREATER] = [39, 40, 44, 48, 57, 60, 62]

/** The text without what differs between runs of the same statement. What is copied is copied in long slices. */
export function generalise(text: string): string {
  // Literals of a template choose names and columns.
  if (text.includes('\\') || text.includes('$$') || hasTemplateMarks(text)) return text
  let out = ''
  let copied = 0
  /** End of the last token: what a literal stands behind is looked for down to here. */
  let seen = 0
  /** End of the last literal in a list behind IN. */
  let list = -1
  // One expression for all texts: `matchAll` makes a copy of it for each.
  TOKEN.lastIndex = 0
  for (let match = TOKEN.exec(text); match !== null; match = TOKEN.exec(text)) {
    const [token] = match
    const at = match.index
    const before = isLiteral(token) ? standsBehind(text, at, seen, list) : 'other'
    seen = at + token.length
    if (before === 'other') continue
    out += `${text.slice(copied, at)}?`
    copied = seen
    if (before === 'list') list = seen
  }
  return copied === 0 ? text : out + text.slice(copied)
}

/** A literal over a line's end may be an apostrophe in a comment that this pass does not know. */
function isLiteral(token: string): boolean {
  const first = token.charCodeAt(0)
  return first === QUOTE ? !token.includes('\n') : first >= ZERO && first <= NINE
}

/** Whether what stands before `at` makes a literal there a value, or one of a list behind IN. */
function standsBehind(text: string, at: number, from: number, list: number): 'value' | 'list' | 'other' {
  const end = endOfBlank(text, at, from)
  if (end === from) return 'other'
  const code = text.charCodeAt(end - 1)
  if (code >= LESS && code <= GREATER) return 'value'
  if (code === LPAREN) return wordBefore(text, endOfBlank(text, end - 1, from), from) === 'in' ? 'list' : 'other'
  if (code === COMMA) return endOfBlank(text, end - 1, from) === list ? 'list' : 'other'
  return BEFORE_VALUE.has(wordBefore(text, end, from)) ? 'value' : 'other'
}

/** Where the white space that ends at `at` begins, not before `from`. */
function endOfBlank(text: string, at: number, from: number): number {
  let end = at
  while (end > from && isBlank(text.charCodeAt(end - 1))) end--
  return end
}

/** The word that ends at `end`, in lower case; nothing where it is longer than any that counts. */
function wordBefore(text: string, end: number, from: number): string {
  let start = end
  while (start > from && isWord(text.charCodeAt(start - 1))) if (end - --start > 7) return ''
  return text.slice(start, end).toLowerCase()
}

function isBlank(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 13)
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
