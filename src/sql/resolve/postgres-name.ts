/**
 * The name that PostgreSQL gives an output without an alias (FigureColname in its parser): the last part of what the
 * expression ends in. A weak name (a cast's type, CASE) gives way to a strong one inside.
 *
 *   (a).b → b      f(x) OVER w → f      a::int → a      1::int → int4      a + b → ?column?
 *   CASE … ELSE a END → a      (SELECT max(x) …) → max      ARRAY[…] → array      a AT TIME ZONE z → timezone
 */
import type { Dialect } from '../dialects/dialect.ts'
import { lex } from '../lexer/lexer.ts'
import { releaseTokens, T, type Tokens } from '../lexer/tokens.ts'
import { K } from '../lexer/words.ts'

interface Found {
  readonly name: string
  /** Stands against the type of a cast around it, and against CASE. */
  readonly strong: boolean
}

const NONE: Found | undefined = undefined

/**
 * The name of an expression's text; undefined where PostgreSQL would say `?column?`. `subqueryName` names the subquery
 * that begins at an offset of the text by its first output.
 */
export function postgresName(
  text: string,
  dialect: Dialect,
  subqueryName: (start: number) => string | undefined,
): string | undefined {
  const tokens = lex(text, dialect)
  try {
    return new Namer(tokens, subqueryName).name(0, tokens.count)?.name
  } finally {
    releaseTokens(tokens)
  }
}

/** Operators by sign: with one of them outside of parentheses an expression has no name. */
const SIGNS: ReadonlySet<number> = new Set([
  T.STAR, T.EQUALS, T.PIPE, T.QUESTION, T.AT, T.PLUS, T.MINUS, T.SLASH, T.PERCENT, T.LESS, T.GREATER, T.CONCAT,
  T.OPERATOR, T.ARROW, T.LONG_ARROW, T.BACKSLASH,
]) // prettier-ignore

/** Operators by word. */
const OPERATORS: ReadonlySet<string> = new Set([
  'and', 'or', 'not', 'is', 'isnull', 'notnull', 'in', 'between', 'like', 'ilike', 'similar', 'operator',
]) // prettier-ignore

/** Types whose name in the catalog is not the one written. */
const TYPES: Readonly<Record<string, string>> = {
  int: 'int4', integer: 'int4', bigint: 'int8', smallint: 'int2', real: 'float4', float: 'float8', double: 'float8',
  decimal: 'numeric', dec: 'numeric', boolean: 'bool', character: 'bpchar', char: 'bpchar', nchar: 'bpchar',
} // prettier-ignore

class Namer {
  readonly #tokens: Tokens
  readonly #subqueryName: (start: number) => string | undefined

  constructor(tokens: Tokens, subqueryName: (start: number) => string | undefined) {
    this.#tokens = tokens
    this.#subqueryName = subqueryName
  }

