/**
 * Batches over worker threads with a limit for each item. A worker that works on one item for too long, or runs out of
 * memory, is replaced; that item is answered by the limit that it broke, and the rest of its batch is run again.
 */
import { availableParallelism } from 'node:os'
import { Piscina } from 'piscina'
import { FINISHED, type Task } from './request.ts'

export interface RunnerOptions {
  /** Worker threads; one a core when absent. */
  readonly threads?: number | undefined
  /** Longest time for one item, or for one text of an item that has several, milliseconds. */
  readonly timeLimitMs: number
  /** Largest heap of a worker, megabytes. */
  readonly memoryLimitMb: number
  /** Largest young generation of a worker, megabytes: a larger one is collected less often, and reads a tenth faster. */
  readonly youngLimitMb: number
  /** Handed to the handler with every batch. */
  readonly shared?: unknown
}

export const DEFAULT_LIMITS = { timeLimitMs: 10_000, memoryLimitMb: 1024, youngLimitMb: 96 } as const

/** How long a worker stays that has nothing to do. */
const IDLE_MS = 10_000

export type Outcome =
  { readonly ok: true; readonly answer: string } | { readonly ok: false; readonly broke: 'time' | 'memory' }

/** A function that `lineage.worker.ts` exports: a batch in, a line of text an item out. */
type Handler = 'lineages' | 'caseLines'

export class BatchRunner<Item, Batch> {
  readonly threads: number
  readonly #pool: Piscina<Task<Batch>, string>
  readonly #handler: Handler
  readonly #pack: (items: readonly Item[]) => Batch
  readonly #options: RunnerOptions
  /** Of the batches that workers have. */
  readonly #progress = new Set<Int32Array>()

  /** `pack` gives what crosses the border for a batch: as few objects as may be, since each is dear to clone. */
  constructor(handler: Handler, pack: (items: readonly Item[]) => Batch, options: RunnerOptions) {
    this.threads = options.threads ?? availableParallelism()
    this.#handler = handler
    this.#pack = pack
    this.#options = options
    this.#pool = new Piscina({
      // The file's own extension: .ts from the sources, .js from the package.
      filename: new URL(`./lineage.worker${import.meta.url.slice(-3)}`, import.meta.url).href,
      minThreads: 1,
      maxThreads: this.threads,
      // Without it a worker beyond the first ends whenever it has nothing to do, and starts anew for the next batch.
      idleTimeout: IDLE_MS,
      resourceLimits: {
        maxOldGenerationSizeMb: options.memoryLimitMb,
        maxYoungGenerationSizeMb: options.youngLimitMb,
      },
    })
    // Of a worker without a batch, or of one whose answer crossed with its end: each batch has its own outcome already.
    this.#pool.on('error', () => {})
  }

  /** Whether a worker has done its batch, and its answer waits for the loop. */
  get hasNews(): boolean {
    for (const progress of this.#progress) if (Atomics.load(progress, 0) === FINISHED) return true
    return false
  }

  /** One outcome an item, in order. */
  async run(items: readonly Item[]): Promise<Outcome[]> {
    if (items.length === 0) return []
    const progress = new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT))
    const expired = new AbortController()
    this.#progress.add(progress)
    const watch = watchProgress(progress, this.#options.timeLimitMs, () => expired.abort())
    try {
      const task = { batch: this.#pack(items), progress, shared: this.#options.shared }
      const answers = await this.#pool.run(task, { name: this.#handler, signal: expired.signal })
      return answers.split('\n').map((answer) => ({ ok: true, answer }))
    } catch (error) {
      const broke = expired.signal.aborted ? 'time' : isOutOfMemory(error) ? 'memory' : undefined
      const at = Atomics.load(progress, 0) - 1
      if (broke === undefined) throw error
      return await (at < 0 ? this.#inHalves(items, broke) : this.#withoutItem(items, at, broke))
    } finally {
      clearInterval(watch)
      this.#progress.delete(progress)
    }
  }

  async #withoutItem(items: readonly Item[], at: number, broke: 'time' | 'memory'): Promise<Outcome[]> {
    const before = await this.run(items.slice(0, at))
    const after = await this.run(items.slice(at + 1))
    return [...before, { ok: false, broke }, ...after]
  }

  /** The batch broke the limit before its first item was begun. */
  async #inHalves(items: readonly Item[], broke: 'time' | 'memory'): Promise<Outcome[]> {
    if (items.length === 1) return [{ ok: false, broke }]
    const half = Math.ceil(items.length / 2)
    return [...(await this.run(items.slice(0, half))), ...(await this.run(items.slice(half)))]
  }

  async close(): Promise<void> {
    await this.#pool.destroy()
  }
}

/**
 * Calls `expire` once the worker has stayed with one item, or one text of an item, for longer than the limit. A batch that
 * waits is not counted.
 */
function watchProgress(progress: Int32Array, limitMs: number, expire: () => void): NodeJS.Timeout {
  let last = { item: 0, text: 0 }
  let since = performance.now()
  const check = (): void => {
    const item = Atomics.load(progress, 0)
    const text = Atomics.load(progress, 1)
    const now = performance.now()
    if (item !== last.item || text !== last.text) [last, since] = [{ item, text }, now]
    else if (item > 0 && now - since >= limitMs) expire()
  }
  return setInterval(check, Math.max(10, Math.min(250, limitMs / 4)))
}

function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
}
