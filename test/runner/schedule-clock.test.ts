/** The clock goes on, jumps and turns back, over days on which local time does the same; each slot has one run. */
import { expect, test } from 'vitest'
import { defineJob, Type } from '../../src/runner/define-job.ts'
import { syncSchedules, tick } from '../../src/runner/schedules.ts'
import { listRuns } from '../../src/store/ledger/runs.ts'
import { testRunner } from '../support/runner.ts'

const noop = defineJob({
  name: 'noop',
  summary: 'Does nothing',
  byHand: 'apply',
  input: Type.Object({}),
  run: () => Promise.resolve({ report: {}, lines: [] }),
})

const MINUTE_MS = 60_000

/** Which slots ran while the clock took these moments, one after the other; as they read in UTC, oldest first. */
async function slotsOf(cron: string, timeZone: string, moments: readonly number[]): Promise<readonly string[]> {
  const clock = { at: moments[0] ?? 0 }
  const now = { now: () => clock.at, monotonic: () => performance.now() }
  await using runner = await testRunner('postgres', [noop], { clock: now })
  await syncSchedules(runner.parts, [
    {
      id: 'nightly',
      cron,
      timeZone,
      job: 'noop',
      input: {},
      apply: true,
      catchUp: 'all',
      catchUpMax: 100,
      overlap: 'allow',
      resources: [],
      enabled: true,
    },
  ])
  for (const at of moments) {
    clock.at = at
    // Several replicas at once.
    await Promise.all([tick(runner.parts), tick(runner.parts)])
  }
  const runs = await listRuns(runner.parts.database, { scheduleId: 'nightly', limit: 200 })
  return runs.map(({ slotMs }) => new Date(slotMs ?? 0).toISOString().slice(0, 16)).toSorted()
}

function every(minutes: number, from: string, to: string): number[] {
  const [start, end] = [Date.parse(from), Date.parse(to)]
  const count = Math.floor((end - start) / (minutes * MINUTE_MS)) + 1
  return Array.from({ length: count }, (_, n) => start + n * minutes * MINUTE_MS)
}

test.each([
  [
    'the gap of spring: right after it',
    ['30 2 * * *', 'Europe/Berlin', every(30, '2027-03-26T12:00Z', '2027-03-29T12:00Z')],
    ['2027-03-27T01:30', '2027-03-28T01:30', '2027-03-29T00:30'],
  ],
  [
    'the repeated hour of autumn: once',
    ['30 2 * * *', 'Europe/Berlin', every(30, '2026-10-23T12:00Z', '2026-10-26T12:00Z')],
    ['2026-10-24T00:30', '2026-10-25T00:30', '2026-10-26T01:30'],
  ],
  [
    'the leap day',
    ['0 0 29 2 *', 'UTC', every(12 * 60, '2028-02-27T00:00Z', '2028-03-02T00:00Z')],
    ['2028-02-29T00:00'],
  ],
  [
    'month ends',
    ['0 6 L * *', 'UTC', every(24 * 60, '2026-01-30T12:00Z', '2026-05-01T12:00Z')],
    ['2026-01-31T06:00', '2026-02-28T06:00', '2026-03-31T06:00', '2026-04-30T06:00'],
  ],
  [
    'a clock that turns back an hour twice, and goes on',
    [
      '0 * * * *',
      'UTC',
      [
        ...every(15, '2026-05-01T00:30Z', '2026-05-01T03:15Z'),
        ...every(15, '2026-05-01T02:15Z', '2026-05-01T03:15Z'),
        ...every(15, '2026-05-01T01:45Z', '2026-05-01T04:15Z'),
      ],
    ],
    ['2026-05-01T01:00', '2026-05-01T02:00', '2026-05-01T03:00', '2026-05-01T04:00'],
  ],
  [
    'a clock that jumps forwards over the gap of spring',
    [
      '30 2 * * *',
      'Europe/Berlin',
      [Date.parse('2027-03-27T12:00Z'), Date.parse('2027-03-29T12:00Z'), Date.parse('2027-03-29T12:01Z')],
    ],
    ['2027-03-28T01:30', '2027-03-29T00:30'],
  ],
  [
    'a clock that turns back within the repeated hour of autumn',
    [
      '30 2 * * *',
      'Europe/Berlin',
      [...every(10, '2026-10-25T00:00Z', '2026-10-25T01:40Z'), ...every(10, '2026-10-25T00:20Z', '2026-10-25T02:00Z')],
    ],
    ['2026-10-25T00:30'],
  ],
] as const)('%s', async (_, [cron, timeZone, moments], slots) => {
  expect(await slotsOf(cron, timeZone, moments)).toEqual(slots)
})
