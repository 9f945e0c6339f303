/**
 * The parser's place in a text: flat token arrays, the index of the next token, and what was stepped over so far.
 * Grammar rules are functions over a cursor; rules that call each other across files go through `rules`.
 */

import type { Dialect } from '../dialects/dialect.ts'
import type { DiagnosticCode } from '../diagnostics.ts'
import type { Star } from '../ir/expression.ts'
import type { Cte, Query, Relation, TableName, Use } from '../ir/query.ts'
import type { ParseNote, Statement } from '../ir/statement.ts'
import { FIRST_KEYWORD } from '../lexer/keywords.ts'
import { T, type Tokens } from '../lexer/tokens.ts'
import type { Collector } from './collector.ts'

/** Grammar rules that other files need and that in turn need theirs. */
export interface Rules {
  readonly query: (c: Cursor) => Query
  readonly expression: (c: Cursor, into: Collector) => void
  /** False when no operand stands there. */
  readonly operand: (c: Cursor, into: Collector) => boolean
  readonly relations: (c: Cursor, uses: Use[]) => Relation[]
  readonly statement: (c: Cursor) => Statement
  readonly columnsCall: (c: Cursor) => Star
  readonly ctes: (c: Cursor) => Cte[]
  /** Statements of the text inside string token `index` (or from it to token `last`), at the same offsets. */
  readonly textBody: (
    c: Cursor,
    index: number,
    read?: (body: string) => string | undefined,
    last?: number,
  ) => Statement[]
  /** Statements of a text that stands at an offset. */
  readonly textAt: (c: Cursor, offset: number, text: string) => Statement[]
}

/** Weighted nesting that one statement may have. A parenthesis weighs 1, a query 4. */
const MAX_DEPTH = 1600

/** Thrown out of the rules when a statement nests too deep; caught where the statement began. */
export class TooDeepError extends Error {
  override readonly name = 'TooDeepError'
}

export class Cursor {
  readonly text: string
  readonly types: Uint16Array
  readonly starts: Int32Array
  readonly ends: Int32Array
  readonly count: number
  readonly dialect: Dialect
  readonly rules: Rules
  pos = 0
  depth = 0
  skipped = 0
  /** Offset of this text in the script that holds it. */
  notes: ParseNote[] = []
  /** Inside a procedural body, where `name(args);` is a call. */
  inBody = false
  /** Snowflake: queries of the statements before, joined by `->>`, in order; undefined for what gives rows of its own. */
  flow: (Query | undefined)[] = []
  /** In `FOR x IN query LOOP`, where LOOP or DO ends the query. */
  inLoopHead = false
  /** Snowflake: queries of the statements before, in order, for RESULT_SCAN(LAST_QUERY_ID()). */
  results: (Query | undefined)[] = []
  /** Between BEGIN and END, where nothing is declared. */
  inBlock = false

  constructor(tokens: Tokens, dialect: Dialect, rules: Rules) {
    this.text = tokens.text
    this.types = tokens.types
    this.starts = tokens.starts
    this.ends = tokens.ends
    this.count = tokens.count
    this.dialect = dialect
    this.rules = rules
  }

  get type(): number {
    return this.types[this.pos]!
  }

  peek(ahead: number): number {
    return this.types[this.pos + ahead]!
  }

  at(type: number): boolean {
    return this.types[this.pos] === type
  }

  /** Steps over the token if it is of the type. */
  take(type: number): boolean {
    if (this.types[this.pos] !== type) return false
    this.pos++
    return true
  }

  /** Steps over two tokens if they are of these types. */
  take2(first: number, second: number): boolean {
    if (this.types[this.pos] !== first || this.types[this.pos + 1] !== second) return false
    this.pos += 2
    return true
  }

  /** Whether the token at `index` may be a name: any word, quoted or not. */
  isName(index: number): boolean {
    const type = this.types[index]!
    return type === T.WORD || type === T.QUOTED || type >= FIRST_KEYWORD
  }

  start(): number {
    return this.starts[this.pos]!
  }

  /** End of the token before the next one. */
  end(): number {
    return this.pos === 0 ? 0 : this.ends[this.pos - 1]!
  }

  /** Statements inside the string token at `index` (to that at `last`), or of what `read` finds in it (of the same length). */
  subScript(index: number, read?: (body: string) => string | undefined, last?: number): Statement[] {
    return this.rules.textBody(this, index, read, last)
  }

  /** Whether nothing stands between token `index` and the one before it. */
  touches(index: number): boolean {
    return index > 0 && this.ends[index - 1] === this.starts[index]
  }

  lengthAt(index: number): number {
    return this.ends[index]! - this.starts[index]!
  }

  textAt(index: number): string {
    return this.text.slice(this.starts[index], this.ends[index])
  }

  /** Whether the token at `index` is a word spelled like `lower` (lower case). */
  isWord(index: number, lower: string): boolean {
    const start = this.starts[index]!
    if (this.ends[index]! - start !== lower.length) return false
    for (let i = 0; i < lower.length; i++) {
      const code = this.text.charCodeAt(start + i)
      const expected = lower.charCodeAt(i)
      if (code !== expected && (code | 32) !== expected) return false
    }
    return true
  }

