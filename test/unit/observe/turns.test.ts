import { getEventListeners } from 'node:events'
import { Session } from 'node:inspector/promises'
import { describe, expect, test } from 'vitest'
import { othersTurn, SLICE_MS, untilAborted } from '../../../src/observe/turns.ts'

/** Holds the thread for a while, as real work does. */
function work(ms: number): void {
  for (const end = performance.now() + ms; performance.now() < end;);
}

describe('long work', () => {
  test('lets others have the loop between its slices', async () => {
    let turns = 0
    const others = setInterval(() => turns++, 0)
    for (let item = 0; item < 20; item++) {
      await othersTurn()
      work(SLICE_MS)
    }
    clearInterval(others)
    expect(turns).toBeGreaterThan(10)
  })

  test('of several works each has its slice, one a turn of the loop', async () => {
    const order: string[] = []
    let turn = 0
    const turns = setInterval(() => turn++, 0)
    async function long(name: string): Promise<void> {
      for (let item = 0; item < 8; item++) {
        await othersTurn()
        order.push(`${name} ${turn}`)
        work(SLICE_MS + 2)
      }
    }
    await Promise.all(['a', 'b', 'c'].map(long))
    clearInterval(turns)
    // The first items are worked on at once; from then on no turn sees two of them.
    const later = order.slice(3).map((entry) => entry.split(' ')[1])
    expect(new Set(later).size).toBe(later.length)
    expect(new Set(order.slice(3, 6).map((entry) => entry[0])).size).toBe(3)
  })

  test('that is short waits for nothing', async () => {
    await new Promise((resolve) => setImmediate(resolve))
    work(SLICE_MS)
    await othersTurn()
    expect(othersTurn()).toBeUndefined()
  })
})

describe('an aborted signal', () => {
  test('ends work that others wait for, whatever it is at', async () => {
    const stop = new AbortController()
    const never = untilAborted(new Promise(() => {}), stop.signal)
    stop.abort(new Error('enough'))
    await expect(never).rejects.toThrow('enough')
    expect(() => othersTurn(stop.signal)).toThrow('enough')
    await expect(untilAborted(Promise.resolve(1), new AbortController().signal)).resolves.toBe(1)
  })
})

test('work that is waited for leaves nothing on the signal, also where several wait at once and garbage is collected', async () => {
  const session = new Session()
  session.connect()
  const { signal } = new AbortController()
  const works = Array.from({ length: 5 }, () => Promise.withResolvers<number>())
  const waiting = works.map(({ promise }) => untilAborted(promise, signal))
  await session.post('HeapProfiler.collectGarbage')
  session.disconnect()
  for (const [n, { resolve }] of works.entries()) resolve(n)
  expect(await Promise.all(waiting)).toEqual([0, 1, 2, 3, 4])
  expect(getEventListeners(signal, 'abort')).toHaveLength(0)
})
