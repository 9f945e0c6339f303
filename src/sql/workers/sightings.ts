/**
 * Tells which texts were met lately, without keeping any: a number of each, in a table in which later ones take the place
 * of earlier ones. Most statements of a log never come again: to keep each of them until that is known costs the thread
 * that hands them out two of the eleven microseconds that it has for each (`npm run bench:lineage`).
 */
export class Sightings {
  readonly #numbers = new Int32Array(PLACES)

  /** Whether the number was met before; from now on it was. Forgotten once another takes its place. */
  meet(number: number): boolean {
    const place = number % PLACES
    const met = this.#numbers[place] === number
    this.#numbers[place] = number
    return met
  }
}

const PLACES = 1 << 16

/**
 * From 1 to 2^30: equal texts have equal numbers, and unlike texts seldom. Of a text from 4,096 characters on, about that
 * many count: those of a log are often alike but for a word.
 */
export function numberOf(text: string): number {
  const step = 1 + (text.length >> 12)
  let hash = text.length
  for (let at = text.length - 1; at >= 0; at -= step) hash = Math.imul(hash ^ text.charCodeAt(at), 0x0100_0193)
  return ((hash ^ (hash >>> 15)) & 0x3fff_ffff) + 1
}
