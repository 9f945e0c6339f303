import { randomBytes } from 'node:crypto'

import { expect, test } from 'vitest'

import { withStartLock } from '../../../src/embedded/start-lock.ts'
import { startPiece } from '../kit/piece.ts'

const never = (): AbortSignal => new AbortController().signal
const aName = (): string => `headwater-test-${randomBytes(6).toString('hex')}`

test('one at a time holds the lock, and all get their turn', async () => {
  const name = aName()
  let inside = 0
  const turns: number[] = []
  const turn = (n: number) =>
    withStartLock(name, never(), async () => {
      expect(++inside).toBe(1)
      await new Promise((resolve) => setImmediate(resolve))
      inside--
      turns.push(n)
    })
  await Promise.all(Array.from({ length: 20 }, (_, n) => turn(n)))
  expect(turns.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, n) => n))
})

test('work that fails gives the lock back', async () => {
  const name = aName()
  await expect(withStartLock(name, never(), () => Promise.reject(new Error('no luck')))).rejects.toThrow('no luck')
  expect(await withStartLock(name, never(), async () => 'next')).toBe('next')
})

test('the lock of a process killed with SIGKILL is free, also for one who already waits', async () => {
  const name = aName()
  await using holder = startPiece({ script: 'test/chaos/embedded/lock-holder.ts', args: [name] })
  await holder.line(/^holding$/)
  const order: string[] = []
  const waiting = withStartLock(name, never(), async () => order.push('next'))
  order.push('killed')
  await holder.kill('SIGKILL')
  await waiting
  expect(order).toEqual(['killed', 'next'])
})

test('waiting for the lock ends with its signal', async () => {
  const name = aName()
  await withStartLock(name, never(), async () => {
    await expect(withStartLock(name, AbortSignal.timeout(20), async () => 'in')).rejects.toMatchObject({
      name: 'TimeoutError',
    })
  })
})
