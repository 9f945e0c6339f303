/**
 * Tokens of the expression inside a template tag. The reader also finds where the tag ends: a `}}` in a string or
 * behind an open dict is none.
 */

export interface TemplateToken {
  readonly type: 'name' | 'string' | 'number' | 'operator'
  /** A string's value; the text of any other. */
  readonly text: string
  readonly start: number
  readonly end: number
}

export interface TagTokens {
  readonly tokens: readonly TemplateToken[]
  /** Offset behind the closing mark. */
  readonly end: number
  /** The closing mark has a `-`: white space behind it goes. */
  readonly trims: boolean
}

const SPACE = /\s+/y
const NAME = /[\p{L}_][\p{L}\p{N}_]*/uy
const NUMBER = /\d[\d_]*(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const OPERATOR = /\*\*|\/\/|==|!=|<=|>=|[-+*/%~<>=|.,:()[\]{}]/y
const OPENING = '([{'
const CLOSING = ')]}'

/**
 * Reads the tokens from `start` to the mark `close` (`}}` or `%}`) outside of every bracket. Undefined where the tag
 * does not end or holds a character that no expression has.
 */
export function tagTokens(text: string, start: number, close: '}}' | '%}'): TagTokens | undefined {
  const tokens: TemplateToken[] = []
  let depth = 0
  let at = start
  while (at < text.length) {
    at = skip(SPACE, text, at)
    const closing = closingMark(text, at, close, depth)
    if (closing) return { tokens, ...closing }
    const token = stringAt(text, at) ?? plainAt(text, at)
    if (!token) return undefined
    if (token.type === 'operator' && OPENING.includes(token.text)) depth++
    if (token.type === 'operator' && CLOSING.includes(token.text)) depth--
    tokens.push(token)
    at = token.end
  }
  return undefined
}

function closingMark(
  text: string,
  at: number,
  close: string,
  depth: number,
): { end: number; trims: boolean } | undefined {
  const signed = text[at] === '-' || text[at] === '+'
  const mark = signed ? at + 1 : at
  if (!text.startsWith(close, mark) || (depth > 0 && close === '}}')) return undefined
  return { end: mark + 2, trims: text[at] === '-' }
}

function plainAt(text: string, at: number): TemplateToken | undefined {
  for (const [type, pattern] of [
    ['name', NAME],
    ['number', NUMBER],
    ['operator', OPERATOR],
  ] as const) {
    const end = skip(pattern, text, at)
    if (end > at) return { type, text: text.slice(at, end), start: at, end }
  }
  return undefined
}

function stringAt(text: string, at: number): TemplateToken | undefined {
  const quote = text[at]
  if (quote !== "'" && quote !== '"') return undefined
  let value = ''
  let i = at + 1
  while (i < text.length && text[i] !== quote) {
    if (text[i] === '\\' && i + 1 < text.length) {
      value += ESCAPES[text[i + 1]!] ?? text.slice(i, i + 2)
      i += 2
    } else value += text[i++]
  }
  return i < text.length ? { type: 'string', text: value, start: at, end: i + 1 } : undefined
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', '\\': '\\', "'": "'", '"': '"' }

function skip(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : at
}
