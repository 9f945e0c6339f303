import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import { cancelRun } from '../../src/runner/cancel.ts'
import { claimRun, stallIfSilent } from '../../src/runner/claim-run.ts'
import { approvePlan, expirePlans, rejectPlan, settlePlan } from '../../src/runner/decide.ts'
import { advancePlan } from '../../src/runner/decide.ts'
import { whileHeld } from '../../src/runner/phases.ts'
import type { RunnerParts } from '../../src/runner/parts.ts'
import { submitRun } from '../../src/runner/submit.ts'
import { insertPlan, lockPlan, readPlan } from '../../src/store/ledger/plans.ts'
import { finishRun, heartbeat, readRun, requeueRun } from '../../src/store/ledger/runs.ts'
import { EMPTY_BALANCE, isFinished, type LedgerBalance } from '../../src/store/ledger/types.ts'

/**
 * The ledger against a model of a few lines: any order of asking, claiming, beating, stopping, losing, ending,
 * cancelling, planning and deciding leaves the same states in both. No worker and no queue: the commands are what those
 * would do. A worker is told by its attempt; a worker that was overtaken goes on trying, and must change nothing.
 */
interface ModelRun {
  state: 'queued' | 'running' | 'stalled' | 'succeeded' | 'failed' | 'cancelled'
  attempt: number
  cancelAsked: boolean
}

type ModelPlanState = 'awaiting' | 'approved' | 'rejected' | 'applying' | 'applied' | 'failed' | 'expired'

export interface Model {
  readonly runs: Map<number, ModelRun>
  readonly plans: Map<number, { state: ModelPlanState; expiresMs: number; applyState: 'none' | 'queued' | 'ended' }>
  nowMs: number
}

export interface Real {
  readonly parts: RunnerParts
  readonly ids: Map<number, string>
  readonly planIds: Map<number, string>
  readonly clock: { at: number }
}

const LEASE = { leaseMs: 3_600_000, maxStalls: 1_000 }

export type Command = fc.AsyncCommand<Model, Real>

class Ask implements Command {
  check = () => true
  async run(model: Model, real: Real): Promise<void> {
    const key = model.runs.size
    model.runs.set(key, { state: 'queued', attempt: 0, cancelAsked: false })
    real.ids.set(key, (await submitRun(real.parts, { job: 'job', input: {} })).id)
    await agree(model, real)
  }
  toString = () => 'ask'
}

/** Something that is done to one run, picked by a number. */
abstract class OnRun implements Command {
  readonly pick: number
  constructor(pick: number) {
    this.pick = pick
  }
  check = (model: Readonly<Model>) => model.runs.size > 0
  async run(model: Model, real: Real): Promise<void> {
    const key = this.pick % model.runs.size
    await this.act(model, real, { model: present(model.runs.get(key)), id: present(real.ids.get(key)) })
    await agree(model, real)
  }
  abstract act(model: Model, real: Real, run: { model: ModelRun; id: string }): Promise<void>
  toString(): string {
    return `${this.constructor.name.toLowerCase()} ${this.pick}`
  }
}

/** The job of the queue that carries a run now, whichever that is. */
const NEWEST = Number.MAX_SAFE_INTEGER

class Claim extends OnRun {
  async act(_: Model, { parts }: Real, { model, id }: { model: ModelRun; id: string }): Promise<void> {
    const { kind } = await claimRun(parts, { runId: id, carrier: NEWEST }, { ...LEASE, worker: 'w' })
    if (isFinished(model.state)) assert.equal(kind, 'drop')
    else if (model.state === 'running') assert.equal(kind, 'wait')
    else if (model.cancelAsked) {
      assert.equal(kind, 'drop')
      model.state = 'cancelled'
    } else {
      assert.equal(kind, 'start')
      Object.assign(model, { state: 'running', attempt: model.attempt + 1 })
    }
  }
}

class Lose extends OnRun {
  async act(_: Model, { parts }: Real, { model, id }: { model: ModelRun; id: string }): Promise<void> {
    await parts.database.execute('update ledger.run set heartbeat_ms = 0 where id = $1 and state = $2', [id, 'running'])
    await stallIfSilent(parts, id, LEASE)
    if (model.state === 'running') model.state = model.cancelAsked ? 'cancelled' : 'stalled'
  }
}

/** A worker of some attempt, perhaps an overtaken one, writes. */
abstract class Write extends OnRun {
  readonly back: number
  constructor(pick: number, back: number) {
    super(pick)
    this.back = back
  }
  hold(model: ModelRun, id: string) {
    const attempt = Math.max(1, model.attempt - this.back)
    return { hold: { runId: id, attempt }, isHolder: model.state === 'running' && attempt === model.attempt }
  }
  override toString(): string {
    return `${super.toString()} (attempt -${this.back})`
  }
}

class Beat extends Write {
  async act(_: Model, { parts }: Real, { model, id }: { model: ModelRun; id: string }): Promise<void> {
    const { hold, isHolder } = this.hold(model, id)
    const answer = await heartbeat(parts.database, hold, { progress: null, balance: EMPTY_BALANCE })
    assert.equal(answer !== undefined, isHolder)
    assert.equal((answer?.cancelRequestedBy ?? null) !== null, isHolder && model.cancelAsked)
  }
}