  /** The name of the tokens from `from` up to `to`. */
  name(from: number, to: number): Found | undefined {
    if (from >= to) return NONE
    const outside = this.#outside(from, to)
    if (outside.some((i) => this.#word(i) === 'overlaps')) return strong('overlaps')
    if (outside.length > 2 && this.#word(to - 1) === 'normalized') return strong('is_normalized')
    if (outside.some((i) => SIGNS.has(this.#type(i)) || OPERATORS.has(this.#word(i)))) return NONE
    if (outside.some((i, n) => n > 0 && this.#word(i) === 'at' && ['time', 'local'].includes(this.#word(i + 1))))
      return strong('timezone')
    const cast = outside.findLast((i) => this.#type(i) === T.DOUBLE_COLON)
    if (cast !== undefined) return this.#subscriptField(cast, to) ?? this.#cast(this.name(from, cast), cast + 1, to)
    const collate = outside.findLast((i) => i > from && this.#word(i) === 'collate')
    if (collate !== undefined) return this.name(from, collate)
    return this.#operand(from, to)
  }

  /** Tokens that stand in no brackets and no CASE. */
  #outside(from: number, to: number): number[] {
    const found: number[] = []
    for (let i = from; i < to; i++) {
      found.push(i)
      i = this.#closing(i, to)
    }
    return found
  }

  /** The last token of what opens at `i`: brackets, or CASE … END; `i` itself where nothing opens. */
  #closing(i: number, to: number): number {
    if (!this.#opens(i)) return i
    let depth = 0
    for (let at = i; at < to; at++) {
      if (this.#opens(at)) depth++
      else if (this.#closes(at) && --depth === 0) return at
    }
    return to - 1
  }

  #opens(i: number): boolean {
    const type = this.#type(i)
    return type === T.LPAREN || type === T.LBRACKET || type === T.LBRACE || type === K.CASE
  }

  #closes(i: number): boolean {
    const type = this.#type(i)
    return type === T.RPAREN || type === T.RBRACKET || type === T.RBRACE || type === K.END
  }

  #operand(from: number, to: number): Found | undefined {
    const type = this.#type(from)
    if (type === K.CASE) return this.#case(from, to)
    if (type === T.LPAREN) return this.#parentheses(from, to)
    if (type === T.STRING || type === T.NUMBER || type === T.DOLLAR_STRING) return NONE
    if (type === T.PARAM || type === T.HOLE) return NONE
    return this.#named(from, to)
  }

  #parentheses(from: number, to: number): Found | undefined {
    const close = this.#closing(from, to)
    if (close < to - 1) return this.#field(close + 1, to) ?? this.name(from, close + 1)
    const inner = this.#outside(from + 1, close)
    if (inner.some((i) => this.#type(i) === T.COMMA)) return strong('row')
    const first = this.#type(from + 1)
    if (first !== K.SELECT && first !== K.WITH && first !== K.VALUES) return this.name(from + 1, close)
    return this.#subquery(from + 1)
  }

  #subquery(first: number): Found | undefined {
    const name = this.#subqueryName(this.#tokens.starts[first] ?? 0)
    return name === undefined ? NONE : strong(name)
  }

  /** The last of `.field` behind parentheses or subscripts. */
  #field(from: number, to: number): Found | undefined {
    const dot = this.#outside(from, to).findLast((i) => this.#type(i) === T.DOT)
    return dot === undefined ? NONE : strong(this.#spelt(dot + 1))
  }

  /** `(a::point[])[1].x`: what follows a subscript behind a type is no part of the type. */
  #subscriptField(cast: number, to: number): Found | undefined {
    const bracket = this.#outside(cast, to).find((i) => this.#type(i) === T.RBRACKET)
    return bracket === undefined ? NONE : this.#field(bracket, to)
  }

  /** A name: a column, a call, a typed literal, an operand with a grammar of its own. */
  #named(from: number, to: number): Found | undefined {
    const word = this.#word(from)
    const next = this.#type(from + 1)
    if (word === 'cast' && next === T.LPAREN) {
      const close = this.#closing(from + 1, to)
      const as = this.#outside(from + 2, close).findLast((i) => this.#type(i) === K.AS)
      return as === undefined ? NONE : this.#cast(this.name(from + 2, as), as + 1, close)
    }
    if (word === 'row' && next === T.LPAREN) return strong('row')
    if (word === 'array' && (next === T.LBRACKET || next === T.LPAREN)) return strong('array')
    if (word === 'trim' && next === T.LPAREN) return strong(this.#trim(from + 2))
    if (word === 'collation') return strong('pg_collation_for')
    if (CONSTANTS.has(word) && from + 1 === to) return NONE
    return this.#path(from, to)
  }

  /** Parts joined by dots, then perhaps a call, subscripts and fields; or a type before its literal. */
  #path(from: number, to: number): Found | undefined {
    let last = from
    while (this.#type(last + 1) === T.DOT && last + 2 < to) last += 2
    const literal = this.#outside(last + 1, to).some((i) => this.#type(i) === T.STRING)
    if (literal && this.#type(last + 1) !== T.LBRACKET) return { name: this.#typeName(from, to), strong: false }
    const bracket = this.#outside(last + 1, to).find((i) => this.#type(i) === T.LBRACKET)
    return (bracket === undefined ? NONE : this.#field(bracket, to)) ?? strong(this.#spelt(last))
  }

  #trim(first: number): string {
    const side = this.#word(first)
    return side === 'leading' ? 'ltrim' : side === 'trailing' ? 'rtrim' : 'btrim'
  }

  #case(from: number, to: number): Found | undefined {
    const end = this.#closing(from, to)
    const otherwise = this.#outside(from + 1, end).findLast((i) => this.#type(i) === K.ELSE)
    const inner = otherwise === undefined ? NONE : this.name(otherwise + 1, end)
    return inner?.strong === true ? inner : { name: 'case', strong: false }
  }

  #cast(inner: Found | undefined, from: number, to: number): Found {
    return inner?.strong === true ? inner : { name: this.#typeName(from, to), strong: false }
  }

  #typeName(from: number, to: number): string {
    const words = this.#outside(from, to).filter((i) => this.#type(i) !== T.LPAREN && this.#type(i) !== T.LBRACKET)
    const zoned = words.some((i) => this.#word(i) === 'with')
    const [first = from] = words
    let last = first
    while (this.#type(last + 1) === T.DOT && last + 2 < to) last += 2
    if (this.#type(last) === T.QUOTED) return this.#spelt(last)
    const word = this.#word(last)
    if (words.some((i) => this.#word(i) === 'varying')) return word === 'bit' ? 'varbit' : 'varchar'
    if (zoned && (word === 'timestamp' || word === 'time')) return `${word}tz`
    return TYPES[word] ?? word
  }

  #type(i: number): number {
    return this.#tokens.types[i] ?? T.EOF
  }

  /** Lower case; '' for what is no word. */
  #word(i: number): string {
    const type = this.#type(i)
    return type === T.WORD || type >= FIRST_KEYWORD ? this.#text(i).toLowerCase() : ''
  }

  #spelt(i: number): string {
    const text = this.#text(i)
    return this.#type(i) === T.QUOTED ? text.slice(1, -1).replaceAll('""', '"') : text.toLowerCase()
  }

  #text(i: number): string {
    return this.#tokens.text.slice(this.#tokens.starts[i], this.#tokens.ends[i])
  }
}

/** Keywords are numbered from here (lexer/words.ts). */
const FIRST_KEYWORD = 64

const CONSTANTS: ReadonlySet<string> = new Set(['null', 'true', 'false', 'default'])

function strong(name: string): Found {
  return { name, strong: true }
}
