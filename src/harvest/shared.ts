/**
 * One object for equal values. The statements of a long log name the same columns again and again: kept once, a harvest
 * holds as much as its edges, not as its statements.
 */
const NONE: readonly string[] = []
/** Lists that are remembered, each some hundred bytes; beyond, equal ones may be several. */
const MAX_LISTS = 40_000

export class Shared {
  readonly #numbers = new Map<string, number>()
  readonly #texts: string[] = []
  readonly #lists = new Map<string, readonly string[]>()

  text<Text extends string>(text: Text): Text {
    return this.#texts[this.#numberOf(text)] as Text
  }

  /** Each of the members once. */
  list<Text extends string>(members: readonly Text[]): readonly Text[] {
    if (members.length === 0) return NONE as readonly Text[]
    const numbers = [...new Set(members.map((member) => this.#numberOf(member)))]
    const key = numbers.join(' ')
    const known = this.#lists.get(key)
    if (known !== undefined) return known as readonly Text[]
    const made = numbers.map((number) => this.#texts[number] as Text)
    if (this.#lists.size < MAX_LISTS) this.#lists.set(key, made)
    return made
  }

  #numberOf(text: string): number {
    const known = this.#numbers.get(text)
    if (known !== undefined) return known
    const number = this.#texts.push(text) - 1
    this.#numbers.set(text, number)
    return number
  }
}
