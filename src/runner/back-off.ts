/** When a failed attempt is followed by another, and how long after. Pure. */
import { HeadwaterError } from '../model/errors.ts'

/** The first wait; doubles with each failure, up to the longest. */
const FIRST_MS = 1_000
const LONGEST_MS = 5 * 60_000

/**
 * @param failures attempts that failed before this one
 * @param chance between 0 and 1; spreads the waits over the upper half, so that runs which failed together part
 * @returns the wait in milliseconds, or undefined where another attempt cannot help or is not allowed
 */
export function nextAttemptAfterMs(
  error: unknown,
  run: { readonly failures: number; readonly maxAttempts: number },
  chance: number,
): number | undefined {
  if (!(error instanceof HeadwaterError) || !error.retryable) return undefined
  if (run.failures + 1 >= run.maxAttempts) return undefined
  const longest = Math.min(FIRST_MS * 2 ** run.failures, LONGEST_MS)
  return Math.max(Math.round(longest * (0.5 + chance / 2)), retryAfterMs(error))
}

/** What a catalog asked for by Retry-After, where the error carries it; never more than the longest wait. */
function retryAfterMs(error: HeadwaterError): number {
  const asked: unknown = 'retryAfterMs' in error ? error.retryAfterMs : undefined
  return typeof asked === 'number' && asked > 0 ? Math.min(asked, LONGEST_MS) : 0
}
