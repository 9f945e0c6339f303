/** Plans that three people answer at once while workers are killed: nothing without approval, nothing twice, nothing lost. */
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { approvePlan, rejectPlan } from '../../../src/runner/decide.ts'
import { PlanStateError } from '../../../src/runner/errors.ts'
import { submitRun } from '../../../src/runner/submit.ts'
import { listPlans } from '../../../src/store/ledger/plans.ts'
import type { PlanRow } from '../../../src/store/ledger/types.ts'
import { QUEUE_BACKENDS } from '../../support/queues.ts'
import { killNow, startCluster, type Cluster, type Effect } from './cluster.ts'
import { decideCarelessly } from './planted-bugs.ts'
import { byScale, PATIENCE } from './scale.ts'

for (const { backend, skipped, reason } of QUEUE_BACKENDS) {
  describe.skipIf(skipped)(`plans under kills, queue on ${backend} ${skipped ? `(${reason})` : ''}`, () => {
    test('of 80 plans none takes effect without approval, and none approved is lost', PATIENCE, async () => {
      await using cluster = await startCluster(backend, { seed: 3 })
      expect(await answersUnderKills(cluster, { plans: 80, kills: byScale(6, 17) })).toEqual([])
      expect(cluster.kills).toBe(byScale(6, 17))
    })
  })
}

describe('the answers find', () => {
  test('a worker that does not wait for the decision', PATIENCE, async () => {
    await using cluster = await startCluster('postgres', { seed: 7, bug: 'eager-worker' })
    const wrong = await answersUnderKills(cluster, { plans: 10, kills: 1 })
    expect(wrong.filter((line) => line.startsWith('without approval')).length).toBeGreaterThan(0)
  })

  test('a worker that carries out what was carried out', PATIENCE, async () => {
    await using cluster = await startCluster('postgres', { seed: 8, bug: 'repeats' })
    const wrong = await answersUnderKills(cluster, { plans: 10, kills: 1 })
    expect(wrong.filter((line) => line.startsWith('twice')).length).toBeGreaterThan(0)
  })

  test('an approval whose run is lost', PATIENCE, async () => {
    await using cluster = await startCluster('postgres', { seed: 9, bug: 'loses-orders' })
    const wrong = await answersUnderKills(cluster, { plans: 10, kills: 1 }, { withinMs: 8_000 })
    expect(wrong.filter((line) => line.startsWith('never applied')).length).toBeGreaterThan(0)
  })

  test('a decision that looks first and writes afterwards', PATIENCE, async () => {
    await using cluster = await startCluster('postgres', { seed: 10 })
    const wrong = await answersUnderKills(
      cluster,
      { plans: 5, kills: 0 },
      { withinMs: 2_000, decide: decideCarelessly },
    )
    expect(wrong.filter((line) => line.startsWith('decided twice')).length).toBeGreaterThan(0)
  })
})

type Decide = typeof decideCarelessly

const decideByTheRunner: Decide = async (parts, id, { state, by }) => {
  await (state === 'approved' ? approvePlan(parts, id, by) : rejectPlan(parts, id, by))
}

/**
 * @param options.withinMs how long the plans may take to come to their ends
 * @returns what is wrong then; nothing when all is well
 */
async function answersUnderKills(
  cluster: Cluster,
  { plans: count, kills }: { readonly plans: number; readonly kills: number },
  {
    withinMs = byScale(90_000, 240_000),
    decide = decideByTheRunner,
  }: { readonly withinMs?: number; readonly decide?: Decide } = {},
): Promise<readonly string[]> {
  await cluster.fillUp(byScale(2, 3))
  const asked = await askForPlans(cluster, count)
  const killing = killNow(cluster, kills, 400, byScale(2, 3))
  const answers = await answerEverything(cluster, asked, decide)
  await killing
  const plans = await plansAtTheirEnd(cluster, count, withinMs)
  return violations(plans, await cluster.effects(), { asked, answers })
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
  readonly decidedTwice: string[]
}

/** Three people answer every plan at once as it appears; every third of their calls dies before it reaches the queue. */
async function answerEverything(
  cluster: Cluster,
  asked: ReadonlyMap<string, boolean>,
  decide: Decide,
): Promise<Answers> {
  const answers: Answers = { calls: 0, decided: new Map(), decidedTwice: [] }
  const dying = { ...cluster.parts.queues, add: () => Promise.reject(new Error('the caller died')) }
  const answered = new Set<string>()
  const wanted = [...asked.values()].filter(Boolean).length
  const end = performance.now() + byScale(90_000, 240_000)
  while (answered.size < wanted && performance.now() < end) {
    const waiting = await listPlans(cluster.parts.database, { states: ['awaiting'], limit: 100 })
    const fresh = waiting.filter(({ id, runId }) => asked.get(runId) === true && !answered.has(id))
    await Promise.all(
      fresh.flatMap(({ id }) => {
        answered.add(id)
        return [0, 1, 2].map(async (person) => {
          const parts = ++answers.calls % 3 === 0 ? { ...cluster.parts, queues: dying } : cluster.parts
          const says = person === 0 ? 'rejected' : 'approved'
          const refused = await decide(parts, id, { state: says, by: `p${person}` }).then(
            () => undefined,
            (error: unknown) => error,
          )
          if (refused instanceof PlanStateError) return
          if (refused !== undefined) throw refused
          if (answers.decided.has(id)) answers.decidedTwice.push(id)
          answers.decided.set(id, says)
        })
      }),
    )
    await sleep(50)
  }
  expect(answered.size).toBe(wanted)
  return answers
}

/** The plans once all have ended, or as they are when the time is up. */
async function plansAtTheirEnd(cluster: Cluster, count: number, withinMs: number): Promise<readonly PlanRow[]> {
  for (const end = performance.now() + withinMs; ; await sleep(100)) {
    const plans = await listPlans(cluster.parts.database, { limit: 200 })
    const ended = plans.length === count && plans.every(({ finishedMs }) => finishedMs !== null)
    if (ended || performance.now() > end) return plans
  }
}

function violations(
  plans: readonly PlanRow[],
  effects: readonly Effect[],
  { asked, answers }: { readonly asked: ReadonlyMap<string, boolean>; readonly answers: Answers },
): readonly string[] {
  const begun = effects.filter(({ what }) => what.startsWith('begin '))
  return [
    ...(plans.length === asked.size ? [] : [`${plans.length} plans of ${asked.size}`]),
    ...answers.decidedTwice.map((id) => `decided twice ${id}`),
    ...plans.flatMap(({ id, runId, state }) => {
      const own = begun.filter(({ what }) => what === `begin ${id}`)
      const approved = answers.decided.get(id) === 'approved'
      const expected = approved ? 'applied' : asked.get(runId) === true ? 'rejected' : 'expired'
      // Begun again only where a worker died in between, and then by another attempt of the same run.
      const attempts = own.map(({ runId: by, attempt }) => `${by} ${attempt}`)
      return [
        ...(state === expected ? [] : [`${state}, not ${expected}: ${id}`]),
        ...(own.length > 0 && !approved ? [`without approval ${id}`] : []),
        ...(own.length === 0 && approved ? [`never applied ${id}`] : []),
        ...(new Set(attempts).size === attempts.length ? [] : [`twice ${id}`]),
        ...(own.every(({ runId: by }) => by === `apply-${id}`) ? [] : [`by another run ${id}`]),
      ]
    }),
  ]
}
