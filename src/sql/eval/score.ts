import type { Comparison, Verdict } from './compare.ts'

/** How many cases of a group are right, and how many single facts. */
export interface Score {
  readonly cases: number
  readonly tables: Share
  readonly columns: Share
  /** Over single column edges. */
  readonly precision: number
  readonly recall: number
}

export interface Share {
  readonly right: number
  readonly of: number
}

/** Counts that add up; `scoreOf` makes the shares. */
export class Tally {
  #cases = 0
  readonly #tables = { right: 0, of: 0 }
  readonly #columns = { right: 0, of: 0 }
  #agreed = 0
  #missing = 0
  #wrong = 0

  add({ tables, columns }: Verdict): void {
    this.#cases += 1
    count(this.#tables, tables)
    count(this.#columns, columns)
    this.#agreed += columns?.agreed ?? 0
    this.#missing += columns?.missing.length ?? 0
    this.#wrong += columns?.wrong.length ?? 0
  }

  score(): Score {
    return {
      cases: this.#cases,
      tables: { ...this.#tables },
      columns: { ...this.#columns },
      precision: ratio(this.#agreed, this.#agreed + this.#wrong),
      recall: ratio(this.#agreed, this.#agreed + this.#missing),
    }
  }
}

function count(share: { right: number; of: number }, comparison: Comparison | undefined): void {
  if (comparison === undefined) return
  share.of += 1
  if (comparison.exact) share.right += 1
}

/** A share in percent; 100 of nothing. */
export function percent({ right, of }: Share): number {
  return of === 0 ? 100 : (100 * right) / of
}

function ratio(part: number, whole: number): number {
  return whole === 0 ? 1 : part / whole
}
