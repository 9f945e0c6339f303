/**
 * Who reads what is open: worker threads, and the thread that waits for their answers and would have nothing else to do.
 *
 *   open requests ─┬─ any, in batches ── worker threads, with limits of time and memory
 *                  └─ small ones ─────── the caller's thread, in slices of some milliseconds, as long as it waits
 */
import { setImmediate as othersTurn } from 'node:timers/promises'
import { BatchRunner, type Outcome, type RunnerOptions } from './batch-runner.ts'
import { MAX_GROUP } from './line-groups.ts'
import type { Answer, OpenRequest } from './read-group.ts'
import { packRequests, type LineageRequest, type PackedRequests } from './request.ts'
import { isSmall, SliceReader } from './slice.ts'
import { scanTables } from './token-scan.ts'

/** How long an answer that is under way is waited for at most, milliseconds. */
const NEWS_MS = 1

export interface ReadersOptions extends RunnerOptions {
  /** Threads that read, the caller's among them. */
  readonly threads: number
  /** Whether the thread that waits reads, too: in the place of one worker. */
  readonly callerReads: boolean
}

export class Readers {
  readonly #runner: BatchRunner<LineageRequest, PackedRequests>
  readonly #callerReads: boolean
  readonly #slices = new SliceReader()
  readonly #read: (open: OpenRequest, answer: Answer) => void
  /** What nobody reads yet, first come first: for workers only, and for whoever comes. */
  readonly #large: OpenRequest[] = []
  readonly #small: OpenRequest[] = []
  /** Batches that the workers have. */
  #batches = 0
  readonly #mostBatches: number
  /** Calls that wait. */
  #waiting = 0
  #reading = false
  #closed = false

  /** `read` hears of each request that was read within the limits, before its group does. */
  constructor(options: ReadersOptions, read: (open: OpenRequest, answer: Answer) => void) {
    this.#callerReads = options.callerReads && options.threads > 1
    const workers = this.#callerReads ? options.threads - 1 : options.threads
    // One more each than it works on keeps a worker busy while the caller is; the caller that reads looks out for it.
    this.#mostBatches = this.#callerReads ? workers : 2 * workers
    this.#read = read
    this.#runner = new BatchRunner('lineages', packRequests, { ...options, threads: workers })
  }

  /** Has the requests read; their groups get the answers. */
  read(requests: readonly OpenRequest[]): void {
    for (const open of requests) (this.#callerReads && isSmall(open.request) ? this.#small : this.#large).push(open)
    this.#feedWorkers()
    void this.#readHere()
  }

  /** Waits for what a caller needs; meanwhile its thread may read. */
  async during<T>(needed: Promise<T>): Promise<T> {
    this.#waiting++
    try {
      void this.#readHere()
      return await needed
    } finally {
      this.#waiting--
    }
  }

  /** Ends the workers; what is open fails. */
  async close(): Promise<void> {
    this.#closed = true
    this.#feedWorkers()
    await this.#runner.close()
  }

  #feedWorkers(): void {
    if (this.#closed) {
      for (const { group } of [...this.#large.splice(0), ...this.#small.splice(0)])
        group.fail(new Error('the pool is closed'))
    }
    while (this.#batches < this.#mostBatches) {
      const batch = this.#takeBatch()
      if (batch.length === 0) return
      void this.#readByWorker(batch)
    }
  }

  /** Small ones go together whoever asked for them; the large ones of one call do not wait for those of another. */
  #takeBatch(): readonly OpenRequest[] {
    const queue = this.#large.length > 0 ? this.#large : this.#small
    const group = queue[0]?.group
    if (group === undefined) return []
    const end = queue === this.#small ? -1 : queue.findIndex((open) => open.group !== group)
    return queue.splice(0, Math.min(group.batchSize, end < 0 ? queue.length : end))
  }

  async #readByWorker(batch: readonly OpenRequest[]): Promise<void> {
    this.#batches++
    try {
      const outcomes = await this.#runner.run(batch.map(({ request }) => request))
      for (const [i, open] of batch.entries()) this.#take(open, outcomes[i])
    } catch (error) {
      for (const { group } of batch) group.fail(error)
    } finally {
      this.#batches--
      this.#feedWorkers()
    }
  }

  /** As long as a caller waits and there is something small. */
  async #readHere(): Promise<void> {
    if (this.#reading) return
    this.#reading = true
    while (this.#waiting > 0 && this.#small.length > 0) {
      this.#readSlice(this.#small.splice(0, MAX_GROUP))
      await this.#othersTurn()
    }
    this.#reading = false
  }

  /** A worker that has done its batch is about to send it: it gets the next one before the thread reads on. */
  async #othersTurn(): Promise<void> {
    const until = performance.now() + NEWS_MS
    do await othersTurn()
    while (this.#runner.hasNews && performance.now() < until)
  }

  /** Until a worker has done its batch, at most; what is not read by then stays open. */
  #readSlice(taken: readonly OpenRequest[]): void {
    const requests = taken.map(({ request }) => request)
    // An answer that did not come in its time is not waited for again.
    const late = this.#runner.hasNews
    const { read, held } = this.#slices.read(requests, () => !late && this.#runner.hasNews)
    const rest = taken.slice(read.length)
    if (held) this.#large.push(...rest.splice(0, 1))
    this.#small.unshift(...rest)
    this.#feedWorkers()
    for (const [i, lineage] of read.entries()) {
      const open = taken[i]
      if (open !== undefined) this.#answer(open, lineage)
    }
  }

  /** What broke a limit keeps what a scan of its words tells. */
  #take(open: OpenRequest, outcome: Outcome | undefined): void {
    if (outcome === undefined) throw new Error('a worker left an item of its batch unanswered')
    if (outcome.ok) this.#answer(open, outcome.answer)
    else open.group.answer(open.place, scanTables(open.request.sql, outcome.broke))
  }

  #answer(open: OpenRequest, answer: Answer): void {
    this.#read(open, answer)
    open.group.answer(open.place, answer)
  }
}