class Finish extends Write {
  async act(_: Model, { parts, clock }: Real, { model, id }: { model: ModelRun; id: string }): Promise<void> {
    const { hold, isHolder } = this.hold(model, id)
    const done = await succeeds(
      whileHeld(parts, hold, BALANCED, (tx) => finishRun(tx, id, { ...END, state: 'succeeded', nowMs: clock.at })),
    )
    assert.equal(done, isHolder)
    if (isHolder) model.state = 'succeeded'
  }
}

class FinishUnbalanced extends Write {
  async act(_: Model, { parts, clock }: Real, { model, id }: { model: ModelRun; id: string }): Promise<void> {
    const { hold } = this.hold(model, id)
    const lost: LedgerBalance = { ...BALANCED, records: { ...BALANCED.records, used: 0 } }
    const done = await succeeds(
      whileHeld(parts, hold, lost, (tx) => finishRun(tx, id, { ...END, state: 'succeeded', nowMs: clock.at })),
    )
    assert.equal(done, false)
  }
}

class GiveBack extends Write {
  async act(_: Model, { parts, clock }: Real, { model, id }: { model: ModelRun; id: string }): Promise<void> {
    const { hold, isHolder } = this.hold(model, id)
    const back = { outcome: 'stopped', error: null, reason: '', notBeforeMs: 0, nowMs: clock.at } as const
    const done = await succeeds(whileHeld(parts, hold, EMPTY_BALANCE, (tx) => requeueRun(tx, id, back)))
    assert.equal(done, isHolder)
    if (isHolder) model.state = 'queued'
  }
}

class Cancel extends OnRun {
  async act(_: Model, { parts }: Real, { model, id }: { model: ModelRun; id: string }): Promise<void> {
    const done = await succeeds(cancelRun(parts, id, 'ann'))
    assert.equal(done, !isFinished(model.state))
    if (!done) return
    if (model.state === 'running') model.cancelAsked = true
    else model.state = 'cancelled'
  }
}

/** The holder of a run makes a plan that waits for a person, and ends the run. */
class Plan extends OnRun {
  async act(model: Model, { parts, clock, planIds }: Real, run: { model: ModelRun; id: string }): Promise<void> {
    if (run.model.state !== 'running') return
    const key = model.plans.size
    const expiresMs = clock.at + 1_000
    const id = parts.ids.next('plan', clock.at)
    await whileHeld(parts, { runId: run.id, attempt: run.model.attempt }, BALANCED, async (tx) => {
      const plan = await insertPlan(tx, { ...PLAN, id, runId: run.id, expiresMs, createdMs: clock.at })
      await advancePlan(tx, plan, 'ask', { nowMs: clock.at })
      await finishRun(tx, run.id, { ...END, state: 'succeeded', nowMs: clock.at })
    })
    run.model.state = 'succeeded'
    planIds.set(key, id)
    model.plans.set(key, { state: 'awaiting', expiresMs, applyState: 'none' })
  }
}

/** Asking, claiming and planning at once, so that there are many plans. */
class AskForPlan implements Command {
  check = () => true
  async run(model: Model, real: Real): Promise<void> {
    const key = model.runs.size
    await new Ask().run(model, real)
    await new Claim(key).run(model, real)
    await new Plan(key).run(model, real)
  }
  toString = () => 'ask for a plan'
}

abstract class OnPlan implements Command {
  readonly pick: number
  constructor(pick: number) {
    this.pick = pick
  }
  check = (model: Readonly<Model>) => model.plans.size > 0
  async run(model: Model, real: Real): Promise<void> {
    const key = this.pick % model.plans.size
    const plan = present(model.plans.get(key))
    await this.act(real, plan, { id: present(real.planIds.get(key)), late: model.nowMs >= plan.expiresMs })
    await agree(model, real)
  }
  abstract act(
    real: Real,
    plan: NonNullable<ReturnType<Model['plans']['get']>>,
    facts: { id: string; late: boolean },
  ): Promise<void>
  toString(): string {
    return `${this.constructor.name.toLowerCase()} plan ${this.pick}`
  }
}

class Approve extends OnPlan {
  async act({ parts }: Real, plan: ModelPlan, { id, late }: { id: string; late: boolean }): Promise<void> {
    const done = await succeeds(approvePlan(parts, id, 'ann'))
    assert.equal(done, plan.state === 'awaiting' && !late)
    if (done) Object.assign(plan, { state: 'approved', applyState: 'queued' })
  }
}

class Reject extends OnPlan {
  async act({ parts }: Real, plan: ModelPlan, { id }: { id: string }): Promise<void> {
    const done = await succeeds(rejectPlan(parts, id, 'ann'))
    assert.equal(done, plan.state === 'awaiting')
    if (done) plan.state = 'rejected'
  }
}

