/**
 * Just enough of SQL's shape to tell what a hole stands for: words, quotes, comments and parentheses, and the clause that
 * each place belongs to. It works on text that a template wrote, where holes are marks of two characters.
 */

import { HOLE_MARK_LENGTH } from './values.ts'

export interface ShapeToken {
  readonly type: 'word' | 'quoted' | 'string' | 'number' | 'symbol' | 'hole' | 'comment'
  readonly start: number
  readonly end: number
  /** A word in lower case, a symbol; empty for all else. */
  readonly text: string
}

export interface ShapeOptions {
  /** `\'` does not end a string. */
  readonly backslashEscapes: boolean
}

const WORD = /[\p{L}_#@][\p{L}\p{N}_$#@]*/uy
const NUMBER = /\d[\d.]*(?:[eE][-+]?\d+)?/y
const SYMBOL = /::|\|\||<=|>=|<>|!=|->>|->|=>|:=|[\s\S]/y
const HOLE = 0xe000

/** Tokens of a text; white space leaves nothing, comments leave a token because holes may stand in them. */
export function shapeTokens(text: string, options: ShapeOptions): readonly ShapeToken[] {
  const tokens: ShapeToken[] = []
  let at = 0
  while (at < text.length) {
    const code = text.charCodeAt(at)
    if (code <= 32 || code === 0xa0) {
      at++
      continue
    }
    const token = tokenAt(text, at, code, options)
    tokens.push(token)
    at = token.end
  }
  return tokens
}

function tokenAt(text: string, start: number, code: number, options: ShapeOptions): ShapeToken {
  if (code === HOLE) return { type: 'hole', start, end: start + HOLE_MARK_LENGTH, text: '' }
  switch (text[start]) {
    case "'":
      return { type: 'string', start, end: quoteEnd(text, start, "'", options.backslashEscapes), text: '' }
    case '"':
      return { type: 'quoted', start, end: quoteEnd(text, start, '"', options.backslashEscapes), text: '' }
    case '`':
      return { type: 'quoted', start, end: quoteEnd(text, start, '`', false), text: '' }
    case '-':
      if (text[start + 1] === '-') return { type: 'comment', start, end: endOf(text, '\n', start), text: '' }
      break
    case '/':
      if (text[start + 1] === '*') return { type: 'comment', start, end: endOf(text, '*/', start + 2), text: '' }
      break
    default:
  }
  const word = matchEnd(WORD, text, start)
  if (word > start) return { type: 'word', start, end: word, text: text.slice(start, word).toLowerCase() }
  const number = matchEnd(NUMBER, text, start)
  if (number > start) return { type: 'number', start, end: number, text: '' }
  const end = matchEnd(SYMBOL, text, start)
  return { type: 'symbol', start, end, text: text.slice(start, end) }
}

function matchEnd(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : at
}

function endOf(text: string, closing: string, from: number): number {
  const at = text.indexOf(closing, from)
  return at < 0 ? text.length : at + closing.length
}

function quoteEnd(text: string, start: number, quote: string, escapes: boolean): number {
  let at = start + 1
  while (at < text.length) {
    if (text[at] === '\\' && escapes) at += 2
    else if (text[at] !== quote) at++
    else if (text[at + 1] === quote) at += 2
    else return at + 1
  }
  return text.length
}

/**
 * The part of a statement that a place belongs to. `query`: a query may begin here. `from`: tables are named here.
 * `select`: an item of a SELECT list. `with`: a CTE may begin here. `value`: expressions.
 */
export type Clause = 'query' | 'from' | 'select' | 'with' | 'value' | 'cast'

const TABLE_WORDS = new Set(['from', 'join', 'into', 'update', 'table', 'view'])
const VALUE_WORDS = new Set(
  'where,on,having,group,order,qualify,limit,offset,set,values,when,then,else,case,window,partition,cluster,distribute,sort,returning,returns,over,and,or,options'.split(
    ',',
  ),
)
const SET_WORDS = new Set(['union', 'intersect', 'minus'])

/** Follows the clauses of a text from token to token. */
export class ClauseTracker {
  readonly #stack: Clause[] = []
  #clause: Clause = 'query'
  #previous = ''
  #beforePrevious = ''

  /** Clause of the place behind the tokens seen so far. */
  get clause(): Clause {
    return this.#clause
  }

  /** Takes the next token. */
  pass(token: ShapeToken): void {
    if (token.type === 'comment') return
    if (token.type === 'word') this.#word(token.text)
    else if (token.type === 'symbol') this.#symbol(token.text)
    this.#beforePrevious = this.#previous
    this.#previous = token.type === 'word' || token.type === 'symbol' ? token.text : token.type
  }

  #word(word: string): void {
    if (word === 'select') this.#clause = 'select'
    else if (word === 'with' && (this.#clause === 'query' || this.#previous === 'as')) this.#clause = 'with'
    else if (word === 'from' && !this.#isPartOfExpression()) this.#clause = 'from'
    else if (word === 'using' && this.#clause === 'from')
      this.#clause = this.#beforePrevious === 'into' ? 'from' : 'value'
    else if (TABLE_WORDS.has(word) && word !== 'from' && this.#previous !== 'for') this.#clause = 'from'
    else if (VALUE_WORDS.has(word) && this.#clause !== 'select') this.#clause = 'value'
    else if (
      VALUE_WORDS.has(word) &&
      (word === 'where' || word === 'group' || word === 'having' || word === 'qualify')
    ) {
      this.#clause = 'value'
    } else if (SET_WORDS.has(word) || (word === 'except' && this.#previous !== '*')) this.#clause = 'query'
  }

  /** `extract(year FROM x)`, `a IS DISTINCT FROM b`. */
  #isPartOfExpression(): boolean {
    if (this.#previous === 'distinct' && (this.#beforePrevious === 'is' || this.#beforePrevious === 'not')) return true
    return this.#clause === 'value' && this.#stack.length > 0 && this.#previous !== 'delete'
  }

  #symbol(symbol: string): void {
    if (symbol === '(') {
      this.#stack.push(this.#clause)
      this.#clause = this.#inside()
    } else if (symbol === ')') this.#clause = this.#stack.pop() ?? 'query'
    else if (symbol === ';') {
      this.#stack.length = 0
      this.#clause = 'query'
    }
  }

  #inside(): Clause {
    const before = this.#previous
    if (before === 'cast' || before === 'try_cast' || before === 'safe_cast') return 'cast'
    if (this.#clause === 'with') return before === 'as' || before === 'materialized' ? 'query' : 'value'
    if (this.#clause === 'query') return 'query'
    if (this.#clause === 'from')
      return before === 'from' ||
        before === 'join' ||
        before === ',' ||
        before === '(' ||
        before === 'lateral' ||
        before === 'as'
        ? 'query'
        : 'value'
    return before === 'exists' ? 'query' : 'value'
  }
}
