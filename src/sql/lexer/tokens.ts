/**
 * Tokens of a text as flat arrays: type, start and end offset at each index. No token is an object; a word's text is
 * cut out of the source only where the parser needs it.
 */

/** Token types below the keywords. */
export const T = {
  EOF: 0,
  WORD: 1,
  /** A quoted identifier. */
  QUOTED: 2,
  STRING: 3,
  NUMBER: 4,
  /** `:x`, `?1`, `$1`, `@x`, `${x}`, `&x`, `%(x)s`, `{x}`. */
  PARAM: 5,
  /** A template expression whose value the text does not tell. */
  HOLE: 6,
  /** A client command, to the end of its line. */
  LINE: 7,
  /** GO, `/` on a line of its own, a MySQL delimiter: ends a statement whatever block is open. */
  BATCH: 8,
  /** A Snowflake stage: `@db.schema.stage/path`. */
  STAGE: 9,
  /** `$$ … $$`, `$tag$ … $tag$`. */
  DOLLAR_STRING: 10,
  LPAREN: 16,
  RPAREN: 17,
  LBRACKET: 18,
  RBRACKET: 19,
  LBRACE: 20,
  RBRACE: 21,
  COMMA: 22,
  SEMICOLON: 23,
  DOT: 24,
  COLON: 25,
  DOUBLE_COLON: 26,
  ASSIGN: 27,
  FAT_ARROW: 28,
  ARROW: 29,
  LONG_ARROW: 30,
  STAR: 31,
  EQUALS: 32,
  PIPE: 33,
  QUESTION: 34,
  AT: 35,
  PLUS: 36,
  MINUS: 37,
  SLASH: 38,
  PERCENT: 39,
  LESS: 40,
  GREATER: 41,
  CONCAT: 42,
  /** Any other operator. */
  OPERATOR: 43,
  BACKSLASH: 44,
} as const

export interface LexError {
  readonly start: number
  readonly what: string
}

/** Tokens of one text. The arrays are reused; `release` gives them back once the parser has what it needs. */
export class Tokens {
  text = ''
  count = 0
  types: Uint16Array
  starts: Int32Array
  ends: Int32Array
  errors: LexError[] = []

  constructor(capacity: number) {
    this.types = new Uint16Array(capacity)
    this.starts = new Int32Array(capacity)
    this.ends = new Int32Array(capacity)
  }

  push(type: number, start: number, end: number): void {
    const at = this.count
    if (at >= this.types.length - PADDING) this.#grow()
    this.types[at] = type
    this.starts[at] = start
    this.ends[at] = end
    this.count = at + 1
  }

  /** Ends the stream: a few EOF tokens stand behind the last one, so that looking ahead needs no bounds check. */
  finish(): void {
    const at = this.text.length
    if (this.count >= this.types.length - PADDING) this.#grow()
    for (let i = 0; i < PADDING; i++) {
      this.types[this.count + i] = T.EOF
      this.starts[this.count + i] = at
      this.ends[this.count + i] = at
    }
  }

  #grow(): void {
    const capacity = this.types.length * 2
    const types = new Uint16Array(capacity)
    types.set(this.types)
    this.types = types
    const starts = new Int32Array(capacity)
    starts.set(this.starts)
    this.starts = starts
    const ends = new Int32Array(capacity)
    ends.set(this.ends)
    this.ends = ends
  }
}

const PADDING = 8
const KEPT_CAPACITY = 1 << 16
const free: Tokens[] = []

/** Takes token arrays out of the pool. */
export function takeTokens(text: string): Tokens {
  const tokens = free.pop() ?? new Tokens(1024)
  tokens.text = text
  tokens.count = 0
  tokens.errors = []
  return tokens
}

/** Gives token arrays back; very large ones are left to the garbage collector. */
export function releaseTokens(tokens: Tokens): void {
  tokens.text = ''
  if (tokens.types.length <= KEPT_CAPACITY && free.length < 8) free.push(tokens)
}
