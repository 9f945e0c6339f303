import { setTimeout as sleep } from 'node:timers/promises'
import type { Closable } from '../observe/resources.ts'

/** Does `once` again and again with a pause between, until it is closed; closing waits for the pass under way. */
export function repeatUntilClosed(
  once: () => Promise<unknown>,
  options: { readonly intervalMs: number; readonly onError: (error: unknown) => void },
): Closable {
  const stop = new AbortController()
  async function run(): Promise<void> {
    while (!stop.signal.aborted) {
      try {
        await once()
      } catch (error) {
        options.onError(error)
      }
      await sleep(options.intervalMs, undefined, { signal: stop.signal }).catch(() => undefined)
    }
  }
  const running = run()
  return {
    close: () => {
      stop.abort()
      return running
    },
  }
}
