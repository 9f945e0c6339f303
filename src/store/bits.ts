/** Sets of small whole numbers, a bit each: a walk over 200,000 nodes then looks into 25 kB, which stay in the cache. */
export class Bits {
  #words: Int32Array

  /** @param size one more than the largest number */
  constructor(size: number) {
    this.#words = new Int32Array((size >>> 5) + 1)
  }

  clear(): void {
    this.#words.fill(0)
  }

  has(value: number): boolean {
    return ((this.#words[value >>> 5] ?? 0) & (1 << (value & 31))) !== 0
  }

  /** @returns whether the number is new in the set */
  add(value: number): boolean {
    const word = value >>> 5
    const bit = 1 << (value & 31)
    const before = this.#words[word] as number
    if ((before & bit) !== 0) return false
    this.#words[word] = before | bit
    return true
  }

  /** Sorts distinct numbers in place, through this set, which must be empty and is empty afterwards. */
  sort(values: Int32Array): void {
    const words = this.#words
    let least = words.length
    let most = -1
    for (const value of values) {
      const word = value >>> 5
      words[word] = (words[word] as number) | (1 << (value & 31))
      if (word < least) least = word
      if (word > most) most = word
    }
    let at = 0
    for (let word = least; word <= most; word++) {
      let rest = words[word] as number
      words[word] = 0
      for (; rest !== 0; rest &= rest - 1) values[at++] = (word << 5) + 31 - Math.clz32(rest & -rest)
    }
  }
}
