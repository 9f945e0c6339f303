import { setTimeout as sleep } from 'node:timers/promises'

/** Waits for a fact: tries the expectation until it holds, at most `withinMs`; then its own error is thrown. */
export async function eventually(expectation: () => void | Promise<void>, withinMs = 10_000): Promise<void> {
  const end = performance.now() + withinMs
  for (;;) {
    try {
      await expectation()
      return
    } catch (error) {
      if (performance.now() > end) throw error
      await sleep(20)
    }
  }
}
