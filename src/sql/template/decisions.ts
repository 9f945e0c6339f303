/**
 * Which way the conditions go that the text cannot tell. One reading of a template takes one way at each; further
 * readings take the others, until each has been seen both ways. The same condition goes the same way everywhere in a
 * reading, so that a CTE that one `if` defines and another reads is never half there.
 *
 *   first reading: all true ─ second: all false ─ further ones: what only showed inside of those
 *
 * So the number of readings follows the nesting of conditions, not their number.
 */

export class Decisions {
  readonly #tried = new Map<string, number>()
  /** Ways not gone yet, each with the decisions that led to the place. */
  readonly #open = new Map<string, readonly (readonly [string, boolean])[]>()
  #begun = false
  #made = new Map<string, boolean>()
  #equal = new Map<string, string>()

  /** Begins the next reading; false when every way has been gone. */
  next(): boolean {
    if (this.#begun && this.#open.size === 0) return false
    this.#begun = true
    const [first] = this.#open
    this.#made = new Map(first?.[1])
    this.#equal = new Map()
    for (const [key, value] of this.#made) this.#remember(key, value)
    return true
  }

  /** Decides a condition by its key. */
  decide(key: string): boolean {
    const made = this.#made.get(key) ?? this.#implied(key)
    if (made !== undefined) return made
    const tried = this.#tried.get(key) ?? 0
    const value = tried !== TRUE
    if (tried === 0) this.#open.set(`false ${key}`, [...this.#made, [key, false]])
    this.#made.set(key, value)
    this.#remember(key, value)
    return value
  }

  #remember(key: string, value: boolean): void {
    this.#tried.set(key, (this.#tried.get(key) ?? 0) | (value ? TRUE : FALSE))
    this.#open.delete(`${value} ${key}`)
    const equality = value ? splitEquality(key) : undefined
    if (equality) this.#equal.set(equality.left, equality.right)
  }

  /** `target.name == 'dev'` is false where `target.name == 'prod'` was taken for true. */
  #implied(key: string): boolean | undefined {
    const equality = splitEquality(key)
    const equal = equality && this.#equal.get(equality.left)
    return equal === undefined ? undefined : equal === equality?.right
  }
}

const TRUE = 1
const FALSE = 2
const EQUALS = '≡'

/** Key of the condition that an unknown value equals a known one. */
export function equalityKey(left: string, right: string): string {
  return `${left}${EQUALS}${right}`
}

function splitEquality(key: string): { left: string; right: string } | undefined {
  const at = key.indexOf(EQUALS)
  return at < 0 ? undefined : { left: key.slice(0, at), right: key.slice(at + EQUALS.length) }
}
