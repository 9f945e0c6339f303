/**
 * Long work that must stay on the event loop is cut into slices: between two of them the loop serves everybody else
 * (heartbeats, cancels, health, requests). Those who wait come one after the other, one a turn of the loop, so that
 * several long works at once make no longer slices.
 */
import { systemClock } from './clock.ts'

/** Longest time that work holds the loop, but for the one item that it is at. */
export const SLICE_MS = 10

const waiting: (() => void)[] = []
let sliceBegan = 0

/**
 * To be awaited between two items of a long loop. Nothing to wait for (`undefined`) while the slice lasts.
 *
 *     for (const item of many) {
 *       await othersTurn()
 *       work(item)
 *     }
 */
export function othersTurn(): Promise<void> | undefined {
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
