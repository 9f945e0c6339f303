import { availableParallelism } from 'node:os'
import type { Closable } from '../observe/resources.ts'
import { LineagePool } from '../sql/workers/pool.ts'
import type { LineageReader } from './analyse.ts'

/** A harvest runs beside much else for hours: memory counts more than a tenth of the speed. */
const YOUNG_LIMIT_MB = 24
/**
 * What is done with a statement's lineage costs twice what reading it does, and is done in one thread: two are enough to
 * keep that busy, and each holds some 80 MB.
 */
const MOST_THREADS = 2
/** How long threads wait for the next harvest: to start one takes half a second of CPU. */
const REST_MS = 5_000
/** Beyond, half a second is nothing, and what the threads hold is dear to what follows the reading. */
const LONG_MS = 60_000

/** Worker threads that read SQL; one core is left for what follows, which keeps this thread busy: it reads nothing. */
export function openLineageReader(options: { readonly threads?: number } = {}): LineageReader & Closable {
  const threads = Math.max(1, Math.min(MOST_THREADS, availableParallelism() - 1))
  return new LineagePool({ threads, ...options, youngLimitMb: YOUNG_LIMIT_MB, callerReads: false })
}

interface SharedReader {
  readonly reader: LineageReader & Closable
  harvests: number
  rest: NodeJS.Timeout | undefined
}

let shared: SharedReader | undefined

/**
 * The reader of this process. Harvests that are at work at once share it, since what follows the reading is done in one
 * thread for all of them; one that comes soon after another finds it warm. It does not keep the process from ending.
 */
export function sharedLineageReader(): LineageReader & AsyncDisposable {
  const mine = (shared ??= { reader: openLineageReader(), harvests: 0, rest: undefined })
  mine.harvests++
  clearTimeout(mine.rest)
  const begunMs = performance.now()
  let released = false
  return {
    lineages: (requests) => mine.reader.lineages(requests),
    [Symbol.asyncDispose]: () => {
      const restMs = performance.now() - begunMs > LONG_MS ? 0 : REST_MS
      if (!released && --mine.harvests === 0) mine.rest = setTimeout(() => void closeShared(mine), restMs).unref()
      released = true
      return Promise.resolve()
    },
  }
}

async function closeShared(one: SharedReader): Promise<void> {
  if (one.harvests > 0) return
  if (shared === one) shared = undefined
  await one.reader.close()
}
