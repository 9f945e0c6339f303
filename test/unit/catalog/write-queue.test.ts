import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createWriteQueue } from '../../../src/catalog/write/write-queue.ts'
import type { Write, WriteOutcome } from '../../../src/catalog/write/write.ts'
import { asUrn } from '../../../src/model/urn.ts'
import { systemClock } from '../../../src/observe/clock.ts'

const write: Write = { actor: asUrn('urn:li:corpuser:ann'), changes: [] }
const DONE: WriteOutcome = { ok: true, results: [] }

/** A database whose transactions take so many turns of the event loop; remembers how many writes each had. */
function database(turns: number) {
  const sizes: number[] = []
  const commit = async (writes: readonly Write[]) => {
    sizes.push(writes.length)
    for (let i = 0; i < turns; i++) await turn()
    return writes.map(() => DONE)
  }
  return { sizes, commit }
}

// Each reading is a second later: no transaction seems short, and whoever waits for company does so for the longest time.
let reads = 0
const slowClock = { ...systemClock, monotonic: () => reads++ * 1000 }

test('clients that write again and again share two equal transactions that take turns', async () => {
  const { sizes, commit } = database(40)
  const queue = createWriteQueue(commit, slowClock)
  await Promise.all(
    Array.from({ length: 32 }, async (_, client) => {
      for (let i = 0; i < 20; i++) {
        // Answers are read one after the other, and so are the next requests.
        for (let n = 0; n < client; n++) await turn()
        expect(await queue.submit(write)).toBe(DONE)
      }
    }),
  )
  expect(sizes.reduce((a, b) => a + b)).toBe(640)
  // It began with a transaction for the first client alone.
  expect(sizes[0]).toBe(1)
  expect(sizes.slice(4, 20).every((size) => size >= 12 && size <= 20)).toBe(true)
})

test('a client alone never waits for company, and those who do not come back are not waited for in vain', async () => {
  const { sizes, commit } = database(1)
  const queue = createWriteQueue(commit, slowClock)
  for (let i = 0; i < 5; i++) await queue.submit(write)
  await Promise.all([queue.submit(write), queue.submit(write), queue.submit(write)])
  await queue.submit(write)
  expect(sizes).toEqual([1, 1, 1, 1, 1, 3, 1])
})

test('clients that come back all at once are parted: while one half is in the database, the other is answered', async () => {
  const { sizes, commit } = database(3)
  const queue = createWriteQueue(commit, slowClock)
  await Promise.all(
    Array.from({ length: 64 }, async () => {
      for (let i = 0; i < 4; i++) {
        expect(await queue.submit(write)).toBe(DONE)
        await turn()
      }
    }),
  )
  expect(sizes).toEqual([64, 32, 32, 32, 32, 32, 32])
})
