/**
 * A long stream leaves garbage that V8 would rather keep for a while: its heap grows to several times of what lives in
 * it. While a harvest asks for a small heap,
 *
 *   - the young generation stops to grow at 16 MB: a third of the memory less for 5 % more of CPU;
 *   - from 320 MB on, the whole heap grows in small steps. That costs as much again, so it waits until there is need.
 *
 * Measured on 12,000 statements, all distinct: 541 MB and 8.7 s of CPU without, 450 MB and 9.3 s with the first, 380 to
 * 430 MB and 11 s where the second holds, too. The flags are V8's own, read at each collection; they hold for the process.
 */
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'

const YOUNG_MB = 16
const CAREFUL_FROM_MB = 320
const LOOK_EVERY_MS = 200
/** By how much V8 lets the young generation grow at a time. */
const USUAL_GROWTH = 2

class HeapWatch {
  readonly #timer: NodeJS.Timeout
  #young = false
  #careful = false

  constructor() {
    this.#timer = setInterval(() => this.#look(), LOOK_EVERY_MS)
    this.#timer.unref()
  }

  #look(): void {
    if (!this.#young && youngMb() >= YOUNG_MB) {
      this.#young = true
      setFlagsFromString('--semi-space-growth-factor=1')
    }
    this.#beCareful(process.memoryUsage.rss() >= CAREFUL_FROM_MB * MB)
  }

  #beCareful(careful: boolean): void {
    if (careful === this.#careful) return
    this.#careful = careful
    setFlagsFromString(careful ? '--optimize-for-size' : '--no-optimize-for-size')
  }

  stop(): void {
    clearInterval(this.#timer)
    this.#beCareful(false)
    if (this.#young) setFlagsFromString(`--semi-space-growth-factor=${USUAL_GROWTH}`)
  }
}

const MB = 1024 * 1024

function youngMb(): number {
  return (getHeapSpaceStatistics().find((space) => space.space_name === 'new_space')?.space_size ?? 0) / MB
}

let asked = 0
let watch: HeapWatch | undefined

/** Until it is disposed of; several harvests may ask at once. */
export function smallHeap(): Disposable {
  asked++
  watch ??= new HeapWatch()
  let released = false
  return {
    [Symbol.dispose]: () => {
      if (released) return
      released = true
      if (--asked > 0) return
      watch?.stop()
      watch = undefined
    },
  }
}
