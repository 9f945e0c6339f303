/**
 * A rolling upgrade migrates the database while processes of the version before run. Most steps leave room for them; where
 * one does not, they must say so and end, rather than fail in a hundred ways.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Closable } from '../observe/resources.ts'
import type { Database } from '../store/database.ts'
import { DatabaseTooNewError } from '../store/errors.ts'
import { requireFit } from '../store/migrate.ts'

const LOOK_MS = 10_000

export interface FitWatch extends Closable {
  /** Aborted with a DatabaseTooNewError once this program no longer fits the database. */
  readonly unfit: AbortSignal
}

export function watchFit(database: Database, lookMs: number = LOOK_MS): FitWatch {
  const stop = new AbortController()
  const unfit = new AbortController()
  async function run(): Promise<void> {
    while (!stop.signal.aborted && !unfit.signal.aborted) {
      await sleep(lookMs, undefined, { signal: stop.signal }).catch(() => undefined)
      // A database that is away is everybody else's to report.
      await requireFit(database).catch((error: unknown) => {
        if (error instanceof DatabaseTooNewError) unfit.abort(error)
      })
    }
  }
  const running = run()
  return {
    unfit: unfit.signal,
    close: () => {
      stop.abort()
      return running
    },
  }
}