/** A worker begins what was approved; begun, it may end well or badly. */
class Begin extends OnPlan {
  async act({ parts, clock }: Real, plan: ModelPlan, { id, late }: { id: string; late: boolean }): Promise<void> {
    const claim =
      plan.applyState === 'queued'
        ? await claimRun(parts, { runId: `apply-${id}`, carrier: NEWEST }, { ...LEASE, worker: 'w' })
        : undefined
    if (claim?.kind !== 'start') return
    const begun = await succeeds(
      whileHeld(parts, { runId: `apply-${id}`, attempt: claim.run.attempt }, EMPTY_BALANCE, async (tx) =>
        advancePlan(tx, present(await lockPlan(tx, id)), 'start', { nowMs: clock.at }),
      ),
    )
    assert.equal(begun, plan.state === 'approved' && !late)
    const succeeded = begun && this.pick % 2 === 0
    await whileHeld(parts, { runId: `apply-${id}`, attempt: claim.run.attempt }, BALANCED, async (tx) => {
      const error = { code: 'X', message: 'x', retryable: false }
      await finishRun(tx, `apply-${id}`, {
        ...END,
        state: succeeded ? 'succeeded' : 'failed',
        error: succeeded ? null : error,
        nowMs: clock.at,
      })
      await settlePlan(tx, claim.run, { succeeded, nowMs: clock.at })
    })
    Object.assign(plan, { state: succeeded ? 'applied' : 'failed', applyState: 'ended' })
  }
}

class Sweep implements Command {
  check = () => true
  async run(model: Model, real: Real): Promise<void> {
    const due = [...model.plans.values()].filter(
      ({ state, expiresMs }) => ['awaiting', 'approved'].includes(state) && model.nowMs >= expiresMs,
    )
    assert.equal(await expirePlans(real.parts, 1_000), due.length)
    for (const plan of due) Object.assign(plan, { state: 'expired', applyState: 'ended' })
    await agree(model, real)
  }
  toString = () => 'sweep'
}

class Pass implements Command {
  readonly ms: number
  constructor(ms: number) {
    this.ms = ms
  }
  check = () => true
  async run(model: Model, real: Real): Promise<void> {
    model.nowMs += this.ms
    real.clock.at = model.nowMs
    await Promise.resolve()
  }
  toString = () => `pass ${this.ms} ms`
}

/** Any sequence of them, the frequent ones more often. */
export function anyCommands(): fc.Arbitrary<Iterable<Command>> {
  const pick = fc.nat({ max: 7 })
  const back = fc.constantFrom(0, 0, 0, 1, 2)
  const one: fc.Arbitrary<Command>[] = [
    fc.constant(new Ask()),
    pick.map((n) => new Claim(n)),
    pick.map((n) => new Claim(n)),
    pick.map((n) => new Lose(n)),
    pick.map((n) => new Cancel(n)),
    fc.tuple(pick, back).map(([n, b]) => new Beat(n, b)),
    fc.tuple(pick, back).map(([n, b]) => new Finish(n, b)),
    fc.tuple(pick, back).map(([n, b]) => new FinishUnbalanced(n, b)),
    fc.tuple(pick, back).map(([n, b]) => new GiveBack(n, b)),
    pick.map((n) => new Plan(n)),
    pick.map((n) => new Plan(n)),
    fc.constant(new AskForPlan()),
    fc.constant(new AskForPlan()),
    pick.map((n) => new Approve(n)),
    pick.map((n) => new Approve(n)),
    pick.map((n) => new Reject(n)),
    pick.map((n) => new Begin(n)),
    fc.constant(new Sweep()),
    fc.nat({ max: 1_500 }).map((ms) => new Pass(ms)),
  ]
  return fc.commands<Model, Real, false>(one, { maxCommands: 60, size: 'max' })
}

type ModelPlan = NonNullable<ReturnType<Model['plans']['get']>>

/** After each step: every run and every plan is in the state that the model says. */
async function agree(model: Model, { parts, ids, planIds }: Real): Promise<void> {
  for (const [key, { state, attempt }] of model.runs) {
    const run = await readRun(parts.database, present(ids.get(key)))
    assert.deepEqual([run?.state, run?.attempt], [state, attempt])
  }
  for (const [key, { state }] of model.plans) {
    const plan = await readPlan(parts.database, present(planIds.get(key)))
    assert.equal(plan?.state, state)
  }
}

const BALANCED: LedgerBalance = {
  records: { read: 3, used: 1, duplicate: 1, noEffect: 1, rejected: 0 },
  proposals: { made: 2, written: 1, unchanged: 1, refused: 0, dead: 0 },
}

const END = { reason: null, report: null, lines: [], error: null, rejectedByCode: {} } as const

const PLAN = {
  job: 'job',
  verdict: 'ask',
  reasons: [],
  counts: {},
  lines: [],
  body: {},
  artifact: null,
  hash: 'h',
} as const

function succeeds(work: Promise<unknown>): Promise<boolean> {
  return work.then(
    () => true,
    () => false,
  )
}

function present<T>(value: T | undefined): T {
  if (value === undefined) throw new TypeError('not there')
  return value
}
