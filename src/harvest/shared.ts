/**
 * One object for equal values. The statements of a long log name the same columns again and again: kept once, a harvest
 * holds as much as its edges, not as its statements.
 */
const NONE: readonly string[] = []
/** Sets that are remembered, with their texts some half a kilobyte each; beyond, equal ones may be several. */
const MAX_SETS = 40_000

export class Shared {
  readonly #texts = new Map<string, string>()
  readonly #sets = new Map<string, ReadonlySet<string>>()

  text<Text extends string>(text: Text): Text {
    const known = this.#texts.get(text)
    // The map gives what it was given for an equal text.
    if (known !== undefined) return known as Text
    this.#texts.set(text, text)
    return text
  }

  set<Text extends string>(members: readonly Text[]): ReadonlySet<Text> {
    const key = members.join(' ')
    const known = this.#sets.get(key)
    if (known !== undefined) return known as ReadonlySet<Text>
    const made = new Set(members.map((member) => this.text(member)))
    if (this.#sets.size < MAX_SETS) this.#sets.set(key, made)
    return made
  }

  list(list: readonly string[]): readonly string[] {
    return list.length === 0 ? NONE : list
  }
}
