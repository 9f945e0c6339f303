/**
 * Long work that must stay on the event loop is cut into slices: between two of them the loop serves everybody else
 * (heartbeats, cancels, health, requests). Those who wait come one after the other, one a turn of the loop, so that
 * several long works at once make no longer slices.
 */
import { systemClock } from './clock.ts'

/** Longest time that work holds the loop, but for the one item that it is at. */
export const SLICE_MS = 4

const waiting: (() => void)[] = []
let sliceBegan = 0

/**
 * To be awaited between two items of a long loop. Nothing to wait for (`undefined`) while the slice lasts.
 *
 *     for (const item of many) {
 *       await othersTurn(signal)
 *       work(item)
 *     }
 *
 * @throws the reason of `signal` once it is aborted
 */
export function othersTurn(signal?: AbortSignal): Promise<void> | undefined {
  signal?.throwIfAborted()
  if (systemClock.monotonic() - sliceBegan < SLICE_MS) return undefined
  return new Promise((resolve) => {
    waiting.push(resolve)
    if (waiting.length === 1) setImmediate(nextSlice)
  })
}

function nextSlice(): void {
  sliceBegan = systemClock.monotonic()
  waiting.shift()?.()
  // An immediate that is set by an immediate comes in the next turn of the loop.
  if (waiting.length > 0) setImmediate(nextSlice)
}

/**
 * What a promise comes to, or the reason of `signal` as soon as it is aborted: for work that cannot be told to end. The
 * listener is taken off by hand: one that goes by a signal of its own stays where several wait for the same `signal`
 * (Node keeps only the last of them), and with it what its work came to, as long as the signal lives.
 */
export async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted()
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const onAbort = (): void => reject(signal.reason as Error)
  signal.addEventListener('abort', onAbort)
  try {
    return await Promise.race([work, aborted])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}
