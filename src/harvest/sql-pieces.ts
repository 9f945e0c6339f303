/**
 * A file of SQL that is too large to be held, in pieces that end with a statement: behind a `;` at the end of a line,
 * outside of quotes and comments, where the next line begins at its margin (inside of a block lines are indented). A
 * statement that is itself too large is left out, and told.
 */

export type SqlPiece =
  | { readonly kind: 'text'; readonly sql: string; readonly line: number }
  | { readonly kind: 'too-long'; readonly line: number }

export interface PieceLimits {
  /** A piece is cut as soon as it may be once it is that long, characters. */
  readonly cutAt: number
  /** A statement longer than this is left out. */
  readonly longest: number
}

type State = 'plain' | 'quote' | 'line-comment' | 'block-comment' | 'dollar'

/** Where a text stands: what is open at its end, and its last place to cut. */
class Scanner {
  #state: State = 'plain'
  /** What ends the open quote or dollar quote. */
  #closing = ''
  #semicolon = false
  #at = 0
  cut = -1
  /** The first place to cut since the last one was used. */
  first = -1

  /** Looks at what was added; all but a few characters at the end, whose meaning the next piece decides. */
  scan(text: string, atEnd: boolean): void {
    const end = atEnd ? text.length : text.length - 64
    while (this.#at < end) this.#at += this.#step(text, this.#at)
  }

  /** The text was cut: what follows begins anew. */
  shift(by: number): void {
    this.#at -= by
    this.cut = -1
    this.first = -1
  }

  #step(text: string, at: number): number {
    switch (this.#state) {
      case 'line-comment':
        return this.#until(text, at, '\n', 0)
      case 'block-comment':
        return this.#until(text, at, '*/', 2)
      case 'quote':
      case 'dollar':
        return this.#until(text, at, this.#closing, this.#closing.length)
      default:
        return this.#plain(text, at)
    }
  }

  #until(text: string, at: number, closing: string, length: number): number {
    const found = text.indexOf(closing, at)
    if (found < 0) return Math.max(1, text.length - at - closing.length + 1)
    this.#state = 'plain'
    return found - at + length
  }

  #plain(text: string, at: number): number {
    const char = text[at] ?? ''
    if (char === '\n') {
      if (this.#semicolon && /\S/.test(text[at + 1] ?? ' ')) {
        this.cut = at + 1
        if (this.first < 0) this.first = this.cut
      }
      // Blank lines may stand between.
      if (text[at + 1] !== '\n' && text[at + 1] !== '\r') this.#semicolon = false
      return 1
    }
    if (char === ' ' || char === '\t' || char === '\r') return 1
    const two = text.slice(at, at + 2)
    if (two === '--') return this.#open('line-comment', '', 2)
    if (two === '/*') return this.#open('block-comment', '', 2)
    this.#semicolon = char === ';'
    if (char === "'" || char === '"' || char === '`') return this.#open('quote', char, 1)
    const dollar = char === '$' ? /^\$[A-Za-z_]*\$/.exec(text.slice(at, at + 64))?.[0] : undefined
    return dollar === undefined ? 1 : this.#open('dollar', dollar, dollar.length)
  }

  #open(state: State, closing: string, length: number): number {
    this.#state = state
    this.#closing = closing
    return length
  }
}

export async function* sqlPieces(
  text: AsyncIterable<string>,
  { cutAt, longest }: PieceLimits,
): AsyncGenerator<SqlPiece> {
  const scanner = new Scanner()
  let held = ''
  let line = 1
  let lostFrom: number | undefined
  for await (const chunk of text) {
    held += chunk
    scanner.scan(held, false)
    const cut = lostFrom === undefined ? scanner.cut : scanner.first
    if (cut > 0 && (held.length >= cutAt || lostFrom !== undefined)) {
      const sql = held.slice(0, cut)
      yield lostFrom === undefined ? { kind: 'text', sql, line } : { kind: 'too-long', line: lostFrom }
      lostFrom = undefined
      line += countLines(sql)
      held = held.slice(cut)
      scanner.shift(cut)
    } else if (held.length > longest) {
      lostFrom ??= line
      const passed = held.length - 128
      line += countLines(held.slice(0, passed))
      held = held.slice(passed)
      scanner.shift(passed)
    }
  }
  scanner.scan(held, true)
  if (lostFrom !== undefined) {
    yield { kind: 'too-long', line: lostFrom }
    if (scanner.cut < 0) return
    line += countLines(held.slice(0, scanner.first))
    held = held.slice(scanner.first)
  }
  if (held.trim() !== '') yield { kind: 'text', sql: held, line }
}

function countLines(text: string): number {
  let count = 0
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count++
  return count
}
