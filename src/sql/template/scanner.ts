/**
 * Cuts a template into text and tags. White space that a `-` gives up is cut off the text already; comments and `raw`
 * are gone.
 */

import { isSqlRender } from './sql-render.ts'
import { tagTokens, type TemplateToken } from './tokens.ts'

export type Segment =
  | { readonly kind: 'text'; readonly text: string; readonly start: number; readonly end: number }
  | {
      readonly kind: 'output' | 'tag'
      readonly tokens: readonly TemplateToken[]
      /** Offsets with the marks. */
      readonly start: number
      readonly end: number
    }
  /** A mark that opens and is not closed, or has something in it that no expression has. */
  | { readonly kind: 'broken'; readonly start: number; readonly end: number }

const MARK = /\{\{|\{%|\{#/g
const END_RAW = /\{%-?\s*endraw\s*-?%\}/g

/** Whether a text has anything for the template reader: jinja's tags, or SqlRender's choices. */
export function hasTemplateMarks(text: string): boolean {
  return text.includes('{') && (hasJinjaMarks(text) || isSqlRender(text))
}

/** `{{`, `{%` or `{#`. */
function hasJinjaMarks(text: string): boolean {
  let at = text.indexOf('{')
  while (at >= 0) {
    const next = text.charCodeAt(at + 1)
    if (next === 123 || next === 37 || next === 35) return true
    at = text.indexOf('{', at + 1)
  }
  return false
}

/** The segments of a template, in order. Never throws. */
export function segments(text: string): readonly Segment[] {
  return new Scanner(text).run()
}

class Scanner {
  readonly #text: string
  readonly #segments: Segment[] = []
  #at = 0
  /** The tag before gave up the white space behind it. */
  #trimNext = false

  constructor(text: string) {
    this.#text = text
  }

  run(): readonly Segment[] {
    const text = this.#text
    MARK.lastIndex = 0
    for (let mark = MARK.exec(text); mark; mark = MARK.exec(text)) {
      if (mark[0] === '{%' && !isTagAhead(text, mark.index)) continue
      this.#tag(mark[0], mark.index)
      MARK.lastIndex = this.#at
    }
    this.#pushText(text.length, false)
    return this.#segments
  }

  #tag(mark: string, start: number): void {
    const signed = this.#text[start + 2] === '-' || this.#text[start + 2] === '+'
    this.#pushText(start, this.#text[start + 2] === '-')
    if (mark === '{#') return this.#comment(start)
    const tag = tagTokens(this.#text, signed ? start + 3 : start + 2, mark === '{{' ? '}}' : '%}')
    if (!tag) return this.#broken(mark, start)
    this.#at = tag.end
    this.#trimNext = tag.trims
    if (mark === '{%' && tag.tokens.length === 1 && tag.tokens[0]?.text === 'raw') return this.#raw()
    this.#segments.push({ kind: mark === '{{' ? 'output' : 'tag', tokens: tag.tokens, start, end: tag.end })
  }

  #comment(start: number): void {
    const close = this.#text.indexOf('#}', start + 2)
    this.#at = close < 0 ? this.#text.length : close + 2
    this.#trimNext = close >= 0 && this.#text[close - 1] === '-'
    if (close < 0) this.#segments.push({ kind: 'broken', start, end: this.#at })
  }

  #broken(mark: string, start: number): void {
    const close = this.#text.indexOf(mark === '{{' ? '}}' : '%}', start + 2)
    this.#at = close < 0 ? start + 2 : close + 2
    this.#trimNext = false
    this.#segments.push({ kind: 'broken', start, end: this.#at })
  }

  #raw(): void {
    END_RAW.lastIndex = this.#at
    const end = END_RAW.exec(this.#text)
    this.#pushText(end ? end.index : this.#text.length, false)
    this.#at = end ? end.index + end[0].length : this.#text.length
  }

  #pushText(end: number, trimEnd: boolean): void {
    let from = this.#at
    let to = end
    if (this.#trimNext) while (from < to && isBlank(this.#text.charCodeAt(from))) from++
    if (trimEnd) while (to > from && isBlank(this.#text.charCodeAt(to - 1))) to--
    this.#trimNext = false
    if (to > from) this.#segments.push({ kind: 'text', text: this.#text.slice(from, to), start: from, end: to })
  }
}

const TAG = /\{%[-+]?\s*[a-z_]\w*(?:[\s(]|[-+]?%\}|$)/iy

/** A tag begins with a word; `LIKE '{%'`, `format('{%s}', …)` and `%{%{User-Name}}` are no template's. */
function isTagAhead(text: string, start: number): boolean {
  TAG.lastIndex = start
  return TAG.test(text)
}

function isBlank(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 13)
}
