import { setImmediate as othersTurn } from 'node:timers/promises'
import type { ScriptLineage } from '../types.ts'
import { BatchRunner, DEFAULT_LIMITS, type RunnerOptions } from './batch-runner.ts'
import { dedupeKey } from './dedupe.ts'
import { inOrder } from './in-order.ts'
import { MAX_GROUP } from './line-groups.ts'
import { Recent } from './recent.ts'
import { packRequests, type LineageRequest, type PackedRequests } from './request.ts'
import { scanTables } from './token-scan.ts'
import { unpack, unpacking } from './wire.ts'

/** Lineage over worker threads: equal statements are read once, limits hold for each, the order is kept. */
export class LineagePool {
  readonly #runner: BatchRunner<LineageRequest, PackedRequests>
  /** As it came from the worker until it is asked for again: objects that nobody needs are dear to keep. */
  readonly #known = new Recent<string | ScriptLineage>(MAX_KNOWN)
  /** Characters since others had the loop. */
  #unpacked = 0

  constructor(options: Partial<RunnerOptions> = {}) {
    this.#runner = new BatchRunner('lineages', packRequests, { ...DEFAULT_LIMITS, ...options })
  }

  /** One lineage a request, in order. A request that breaks a limit keeps what a scan of its words tells. */
  lineages(requests: readonly LineageRequest[]): Promise<ScriptLineage[]> {
    return this.#lineages(requests, batchSize(requests.length, this.#runner.threads))
  }

  async #lineages(requests: readonly LineageRequest[], batch: number): Promise<ScriptLineage[]> {
    const keys = requests.map(dedupeKey)
    const answers = new Map<string, ScriptLineage>()
    const open = new Map<string, LineageRequest>()
    requests.forEach((request, i) => {
      const key = keys[i] ?? ''
      const known = this.#recall(key)
      if (known === undefined) open.set(key, request)
      else answers.set(key, known)
    })
    for (const [key, lineage] of await this.#run([...open], batch)) answers.set(key, lineage)
    return keys.map((key) => answers.get(key)).filter((lineage) => lineage !== undefined)
  }

  /** Lineages of an endless source, in order, a group at a time; memory does not grow with its length. */
  stream(groups: AsyncIterable<readonly LineageRequest[]>): AsyncGenerator<readonly ScriptLineage[]> {
    return inOrder(groups, (group) => this.#lineages(group, MAX_GROUP), this.#runner.threads * 2)
  }

  async close(): Promise<void> {
    await this.#runner.close()
  }

  async #run(open: readonly (readonly [string, LineageRequest])[], size: number): Promise<[string, ScriptLineage][]> {
    const batches: (readonly (readonly [string, LineageRequest])[])[] = []
    for (let i = 0; i < open.length; i += size) batches.push(open.slice(i, i + size))
    const done = await Promise.all(batches.map((batch) => this.#runBatch(batch)))
    return done.flat()
  }

  async #runBatch(batch: readonly (readonly [string, LineageRequest])[]): Promise<[string, ScriptLineage][]> {
    const outcomes = await this.#runner.run(batch.map(([, request]) => request))
    const answers: [string, ScriptLineage][] = []
    for (const [i, [key, request]] of batch.entries()) {
      const outcome = outcomes[i]
      if (outcome === undefined) throw new Error('a worker left an item of its batch unanswered')
      if (outcome.ok) this.#remember(key, outcome.answer)
      const lineage = outcome.ok ? this.#unpack(outcome.answer) : scanTables(request.sql, outcome.broke)
      answers.push([key, lineage instanceof Promise ? await lineage : lineage])
    }
    return answers
  }

  /** At once where it is small: a promise for each statement of a log costs as much as its unpacking. */
  #unpack(answer: string): ScriptLineage | Promise<ScriptLineage> {
    if (this.#unpacked + answer.length >= CHARS_A_TURN) return this.#unpackInTurns(answer)
    this.#unpacked += answer.length
    return unpack(answer)
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

/** Statements that are remembered, and the longest key of one. */
const MAX_KNOWN = 4096
const MAX_KEY_LENGTH = 20_000
/** Of packed lineage that is read in one go: some milliseconds. */
const CHARS_A_TURN = 128 * 1024

/** Between 16 and 128 a batch, every thread with work. */
function batchSize(count: number, threads: number): number {
  return Math.min(MAX_GROUP, Math.max(16, Math.ceil(count / threads)))
}
