import { describe, expect, test } from 'vitest'
import { defineJob, Type, type JobDefinition } from '../../src/runner/define-job.ts'
import { openScheduler } from '../../src/runner/scheduler.ts'
import { backfillSchedule, setPaused, syncSchedules, tick, triggerSchedule } from '../../src/runner/schedules.ts'
import { listRuns, readRun } from '../../src/store/ledger/runs.ts'
import { listSchedules, readSchedule } from '../../src/store/ledger/schedules.ts'
import type { ScheduleDefinition } from '../../src/store/ledger/types.ts'
import { eventually } from '../support/eventually.ts'
import { QUEUE_BACKENDS } from '../support/queues.ts'
import { testRunner, type TestRunner } from '../support/runner.ts'

for (const { backend, skipped, reason } of QUEUE_BACKENDS) {
  describe.skipIf(skipped)(`schedules on ${backend} ${skipped ? `(skipped: ${reason})` : ''}`, () => {
    test('a slot is fired once, by however many tick at the same moment, and its run carries it', async () => {
      const clock = aClock('2026-01-01T00:00:30Z')
      await using runner = await testRunner(backend, [noop], { clock })
      await syncSchedules(runner.parts, [aSchedule()])
      await runner.startWorkers()
      expect((await tick(runner.parts)).fired).toEqual([])
      clock.set('2026-01-01T00:01:00Z')
      const ticks = await Promise.all(Array.from({ length: 8 }, () => tick(runner.parts)))
      const fired = ticks.flatMap((report) => report.fired)
      expect(fired.map(({ id }) => id)).toEqual(['minutely.20260101T000100Z'])
      const { run } = await runner.end('minutely.20260101T000100Z')
      expect(run).toMatchObject({
        state: 'succeeded',
        trigger: 'schedule',
        scheduleId: 'minutely',
        slotMs: Date.parse('2026-01-01T00:01:00Z'),
      })
    })

    test('a queue that is away while the clock ticks loses nothing', async () => {
      const clock = aClock('2026-01-01T00:00:30Z')
      await using runner = await testRunner(backend, [noop], { clock })
      await syncSchedules(runner.parts, [aSchedule({ overlap: 'allow' })])
      const away = {
        ...runner.parts.queues,
        add: () => Promise.reject(new Error('the queue is away')),
        addAll: () => Promise.reject(new Error('the queue is away')),
      }
      for (const minute of ['01', '02', '03']) {
        clock.set(`2026-01-01T00:${minute}:00Z`)
        expect((await tick({ ...runner.parts, queues: away })).fired).toHaveLength(1)
      }
      await runner.startWorkers()
      expect(await runner.sweepNow()).toMatchObject({ requeued: 3 })
      for (const minute of ['01', '02', '03']) {
        expect((await runner.end(`minutely.20260101T00${minute}00Z`)).run.state).toBe('succeeded')
      }
    })
  })
}

