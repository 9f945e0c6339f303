/**
 * Grammars of statements, one a line, as a manual prints them:
 *
 *   drop schema [if exists] NAME,... [cascade | restrict]      a statement
 *   COLUMN = ID TYPE CONSTRAINT*                               a rule
 *
 * Small letters are words, `'='` is a sign, `( )` are themselves, `[x]` may be missing, `{a | b}` is a choice; behind a
 * part `*` repeats it, or none, `...` repeats it and `,...` with commas between. NAME, ID, WORD, STRING, NUMBER, TYPE,
 * EXPRESSION, QUERY, STATEMENT, BRACKETS (whatever they hold) and REST (whatever follows) are given.
 */

import { choice, GIVEN, keyword, list, optional, type Part, repeated, sequence, sign } from './parts.ts'

/** Statements of one dialect by their first word. */
export type Shapes = ReadonlyMap<string, readonly Part[]>

export function compileShapes(text: string): Shapes {
  const rules = new Map(Object.entries(GIVEN))
  const shapes = new Map<string, Part[]>()
  for (const line of text.replaceAll(/\n {4,}/g, ' ').split('\n')) {
    const source = line.trim()
    if (source === '' || source.startsWith('#')) continue
    const rule = /^([A-Z_]+) = (.*)$/.exec(source)
    const part = new LineReader(rule ? rule[2]! : source, rules).read()
    if (rule) rules.set(rule[1]!, part)
    else for (const first of firstWords(source)) shapes.set(first, [...(shapes.get(first) ?? []), part])
  }
  return shapes
}

/** `grant …` begins with one word, `{commit | end} …` with one of two. */
function firstWords(line: string): readonly string[] {
  return line.startsWith('{') ? line.slice(1, line.indexOf('}')).match(/\w+/g)! : [/^\w+/.exec(line)![0]]
}

class LineReader {
  readonly #marks: readonly string[]
  readonly #rules: ReadonlyMap<string, Part>
  #at = 0

  constructor(line: string, rules: ReadonlyMap<string, Part>) {
    this.#marks = line.match(/'[^']+'|,\.\.\.|\.\.\.|\w+|\S/g)!
    this.#rules = rules
  }

  read(): Part {
    const part = this.#choice()
    if (this.#at < this.#marks.length) throw new Error(`shape: ${this.#marks.join(' ')} ends at ${this.#at}`)
    return part
  }

  #take(mark: string): boolean {
    if (this.#marks[this.#at] !== mark) return false
    this.#at++
    return true
  }

  #choice(): Part {
    const ways = [this.#sequence()]
    while (this.#take('|')) ways.push(this.#sequence())
    return choice(ways)
  }

  #sequence(): Part {
    const parts: Part[] = []
    for (;;) {
      const mark = this.#marks[this.#at]
      if (mark === undefined || mark === '|' || mark === ']' || mark === '}') return sequence(parts)
      parts.push(this.#repeats(this.#part()))
    }
  }

  #repeats(part: Part): Part {
    if (this.#take('*')) return repeated(part)
    if (this.#take('...')) return sequence([part, repeated(part)])
    return this.#take(',...') ? list(part) : part
  }

  #part(): Part {
    const mark = this.#marks[this.#at++]!
    if (mark === '[' || mark === '{') {
      const inner = this.#choice()
      this.#at++
      return mark === '[' ? optional(inner) : inner
    }
    if (/^[A-Z]/.test(mark)) {
      const rules = this.#rules
      return GIVEN[mark] ?? ((f, at, rest) => rules.get(mark)!(f, at, rest))
    }
    return /^\w/.test(mark) ? keyword(mark) : sign(mark.startsWith("'") ? mark.slice(1, -1) : mark)
  }
}
