/**
 * The decisions of a generated statement, read from a tape of numbers. An exhausted tape answers 0, and 0 is always the
 * plainest choice: so a shorter tape with smaller numbers is a smaller statement, and shrinking the tape shrinks the SQL.
 */
export class Choices {
  readonly #tape: readonly number[]
  #at = 0
  #names = 0

  constructor(tape: readonly number[]) {
    this.#tape = tape
  }

  /** A number from 0 up to, not including, `end`. */
  below(end: number): number {
    const value = this.#tape[this.#at++] ?? 0
    return value % end
  }

  pick<T>(options: readonly [T, ...T[]]): T {
    return options[this.below(options.length)] ?? options[0]
  }

  /** True in about `percent` of a hundred; false when the tape is at its end. */
  chance(percent: number): boolean {
    return this.below(100) >= 100 - percent
  }

  /** A name that no other part of the statement has. */
  fresh(prefix: string): string {
    this.#names += 1
    return `${prefix}${this.#names}`
  }
}
