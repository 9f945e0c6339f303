import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../src/model/json.ts'
import { QUEUE_BACKENDS, testQueues } from '../support/queues.ts'
import { eventually } from '../support/eventually.ts'

const SETTINGS = { concurrency: 2, lockDurationMs: 30_000 }

for (const { backend, skipped, reason } of QUEUE_BACKENDS) {
  describe.skipIf(skipped)(`the queue on ${backend} ${skipped ? `(skipped: ${reason})` : ''}`, () => {
    test('hands a job out once, with its data unchanged, NUL characters included', async () => {
      await using queues = await testQueues(backend)
      const seen: JsonObject[] = []
      await queues.kit.work('echo', (job) => Promise.resolve(void seen.push(job.payload)).then(() => DONE), SETTINGS)
      const payload = { text: 'a\u0000b \\u0000 ü', list: [1, null] }
      await queues.kit.add('echo', { id: 'job-1', payload })
      await eventually(() => expect(seen).toEqual([payload]))
      await eventually(async () =>
        expect(await queues.kit.depth('echo')).toEqual({ waiting: 0, delayed: 0, active: 0 }),
      )
      expect(seen).toHaveLength(1)
    })

    test('keeps one job of an id that is added twice', async () => {
      await using queues = await testQueues(backend)
      await queues.kit.add('twice', { id: 'same', payload: { n: 1 } })
      await queues.kit.add('twice', { id: 'same', payload: { n: 2 } })
      expect(await queues.kit.depth('twice')).toEqual({ waiting: 1, delayed: 0, active: 0 })
    })

    test('lets a job come again later, and at once, without using up attempts', async () => {
      await using queues = await testQueues(backend)
      const answers = [{ kind: 'again', afterMs: 50 }, { kind: 'again', afterMs: 0 }, DONE] as const
      let calls = 0
      await queues.kit.work('again', () => Promise.resolve(answers[calls++] ?? DONE), SETTINGS)
      await queues.kit.add('again', { id: 'job-1', payload: {} })
      await eventually(() => expect(calls).toBe(3))
    })

    test('gives a job back whose handler threw', async () => {
      await using queues = await testQueues(backend)
      let calls = 0
      await queues.kit.work(
        'throws',
        () => (++calls === 1 ? Promise.reject(new Error('the database is away')) : Promise.resolve(DONE)),
        SETTINGS,
      )
      await queues.kit.add('throws', { id: 'job-1', payload: {} })
      await eventually(() => expect(calls).toBe(2))
    })

    test('puts back what is gone or ended, and leaves what waits', async () => {
      await using queues = await testQueues(backend)
      const { kit } = queues
      expect(await kit.ensure('sweep', { id: 'job-1', payload: {} })).toBe(true)
      expect(await kit.ensure('sweep', { id: 'job-1', payload: {} })).toBe(false)
      await kit.remove('sweep', 'job-1')
      expect(await kit.depth('sweep')).toEqual({ waiting: 0, delayed: 0, active: 0 })
      expect(await kit.ensure('sweep', { id: 'job-1', payload: {} })).toBe(true)
      let calls = 0
      const worker = await kit.work('sweep', () => Promise.resolve(void calls++).then(() => DONE), SETTINGS)
      await eventually(async () => {
        expect(calls).toBe(1)
        expect(await kit.depth('sweep')).toEqual({ waiting: 0, delayed: 0, active: 0 })
      })
      await worker.close()
      expect(await kit.ensure('sweep', { id: 'job-1', payload: {} })).toBe(true)
      expect((await kit.depth('sweep')).waiting).toBe(1)
    })

    test('refuses data above 64 KB and ids that the store would refuse', async () => {
      await using queues = await testQueues(backend)
      const { kit } = queues
      await expect(kit.add('q', { id: 'a', payload: { text: 'x'.repeat(70_000) } })).rejects.toMatchObject({
        code: 'QUEUE_PAYLOAD',
      })
      for (const id of ['a:b', '123', '', 'ü']) {
        await expect(kit.add('q', { id, payload: {} })).rejects.toMatchObject({ code: 'QUEUE_PAYLOAD' })
      }
    })

    test('answers a ping, and forgets ended jobs when cleaned', async () => {
      await using queues = await testQueues(backend)
      const { kit } = queues
      await kit.ping()
      let calls = 0
      await kit.work('clean', () => Promise.resolve(void calls++).then(() => DONE), SETTINGS)
      for (let i = 0; i < 5; i++) await kit.add('clean', { id: `job-${i}`, payload: {} })
      await eventually(async () => {
        expect(calls).toBe(5)
        expect(await kit.depth('clean')).toEqual({ waiting: 0, delayed: 0, active: 0 })
      })
      expect(await kit.clean('clean', 0)).toBe(5)
    })
  })
}

const DONE = { kind: 'done' } as const
