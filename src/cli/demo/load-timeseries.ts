/** Brings many timeseries rows into a catalog: few large calls, a few at a time, never the whole in memory. */
import { inBatches } from '../../model/batches.ts'
import type { Proposal } from '../../model/proposal.ts'
import type { Progress } from '../../observe/progress.ts'

/** Rows of one call; events are small, so that a call stays far below the 15 MiB that catalogs take. */
const ROWS_A_CALL = 2000
const CALLS_AT_ONCE = 3

export interface LoadOptions {
  /** All of the rows or none; repeating a call has no further effect. */
  readonly write: (rows: readonly Proposal[]) => Promise<void>
  readonly total: number
  readonly progress: Progress
  readonly signal: AbortSignal
}

/** @returns the number of rows written. @throws the first error of `write`, after the calls under way have ended */
export async function loadTimeseries(rows: Iterable<Proposal>, options: LoadOptions): Promise<number> {
  const underWay = new Set<Promise<void>>()
  const failures: unknown[] = []
  let done = 0
  const tell = (): void =>
    options.progress.report({ phase: 'load timeseries', done, total: options.total, unit: 'rows' })
  tell()
  const send = (batch: readonly Proposal[]): void => {
    const call = options
      .write(batch)
      .then(() => {
        done += batch.length
        tell()
      })
      .catch((error: unknown) => void failures.push(error))
      .finally(() => underWay.delete(call))
    underWay.add(call)
  }
  for await (const batch of inBatches(rows, ROWS_A_CALL)) {
    if (failures.length > 0 || options.signal.aborted) break
    send(batch)
    if (underWay.size >= CALLS_AT_ONCE) await Promise.race(underWay)
  }
  await Promise.all(underWay)
  if (failures.length > 0) throw failures[0]
  options.signal.throwIfAborted()
  return done
}
