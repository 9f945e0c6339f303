import { exitCodeOfSignal } from './exit-codes.ts'

export interface StopRequest extends Disposable {
  /** Aborted by the first SIGTERM, SIGINT or SIGHUP. */
  readonly signal: AbortSignal
  /** The signal that came first. */
  readonly received: NodeJS.Signals | undefined
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/**
 * The first signal asks to stop: no new work, an end at the next batch border. The second one ends the process at once,
 * after `atOnce` (whatever can be done without waiting).
 */
export function onStopRequest(atOnce: () => void = () => {}): StopRequest {
  const controller = new AbortController()
  let received: NodeJS.Signals | undefined
  const handle = (signal: NodeJS.Signals) => {
    if (received === undefined) {
      received = signal
      controller.abort(new Error(`stopped by ${signal}`))
      return
    }
    atOnce()
    process.exit(exitCodeOfSignal(signal))
  }
  for (const signal of SIGNALS) process.on(signal, handle)
  return {
    signal: controller.signal,
    get received() {
      return received
    },
    [Symbol.dispose]() {
      for (const signal of SIGNALS) process.off(signal, handle)
    },
  }
}
