import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { approvePlan, rejectPlan } from '../../../src/runner/decide.ts'
import { PlanStateError } from '../../../src/runner/errors.ts'
import { syncSchedules } from '../../../src/runner/schedules.ts'
import { slotsBetween } from '../../../src/runner/slots.ts'
import { submitRun } from '../../../src/runner/submit.ts'
import { waitForRun } from '../../../src/runner/wait.ts'
import { listPlans } from '../../../src/store/ledger/plans.ts'
import { listAttempts, listRuns, readRun } from '../../../src/store/ledger/runs.ts'
import type { PlanRow, RunRow } from '../../../src/store/ledger/types.ts'
import { eventually } from '../../support/eventually.ts'
import { QUEUE_BACKENDS } from '../../support/queues.ts'
import { killNow, startCluster, type Cluster } from './cluster.ts'

const PATIENCE = { timeout: 180_000 }

for (const { backend, skipped, reason } of QUEUE_BACKENDS) {
  describe.skipIf(skipped)(
    `workers that are killed, queue on ${backend} ${skipped ? `(skipped: ${reason})` : ''}`,
    () => {
      test('a run that loses its workers goes on where they were, and its sums hold', PATIENCE, async () => {
        await using cluster = await startCluster(backend, { seed: 1 })
        await cluster.fillUp(2)
        const ids: string[] = []
        for (let i = 0; i < 4; i++) {
          ids.push((await submitRun(cluster.parts, { job: 'batches', input: { batches: 150, members: 10 } })).id)
        }
        await eventually(async () => expect((await cluster.effects()).length).toBeGreaterThan(20))
        await killNow(cluster, 3, 300, 2)
        for (const id of ids) {
          const run = await ended(cluster, id)
          expect(run).toMatchObject({
            state: 'succeeded',
            balance: { records: { read: 1500, used: 1500 }, proposals: { made: 1500, written: 1500 } },
            unsettled: { records: 0, proposals: 0 },
          })
          const attempts = await listAttempts(cluster.parts.database, id)
          expect(attempts.filter(({ outcome }) => outcome === 'stalled')).toHaveLength(run.stalls)
          const sent = (await cluster.effects()).filter(({ runId }) => runId === id)
          // A batch is sent again only where a worker died between sending it and noting the answer.
          expect(new Set(sent.map(({ what }) => what)).size).toBe(150)
          expect(sent.length - 150).toBeLessThanOrEqual(run.stalls)
        }
        const runs = await Promise.all(ids.map((id) => readRun(cluster.parts.database, id)))
        expect(runs.reduce((sum, run) => sum + (run?.stalls ?? 0), 0)).toBeGreaterThan(0)
      })

      test('a queue that is flushed while runs wait loses none, and runs none twice', PATIENCE, async () => {
        await using cluster = await startCluster(backend, { seed: 2 })
        const ids: string[] = []
        for (let i = 0; i < 60; i++) ids.push((await submitRun(cluster.parts, { job: 'note', input: {} })).id)
        for (const queue of cluster.parts.queues.queues()) await queue.obliterate({ force: true })
        await cluster.fillUp(2)
        await killNow(cluster, 2, 200, 2)
        for (const id of ids) expect((await ended(cluster, id)).state).toBe('succeeded')
        const noted = await cluster.effects()
        expect(new Set(noted.map(({ runId }) => runId))).toEqual(new Set(ids))
        await expectOneEffectPerRun(cluster, ids)
      })

      test('of 80 plans none takes effect without approval, and none approved is lost', PATIENCE, async () => {
        await using cluster = await startCluster(backend, { seed: 3 })
        await cluster.fillUp(2)
        const asked = await askForPlans(cluster, 80)
        const killing = killNow(cluster, 6, 400, 2)
        const answers = await answerEverything(cluster, asked)
        await killing
        const plans = await eventuallyDecided(cluster, 80)
        expect(cluster.kills).toBe(6)
        expectGateHeld(plans, await cluster.effects(), { asked, answers })
      })
    },
  )
}

