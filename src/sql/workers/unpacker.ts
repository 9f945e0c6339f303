import { setImmediate as othersTurn } from 'node:timers/promises'
import type { ScriptLineage } from '../types.ts'
import type { Answer } from './read-group.ts'
import { unpack, unpacking } from './wire.ts'

/** Of packed lineage that is read in one go: some milliseconds. */
const CHARS_A_TURN = 128 * 1024

/** Answers become lineages; others have the loop now and then, for a long session's lineage is megabytes. */
export class Unpacker {
  /** Characters since others had the loop. */
  #unpacked = 0

  async unpackAll(answers: readonly Answer[]): Promise<ScriptLineage[]> {
    const lineages: ScriptLineage[] = []
    for (const answer of answers) {
      if (typeof answer !== 'string') lineages.push(answer)
      // At once where it is small: a promise for each statement of a log costs as much as its unpacking.
      else if (this.#unpacked + answer.length < CHARS_A_TURN) {
        this.#unpacked += answer.length
        lineages.push(unpack(answer))
      } else lineages.push(await this.#unpackInTurns(answer))
    }
    return lineages
  }

  async #unpackInTurns(answer: string): Promise<ScriptLineage> {
    const steps = unpacking(answer)
    for (;;) {
      const { done, value } = steps.next()
      this.#unpacked += value.chars
      if (this.#unpacked >= CHARS_A_TURN) {
        this.#unpacked = 0
        await othersTurn()
      }
      if (done === true) return value.lineage
    }
  }
}
