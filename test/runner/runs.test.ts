import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { DecodeError, HeadwaterError } from '../../src/model/errors.ts'
import { cancelRun } from '../../src/runner/cancel.ts'
import { defineJob, Type, type JobDefinition, type RunContext } from '../../src/runner/define-job.ts'
import { retryRun } from '../../src/runner/submit.ts'
import { findDeadLetters } from '../../src/store/ledger/journal.ts'
import { listAttempts, listRuns, readRun } from '../../src/store/ledger/runs.ts'
import { eventually } from '../support/eventually.ts'
import { QUEUE_BACKENDS } from '../support/queues.ts'
import { testRunner } from '../support/runner.ts'

for (const { backend, skipped, reason } of QUEUE_BACKENDS) {
  describe.skipIf(skipped)(`runs on ${backend} ${skipped ? `(skipped: ${reason})` : ''}`, () => {
    test('a run goes through the queue and ends with its balance and report', async () => {
      await using runner = await testRunner(backend, [countWords])
      await runner.startWorkers()
      const { id } = await runner.submit({ job: 'count-words', input: { text: 'a b a' }, requestedBy: 'ann' })
      const { run } = await runner.end(id)
      expect(run).toMatchObject({
        state: 'succeeded',
        trigger: 'hand',
        requestedBy: 'ann',
        attempt: 1,
        input: { text: 'a b a', limit: 100 },
        balance: { records: { read: 3, used: 2, duplicate: 1, noEffect: 0, rejected: 0 } },
        unsettled: { records: 0, proposals: 0 },
        report: { words: 2 },
        lines: ['2 words'],
        error: null,
      })
      expect(await listAttempts(runner.parts.database, id)).toMatchObject([{ number: 1, outcome: 'succeeded' }])
    })

    test('a run with rejected records is partial and keeps each with its place', async () => {
      await using runner = await testRunner(backend, [countWords])
      await runner.startWorkers()
      const { id } = await runner.submit({ job: 'count-words', input: { text: 'a bad\u0000 b bad\u0000' } })
      const { run } = await runner.end(id)
      expect(run).toMatchObject({ state: 'partial', rejectedByCode: { BAD_WORD: 2 } })
      expect(run.balance.records).toEqual({ read: 4, used: 2, duplicate: 0, noEffect: 0, rejected: 2 })
      const letters = await findDeadLetters(runner.parts.database, { runId: id, open: false }, { after: 0, limit: 10 })
      expect(letters).toMatchObject([
        { outcome: 'rejected', code: 'BAD_WORD', place: { line: 1, column: 2 }, record: 'bad\uFFFD' },
        { place: { column: 4 } },
      ])
    })

    test('a run whose sums do not add up fails, and says what is missing', async () => {
      const loses = job('loses', async ({ balance }) => {
        balance.records({ read: 10, used: 7 })
        balance.proposals({ made: 7, written: 8 })
      })
      await using runner = await testRunner(backend, [loses])
      await runner.startWorkers()
      const { run } = await runner.end((await runner.submit({ job: 'loses', input: {} })).id)
      expect(run).toMatchObject({
        state: 'failed',
        error: { code: 'RUN_BALANCE' },
        unsettled: { records: 3, proposals: -1 },
      })
    })

    test('an error worth another attempt gets one, later; the ledger counts', async () => {
      let calls = 0
      const flaky = job('flaky', async ({ attempt }) => {
        expect(attempt).toBe(++calls)
        if (calls < 3) throw new BusyError()
      })
      await using runner = await testRunner(backend, [flaky])
      await runner.startWorkers()
      const { run } = await runner.end((await runner.submit({ job: 'flaky', input: {} })).id)
      expect(run).toMatchObject({ state: 'succeeded', attempt: 3, failures: 2, stalls: 0 })
      const attempts = await listAttempts(runner.parts.database, run.id)
      expect(attempts.map(({ outcome, error }) => [outcome, error?.code])).toEqual([
        ['failed', 'BUSY'],
        ['failed', 'BUSY'],
        ['succeeded', undefined],
      ])
      const [first, second, third] = attempts
      expect((second?.startedMs ?? 0) - (first?.finishedMs ?? 0)).toBeGreaterThanOrEqual(500)
      expect((third?.startedMs ?? 0) - (second?.finishedMs ?? 0)).toBeGreaterThanOrEqual(1000)
    })

    test('a run fails for good after its last attempt, or at once where trying again cannot help', async () => {
      const busy = job('busy', () => Promise.reject(new BusyError()), { attempts: 2 })
      const broken = job('broken', () => Promise.reject(new TypeError('a fault of the program')))
      await using runner = await testRunner(backend, [busy, broken])
      await runner.startWorkers()
      const first = await runner.submit({ job: 'busy', input: {} })
      const second = await runner.submit({ job: 'broken', input: {} })
      expect((await runner.end(first.id)).run).toMatchObject({
        state: 'failed',
        attempt: 2,
        error: { code: 'BUSY', remedy: 'wait a little' },
      })
      expect((await runner.end(second.id)).run).toMatchObject({
        state: 'failed',
        attempt: 1,
        error: { code: 'UNEXPECTED', message: 'a fault of the program' },
      })
    })

    test('input that the schema does not allow, and unknown jobs, are refused before a row is made', async () => {
      await using runner = await testRunner(backend, [countWords])
      await expect(runner.submit({ job: 'count-words', input: { txt: '' } })).rejects.toBeInstanceOf(DecodeError)
      await expect(runner.submit({ job: 'count-word', input: {} })).rejects.toMatchObject({
        code: 'JOB_UNKNOWN',
        message: expect.stringContaining('count-words'),
      })
      await expect(runner.submit({ job: 'count-words', input: { text: '' }, mode: 'plan' })).rejects.toMatchObject({
        code: 'JOB_WITHOUT_PLAN',
      })
      expect(await listRuns(runner.parts.database, { limit: 10 })).toEqual([])
    })

    test('cancelling ends a waiting run at once and a running one at its next border, within 2 s', async () => {
      const started = Promise.withResolvers<void>()
      const slow = job('slow', async ({ stop, balance }) => {
        balance.records({ read: 100 })
        for (;;) {
          started.resolve()
          balance.records({ used: 1 })
          await sleep(20)
          stop.throwIfAborted()
        }
      })
      await using runner = await testRunner(backend, [slow])
      const waiting = await runner.submit({ job: 'slow', input: {} })
      expect(await cancelRun(runner.parts, waiting.id, 'ann')).toMatchObject({ ended: true })
      expect(await readRun(runner.parts.database, waiting.id)).toMatchObject({ state: 'cancelled', attempt: 0 })
      await runner.startWorkers()
      const running = await runner.submit({ job: 'slow', input: {} })
      await started.promise
      const asked = performance.now()
      expect(await cancelRun(runner.parts, running.id, 'ann')).toMatchObject({ ended: false })
      const { run } = await runner.end(running.id)
      expect(performance.now() - asked).toBeLessThan(2_000)
      expect(run).toMatchObject({ state: 'cancelled', error: { code: 'RUN_CANCELLED' } })
      expect(run.unsettled.records).toBe(100 - run.balance.records.used)
      expect(run.unsettled.records).toBeGreaterThan(0)
      await expect(cancelRun(runner.parts, running.id, 'ann')).rejects.toMatchObject({ code: 'RUN_STATE' })
    })

    test('a planning run that is cancelled ends at once: it has written nothing', async () => {
      const started = Promise.withResolvers<void>()
      const planner = defineJob({
        name: 'planner',
        summary: 'Plans for ever',
        byHand: 'plan',
        input: Type.Object({}),
        plan({ signal }) {
          started.resolve()
          return untilAborted(signal)
        },
        run: () => Promise.reject(new TypeError('nothing was planned')),
      })
      await using runner = await testRunner(backend, [planner])
      await runner.startWorkers({ graceMs: 600_000 })
      const { id } = await runner.submit({ job: 'planner', input: {}, mode: 'plan' })
      await started.promise
      await cancelRun(runner.parts, id, 'ann')
      expect((await runner.end(id)).run).toMatchObject({ state: 'cancelled', error: { code: 'RUN_CANCELLED' } })
    })

    test('an attempt past its deadline stops at a border; one that ignores it is cut off', async () => {
      const polite = job('polite', async ({ stop }) => untilAborted(stop), { deadlineMs: 100 })
      const stubborn = job('stubborn', async ({ signal }) => untilAborted(signal), { deadlineMs: 100 })
      await using runner = await testRunner(backend, [polite, stubborn])
      await runner.startWorkers({ graceMs: 300 })
      const runs = [
        await runner.submit({ job: 'polite', input: {} }),
        await runner.submit({ job: 'stubborn', input: {} }),
      ]
      for (const { id } of runs) {
        expect((await runner.end(id)).run).toMatchObject({ state: 'failed', error: { code: 'RUN_DEADLINE' } })
      }
    })

    test('a worker that stops gives its run back, and another goes on from its checkpoint', async () => {
      const halfWay = Promise.withResolvers<void>()
      const steps: string[] = []
      const stepwise = job('stepwise', async ({ attempt, checkpoints, stop, balance }) => {
        const from = Number((await checkpoints.read('step')) ?? 0)
        for (let step = from; step < 4; step++) {
          steps.push(`${attempt}:${step}`)
          await checkpoints.save('step', step + 1)
          if (attempt === 1 && step === 1) {
            halfWay.resolve()
            await untilAborted(stop)
          }
        }
        balance.records({ read: 4, used: 4 })
      })
      await using runner = await testRunner(backend, [stepwise])
      const first = await runner.startWorkers()
      const { id } = await runner.submit({ job: 'stepwise', input: {} })
      await halfWay.promise
      await first.close()
      expect(await readRun(runner.parts.database, id)).toMatchObject({ state: 'queued', failures: 0, attempt: 1 })
      await runner.startWorkers()
      expect((await runner.end(id)).run).toMatchObject({ state: 'succeeded', attempt: 2, failures: 0, stalls: 0 })
      expect(steps).toEqual(['1:0', '1:1', '2:2', '2:3'])
      expect((await listAttempts(runner.parts.database, id)).map(({ outcome }) => outcome)).toEqual([
        'stopped',
        'succeeded',
      ])
    })

    test('a run whose worker went silent goes on with another at once, whatever the queue still locks', async () => {
      const attempts: number[] = []
      const begun = Promise.withResolvers<void>()
      const stuck = job('stuck', async ({ attempt, signal }) => {
        attempts.push(attempt)
        begun.resolve()
        if (attempt === 1) await untilAborted(signal)
      })
      await using runner = await testRunner(backend, [stuck])
      // It holds the queue's job for an hour, and its heart stands still.
      await runner.startWorkers({ lockDurationMs: 3_600_000, heartbeatMs: 60_000, graceMs: 100 })
      const { id } = await runner.submit({ job: 'stuck', input: {} })
      await begun.promise
      const second = await runner.startWorkers({ lockDurationMs: 3_600_000 })
      await runner.parts.database.execute('update ledger.run set heartbeat_ms = 0 where id = $1', [id])
      expect(await runner.sweepNow()).toMatchObject({ stalled: 1 })
      expect((await runner.end(id)).run).toMatchObject({ state: 'succeeded', attempt: 2, stalls: 1 })
      expect((await listAttempts(runner.parts.database, id)).map(({ outcome }) => outcome)).toEqual([
        'stalled',
        'succeeded',
      ])
      await second.close()
      expect(attempts).toEqual([1, 2])
    })

    test('a run that a newer version asked for waits for a worker that knows how, and says so', async () => {
      const plain = job('plain', () => Promise.resolve())
      await using runner = await testRunner(backend, [plain])
      const { id } = await runner.submit({ job: 'plain', input: {} })
      await runner.parts.database.execute('update ledger.run set protocol = 2 where id = $1', [id])
      const old = await runner.startWorkers()
      await eventually(async () =>
        expect(await readRun(runner.parts.database, id)).toMatchObject({
          state: 'queued',
          reason: expect.stringContaining('worker of a newer version'),
        }),
      )
      await old.close()
      await runner.startWorkers({ protocol: 2 })
      expect((await runner.end(id)).run).toMatchObject({ state: 'succeeded', attempt: 1 })
    })

    test('a queue that is emptied while runs wait loses none, and none runs twice', async () => {
      const seen: string[] = []
      const noted = job('noted', async ({ runId }) => void seen.push(runId))
      await using runner = await testRunner(backend, [noted])
      const ids: string[] = []
      for (let i = 0; i < 20; i++) ids.push((await runner.submit({ job: 'noted', input: {} })).id)
      for (const queue of runner.parts.queues.queues()) await queue.obliterate({ force: true })
      expect(await runner.parts.queues.depth('noted')).toEqual({ waiting: 0, delayed: 0, active: 0 })
      await runner.startWorkers()
      expect(await runner.sweepNow()).toMatchObject({ requeued: 20 })
      await runner.sweepNow()
      for (const id of ids) expect((await runner.end(id)).run).toMatchObject({ state: 'succeeded', attempt: 1 })
      await runner.sweepNow()
      expect(seen.toSorted()).toEqual(ids.toSorted())
    })

    test('runs that share a resource follow each other', async () => {
      let atOnce = 0
      let most = 0
      const alone = defineJob({
        name: 'alone',
        summary: 'Needs the catalog for itself',
        byHand: 'apply',
        input: Type.Object({}),
        queue: { concurrency: 3 },
        resources: () => ['catalog:own'],
        async run() {
          most = Math.max(most, ++atOnce)
          await sleep(100)
          atOnce--
          return { report: {}, lines: [] }
        },
      })
      await using runner = await testRunner(backend, [alone])
      await runner.startWorkers()
      const ids: string[] = []
      for (let i = 0; i < 3; i++) ids.push((await runner.submit({ job: 'alone', input: {} })).id)
      for (const id of ids) expect((await runner.end(id)).run.state).toBe('succeeded')
      expect(most).toBe(1)
    })

    test('a finished run can be asked for again, with the same input', async () => {
      await using runner = await testRunner(backend, [countWords])
      await runner.startWorkers()
      const first = await runner.submit({ job: 'count-words', input: { text: 'a' } })
      await expect(retryRun(runner.parts, 'nothing', 'ann')).rejects.toMatchObject({ code: 'RUN_NOT_FOUND' })
      await runner.end(first.id)
      const second = await retryRun(runner.parts, first.id, 'ann')
      expect(second).toMatchObject({ trigger: 'retry', retryOf: first.id, inputHash: first.inputHash })
      expect((await runner.end(second.id)).run.state).toBe('succeeded')
    })

    test('progress reaches the row while the run is under way', async () => {
      const release = Promise.withResolvers<void>()
      const shows = job('shows', async ({ progress }) => {
        progress.report({ phase: 'parse', done: 3, total: 10, unit: 'statements', counts: { skipped: 1 } })
        await release.promise
      })
      await using runner = await testRunner(backend, [shows])
      await runner.startWorkers()
      const { id } = await runner.submit({ job: 'shows', input: {} })
      await eventually(async () => {
        const run = await readRun(runner.parts.database, id)
        expect(run?.progress).toEqual({
          phase: 'parse',
          done: 3,
          total: 10,
          unit: 'statements',
          counts: { skipped: 1 },
        })
      })
      release.resolve()
      await runner.end(id)
    })
  })
}

