import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { approvePlan, rejectPlan } from '../../src/runner/decide.ts'
import { defineJob, Type, type JobDefinition, type Plan } from '../../src/runner/define-job.ts'
import { cancelRun } from '../../src/runner/cancel.ts'
import { lockPlan, readPlan } from '../../src/store/ledger/plans.ts'
import { listAttempts, readRun } from '../../src/store/ledger/runs.ts'
import { transaction } from '../../src/store/database.ts'
import { QUEUE_BACKENDS } from '../support/queues.ts'
import { testRunner } from '../support/runner.ts'

for (const { backend, skipped, reason } of QUEUE_BACKENDS) {
  describe.skipIf(skipped)(`plans on ${backend} ${skipped ? `(skipped: ${reason})` : ''}`, () => {
    test('asked to apply, a plan that passes its check is carried out as it was frozen', async () => {
      const world = aWorld()
      await using runner = await testRunner(backend, [world.job])
      await runner.startWorkers()
      const { id } = await runner.submit({ job: 'prune', input: { decision: 'auto' }, mode: 'apply' })
      const { run, plan, applied } = await runner.end(id)
      expect(run).toMatchObject({ mode: 'plan', applies: true, state: 'succeeded', report: { counts: { rows: 5 } } })
      expect(plan).toMatchObject({ state: 'applied', verdict: 'auto', decidedBy: 'policy', counts: { rows: 5 } })
      expect(applied).toMatchObject({ mode: 'apply', trigger: 'plan', state: 'succeeded', planId: plan?.id })
      expect(world.effects).toMatchObject([{ id: plan?.id, body: { cutoffMs: 1000 }, decidedBy: 'policy' }])
    })

    test('asked for a plan only, it changes nothing until a person approves', async () => {
      const world = aWorld()
      await using runner = await testRunner(backend, [world.job])
      await runner.startWorkers()
      const { id } = await runner.submit({ job: 'prune', input: { decision: 'auto' } })
      const { plan } = await runner.end(id)
      expect(plan).toMatchObject({ state: 'planned', verdict: 'auto', decidedBy: null, applyRunId: null })
      expect(world.effects).toEqual([])
      await approvePlan(runner.parts, plan?.id ?? '', 'ann')
      const { plan: after, applied } = await runner.end(id)
      expect(after).toMatchObject({ state: 'applied', decidedBy: 'ann' })
      expect(applied).toMatchObject({ state: 'succeeded', requestedBy: 'ann' })
      expect(world.effects).toHaveLength(1)
    })

    test('a plan that asks waits for a person, also when asked to apply', async () => {
      const world = aWorld()
      await using runner = await testRunner(backend, [world.job])
      await runner.startWorkers()
      const { id } = await runner.submit({ job: 'prune', input: { decision: 'ask' }, mode: 'apply' })
      const { plan } = await runner.end(id)
      expect(plan).toMatchObject({ state: 'awaiting', verdict: 'ask', reasons: ['because of the ask'] })
      const planId = plan?.id ?? ''
      await approvePlan(runner.parts, planId, 'ann')
      await expect(approvePlan(runner.parts, planId, 'bob')).rejects.toMatchObject({ code: 'PLAN_STATE' })
      await expect(rejectPlan(runner.parts, planId, 'bob')).rejects.toMatchObject({ code: 'PLAN_STATE' })
      expect((await runner.end(id)).plan).toMatchObject({ state: 'applied', decidedBy: 'ann' })
      expect(world.effects).toHaveLength(1)
    })

    test('of many who answer at once exactly one decides', async () => {
      const world = aWorld()
      await using runner = await testRunner(backend, [world.job])
      await runner.startWorkers()
      const { id } = await runner.submit({ job: 'prune', input: { decision: 'ask' } })
      const planId = (await runner.end(id)).plan?.id ?? ''
      const answers = await Promise.allSettled([
        ...[1, 2, 3].map((person) => approvePlan(runner.parts, planId, `approver-${person}`)),
        ...[1, 2, 3].map((person) => rejectPlan(runner.parts, planId, `rejecter-${person}`)),
      ])
      expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
      const { plan } = await runner.end(id)
      expect(world.effects).toHaveLength(plan?.state === 'applied' ? 1 : 0)
      expect(['applied', 'rejected']).toContain(plan?.state)
    })

    test('a plan that is denied, or finds nothing to do, ends there', async () => {
      const world = aWorld()
      await using runner = await testRunner(backend, [world.job])
      await runner.startWorkers()
      const denied = await runner.submit({ job: 'prune', input: { decision: 'deny' }, mode: 'apply' })
      const { plan } = await runner.end(denied.id)
      expect(plan).toMatchObject({ state: 'rejected', decidedBy: 'policy', verdict: 'deny' })
      await expect(approvePlan(runner.parts, plan?.id ?? '', 'ann')).rejects.toMatchObject({ code: 'PLAN_STATE' })
      const empty = await runner.submit({ job: 'prune', input: { decision: 'auto', rows: 0 }, mode: 'apply' })
      expect((await runner.end(empty.id)).plan).toMatchObject({ state: 'empty', verdict: null })
      expect(world.effects).toEqual([])
    })

    test('a plan that nobody answers expires; an approval after that is too late', async () => {
      const world = aWorld()
      const clock = { at: 1_000_000, now: () => clock.at, monotonic: () => performance.now() }
      await using runner = await testRunner(backend, [world.job], { clock })
      const workers = await runner.startWorkers()
      const { id } = await runner.submit({ job: 'prune', input: { decision: 'ask' } })
      const approved = await runner.submit({ job: 'prune', input: { decision: 'ask' } })
      const planId = (await runner.end(id)).plan?.id ?? ''
      const approvedId = (await runner.end(approved.id)).plan?.id ?? ''
      await workers.close()
      await approvePlan(runner.parts, approvedId, 'ann')
      expect(await runner.sweepNow()).toMatchObject({ expired: 0 })
      clock.at += 3_600_000
      await expect(approvePlan(runner.parts, planId, 'ann')).rejects.toMatchObject({
        code: 'PLAN_STATE',
        message: expect.stringContaining('expired'),
      })
      // Approved in time and not begun in time: its waiting run ends with it.
      expect(await runner.sweepNow()).toMatchObject({ expired: 2 })
      expect(await readPlan(runner.parts.database, planId)).toMatchObject({ state: 'expired' })
      expect(await readPlan(runner.parts.database, approvedId)).toMatchObject({ state: 'expired', decidedBy: 'ann' })
      expect(await readRun(runner.parts.database, `apply-${approvedId}`)).toMatchObject({
        state: 'failed',
        error: { code: 'PLAN_STATE' },
      })
      expect(world.effects).toEqual([])
    })

    test('the second look stops an apply when the world has moved', async () => {
      const world = aWorld()
      await using runner = await testRunner(backend, [world.job])
      await runner.startWorkers()
      const { id } = await runner.submit({ job: 'prune', input: { decision: 'ask' } })
      const planId = (await runner.end(id)).plan?.id ?? ''
      world.drifted = true
      await approvePlan(runner.parts, planId, 'ann')
      const { plan, applied } = await runner.end(id)
      expect(plan).toMatchObject({ state: 'failed', outcome: expect.stringContaining('5 rows became 50') })
      expect(applied).toMatchObject({ state: 'failed', error: { code: 'PLAN_DRIFTED' } })
      expect(world.effects).toEqual([])
    })

    test('a plan whose row or artifact was touched is not carried out', async () => {
      const world = aWorld()
      await using runner = await testRunner(backend, [world.job])
      await runner.startWorkers()
      const row = await runner.submit({ job: 'prune', input: { decision: 'ask' } })
      const file = await runner.submit({ job: 'prune', input: { decision: 'ask' } })
      const rowPlan = (await runner.end(row.id)).plan
      const filePlan = (await runner.end(file.id)).plan
      await runner.parts.database.execute(`update ledger.plan set body = '{"cutoffMs": 9}' where id = $1`, [
        rowPlan?.id,
      ])
      await writeFile(filePlan?.artifact ?? '', 'something else')
      for (const [id, planId] of [
        [row.id, rowPlan?.id],
        [file.id, filePlan?.id],
      ] as const) {
        await approvePlan(runner.parts, planId ?? '', 'ann')
        const { plan, applied } = await runner.end(id)
        expect(applied).toMatchObject({ state: 'failed', error: { code: 'PLAN_CHANGED' } })
        expect(plan).toMatchObject({ state: 'failed' })
      }
      expect(world.effects).toEqual([])
    })

    test('a plan whose file is on another machine is left to other workers, and fails where none has it', async () => {
      const world = aWorld()
      await using runner = await testRunner(backend, [world.job])
      await runner.startWorkers()
      const { id } = await runner.submit({ job: 'prune', input: { decision: 'ask' } })
      const { plan: made } = await runner.end(id)
      await rm(made?.artifact ?? '')
      const { run } = await approvePlan(runner.parts, made?.id ?? '', 'ann')
      const { plan, applied } = await runner.end(id)
      expect(applied).toMatchObject({ state: 'failed', error: { code: 'PLAN_FILE_MISSING' } })
      expect(plan).toMatchObject({ state: 'failed' })
      const codes = (await listAttempts(runner.parts.database, run.id)).map(({ error }) => error?.code)
      expect(codes).toEqual(['PLAN_FILE_MISSING', 'PLAN_FILE_MISSING', 'PLAN_FILE_MISSING'])
      expect(world.effects).toEqual([])
    })

    test('cancelling the waiting run of an approved plan ends the plan', async () => {
      const world = aWorld()
      await using runner = await testRunner(backend, [world.job])
      const workers = await runner.startWorkers()
      const { id } = await runner.submit({ job: 'prune', input: { decision: 'ask' } })
      const planId = (await runner.end(id)).plan?.id ?? ''
      await workers.close()
      const { run } = await approvePlan(runner.parts, planId, 'ann')
      await cancelRun(runner.parts, run.id, 'bob')
      expect(await readPlan(runner.parts.database, planId)).toMatchObject({ state: 'failed' })
      await runner.startWorkers()
      await runner.sweepNow()
      expect(world.effects).toEqual([])
    })

    test('an approval whose process died before the queue heard of it is carried out all the same', async () => {
      const world = aWorld()
      await using runner = await testRunner(backend, [world.job])
      await runner.startWorkers()
      const { id } = await runner.submit({ job: 'prune', input: { decision: 'ask' } })
      const planId = (await runner.end(id)).plan?.id ?? ''
      const dying = { ...runner.parts.queues, add: () => Promise.reject(new Error('the process is gone')) }
      await approvePlan({ ...runner.parts, queues: dying }, planId, 'ann')
      expect(await transaction(runner.parts.database, (tx) => lockPlan(tx, planId))).toMatchObject({
        state: 'approved',
      })
      await runner.sweepNow()
      expect((await runner.end(id)).plan).toMatchObject({ state: 'applied' })
      expect(world.effects).toHaveLength(1)
    })

    test('a job without a check applies at once, or as a plan that a person approves', async () => {
      const effects: (Plan | undefined)[] = []
      const copy = defineJob({
        name: 'copy',
        summary: 'Plans without a check',
        byHand: 'plan',
        input: Type.Object({}),
        plan: () => Promise.resolve(aDraft(3)),
        async run({ plan }) {
          effects.push(plan)
          return { report: {}, lines: [] }
        },
      })
      await using runner = await testRunner(backend, [copy])
      await runner.startWorkers()
      const direct = await runner.submit({ job: 'copy', input: {}, mode: 'apply' })
      expect(await runner.end(direct.id)).toMatchObject({ run: { mode: 'apply', state: 'succeeded' } })
      expect(effects).toEqual([undefined])
      const planned = await runner.submit({ job: 'copy', input: {} })
      const { plan } = await runner.end(planned.id)
      expect(plan).toMatchObject({ state: 'planned', verdict: null })
      await approvePlan(runner.parts, plan?.id ?? '', 'ann')
      await runner.end(planned.id)
      expect(effects).toMatchObject([undefined, { id: plan?.id }])
    })
  })
}

