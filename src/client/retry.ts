import { setTimeout as sleep } from 'node:timers/promises'
import { HeadwaterError } from '../model/errors.ts'
import { systemClock, type Clock } from '../observe/clock.ts'
import { ThrottledError } from './errors.ts'

/** When to try again. The deadline is the bound: the number of attempts follows from it. */
export interface RetryPolicy {
  /** Wait before the second attempt, on average half of it; doubles each time. */
  readonly firstDelayMs: number
  readonly maxDelayMs: number
  /** From the first attempt on; an attempt that would begin later is not made. */
  readonly deadlineMs: number
}

/** A restart of a catalog takes minutes; a job can wait for that, a person cannot (see `INTERACTIVE`). */
export const PATIENT: RetryPolicy = { firstDelayMs: 250, maxDelayMs: 30_000, deadlineMs: 300_000 }
export const INTERACTIVE: RetryPolicy = { firstDelayMs: 200, maxDelayMs: 1000, deadlineMs: 5000 }

/** Where chance comes from: a number from 0 up to, not including, 1. */
export type Random = () => number

export interface RetryDependencies {
  readonly policy: RetryPolicy
  readonly signal?: AbortSignal | undefined
  readonly clock?: Clock
  readonly random?: Random
  /** Which failures another attempt may follow; those that say `retryable` when absent. */
  readonly mayRetry?: (failure: HeadwaterError) => boolean
  /** Told of each failure that is followed by another attempt. */
  readonly onRetry?: (failure: unknown, delayMs: number) => void
}

/**
 * The wait before attempt `attempt` (from 2): exponential with full jitter, and never less than the catalog asked for.
 * Jitter comes on top of Retry-After, or all senders come back at the same moment.
 */
export function backOffMs(policy: RetryPolicy, attempt: number, random: Random, retryAfterMs = 0): number {
  const ceiling = Math.min(policy.maxDelayMs, policy.firstDelayMs * 2 ** (attempt - 2))
  return retryAfterMs + Math.round(random() * ceiling)
}

/**
 * Carries out an idempotent operation until it succeeds, fails for good, or the deadline passes.
 * @throws the last failure; the signal's reason when aborted
 */
export async function retrying<T>(operation: () => Promise<T>, dependencies: RetryDependencies): Promise<T> {
  const { policy, signal, clock = systemClock, random = Math.random, onRetry } = dependencies
  const mayRetry = dependencies.mayRetry ?? ((failure: HeadwaterError) => failure.retryable)
  const startedAt = clock.monotonic()
  for (let attempt = 1; ; attempt++) {
    signal?.throwIfAborted()
    try {
      return await operation()
    } catch (failure) {
      if (!(failure instanceof HeadwaterError) || !mayRetry(failure)) throw failure
      const delayMs = backOffMs(policy, attempt + 1, random, retryAfterOf(failure))
      if (clock.monotonic() - startedAt + delayMs > policy.deadlineMs) throw failure
      onRetry?.(failure, delayMs)
      await pause(delayMs, signal)
    }
  }
}

/** A call that failed and is made once more after `delayMs`. */
export interface Wait {
  readonly failure: unknown
  readonly delayMs: number
}

/** Told of each wait before another attempt, and, with undefined, once an answer has come after all. */
export type OnWait = (wait: Wait | undefined) => void

/** For people: what went wrong last, and when it is tried again. */
export function waitText({ failure, delayMs }: Wait): string {
  const seconds = Math.max(1, Math.round(delayMs / 1000))
  const last = failure instanceof HeadwaterError ? `${failure.code} ${failure.message}` : String(failure)
  return `waits ${seconds} s to try again: ${last}`
}

function retryAfterOf(failure: HeadwaterError): number {
  return failure instanceof ThrottledError ? (failure.retryAfterMs ?? 0) : 0
}

/** Waits, or throws the signal's reason. */
export async function pause(delayMs: number, signal: AbortSignal | undefined): Promise<void> {
  try {
    await sleep(delayMs, undefined, signal === undefined ? {} : { signal })
  } catch (error) {
    signal?.throwIfAborted()
    throw error
  }
}