class BusyError extends HeadwaterError {
  readonly code = 'BUSY'
  override readonly retryable = true

  constructor() {
    super('too busy', { remedy: 'wait a little' })
  }
}

const countWords = defineJob({
  name: 'count-words',
  summary: 'Counts distinct words',
  byHand: 'apply',
  input: Type.Object({ text: Type.String(), limit: Type.Integer({ default: 100 }) }, { additionalProperties: false }),
  async run({ input, balance, rejects }) {
    const words = input.text.split(' ')
    const seen = new Set<string>()
    for (const [index, word] of words.entries()) {
      balance.records({ read: 1 })
      if (word.startsWith('bad')) {
        const place = { line: 1, column: index + 1 }
        await rejects.add({ code: 'BAD_WORD', message: `not a word: ${word}`, place, record: word })
      } else if (seen.has(word)) balance.records({ duplicate: 1 })
      else balance.records({ used: 1 })
      seen.add(word)
    }
    return { report: { words: seen.size }, lines: [`${seen.size} words`] }
  },
})

function job(
  name: string,
  run: (context: RunContext<object>) => Promise<void>,
  queue: JobDefinition['queue'] = {},
): JobDefinition {
  return defineJob({
    name,
    summary: name,
    byHand: 'apply',
    input: Type.Object({}),
    queue,
    async run(context) {
      await run(context)
      return { report: {}, lines: [] }
    },
  })
}

function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const fail = () => reject(new Error('stopped', { cause: signal.reason }))
    if (signal.aborted) fail()
    else signal.addEventListener('abort', fail, { once: true })
  })
}