interface World {
  readonly job: JobDefinition
  readonly effects: Plan[]
  drifted: boolean
}

/** A job with a check, and what it did. */
function aWorld(): World {
  const effects: Plan[] = []
  const job: JobDefinition = defineJob({
    name: 'prune',
    summary: 'Takes rows away',
    byHand: 'plan',
    input: Type.Object({
      decision: Type.Enum(['auto', 'ask', 'deny']),
      rows: Type.Integer({ default: 5 }),
    }),
    async plan({ input, artifacts, clock }) {
      await writeFile(join(artifacts, 'diff.ndjson'), '{}\n')
      return { ...aDraft(input.rows), artifact: 'diff.ndjson', expiresAtMs: clock.now() + 60_000 }
    },
    check: (_, { input }) => ({ decision: input.decision, reasons: [`because of the ${input.decision}`] }),
    recheck: async ({ counts }) =>
      world.drifted ? { holds: false, reasons: [`${counts['rows']} rows became 50`] } : { holds: true, reasons: [] },
    async run({ plan }) {
      if (plan === undefined) throw new TypeError('without a plan')
      effects.push(plan)
      return { report: {}, lines: [] }
    },
  })
  const world: World = { job, effects, drifted: false }
  return world
}

function aDraft(rows: number) {
  return {
    counts: { rows },
    lines: [`${rows} rows go`],
    body: { cutoffMs: 1000 },
    expiresAtMs: Date.now() + 60_000,
    nothingToDo: rows === 0,
  }
}
