/**
 * Statements that were met, by a hash of 64 bits, in memory that does not grow: two tables of a fixed size, of which the
 * older is forgotten when the younger is full. What is met again moves to the younger one, so what repeats is remembered.
 * A statement that was forgotten is read once more, which changes nothing but time. Of a million statements, two share
 * their hash with a chance of 1 in 40 million.
 */
export class FingerprintSet {
  readonly #capacity: number
  #young: Table
  #old: Table | undefined

  /** @param capacity statements that are remembered at least; 16 bytes each, twice */
  constructor(capacity = 1_000_000) {
    this.#capacity = capacity
    this.#young = new Table(capacity)
  }

  /** Adds; true where it was there already. */
  meet(text: string): boolean {
    return this.meetHash(hash64(text))
  }

  meetHash([high, low]: Hash64): boolean {
    if (this.#young.has(high, low)) return true
    const met = this.#old?.has(high, low) ?? false
    if (this.#young.size >= this.#capacity) {
      this.#old = this.#young
      this.#young = new Table(this.#capacity)
    }
    this.#young.add(high, low)
    return met
  }
}

/** Open addressing, at most half full. A pair of zeros is an empty slot. */
class Table {
  readonly #mask: number
  readonly #slots: Int32Array
  size = 0

  constructor(capacity: number) {
    const length = 2 ** Math.ceil(Math.log2(capacity * 2))
    this.#mask = length - 1
    this.#slots = new Int32Array(length * 2)
  }

  has(high: number, low: number): boolean {
    return this.#slots[this.#find(high, low)] !== 0
  }

  add(high: number, low: number): void {
    const at = this.#find(high, low)
    if (this.#slots[at] !== 0) return
    this.#slots[at] = high
    this.#slots[at + 1] = low
    this.size++
  }

  #find(high: number, low: number): number {
    const slots = this.#slots
    for (let slot = low & this.#mask; ; slot = (slot + 1) & this.#mask) {
      const at = slot * 2
      if (slots[at] === 0 || (slots[at] === high && slots[at + 1] === low)) return at
    }
  }
}

/** Two independent 32-bit hashes; the first is never 0. */
export type Hash64 = readonly [high: number, low: number]

export function hash64(text: string): Hash64 {
  let a = 0x811c9dc5
  let b = 0x1b873593
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    a = Math.imul(a ^ code, 0x01000193)
    b = Math.imul(b ^ code, 0x5bd1e995)
    b ^= b >>> 15
  }
  a = Math.imul(a ^ (a >>> 16), 0x85ebca6b)
  b = Math.imul(b ^ (b >>> 13), 0xc2b2ae35)
  return [(a ^ (a >>> 13)) | 0 || 1, (b ^ (b >>> 16)) | 0]
}