describe('schedules in the ledger', () => {
  test('after an outage `all` makes up for each slot, one after the other', async () => {
    const clock = aClock('2026-01-01T00:00:30Z')
    await using runner = await testRunner('postgres', [noop], { clock })
    await syncSchedules(runner.parts, [aSchedule({ catchUp: 'all', overlap: 'skip' })])
    clock.set('2026-01-01T00:04:10Z')
    expect((await tick(runner.parts)).fired.map(({ id }) => id.slice(-7))).toEqual([
      '000100Z',
      '000200Z',
      '000300Z',
      '000400Z',
    ])
    expect((await listRuns(runner.parts.database, { limit: 9 }))[0]?.resources).toEqual(['schedule:minutely'])
  })

  test('overlap: skip leaves a row that says why, queue keeps the newest, cancel-old asks the old one to stop', async () => {
    const clock = aClock('2026-01-01T00:00:30Z')
    await using runner = await testRunner('postgres', [noop], { clock })
    const policies = ['skip', 'queue', 'cancel-old'] as const
    await syncSchedules(
      runner.parts,
      policies.map((overlap) => aSchedule({ id: overlap, overlap })),
    )
    for (const minute of ['01', '02']) {
      clock.set(`2026-01-01T00:${minute}:00Z`)
      await tick(runner.parts)
    }
    expect(await states(runner, 'skip')).toEqual([
      ['000100Z', 'queued', null],
      ['000200Z', 'skipped', 'overlaps with run skip.20260101T000100Z'],
    ])
    for (const id of ['queue', 'cancel-old']) {
      expect(await states(runner, id)).toEqual([
        ['000100Z', 'skipped', `superseded by run ${id}.20260101T000200Z`],
        ['000200Z', 'queued', null],
      ])
    }
  })

  test('cancel-old stops the run under way, and the new one follows it', async () => {
    const clock = aClock('2026-01-01T00:00:30Z')
    const waits: JobDefinition = defineJob({
      name: 'waits',
      summary: 'Runs until it is stopped, the first time',
      byHand: 'apply',
      input: Type.Object({}),
      queue: { concurrency: 2 },
      async run({ runId, stop }) {
        if (runId.endsWith('000100Z')) await new Promise((settle) => stop.addEventListener('abort', settle))
        stop.throwIfAborted()
        return { report: {}, lines: [] }
      },
    })
    await using runner = await testRunner('postgres', [waits], { clock })
    await syncSchedules(runner.parts, [aSchedule({ id: 'nightly', job: 'waits', overlap: 'cancel-old' })])
    await runner.startWorkers()
    clock.set('2026-01-01T00:01:00Z')
    await tick(runner.parts)
    await eventually(async () =>
      expect((await readRun(runner.parts.database, 'nightly.20260101T000100Z'))?.state).toBe('running'),
    )
    clock.set('2026-01-01T00:02:00Z')
    await tick(runner.parts)
    expect((await runner.end('nightly.20260101T000100Z')).run).toMatchObject({
      state: 'cancelled',
      cancelRequestedBy: 'run nightly.20260101T000200Z',
    })
    // It waits until a later moment of this test's clock.
    clock.set('2026-01-01T00:03:00Z')
    expect((await runner.end('nightly.20260101T000200Z')).run.state).toBe('succeeded')
  })

  test('editing the file changes only what differs', async () => {
    const clock = aClock('2026-01-01T00:00:30Z')
    await using runner = await testRunner('postgres', [noop], { clock })
    const [kept, moved, gone] = [aSchedule({ id: 'kept' }), aSchedule({ id: 'moved' }), aSchedule({ id: 'gone' })]
    await syncSchedules(runner.parts, [kept, moved, gone])
    clock.set('2026-01-01T00:05:30Z')
    await syncSchedules(runner.parts, [
      { ...kept, input: { note: 'new' } },
      { ...moved, cron: '*/10 * * * *' },
    ])
    const rows = await listSchedules(runner.parts.database)
    expect(rows.map(({ id, nextRunMs }) => [id, new Date(nextRunMs ?? 0).toISOString().slice(11, 16)])).toEqual([
      ['kept', '00:01'],
      ['moved', '00:10'],
    ])
    await syncSchedules(runner.parts, [
      { ...kept, input: { note: 'new' } },
      { ...moved, cron: '*/10 * * * *' },
    ])
    expect(await listSchedules(runner.parts.database)).toEqual(rows)
  })

  test('a file with an error in it changes nothing', async () => {
    await using runner = await testRunner('postgres', [noop])
    for (const wrong of [
      { cron: '0 0 13 * 5' },
      { timeZone: 'Mars/Olympus' },
      { job: 'nop' },
      { input: { nte: '' } },
    ]) {
      await expect(
        syncSchedules(runner.parts, [aSchedule(), aSchedule({ id: 'wrong', ...wrong })]),
      ).rejects.toHaveProperty('code')
      expect(await listSchedules(runner.parts.database)).toEqual([])
    }
  })

  test('a schedule whose job is gone does not hold up the others', async () => {
    const clock = aClock('2026-01-01T00:00:30Z')
    await using runner = await testRunner('postgres', [noop], { clock })
    await syncSchedules(runner.parts, [aSchedule({ id: 'a-gone' }), aSchedule({ id: 'b-kept' })])
    await runner.parts.database.execute(`update ledger.schedule set job = 'gone' where id = 'a-gone'`)
    clock.set('2026-01-01T00:01:00Z')
    expect((await tick(runner.parts)).fired.map(({ scheduleId }) => scheduleId)).toEqual(['b-kept'])
    // It stays due: when its job is back, the slot is made up for.
    await runner.parts.database.execute(`update ledger.schedule set job = 'noop' where id = 'a-gone'`)
    expect((await tick(runner.parts)).fired.map(({ scheduleId }) => scheduleId)).toEqual(['a-gone'])
  })

  test('a paused schedule does not fire, and makes up for nothing when it is resumed', async () => {
    const clock = aClock('2026-01-01T00:00:30Z')
    await using runner = await testRunner('postgres', [noop], { clock })
    await syncSchedules(runner.parts, [aSchedule({ catchUp: 'all' })])
    await setPaused(runner.parts, 'minutely', true)
    clock.set('2026-01-01T00:05:30Z')
    expect((await tick(runner.parts)).fired).toEqual([])
    await syncSchedules(runner.parts, [aSchedule({ catchUp: 'all' })])
    expect(await readSchedule(runner.parts.database, 'minutely')).toMatchObject({ paused: true })
    await setPaused(runner.parts, 'minutely', false)
    expect((await tick(runner.parts)).fired).toEqual([])
    clock.set('2026-01-01T00:06:00Z')
    expect((await tick(runner.parts)).fired).toHaveLength(1)
    await expect(setPaused(runner.parts, 'minutly', true)).rejects.toMatchObject({
      code: 'SCHEDULE_NOT_FOUND',
      message: expect.stringContaining('minutely'),
    })
  })

  test('a clock that is set back fires nothing twice; one set forward catches up', async () => {
    const clock = aClock('2026-01-01T00:00:30Z')
    await using runner = await testRunner('postgres', [noop], { clock })
    await syncSchedules(runner.parts, [aSchedule({ catchUp: 'all', overlap: 'allow' })])
    clock.set('2026-01-01T00:02:00Z')
    expect((await tick(runner.parts)).fired).toHaveLength(2)
    clock.set('2026-01-01T00:01:00Z')
    expect((await tick(runner.parts)).fired).toHaveLength(0)
    clock.set('2026-01-01T00:02:30Z')
    expect((await tick(runner.parts)).fired).toHaveLength(0)
    clock.set('2026-01-01T00:04:00Z')
    expect((await tick(runner.parts)).fired).toHaveLength(2)
  })

  test('a schedule can be triggered by hand, and a past span filled', async () => {
    const clock = aClock('2026-01-01T00:10:30Z')
    await using runner = await testRunner('postgres', [noop], { clock })
    await syncSchedules(runner.parts, [aSchedule({ overlap: 'allow' })])
    expect(await triggerSchedule(runner.parts, 'minutely', 'ann')).toMatchObject({
      id: 'minutely.20260101T001030Z',
      trigger: 'hand',
      requestedBy: 'ann',
    })
    const span = { fromMs: Date.parse('2026-01-01T00:01Z'), toMs: Date.parse('2026-01-01T00:03Z'), person: 'ann' }
    const dry = await backfillSchedule(runner.parts, 'minutely', { ...span, dryRun: true })
    expect([dry.slots.length, dry.runs.length]).toEqual([3, 0])
    const filled = await backfillSchedule(runner.parts, 'minutely', { ...span, dryRun: false })
    expect(filled.runs.map(({ id, trigger }) => [id.slice(-7), trigger])).toEqual([
      ['000100Z', 'backfill'],
      ['000200Z', 'backfill'],
      ['000300Z', 'backfill'],
    ])
    const again = await backfillSchedule(runner.parts, 'minutely', { ...span, dryRun: false })
    expect([again.slots.length, again.runs.length]).toEqual([3, 0])
  })

  test('the ticker fires by itself, in time', async () => {
    await using runner = await testRunner('postgres', [noop])
    await syncSchedules(runner.parts, [aSchedule({ id: 'secondly', cron: '* * * * * *', overlap: 'allow' })])
    const scheduler = openScheduler(runner.parts)
    try {
      await eventually(async () => {
        expect((await listRuns(runner.parts.database, { limit: 9 })).length).toBeGreaterThanOrEqual(2)
        expect(scheduler.lastTickMs()).toBeGreaterThan(0)
      })
    } finally {
      await scheduler.close()
    }
    const runs = await listRuns(runner.parts.database, { limit: 100 })
    for (const { createdMs, slotMs } of runs) expect(createdMs - (slotMs ?? 0)).toBeLessThan(2_000)
    expect(new Set(runs.map(({ slotMs }) => slotMs)).size).toBe(runs.length)
  })
})

const noop = defineJob({
  name: 'noop',
  summary: 'Does nothing',
  byHand: 'apply',
  input: Type.Object({ note: Type.String({ default: '' }) }, { additionalProperties: false }),
  queue: { concurrency: 4 },
  run: () => Promise.resolve({ report: {}, lines: [] }),
})

function aSchedule(changes: Partial<ScheduleDefinition> = {}): ScheduleDefinition {
  return {
    id: 'minutely',
    cron: '* * * * *',
    timeZone: 'UTC',
    job: 'noop',
    input: {},
    apply: true,
    catchUp: 'latest',
    catchUpMax: 24,
    overlap: 'skip',
    resources: [],
    enabled: true,
    ...changes,
  }
}

function aClock(start: string) {
  let now = Date.parse(start)
  return {
    now: () => now,
    monotonic: () => performance.now(),
    set: (text: string) => void (now = Date.parse(text)),
  }
}

async function states(runner: TestRunner, scheduleId: string): Promise<unknown> {
  const runs = await listRuns(runner.parts.database, { scheduleId, limit: 10 })
  return runs
    .map(({ id, state, reason }) => [id.slice(-7), state, reason] as const)
    .toSorted(([a], [b]) => a.localeCompare(b))
}
