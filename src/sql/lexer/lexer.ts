/**
 * One lexer for all dialects, switched by the dialect's table. It reads char codes in one pass and fills flat arrays;
 * comments and white space leave nothing behind.
 *
 *   text ─ scan() ─ words, names, strings, numbers, parameters, punctuation
 *                 └ at the start of a statement: client commands, to the end of their line
 */

import type { Dialect } from '../dialects/dialect.ts'
import { continuesName, isDigit, isSpace, startsName } from './chars.ts'
import { ClientLines } from './client.ts'
import { keywordAt } from './keywords.ts'
import { T, takeTokens, type Tokens } from './tokens.ts'
import { isSign, longOperatorEnd } from './operators.ts'
import { K } from './words.ts'

const DOUBLE_QUOTE = 34
const HASH = 35
const DOLLAR = 36
const PERCENT = 37
const AMPERSAND = 38
const QUOTE = 39
const LPAREN = 40
const STAR = 42
const MINUS = 45
const DOT = 46
const SLASH = 47
const COLON = 58
const EQUALS = 61
const GREATER = 62
const AT = 64
const LBRACKET = 91
const BACKSLASH = 92
const RBRACKET = 93
const BACKTICK = 96
const LBRACE = 123
const RBRACE = 125
const PIPE = 124
const NEWLINE = 10

/** The character that the template reader leaves where an expression has no known value. */
export const HOLE_CODE = 0xe000

/** Tokens of a text. The caller gives them back with `releaseTokens`. */
export function lex(text: string, dialect: Dialect): Tokens {
  const tokens = takeTokens(text)
  new Lexer(text, dialect, tokens).run()
  tokens.finish()
  return tokens
}

const ABBREVIATIONS: Readonly<Record<string, number>> = { sel: K.SELECT, ins: K.INSERT, upd: K.UPDATE, del: K.DELETE }

class Lexer {
  readonly #text: string
  readonly #length: number
  readonly #dialect: Dialect
  readonly #tokens: Tokens
  readonly #client: ClientLines | undefined
  #at = 0
  #statementStart = true
  /** End of the line that holds psql's `\\copy`. */
  #copyEnd = 0
  /** `emp#` is one name. */
  readonly #hashInNames: boolean
  /** Inside a MySQL conditional comment, whose text is SQL. */
  #conditional = false

  constructor(text: string, dialect: Dialect, tokens: Tokens) {
    this.#text = text
    this.#length = text.length
    this.#dialect = dialect
    this.#tokens = tokens
    this.#hashInNames =
      dialect.name === 'oracle' || dialect.name === 'tsql' || dialect.name === 'db2' || dialect.name === 'teradata'
    this.#client = dialect.client === 'none' ? undefined : new ClientLines(text, dialect.client)
  }

  run(): void {
    const text = this.#text
    const length = this.#length
    while (this.#at < length) {
      const at = this.#at
      const code = text.charCodeAt(at)
      if (isSpace(code)) {
        this.#at = at + 1
        if (at === this.#copyEnd) this.#end(T.SEMICOLON, 0)
        continue
      }
      if (this.#statementStart && this.#client) {
        if (code === BACKSLASH && (this.#copyEnd = this.#client.copyCommandEnd(at)) > 0) {
          this.#at = at + 1
          continue
        }
        const end = this.#client.lineCommandEnd(at)
        if (end > at) {
          this.#tokens.push(T.LINE, at, end)
          this.#at = end
          continue
        }
      }
      if (this.#client?.delimiter && text.startsWith(this.#client.delimiter, at)) {
        this.#end(T.BATCH, this.#client.delimiter.length)
        continue
      }
      this.#token(code, at)
    }
  }

  #token(code: number, at: number): void {
    if (startsName(code)) this.#word(at)
    else if (isDigit(code)) this.#number(at)
    else this.#symbol(code, at)
  }

  #push(type: number, end: number): void {
    this.#tokens.push(type, this.#at, end)
    this.#at = end
    this.#statementStart = false
  }

