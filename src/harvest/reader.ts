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

/** Worker threads that read SQL; one core is left for what follows, which keeps this thread busy: it reads nothing. */
export function openLineageReader(options: { readonly threads?: number } = {}): LineageReader & Closable {
  const threads = Math.max(1, Math.min(MOST_THREADS, availableParallelism() - 1))
  return new LineagePool({ threads, ...options, youngLimitMb: YOUNG_LIMIT_MB, callerReads: false })
}
