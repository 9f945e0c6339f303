import type { ScriptLineage } from '../types.ts'
import type { LineageRequest } from './request.ts'

/** A lineage, packed as long as nobody looks at it. */
export type Answer = string | ScriptLineage

/** Stands among the answers until somebody has read the request. */
const UNANSWERED = ''

/** Requests that came together, under way: each one's place among the answers, of which equal requests share one. */
export class ReadGroup {
  readonly places: number[] = []
  readonly answers: Answer[] = []
  #open = 0
  readonly #whole = Promise.withResolvers<void>()
  /** Requests that a worker gets of it at once. */
  readonly batchSize: number

  constructor(batchSize: number) {
    this.batchSize = batchSize
  }

  /** A new place, for an answer that is known or is to come. */
  place(known: Answer | undefined): number {
    if (known === undefined) this.#open++
    return this.answers.push(known ?? UNANSWERED) - 1
  }

  answer(place: number, answer: Answer): void {
    this.answers[place] = answer
    if (--this.#open === 0) this.#whole.resolve()
  }

  fail(reason: unknown): void {
    this.#whole.reject(reason)
  }

  /** Once every answer is there. */
  async whole(): Promise<this> {
    if (this.#open > 0) await this.#whole.promise
    return this
  }
}

/** A request that somebody is to read, the place of its answer, and the key under which that is to be remembered. */
export interface OpenRequest {
  readonly request: LineageRequest
  readonly group: ReadGroup
  readonly place: number
  readonly rememberAs: string | undefined
}
