/**
 * A long stream leaves garbage that V8 would rather keep for a while: with gigabytes of memory at hand its heap grows to
 * several times of what lives in it before it is collected. A harvest runs beside much else for hours, so while one is at
 * work the heap is looked at, and collected once it has grown by so much over what was left of it the last time.
 *
 * By the inspector's `HeapProfiler.collectGarbage`: the way that Node documents for a running process. Changing V8's
 * flags, which would do the same for less, is not safe once it has started (Node's documentation of
 * `v8.setFlagsFromString`), and limits of a heap can only be given to a process or thread that is about to start.
 */
import { Session } from 'node:inspector'

const GROWTH_BYTES = 80 * 1024 * 1024
const ANXIOUS_GROWTH_BYTES = 48 * 1024 * 1024
/** Of the whole process: a small one may grow as it likes. */
const CAREFUL_FROM_BYTES = 360 * 1024 * 1024
/** From here on memory is worth more than time. */
const ANXIOUS_FROM_BYTES = 425 * 1024 * 1024
/** Below, collections may take this share of the time. */
const SHARE_OF_TIME = 0.05
const LOOK_EVERY_MS = 100

let asked = 0
let stop: (() => void) | undefined

/** Until it is disposed of; several harvests may ask at once. */
export function smallHeap(): Disposable {
  if (asked++ === 0) stop = watch()
  let released = false
  return {
    [Symbol.dispose]: () => {
      if (released) return
      released = true
      if (--asked === 0) stop?.()
    },
  }
}

function watch(): () => void {
  const session = new Session()
  session.connect()
  let left = process.memoryUsage().heapTotal
  let restUntilMs = 0
  const timer = setInterval(() => {
    const { heapTotal, rss } = process.memoryUsage()
    left = Math.min(left, heapTotal)
    const grown = heapTotal - left
    const startMs = performance.now()
    const isAnxious = rss >= ANXIOUS_FROM_BYTES && grown >= ANXIOUS_GROWTH_BYTES
    const isCareful = rss >= CAREFUL_FROM_BYTES && grown >= GROWTH_BYTES && startMs >= restUntilMs
    if (!isAnxious && !isCareful) return
    session.post('HeapProfiler.collectGarbage', () => {
      left = process.memoryUsage().heapTotal
      const endMs = performance.now()
      restUntilMs = endMs + (endMs - startMs) / SHARE_OF_TIME
    })
  }, LOOK_EVERY_MS)
  timer.unref()
  return () => {
    clearInterval(timer)
    session.disconnect()
  }
}
