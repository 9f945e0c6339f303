import { DatabaseUnavailableError } from './errors.ts'

/** Each try waits some seconds for the database to be back (database.ts). */
const TRIES = 5

/**
 * Carries out again what failed because the database went away in the middle of it. For work that may be done twice:
 * reads, and transactions that look first whether they are still to be made.
 */
export async function evenIfAway<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = TRIES; ; tries--) {
    try {
      return await work()
    } catch (error) {
      if (tries <= 1 || !(error instanceof DatabaseUnavailableError)) throw error
    }
  }
}
