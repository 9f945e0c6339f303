/**
 * Batches over worker threads with a limit for each item. A worker that works on one item for too long, or runs out of
 * memory, is replaced; that item is answered by the limit that it broke, and the rest of its batch is run again.
 */
import { availableParallelism } from 'node:os'
import { Piscina } from 'piscina'
import type { Task } from './request.ts'

export interface RunnerOptions {
  /** Worker threads; one a core when absent. */
  readonly threads?: number | undefined
  /** Longest time for one item, milliseconds. */
  readonly timeLimitMs: number
  /** Largest heap of a worker, megabytes. */
  readonly memoryLimitMb: number
  /** Handed to the handler with every batch. */
  readonly shared?: unknown
}

export const DEFAULT_LIMITS = { timeLimitMs: 10_000, memoryLimitMb: 1024 } as const

/** How long a worker stays that has nothing to do. */
const IDLE_MS = 10_000

export type Outcome<Answer> =
  { readonly ok: true; readonly answer: Answer } | { readonly ok: false; readonly broke: 'time' | 'memory' }

export class BatchRunner<Item, Answer> {
  readonly threads: number
  readonly #pool: Piscina<Task<Item>, Answer[]>
  readonly #handler: string
  readonly #options: RunnerOptions

  /** `handler` is the name of a function that `lineage.worker.ts` exports. */
  constructor(handler: 'lineages' | 'caseLines', options: RunnerOptions) {
    this.threads = options.threads ?? availableParallelism()
    this.#handler = handler
    this.#options = options
    this.#pool = new Piscina({
      // The file's own extension: .ts from the sources, .js from the package.
      filename: new URL(`./lineage.worker${import.meta.url.slice(-3)}`, import.meta.url).href,
      minThreads: 1,
      maxThreads: this.threads,
      // Without it a worker beyond the first ends whenever it has nothing to do, and starts anew for the next batch.
      idleTimeout: IDLE_MS,
      resourceLimits: { maxOldGenerationSizeMb: options.memoryLimitMb },
    })
  }

  /** One outcome an item, in order. */
  async run(items: readonly Item[]): Promise<Outcome<Answer>[]> {
    if (items.length === 0) return []
    const progress = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
    const expired = new AbortController()
    const watch = watchProgress(progress, this.#options.timeLimitMs, () => expired.abort())
    try {
      const task = { items, progress, shared: this.#options.shared }
      const answers = await this.#pool.run(task, { name: this.#handler, signal: expired.signal })
      return answers.map((answer) => ({ ok: true, answer }))
    } catch (error) {
      const broke = expired.signal.aborted ? 'time' : isOutOfMemory(error) ? 'memory' : undefined
      const at = Atomics.load(progress, 0) - 1
      if (broke === undefined || at < 0) throw error
      return await this.#withoutItem(items, at, broke)
    } finally {
      clearInterval(watch)
    }
  }

  async #withoutItem(items: readonly Item[], at: number, broke: 'time' | 'memory'): Promise<Outcome<Answer>[]> {
    const before = await this.run(items.slice(0, at))
    const after = await this.run(items.slice(at + 1))
    return [...before, { ok: false, broke }, ...after]
  }

  async close(): Promise<void> {
    await this.#pool.destroy()
  }
}

/** Calls `expire` once the worker has stayed with one item for longer than the limit. A batch that waits is not counted. */
function watchProgress(progress: Int32Array, limitMs: number, expire: () => void): NodeJS.Timeout {
  let last = 0
  let since = performance.now()
  const check = (): void => {
    const at = Atomics.load(progress, 0)
    const now = performance.now()
    if (at !== last) [last, since] = [at, now]
    else if (at > 0 && now - since >= limitMs) expire()
  }
  return setInterval(check, Math.max(10, Math.min(250, limitMs / 4)))
}

function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
}
