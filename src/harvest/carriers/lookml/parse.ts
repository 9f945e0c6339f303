/**
 * LookML as a tree: `key: value`, `key: name { … }`, `key: [a, b]`, and `sql: … ;;`, whose text is kept with its place.
 * What is not understood is stepped over.
 */

export interface LookText {
  readonly text: string
  readonly line: number
  readonly column: number
}

export interface LookBlock {
  readonly key: string
  /** Without the `+` of a refinement. */
  readonly name: string
  readonly isRefinement: boolean
  readonly line: number
  readonly texts: ReadonlyMap<string, LookText>
  readonly lists: ReadonlyMap<string, readonly string[]>
  readonly blocks: readonly LookBlock[]
}

const KEY = /(\w+)\s*:\s*/y
const GAP = /(?:\s|#[^\n]*)*/y
const NAME = /\+?[\w.-]+/y
const STRING = /"((?:[^"\\]|\\.)*)"/y
const PAIR = /"(?:[^"\\]|\\.)*"|[\w.+-]+(?:\s*:\s*(?:"(?:[^"\\]|\\.)*"|[\w.+-]+))?/g
const MAX_DEPTH = 40

/** The blocks of a file, as those of one without name. */
export function parseLookml(text: string): LookBlock {
  return new Parser(text).block('file', '', 1, 0)
}

class Parser {
  readonly #text: string
  #at = 0
  #line = 1
  #lineStart = 0
  /** How far lines are counted. */
  #counted = 0

  constructor(text: string) {
    this.#text = text
  }

  block(key: string, written: string, line: number, depth: number): LookBlock {
    const texts = new Map<string, LookText>()
    const lists = new Map<string, readonly string[]>()
    const blocks: LookBlock[] = []
    for (;;) {
      this.#match(GAP)
      if (this.#at >= this.#text.length) break
      if (this.#text[this.#at] === '}') {
        this.#at++
        break
      }
      const found = this.#match(KEY)
      if (!found) {
        this.#at++
        continue
      }
      const own = found[1]!
      const place = this.#place()
      if (this.#text[this.#at] === '[') lists.set(own, this.#list())
      else if (isExpression(own) && !/^\{(?![%{])/.test(this.#text.slice(this.#at, this.#at + 2)))
        texts.set(own, this.#expression())
      else {
        const name = this.#match(STRING)?.[1] ?? this.#match(NAME)?.[0] ?? ''
        this.#match(GAP)
        if (this.#text[this.#at] !== '{') texts.set(own, { text: name, ...place })
        else if (depth < MAX_DEPTH) {
          this.#at++
          blocks.push(this.block(own, name, place.line, depth + 1))
        } else this.#at++
      }
    }
    return { key, name: written.replace(/^\+/, ''), isRefinement: written.startsWith('+'), line, texts, lists, blocks }
  }

  #expression(): LookText {
    const place = this.#place()
    const end = this.#text.indexOf(';;', this.#at)
    const text = this.#text.slice(this.#at, end < 0 ? this.#text.length : end)
    this.#at = end < 0 ? this.#text.length : end + 2
    return { text, ...place }
  }

  #list(): readonly string[] {
    const end = this.#text.indexOf(']', this.#at)
    const inside = this.#text.slice(this.#at + 1, end < 0 ? this.#text.length : end)
    this.#at = end < 0 ? this.#text.length : end + 1
    return (inside.match(PAIR) ?? []).map((item) => item.replaceAll('"', ''))
  }

  #match(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#at
    const found = pattern.exec(this.#text)
    if (!found) return undefined
    this.#at = pattern.lastIndex
    return found
  }

  #place(): { readonly line: number; readonly column: number } {
    for (
      let at = this.#text.indexOf('\n', this.#counted);
      at >= 0 && at < this.#at;
      at = this.#text.indexOf('\n', at + 1)
    ) {
      this.#line++
      this.#lineStart = at + 1
      this.#counted = at + 1
    }
    return { line: this.#line, column: this.#at - this.#lineStart + 1 }
  }
}

/** Whether a key's value ends with `;;`. */
function isExpression(key: string): boolean {
  return /^(?:sql(?:_\w+)?|html|expression(?:_\w+)?)$/.test(key)
}
