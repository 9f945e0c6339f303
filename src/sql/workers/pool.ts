import { setImmediate as othersTurn } from 'node:timers/promises'
import type { ScriptLineage } from '../types.ts'
import { BatchRunner, DEFAULT_LIMITS, type RunnerOptions } from './batch-runner.ts'
import { dedupeKey } from './dedupe.ts'
import { inOrder } from './in-order.ts'
import { MAX_GROUP } from './line-groups.ts'
import { Recent } from './recent.ts'
import { packRequests, type LineageRequest, type PackedRequests } from './request.ts'
import { numberOf, Sightings } from './sightings.ts'
import { scanTables } from './token-scan.ts'
import { unpack, unpacking } from './wire.ts'

/** Lineage over worker threads: equal statements are read once, limits hold for each, the order is kept. */
export class LineagePool {
  readonly #runner: BatchRunner<LineageRequest, PackedRequests>
  readonly #sightings = new Sightings()
  /** What was met twice, as it came from the worker until it is asked for again: objects are dear to keep. */
  readonly #known = new Recent<Answer>(MAX_KNOWN)
  /** Characters since others had the loop. */
  #unpacked = 0

  constructor(options: Partial<RunnerOptions> = {}) {
    this.#runner = new BatchRunner('lineages', packRequests, { ...DEFAULT_LIMITS, ...options })
  }

  /** One lineage a request, in order. A request that breaks a limit keeps what a scan of its words tells. */
  async lineages(requests: readonly LineageRequest[]): Promise<ScriptLineage[]> {
    return await this.#unpackAll(await this.#read(requests, batchSize(requests.length, this.#runner.threads)))
  }

  /** Lineages of an endless source, in order, a group at a time; memory does not grow with its length. */
  async *stream(groups: AsyncIterable<readonly LineageRequest[]>): AsyncGenerator<readonly ScriptLineage[]> {
    const read = (group: readonly LineageRequest[]): Promise<ReadGroup> => this.#read(group, MAX_GROUP)
    // Unpacked when its turn comes: a group that waits as objects is copied by the collector again and again.
    for await (const group of inOrder(groups, read, this.#runner.threads * 2)) yield await this.#unpackAll(group)
  }

  async close(): Promise<void> {
    await this.#runner.close()
  }

  /** Equal requests share an answer; what is not known already goes to the workers. */
  async #read(requests: readonly LineageRequest[], size: number): Promise<ReadGroup> {
    const answers: Answer[] = []
    const keys: string[] = []
    const latest = new Map<number, number>()
    const open: OpenRequest[] = []
    const places = requests.map((request) => {
      const key = dedupeKey(request)
      const number = numberOf(key)
      const again = this.#sightings.meet(number)
      const twin = again ? latest.get(number) : undefined
      if (twin !== undefined && keys[twin] === key) return twin
      const known = again ? this.#recall(key) : undefined
      const place = answers.push(known ?? UNANSWERED) - 1
      keys.push(key)
      latest.set(number, place)
      if (known === undefined) open.push({ request, place, rememberAs: again ? key : undefined })
      return place
    })
    const batches: (readonly OpenRequest[])[] = []
    for (let i = 0; i < open.length; i += size) batches.push(open.slice(i, i + size))
    await Promise.all(batches.map((batch) => this.#readBatch(batch, answers)))
    return { places, answers }
  }

  async #readBatch(batch: readonly OpenRequest[], answers: Answer[]): Promise<void> {
    const outcomes = await this.#runner.run(batch.map(({ request }) => request))
    for (const [i, { request, place, rememberAs }] of batch.entries()) {
      const outcome = outcomes[i]
      if (outcome === undefined) throw new Error('a worker left an item of its batch unanswered')
      if (outcome.ok && rememberAs !== undefined) this.#remember(rememberAs, outcome.answer)
      answers[place] = outcome.ok ? outcome.answer : scanTables(request.sql, outcome.broke)
    }
  }

  async #unpackAll({ places, answers }: ReadGroup): Promise<ScriptLineage[]> {
    const lineages: ScriptLineage[] = []
    for (const answer of answers) {
      if (typeof answer !== 'string') lineages.push(answer)
      // At once where it is small: a promise for each statement of a log costs as much as its unpacking.
      else if (this.#unpacked + answer.length < CHARS_A_TURN) {
        this.#unpacked += answer.length
        lineages.push(unpack(answer))
      } else lineages.push(await this.#unpackInTurns(answer))
    }
    return places.map((place) => lineages[place]).filter((lineage) => lineage !== undefined)
  }

  /** Lets others have the loop now and then: a long session's lineage is megabytes. */
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

  #recall(key: string): ScriptLineage | undefined {
    const known = this.#known.get(key)
    if (typeof known !== 'string') return known
    const lineage = unpack(known)
    this.#known.set(key, lineage)
    return lineage
  }

  #remember(key: string, answer: string): void {
    if (key.length <= MAX_KEY_LENGTH) this.#known.set(key, answer)
  }
}

/** A lineage, packed as long as nobody looks at it. */
type Answer = string | ScriptLineage

/** Requests that were read: each one's place among the answers, of which equal requests share one. */
interface ReadGroup {
  readonly places: readonly number[]
  readonly answers: readonly Answer[]
}

/** A request that a worker is to read, the place of its answer, and the key under which that is to be remembered. */
interface OpenRequest {
  readonly request: LineageRequest
  readonly place: number
  readonly rememberAs: string | undefined
}

/** Stands among the answers until the worker has spoken. */
const UNANSWERED = ''

/** Statements that are remembered, and the longest key of one. */
const MAX_KNOWN = 4096
const MAX_KEY_LENGTH = 20_000
/** Of packed lineage that is read in one go: some milliseconds. */
const CHARS_A_TURN = 128 * 1024

/** Between 16 and 128 a batch, every thread with work. */
function batchSize(count: number, threads: number): number {
  return Math.min(MAX_GROUP, Math.max(16, Math.ceil(count / threads)))
}
