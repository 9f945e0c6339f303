import { availableParallelism } from 'node:os'
import type { ScriptLineage } from '../types.ts'
import { DEFAULT_LIMITS, type RunnerOptions } from './batch-runner.ts'
import { dedupeKey } from './dedupe.ts'
import { inOrder } from './in-order.ts'
import { MAX_GROUP } from './line-groups.ts'
import { ReadGroup, type Answer, type OpenRequest } from './read-group.ts'
import { Readers } from './readers.ts'
import { Recent } from './recent.ts'
import type { LineageRequest } from './request.ts'
import { numberOf, Sightings } from './sightings.ts'
import { Unpacker } from './unpacker.ts'
import { unpack } from './wire.ts'

export type { LineageRequest } from './request.ts'

/** How many threads, and the limits that hold for each text. */
export interface PoolOptions extends Partial<Omit<RunnerOptions, 'shared'>> {
  /** Threads that read, the caller's among them where it does; one a core when absent. */
  readonly threads?: number | undefined
  /**
   * Whether the thread that waits for an answer reads meanwhile, in the place of one worker: it has nothing to pack, to
   * send and to unpack. It takes single texts of up to 8,192 characters, in slices of some 10 ms between which others have
   * the loop; a text that holds up a slice for 100 ms goes to a worker, where the limits hold. Absent: it does, where there
   * are two threads or more. To be turned off where the loop is wanted for other things while somebody waits.
   */
  readonly callerReads?: boolean
}

/** Lineage over threads: equal statements are read once, limits hold for each, the order is kept. */
export class LineagePool {
  readonly #threads: number
  readonly #readers: Readers
  readonly #unpacker = new Unpacker()
  readonly #sightings = new Sightings()
  /** What was met twice, as it came from the worker until it is asked for again: objects are dear to keep. */
  readonly #known = new Recent<Answer>(MAX_KNOWN)

  constructor(options: PoolOptions = {}) {
    this.#threads = options.threads ?? availableParallelism()
    const { callerReads = true } = options
    this.#readers = new Readers(
      { ...DEFAULT_LIMITS, ...options, threads: this.#threads, callerReads },
      ({ rememberAs }, answer) => this.#remember(rememberAs, answer),
    )
  }

  /** One lineage a request, in order. A request that breaks a limit keeps what a scan of its words tells. */
  async lineages(requests: readonly LineageRequest[]): Promise<ScriptLineage[]> {
    return await this.#unpackAll(
      await this.#readers.during(this.#read(requests, batchSize(requests.length, this.#threads))),
    )
  }

  /** Lineages of an endless source, in order, a group at a time; memory does not grow with its length. */
  async *stream(groups: AsyncIterable<readonly LineageRequest[]>): AsyncGenerator<readonly ScriptLineage[]> {
    const read = inOrder(groups, (group) => this.#read(group, MAX_GROUP), this.#threads * 2)
    try {
      for (;;) {
        const { done, value } = await this.#readers.during(read.next())
        if (done === true) return
        // Unpacked when its turn comes: a group that waits as objects is copied by the collector again and again.
        yield await this.#unpackAll(value)
      }
    } finally {
      await read.return(undefined)
    }
  }

  /** Ends the threads; what is still being read fails. */
  async close(): Promise<void> {
    await this.#readers.close()
  }

  /** Equal requests share an answer; what is not known already is read. */
  #read(requests: readonly LineageRequest[], size: number): Promise<ReadGroup> {
    const group = new ReadGroup(size)
    const keys: string[] = []
    const latest = new Map<number, number>()
    const open: OpenRequest[] = []
    for (const request of requests) {
      const key = dedupeKey(request)
      const number = numberOf(key)
      const again = this.#sightings.meet(number)
      const twin = again ? latest.get(number) : undefined
      if (twin !== undefined && keys[twin] === key) {
        group.places.push(twin)
        continue
      }
      const known = again ? this.#recall(key) : undefined
      const place = group.place(known)
      group.places.push(place)
      keys.push(key)
      latest.set(number, place)
      if (known === undefined) open.push({ request, group, place, rememberAs: again ? key : undefined })
    }
    this.#readers.read(open)
    return group.whole()
  }

  async #unpackAll({ places, answers }: ReadGroup): Promise<ScriptLineage[]> {
    const lineages = await this.#unpacker.unpackAll(answers)
    return places.map((place) => lineages[place]).filter((lineage) => lineage !== undefined)
  }

  #recall(key: string): ScriptLineage | undefined {
    const known = this.#known.get(key)
    if (typeof known !== 'string') return known
    const lineage = unpack(known)
    this.#known.set(key, lineage)
    return lineage
  }

  #remember(key: string | undefined, answer: Answer): void {
    if (key === undefined || key.length > MAX_KEY_LENGTH) return
    // A copy: the text is a part of its whole batch's answer, and would hold all of that in memory.
    this.#known.set(key, typeof answer === 'string' ? structuredClone(answer) : answer)
  }
}

/** Statements that are remembered, and the longest key of one. */
const MAX_KNOWN = 4096
const MAX_KEY_LENGTH = 20_000

/** Between 16 and 256 a batch, every thread with work. */
function batchSize(count: number, threads: number): number {
  return Math.min(MAX_GROUP, Math.max(16, Math.ceil(count / threads)))
}