  /** A token that ends a statement. */
  #end(type: number, length: number): void {
    this.#tokens.push(type, this.#at, this.#at + length)
    this.#at += length
    this.#statementStart = true
  }

  #word(start: number): void {
    const text = this.#text
    const length = this.#length
    let at = start
    let hash = 0
    let code = 0
    let plain = true
    const stop = this.#client === undefined || this.#client.delimiter === '' ? -1 : this.#client.delimiter.charCodeAt(0)
    while (at < length) {
      code = text.charCodeAt(at)
      // MySQL: END$$
      if (code === stop && at > start && text.startsWith(this.#client!.delimiter, at)) break
      if (code < 128 ? continuesName(code) || (code === HASH && this.#hashInNames) : startsName(code)) {
        hash = (Math.imul(hash, 31) + (code | 32)) | 0
        at++
        continue
      }
      // A variable glued into a name: db_${env}, db_$(env), sales_&year.
      const glued = this.#gluedVariable(at, code)
      if (glued === at) break
      plain = false
      at = glued
    }
    if (code === QUOTE && at - start <= 8 && this.#prefixedString(start, at, QUOTE)) return
    if (
      code === DOUBLE_QUOTE &&
      at - start <= 2 &&
      this.#dialect.doubleQuotedStrings &&
      this.#prefixedString(start, at, DOUBLE_QUOTE)
    )
      return
    if (at - start === 1 && text.charCodeAt(start) === HOLE_CODE) return this.#push(T.HOLE, at)
    const keyword = plain ? keywordAt(text, start, at, hash) || this.#abbreviated(start, at) : 0
    if (keyword === K.GO && this.#client?.endsBatch(start, at)) {
      const line = text.indexOf('\n', at)
      return this.#end(T.BATCH, (line < 0 ? length : line) - start)
    }
    if (this.#statementStart) this.#client?.statementBegins(keyword, start)
    this.#push(keyword === 0 ? T.WORD : keyword, at)
  }

  /** End of a variable that goes on a name at `at`, or `at` itself. */
  #gluedVariable(at: number, code: number): number {
    const text = this.#text
    const next = text.charCodeAt(at + 1)
    if (code === LBRACE && text.charCodeAt(at - 1) === DOLLAR) return this.#afterBrace(at)
    if (code === LPAREN && text.charCodeAt(at - 1) === DOLLAR && this.#dialect.client === 'sqlcmd')
      return this.#after(at, ')')
    if (code === LBRACE && startsName(next) && !isSpace(text.charCodeAt(at - 1))) {
      const end = this.#plainBraceEnd(at)
      return end > 0 ? end : at
    }
    if (
      code === AMPERSAND &&
      this.#dialect.ampersandVariables &&
      this.#dialect.client === 'sqlplus' &&
      startsName(next)
    ) {
      return this.#nameEnd(at + 1)
    }
    return at
  }

  #after(at: number, closing: string): number {
    const end = this.#text.indexOf(closing, at)
    return end < 0 ? at : end + 1
  }

  #afterBrace(at: number): number {
    return this.#after(at, '}')
  }

  /** `{name}` or `{name.part}` without anything else in the braces: its end, or 0. */
  #plainBraceEnd(at: number): number {
    const text = this.#text
    let i = at + 1
    while (i < this.#length && (continuesName(text.charCodeAt(i)) || text.charCodeAt(i) === DOT)) i++
    return i > at + 1 && text.charCodeAt(i) === RBRACE && startsName(text.charCodeAt(at + 1)) ? i + 1 : 0
  }

  #nameEnd(at: number): number {
    let i = at
    while (i < this.#length && continuesName(this.#text.charCodeAt(i))) i++
    return i
  }

  /** E'…', N'…', r"…", _utf8'…', q'[…]': whether the word before the quote belongs to a string. */
  #prefixedString(start: number, quoteAt: number, quote: number): boolean {
    const text = this.#text
    const prefix = text.slice(start, quoteAt).toLowerCase()
    switch (prefix) {
      case 'q':
      case 'nq': {
        if (this.#dialect.name !== 'oracle' && this.#dialect.name !== 'ansi') return false
        const open = text[quoteAt + 1] ?? ''
        const close = { '[': ']', '(': ')', '{': '}', '<': '>' }[open] ?? open
        const end = text.indexOf(`${close}'`, quoteAt + 2)
        this.#push(T.STRING, end < 0 ? this.#unterminated(start, 'string') : end + 2)
        return true
      }
      case 'e':
        this.#string(start, quoteAt, quote, true)
        return true
      case 'n':
      case 'b':
      case 'x':
        this.#string(start, quoteAt, quote, this.#dialect.backslashEscapes)
        return true
      case 'r':
      case 'br':
      case 'rb':
        // A raw string of BigQuery keeps its backslashes, but a quote behind one does not end it.
        this.#string(start, quoteAt, quote, this.#dialect.name === 'bigquery')
        return true
      default:
        if (!prefix.startsWith('_')) return false
        this.#string(start, quoteAt, QUOTE, this.#dialect.backslashEscapes)
        return true
    }
  }

  /** Teradata's short forms: SEL, INS, UPD, DEL. */
  #abbreviated(start: number, end: number): number {
    if (this.#dialect.name !== 'teradata' || end - start !== 3) return 0
    return ABBREVIATIONS[this.#text.slice(start, end).toLowerCase()] ?? 0
  }

  /** A string whose quote stands at `quoteAt`; the token begins at `start`. */
  #string(start: number, quoteAt: number, quote: number, escapes: boolean): void {
    this.#at = start
    const text = this.#text
    if (
      this.#dialect.name === 'bigquery' &&
      text.charCodeAt(quoteAt + 1) === quote &&
      text.charCodeAt(quoteAt + 2) === quote
    ) {
      const end = text.indexOf(String.fromCharCode(quote, quote, quote), quoteAt + 3)
      return this.#push(T.STRING, end < 0 ? this.#unterminated(start, 'string') : end + 3)
    }
    this.#push(T.STRING, this.#quotedEnd(quoteAt, quote, escapes, 'string'))
  }

  /** Offset behind the closing quote. Doubled quotes stay inside. */
  #quotedEnd(quoteAt: number, quote: number, escapes: boolean, what: string): number {
    const text = this.#text
    const length = this.#length
    let at = quoteAt + 1
    while (at < length) {
      const code = text.charCodeAt(at)
      if (code === quote) {
        if (text.charCodeAt(at + 1) !== quote) return at + 1
        at += 2
      } else if (code === BACKSLASH && escapes) at += 2
      else at++
    }
    return this.#unterminated(quoteAt, what)
  }

  #unterminated(start: number, what: string): number {
    this.#tokens.errors.push({ start, what })
    return this.#length
  }

  #number(start: number): void {
    const text = this.#text
    let at = start
    if (text.charCodeAt(at) === 48 && (text.charCodeAt(at + 1) | 32) === 120) at = this.#nameEnd(at + 2)
    else {
      at = this.#digits(at)
      if (text.charCodeAt(at) === DOT && text.charCodeAt(at + 1) !== DOT && !this.#followsDot(start))
        at = this.#digits(at + 1)
      const exponent = text.charCodeAt(at) | 32
      if (exponent === 101) {
        const sign = text.charCodeAt(at + 1)
        const digits = sign === 43 || sign === MINUS ? at + 2 : at + 1
        if (isDigit(text.charCodeAt(digits))) at = this.#digits(digits)
      }
    }
    const end = this.#nameEnd(at)
    if (end === at) return this.#push(T.NUMBER, at)
    if (this.#isSuffix(at, end)) return this.#push(T.NUMBER, end)
    // 2019_sales is a name where the dialect allows it; elsewhere the rest is the next word (SELECT 1a).
    if (this.#dialect.digitNames || text.charCodeAt(at) === 95 || this.#followsDot(start))
      return this.#push(T.WORD, end)
    this.#push(T.NUMBER, at)
  }

  #followsDot(start: number): boolean {
    return start > 0 && this.#text.charCodeAt(start - 1) === DOT
  }

  #digits(at: number): number {
    let i = at
    while (
      isDigit(this.#text.charCodeAt(i)) ||
      (this.#text.charCodeAt(i) === 95 &&
        isDigit(this.#text.charCodeAt(i + 1)) &&
        isDigit(this.#text.charCodeAt(i - 1)) &&
        !this.#dialect.digitNames)
    )
      i++
    return i
  }

  /** Type suffixes of Spark and Hive numbers. */
  #isSuffix(at: number, end: number): boolean {
    const first = this.#text.charCodeAt(at) | 32
    if (end - at === 1) return first === 108 || first === 115 || first === 121 || first === 100 || first === 102
    return end - at === 2 && first === 98 && (this.#text.charCodeAt(at + 1) | 32) === 100
  }

  #symbol(code: number, at: number): void {
    const text = this.#text
    const next = text.charCodeAt(at + 1)
    if (this.#dialect.longOperators && isSign(next) && isSign(code)) {
      const end = longOperatorEnd(text, at)
      if (end > at) return this.#push(T.OPERATOR, end)
    }
    switch (code) {
      case LPAREN:
        return this.#push(T.LPAREN, at + 1)
      case 41:
        return this.#push(T.RPAREN, at + 1)
      case 44:
        return this.#push(T.COMMA, at + 1)
      case DOT:
        return this.#dot(at, next)
      case 59:
        return this.#semicolon(at)
      case QUOTE:
        return this.#string(at, at, QUOTE, this.#dialect.backslashEscapes)
      case DOUBLE_QUOTE:
        if (this.#dialect.doubleQuotedStrings) return this.#string(at, at, DOUBLE_QUOTE, this.#dialect.backslashEscapes)
        return this.#push(T.QUOTED, this.#quotedEnd(at, DOUBLE_QUOTE, false, 'quoted name'))
      case BACKTICK:
        return this.#push(T.QUOTED, this.#quotedEnd(at, BACKTICK, this.#dialect.name === 'bigquery', 'quoted name'))
      case LBRACKET:
        return this.#bracket(at)
      case RBRACKET:
        return this.#push(T.RBRACKET, at + 1)
      case LBRACE: {
        const end = this.#braceVariableEnd(at)
        return end > 0 ? this.#push(T.PARAM, end) : this.#push(T.LBRACE, at + 1)
      }
      case RBRACE:
        return this.#push(T.RBRACE, at + 1)
      case MINUS:
        return this.#minus(at, next)
      case SLASH:
        return this.#slash(at, next)
      case STAR:
        if (next === SLASH && this.#conditional) {
          this.#conditional = false
          this.#at = at + 2
          return
        }
        return this.#push(T.STAR, at + 1)
      case EQUALS:
        return next === GREATER
          ? this.#push(T.FAT_ARROW, at + 2)
          : this.#push(T.EQUALS, next === EQUALS ? at + 2 : at + 1)
      case 60:
        return this.#push(T.LESS, next === EQUALS || next === GREATER ? at + 2 : at + 1)
      case GREATER:
        return this.#push(T.GREATER, next === EQUALS ? at + 2 : at + 1)
      case PIPE:
        if (next === GREATER) return this.#push(T.PIPE, at + 2)
        return next === PIPE ? this.#push(T.CONCAT, at + 2) : this.#push(T.OPERATOR, at + 1)
      case COLON:
        if (next === COLON) return this.#push(T.DOUBLE_COLON, at + 2)
        return next === EQUALS ? this.#push(T.ASSIGN, at + 2) : this.#push(T.COLON, at + 1)
      case 63:
        return this.#push(T.QUESTION, at + 1)
      case 43:
        return this.#push(T.PLUS, at + 1)
      case HASH:
        return this.#hash(at, next)
      case DOLLAR:
        return this.#dollar(at, next)
      case AT:
        return this.#atSign(at, next)
      case AMPERSAND:
        return this.#ampersand(at, next)
      case PERCENT:
        return this.#percent(at, next)
      case BACKSLASH: {
        const end = this.#client?.sendCommandEnd(at) ?? at
        return end > at ? this.#end(T.SEMICOLON, end - at) : this.#push(T.BACKSLASH, at + 1)
      }
      case 126: // ~* is an operator of its own: the star is no column list
        return this.#push(T.OPERATOR, next === STAR ? at + 2 : at + 1)
      default:
        return this.#push(T.OPERATOR, at + 1)
    }
  }

  #semicolon(at: number): void {
    this.#tokens.push(T.SEMICOLON, at, at + 1)
    this.#at = at + 1
    this.#statementStart = true
    const end = this.#client?.copyDataEnd(this.#tokens, at + 1) ?? 0
    if (end > 0) this.#at = end
  }

  #dot(at: number, next: number): void {
    // `.5` is a number unless it continues a name: t.2019_sales, tuple.1.
    if (isDigit(next) && !this.#continuesPath(at)) {
      const end = this.#digits(at + 1)
      const exponent = this.#text.charCodeAt(end) | 32
      const sign = this.#text.charCodeAt(end + 1)
      if (
        exponent === 101 &&
        (isDigit(sign) || ((sign === 43 || sign === MINUS) && isDigit(this.#text.charCodeAt(end + 2))))
      ) {
        return this.#push(T.NUMBER, this.#digits(end + 2))
      }
      return this.#push(T.NUMBER, end)
    }
    this.#push(T.DOT, at + 1)
  }

  #continuesPath(at: number): boolean {
    const last = this.#tokens.count - 1
    if (last < 0 || this.#tokens.ends[last] !== at) return false
    const type = this.#tokens.types[last]!
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

  #bracket(at: number): void {
    if (this.#dialect.bracketNames || this.#looksBracketed(at)) {
      const end = this.#quotedEnd(at, RBRACKET, false, 'quoted name')
      return this.#push(T.QUOTED, end)
    }
    this.#push(T.LBRACKET, at + 1)
  }

  /** In `ansi`, `[a].[b]` and `FROM [a]` are names; an array or a subscript is not. */
  #looksBracketed(at: number): boolean {
    if (this.#dialect.name !== 'ansi') return false
    const end = this.#text.indexOf(']', at)
    if (end < 0 || !startsName(this.#text.charCodeAt(at + 1))) return false
    for (let i = at + 1; i < end; i++)
      if (!continuesName(this.#text.charCodeAt(i)) && this.#text.charCodeAt(i) !== 32) return false
    const last = this.#tokens.count - 1
    const before = last < 0 ? 0 : this.#tokens.types[last]!
    if (before === T.DOT) return true
    const afterDot = this.#text.charCodeAt(end + 1) === DOT
    if (afterDot) return !(before === T.WORD || before === T.QUOTED || before === T.RPAREN || before === T.RBRACKET)
    return before === K.FROM || before === K.JOIN || before === K.INTO || before === K.UPDATE || before === K.TABLE
  }

  /** `{name}`, ClickHouse `{name:Type}`: its end, or 0 for any other brace. */
  #braceVariableEnd(at: number): number {
    const plain = this.#plainBraceEnd(at)
    if (plain > 0) return plain
    if (this.#dialect.name !== 'clickhouse') return 0
    const name = this.#nameEnd(at + 1)
    if (name === at + 1 || this.#text.charCodeAt(name) !== COLON) return 0
    const end = this.#text.indexOf('}', name)
    return end < 0 ? 0 : end + 1
  }

  #minus(at: number, next: number): void {
    if (next === MINUS) {
      const after = this.#text.charCodeAt(at + 2)
      if (!this.#dialect.spacedDashComments || at + 2 >= this.#length || after <= 32) return this.#skipLine(at + 2)
    }
    if (next === GREATER) {
      if (this.#text.charCodeAt(at + 2) !== GREATER) return this.#push(T.ARROW, at + 2)
      // Snowflake: statement ->> statement; the next one reads the rows of the one before as $1.
      return this.#push(this.#dialect.name === 'snowflake' ? T.SEMICOLON : T.LONG_ARROW, at + 3)
    }
    this.#push(T.MINUS, at + 1)
  }

  #skipLine(from: number): void {
    const end = this.#text.indexOf('\n', from)
    this.#at = end < 0 ? this.#length : end + 1
  }

  #slash(at: number, next: number): void {
    if (next === STAR) return this.#blockComment(at)
    if (next === SLASH && this.#dialect.slashComments) return this.#skipLine(at + 2)
    if (this.#client?.endsBatch(at, at + 1)) return this.#end(T.BATCH, 1)
    this.#push(T.SLASH, at + 1)
  }

  #blockComment(at: number): void {
    const text = this.#text
    if (text.charCodeAt(at + 2) === 33 && (this.#dialect.client === 'mysql' || this.#dialect.client === 'any')) {
      // MySQL runs what stands in /*! … */ and /*!40101 … */; MariaDB also /*M! … */.
      this.#conditional = true
      this.#at = this.#digits(at + 3)
      return
    }
    let depth = 1
    let i = at + 2
    while (depth > 0) {
      const close = text.indexOf('*/', i)
      if (close < 0) {
        this.#at = this.#unterminated(at, 'comment')
        return
      }
      if (this.#dialect.nestedComments) {
        for (let open = text.indexOf('/*', i); open >= 0 && open < close; open = text.indexOf('/*', open + 2)) depth++
      }
      depth--
      i = close + 2
    }
    this.#at = i
  }

  #hash(at: number, next: number): void {
    if (this.#dialect.hashComments) return this.#skipLine(at + 1)
    if (this.#dialect.hashNames && (startsName(next) || next === HASH)) {
      let end = at + 1
      while (this.#text.charCodeAt(end) === HASH) end++
      while (end < this.#length && (continuesName(this.#text.charCodeAt(end)) || this.#text.charCodeAt(end) === HASH))
        end++
      return this.#push(T.WORD, end)
    }
    // ClickHouse and ansi: a hash and a space, or a shebang, begin a comment.
    const comments = this.#dialect.name === 'clickhouse' || this.#dialect.name === 'ansi'
    if (comments && (next === 32 || next === 33 || next === NEWLINE)) return this.#skipLine(at + 1)
    this.#push(T.OPERATOR, at + 1)
  }

  #dollar(at: number, next: number): void {
    const text = this.#text
    if (next === LBRACE) {
      const end = this.#afterBrace(at + 1)
      return this.#variableOrName(end > at + 1 ? end : at + 2)
    }
    if (next === LPAREN && (this.#dialect.client === 'sqlcmd' || this.#dialect.client === 'any')) {
      return this.#variableOrName(this.#after(at + 1, ')'))
    }
    if (this.#dialect.dollarStrings && (next === DOLLAR || startsName(next))) {
      const tagEnd = this.#nameEnd2(at + 1)
      if (text.charCodeAt(tagEnd) === DOLLAR) {
        const tag = text.slice(at, tagEnd + 1)
        const end = text.indexOf(tag, tagEnd + 1)
        return this.#push(T.DOLLAR_STRING, end < 0 ? this.#unterminated(at, 'string') : end + tag.length)
      }
    }
    if (startsName(next) || isDigit(next)) return this.#push(T.PARAM, this.#nameEnd(at + 1))
    this.#push(T.OPERATOR, at + 1)
  }

  /** End of a name without dollar signs. */
  #nameEnd2(at: number): number {
    let i = at
    while (i < this.#length && this.#text.charCodeAt(i) !== DOLLAR && continuesName(this.#text.charCodeAt(i))) i++
    return i
  }

  /** `${x}` alone is a parameter; with more name on it (`${env}_schema`) it is a name. */
  #variableOrName(end: number): void {
    const code = this.#text.charCodeAt(end)
    if (end < this.#length && (continuesName(code) || (code === DOLLAR && this.#text.charCodeAt(end + 1) === LBRACE))) {
      let at = end
      while (at < this.#length) {
        const here = this.#text.charCodeAt(at)
        if (continuesName(here)) at++
        else {
          const glued = this.#gluedVariable(at, here)
          if (glued === at) break
          at = glued
        }
      }
      return this.#push(T.WORD, at)
    }
    this.#push(T.PARAM, end)
  }

  #atSign(at: number, next: number): void {
    const text = this.#text
    if (
      this.#dialect.stages &&
      (startsName(next) || next === 126 || next === PERCENT || next === DOUBLE_QUOTE || next === DOLLAR)
    )
      return this.#push(T.STAGE, this.#stageEnd(at + 1))
    if (this.#dialect.atVariables || this.#dialect.name === 'teradata') {
      if (startsName(next) || next === AT || isDigit(next)) {
        let end = at + 1
        while (text.charCodeAt(end) === AT) end++
        end = this.#nameEnd(end)
        while (text.charCodeAt(end) === HASH || text.charCodeAt(end) === AT) end = this.#nameEnd(end + 1)
        return this.#push(T.PARAM, end)
      }
      if (next === BACKTICK || next === QUOTE || next === DOUBLE_QUOTE) {
        return this.#push(T.PARAM, this.#quotedEnd(at + 1, next, false, 'quoted name'))
      }
    }
    this.#push(T.AT, at + 1)
  }

  #stageEnd(from: number): number {
    const text = this.#text
    let at = from
    while (at < this.#length) {
      const code = text.charCodeAt(at)
      if (code === DOUBLE_QUOTE) at = this.#quotedEnd(at, DOUBLE_QUOTE, false, 'quoted name')
      else if (isSpace(code) || code === LPAREN || code === 41 || code === 44 || code === 59 || code === QUOTE) break
      else at++
    }
    return at
  }

  #ampersand(at: number, next: number): void {
    if (this.#dialect.ampersandVariables) {
      const from = next === AMPERSAND ? at + 2 : at + 1
      const spaced = at === 0 || !continuesName(this.#text.charCodeAt(at - 1))
      if (
        spaced &&
        (startsName(this.#text.charCodeAt(from)) ||
          isDigit(this.#text.charCodeAt(from)) ||
          this.#text.charCodeAt(from) === LBRACE)
      ) {
        let end = this.#text.charCodeAt(from) === LBRACE ? this.#afterBrace(from) : this.#nameEnd(from)
        // The dot that ends a variable's name is not part of what follows: &schema..emp.
        if (
          this.#text.charCodeAt(end) === DOT &&
          (this.#text.charCodeAt(end + 1) === DOT || continuesName(this.#text.charCodeAt(end + 1)))
        ) {
          if (this.#text.charCodeAt(end + 1) === DOT) end++
          else if (this.#dialect.client === 'sqlplus') return this.#variableOrName(end + 1)
        }
        return this.#push(T.PARAM, end)
      }
    }
    this.#push(T.OPERATOR, next === AMPERSAND ? at + 2 : at + 1)
  }

  #percent(at: number, next: number): void {
    if (next === LPAREN) {
      const name = this.#nameEnd(at + 2)
      const type = this.#text.charCodeAt(name + 1)
      if (name > at + 2 && this.#text.charCodeAt(name) === 41 && startsName(type)) return this.#push(T.PARAM, name + 2)
    }
    this.#push(T.PERCENT, at + 1)
  }
}
