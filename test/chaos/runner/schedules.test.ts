/** Three schedulers, killed again and again, all of them down in the middle: each slot has one run. */
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { syncSchedules } from '../../../src/runner/schedules.ts'
import { slotsBetween } from '../../../src/runner/slots.ts'
import { listRuns } from '../../../src/store/ledger/runs.ts'
import { QUEUE_BACKENDS } from '../../support/queues.ts'
import { killNow, startCluster, type Cluster } from './cluster.ts'
import { byScale, LONG, PATIENCE } from './scale.ts'

const REPLICAS = 3
const SCHEDULE = { cron: '*/2 * * * * *', timeZone: 'UTC' }

interface Storm {
  /** Kills before and after all are down together. */
  readonly kills: number
  readonly everyMs: number
  readonly downMs: number
}

const STORM: Storm = byScale({ kills: 4, everyMs: 700, downMs: 7_000 }, { kills: 9, everyMs: 2_600, downMs: 7_000 })

/**
 * @param withinMs how long the replicas may take to catch up
 * @returns what is wrong with the slots of the storm's time; nothing when all is well
 */
async function storm(
  cluster: Cluster,
  { kills, everyMs, downMs }: Storm,
  withinMs = 60_000,
): Promise<readonly string[]> {
  await syncSchedules(cluster.parts, [
    {
      ...SCHEDULE,
      id: 'often',
      job: 'note',
      input: {},
      apply: true,
      catchUp: 'all',
      catchUpMax: 100,
      overlap: 'allow',
      resources: [],
      enabled: true,
    },
  ])
  const fromMs = Date.now()
  await cluster.fillUp(REPLICAS)
  await killNow(cluster, kills, everyMs, REPLICAS)
  await cluster.killAll()
  await sleep(downMs)
  await cluster.fillUp(REPLICAS)
  await killNow(cluster, kills, everyMs, REPLICAS)
  const toMs = Date.now() - 4_000
  // Replicas may still be catching up.
  for (const end = performance.now() + withinMs; ; await sleep(200)) {
    const wrong = await violations(cluster, fromMs, toMs)
    if (wrong.length === 0 || performance.now() > end) return wrong
  }
}

async function violations(cluster: Cluster, fromMs: number, toMs: number): Promise<readonly string[]> {
  const slots = slotsBetween(SCHEDULE, fromMs, toMs, Infinity)
  const runs = (await listRuns(cluster.parts.database, { scheduleId: 'often', limit: 1_000 })).filter(
    ({ slotMs }) => (slotMs ?? 0) <= toMs,
  )
  const times = (slot: number) => runs.filter(({ slotMs }) => slotMs === slot).length
  return [
    ...slots.filter((slot) => times(slot) === 0).map((slot) => `missed ${new Date(slot).toISOString()}`),
    ...slots.filter((slot) => times(slot) > 1).map((slot) => `twice ${new Date(slot).toISOString()}`),
    ...runs.filter(({ state }) => state !== 'succeeded').map(({ id, state }) => `${state} ${id}`),
  ]
}

// In CI once: the clock asks the ledger alone, and carrying runs out under kills is tested on both stores anyway.
for (const { backend, skipped, reason } of QUEUE_BACKENDS.slice(0, LONG ? 2 : 1)) {
  describe.skipIf(skipped)(`schedulers that are killed, queue on ${backend} ${skipped ? `(${reason})` : ''}`, () => {
    test('three replicas fire each slot once, also those while all were down', PATIENCE, async () => {
      await using cluster = await startCluster(backend, { seed: 4, scheduler: true })
      expect(await storm(cluster, STORM)).toEqual([])
      expect(cluster.kills).toBeGreaterThanOrEqual(byScale(10, 18))
      const runs = await listRuns(cluster.parts.database, { scheduleId: 'often', limit: 1_000 })
      expect(runs.length).toBeGreaterThan(byScale(6, 20))
    })
  })
}

describe('the storm finds', () => {
  const breeze: Storm = { kills: 1, everyMs: 2_500, downMs: 2_000 }

  test('replicas that fire for themselves', PATIENCE, async () => {
    await using cluster = await startCluster('postgres', { seed: 5, scheduler: true, bug: 'own-clock' })
    const wrong = await storm(cluster, breeze, 10_000)
    expect(wrong.filter((line) => line.startsWith('twice')).length).toBeGreaterThan(0)
  })

  test('a scheduler that forgets at its start what was missed', PATIENCE, async () => {
    await using cluster = await startCluster('postgres', { seed: 6, scheduler: true, bug: 'forgets-at-start' })
    const wrong = await storm(cluster, { ...breeze, downMs: 5_000 }, 20_000)
    expect(wrong.filter((line) => line.startsWith('missed')).length).toBeGreaterThan(0)
  })
})