describe('schedulers that are killed', () => {
  test('three replicas fire each slot once, also those while all were down', PATIENCE, async () => {
    await using cluster = await startCluster('postgres', { seed: 4, scheduler: true })
    const schedule = { cron: '*/2 * * * * *', timeZone: 'UTC' }
    await syncSchedules(cluster.parts, [
      {
        ...schedule,
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
    await cluster.fillUp(3)
    await killNow(cluster, 4, 700, 3)
    await cluster.killAll()
    await sleep(7_000)
    await cluster.fillUp(3)
    await killNow(cluster, 3, 700, 3)
    const toMs = Date.now() - 4_000
    const slots = slotsBetween(schedule, fromMs, toMs, Infinity)
    expect(slots.length).toBeGreaterThan(6)
    await eventually(async () => {
      const runs = await listRuns(cluster.parts.database, { scheduleId: 'often', limit: 200 })
      const bySlot = runs.map(({ slotMs }) => slotMs ?? 0).toSorted((a, b) => a - b)
      expect(new Set(bySlot).size).toBe(bySlot.length)
      expect(bySlot.filter((slot) => slot <= toMs)).toEqual(slots)
      const due = runs.filter(({ slotMs }) => (slotMs ?? 0) <= toMs)
      expect(due.map(({ state }) => state)).toEqual(due.map(() => 'succeeded'))
    }, 60_000)
    expect(cluster.kills).toBeGreaterThanOrEqual(10)
  })
})

async function ended(cluster: Cluster, id: string): Promise<RunRow> {
  return (await waitForRun(cluster.parts, id, { signal: AbortSignal.timeout(90_000) })).run
}

/** A run's effect happens again only where its worker died in the middle; never after its end. */
async function expectOneEffectPerRun(cluster: Cluster, ids: readonly string[]): Promise<void> {
  const effects = await cluster.effects()
  for (const id of ids) {
    const run = await readRun(cluster.parts.database, id)
    expect(effects.filter(({ runId }) => runId === id).length).toBeLessThanOrEqual(1 + (run?.stalls ?? 0))
  }
}

/** A fifth of them is never answered. @returns run ids, with whether they will be */
async function askForPlans(cluster: Cluster, count: number): Promise<ReadonlyMap<string, boolean>> {
  const asked = new Map<string, boolean>()
  for (let i = 0; i < count; i++) {
    const answer = i % 5 !== 0
    asked.set((await submitRun(cluster.parts, { job: 'gated', input: { answer } })).id, answer)
  }
  return asked
}

interface Answers {
  calls: number
  readonly decided: Map<string, 'approved' | 'rejected'>
}

/** Three people answer every plan at once as it appears; every third of their calls dies before it reaches the queue. */
async function answerEverything(cluster: Cluster, asked: ReadonlyMap<string, boolean>): Promise<Answers> {
  const answers: Answers = { calls: 0, decided: new Map() }
  const dying = { ...cluster.parts.queues, add: () => Promise.reject(new Error('the caller died')) }
  const answered = new Set<string>()
  const wanted = [...asked.values()].filter(Boolean).length
  const end = performance.now() + 90_000
  while (answered.size < wanted && performance.now() < end) {
    const waiting = await listPlans(cluster.parts.database, { states: ['awaiting'], limit: 100 })
    const fresh = waiting.filter(({ id, runId }) => asked.get(runId) === true && !answered.has(id))
    await Promise.all(
      fresh.flatMap(({ id }) => {
        answered.add(id)
        return [0, 1, 2].map(async (person) => {
          const parts = ++answers.calls % 3 === 0 ? { ...cluster.parts, queues: dying } : cluster.parts
          const says = person === 0 ? 'rejected' : 'approved'
          const answer = says === 'rejected' ? rejectPlan(parts, id, 'p0') : approvePlan(parts, id, `p${person}`)
          const refused = await answer.then(
            () => undefined,
            (error: unknown) => error,
          )
          if (refused instanceof PlanStateError) return
          if (refused !== undefined || answers.decided.has(id))
            throw new Error(`${id} was decided twice`, { cause: refused })
          answers.decided.set(id, says)
        })
      }),
    )
    await sleep(50)
  }
  expect(answered.size).toBe(wanted)
  return answers
}

async function eventuallyDecided(cluster: Cluster, count: number): Promise<readonly PlanRow[]> {
  let plans: readonly PlanRow[] = []
  await eventually(async () => {
    plans = await listPlans(cluster.parts.database, { limit: 200 })
    expect(plans).toHaveLength(count)
    expect(plans.filter(({ finishedMs }) => finishedMs === null)).toEqual([])
  }, 90_000)
  return plans
}

function expectGateHeld(
  plans: readonly PlanRow[],
  effects: readonly { readonly runId: string; readonly attempt: number; readonly what: string }[],
  { asked, answers }: { readonly asked: ReadonlyMap<string, boolean>; readonly answers: Answers },
): void {
  const ids = (states: readonly string[]) =>
    plans
      .filter(({ state }) => states.includes(state))
      .map(({ id }) => id)
      .toSorted()
  const approved = [...answers.decided].filter(([, says]) => says === 'approved').map(([id]) => id)
  const took = (word: string) => [
    ...new Set(effects.filter(({ what }) => what.startsWith(word)).map(({ what }) => what.split(' ')[1] ?? '')),
  ]
  expect(took('begin').toSorted()).toEqual(approved.toSorted())
  expect(ids(['applied'])).toEqual(approved.toSorted())
  expect(ids(['rejected'])).toEqual(
    [...answers.decided]
      .filter(([, says]) => says === 'rejected')
      .map(([id]) => id)
      .toSorted(),
  )
  expect(ids(['expired'])).toEqual(
    plans
      .filter(({ runId }) => asked.get(runId) === false)
      .map(({ id }) => id)
      .toSorted(),
  )
  // Carried out by one run, once to its end; begun again only where a worker died in between.
  for (const id of approved) {
    const own = effects.filter(({ what }) => what.endsWith(id))
    expect(new Set(own.map(({ runId }) => runId))).toEqual(new Set([`apply-${id}`]))
    const attempts = own.filter(({ what }) => what.startsWith('begin')).map(({ attempt }) => attempt)
    expect(new Set(attempts).size).toBe(attempts.length)
  }
}