  /** Steps over a word that is not in the keyword table. */
  takeWord(lower: string): boolean {
    if (!this.isWord(this.pos, lower)) return false
    this.pos++
    return true
  }

  /** The name at `index` without its quotes. */
  nameAt(index: number): string {
    const type = this.types[index]!
    if (type === T.QUOTED) return unquote(this.text, this.starts[index]!, this.ends[index]!)
    if (type === T.STRING) return stringValue(this.textAt(index))
    return this.textAt(index)
  }

  note(code: DiagnosticCode, start: number, text?: string): void {
    this.notes.push(text === undefined ? { code, start } : { code, start, text })
  }

  /** What the statement needs and does not have here: `a table`, `SET`. Told once for a place. */
  missing(what: string): void {
    const ends = this.atEnd()
    const start = ends ? this.end() : this.start()
    const last = this.notes.at(-1)
    if (last?.code === 'MISSING_PART' && last.start === start) return
    this.note('MISSING_PART', start, ends ? `${what} at the end` : `${what} before ${this.textAt(this.pos)}`)
  }

  /** Takes the word or sign, which has to stand here. */
  expect(type: number, what: string): void {
    if (!this.take(type)) this.missing(what)
  }

  enter(weight: number): void {
    this.depth += weight
    if (this.depth > MAX_DEPTH) throw new TooDeepError()
  }

  leave(weight: number): void {
    this.depth -= weight
  }

  /** Steps over one token that no rule understood, and counts it. */
  skip(): void {
    if (this.types[this.pos] === T.EOF) return
    if (this.skipped === 0 || this.notes[this.notes.length - 1]?.code !== 'SKIPPED_TOKENS') {
      this.note('SKIPPED_TOKENS', this.start(), this.textAt(this.pos))
    }
    this.skipped++
    this.pos++
  }

  /** With the cursor on an opening bracket: steps behind its closing one, knowingly. */
  stepOverParens(): void {
    const close = this.closing(this.pos)
    const type = this.types[close]!
    if (type !== T.RPAREN && type !== T.RBRACKET && type !== T.RBRACE)
      this.note('UNBALANCED_PARENTHESES', this.starts[this.pos]!)
    this.pos = close + 1
  }

  /** Index of the bracket that closes the one at `index`, or of the last token before the end of the statement. */
  closing(index: number): number {
    let depth = 0
    let i = index
    for (; i < this.count; i++) {
      const type = this.types[i]!
      if (type === T.LPAREN || type === T.LBRACKET || type === T.LBRACE) depth++
      else if (type === T.RPAREN || type === T.RBRACKET || type === T.RBRACE) {
        depth--
        if (depth <= 0) return i
      } else if (type === T.BATCH || (type === T.SEMICOLON && depth > 0)) return i - 1
    }
    return i - 1
  }

  /** Takes `)`; where it is missing, steps over what stands before it. */
  closeParen(): void {
    if (this.take(T.RPAREN)) return
    let depth = 0
    while (!this.atEnd()) {
      const type = this.type
      if (type === T.RPAREN && depth === 0) {
        this.pos++
        return
      }
      if (type === T.LPAREN) depth++
      else if (type === T.RPAREN) depth--
      this.skip()
    }
    this.note('UNBALANCED_PARENTHESES', this.start())
  }

  /** To the end of the statement. */
  stepToEnd(): void {
    while (!this.atEnd()) this.pos++
  }

  /** At the end of a statement. */
  atEnd(): boolean {
    const type = this.types[this.pos]!
    return type === T.EOF || type === T.SEMICOLON || type === T.BATCH
  }

  /** A table's name with nothing known of it but its one part. */
  simpleName(index: number): TableName {
    const quoted = this.types[index] === T.QUOTED ? 1 : 0
    return { parts: [this.nameAt(index)], start: this.starts[index]!, end: this.ends[index]!, sort: 'table', quoted }
  }
}

/** Text of a quoted name without the quotes, doubled ones undone. */
function unquote(text: string, start: number, end: number): string {
  const open = text[start]!
  const close = open === '[' ? ']' : open
  const inner = text.slice(start + 1, text[end - 1] === close && end - 1 > start ? end - 1 : end)
  return inner.includes(close) ? inner.replaceAll(close + close, close) : inner
}

/** A variable's name as it is declared: `$x` is x; `@x` keeps its sign, which tells it from a column. */
export function variableName(text: string): string {
  return text.startsWith('$') || text.startsWith(':') ? text.slice(1) : text
}

/** Value of a string token: prefix and quotes go, doubled quotes and simple escapes are undone. */
export function stringValue(raw: string): string {
  if (raw.startsWith('$')) {
    const tag = raw.indexOf('$', 1) + 1
    return raw.slice(tag, -tag)
  }
  const quoteAt = raw.search(/['"]/)
  if (quoteAt < 0) return raw
  const quote = raw[quoteAt]!
  if (/^n?q$/i.test(raw.slice(0, quoteAt))) return raw.slice(quoteAt + 2, -2)
  if (raw.startsWith(quote.repeat(3), quoteAt) && raw.length >= quoteAt + 6) return raw.slice(quoteAt + 3, -3)
  const closed = raw.length > quoteAt + 1 && raw.endsWith(quote)
  return raw.slice(quoteAt + 1, closed ? -1 : undefined).replaceAll(quote + quote, quote)
}
