/**
 * Decisions about plans. A decision and the run that it lets loose are written in one transaction, so that no plan is
 * approved without a run, and none is decided twice. Locks are taken in the order run, plan.
 */
import { transaction, type Queryable } from '../store/database.ts'
import { expiredPlans, lockPlan, movePlan, readPlan } from '../store/ledger/plans.ts'
import { finishRun, insertRun, lockRun, readRun } from '../store/ledger/runs.ts'
import type { PlanRow, RunRow } from '../store/ledger/types.ts'
import { PlanNotFoundError, PlanStateError, RunNotFoundError, storedErrorOf } from './errors.ts'
import { isPlanFinished, movePlanState, type PlanEvent } from './gate.ts'
import type { RunnerParts } from './parts.ts'
import { enqueue } from './submit.ts'

/** Who decides where no person has to. */
export const POLICY = 'policy'

/**
 * Approves a plan and queues the run that carries it out.
 * @throws PlanNotFoundError
 * @throws PlanStateError where it was decided before, has expired, or needs no decision
 */
export async function approvePlan(
  parts: RunnerParts,
  planId: string,
  person: string,
): Promise<{ readonly plan: PlanRow; readonly run: RunRow }> {
  const approved = await transaction(parts.database, async (tx) => {
    const plan = await lockPlan(tx, planId)
    if (plan === undefined) throw new PlanNotFoundError(planId)
    return approveLocked(tx, plan, { event: 'approve', by: person, nowMs: parts.clock.now() })
  })
  parts.logger.info({ plan: planId, by: person, run: approved.run.id }, 'plan approved')
  await enqueue(parts, approved.run)
  return approved
}

/** Approves a plan that the caller has locked, and adds the run that carries it out. The caller queues it. */
export async function approveLocked(
  tx: Queryable,
  plan: PlanRow,
  decision: { readonly event: 'approve' | 'pass'; readonly by: string; readonly nowMs: number },
): Promise<{ readonly plan: PlanRow; readonly run: RunRow }> {
  const { by, nowMs } = decision
  const maker = await readRun(tx, plan.runId)
  if (maker === undefined) throw new RunNotFoundError(plan.runId)
  const applyRunId = `apply-${plan.id}`
  // The plan is moved first: it refuses before a row is made that refers to it.
  const moved = await advancePlan(tx, plan, decision.event, { nowMs, decision: { by, atMs: nowMs } })
  const run = await insertRun(tx, {
    id: applyRunId,
    job: maker.job,
    mode: 'apply',
    applies: false,
    trigger: 'plan',
    requestedBy: by,
    scheduleId: maker.scheduleId,
    slotMs: maker.slotMs,
    planId: plan.id,
    retryOf: null,
    target: maker.target,
    resources: maker.resources,
    input: maker.input,
    inputHash: maker.inputHash,
    maxAttempts: maker.maxAttempts,
    protocol: maker.protocol,
    createdMs: nowMs,
  })
  if (run === undefined) throw new PlanStateError(plan.id, `its run ${applyRunId} is there already`)
  const linked = await movePlan(tx, plan.id, { from: moved.state, to: moved.state, applyRunId, finishedMs: null })
  return { plan: linked ?? moved, run }
}

/** @throws PlanNotFoundError, PlanStateError */
export async function rejectPlan(parts: RunnerParts, planId: string, person: string): Promise<PlanRow> {
  const nowMs = parts.clock.now()
  const plan = await transaction(parts.database, async (tx) => {
    const found = await lockPlan(tx, planId)
    if (found === undefined) throw new PlanNotFoundError(planId)
    return advancePlan(tx, found, 'reject', { nowMs, decision: { by: person, atMs: nowMs } })
  })
  parts.logger.info({ plan: planId, by: person }, 'plan rejected')
  return plan
}

/** Moves a locked plan by an event. @throws PlanStateError where the gate refuses it */
export async function advancePlan(
  tx: Queryable,
  plan: PlanRow,
  event: PlanEvent,
  facts: {
    readonly nowMs: number
    readonly decision?: { readonly by: string; readonly atMs: number }
    readonly outcome?: string
  },
): Promise<PlanRow> {
  const transition = movePlanState(plan, event, facts.nowMs)
  if ('refused' in transition) throw new PlanStateError(plan.id, transition.refused)
  const moved = await movePlan(tx, plan.id, {
    from: plan.state,
    to: transition.to,
    finishedMs: isPlanFinished(transition.to) ? facts.nowMs : null,
    ...(facts.decision === undefined ? {} : { decision: facts.decision }),
    ...(facts.outcome === undefined ? {} : { outcome: facts.outcome }),
  })
  if (moved === undefined) throw new PlanStateError(plan.id, 'somebody else decided at the same moment')
  return moved
}

/**
 * Ends the plan of a run that ended, or carried it out; nothing where the run has none or the plan has ended before
 * (expired, for example, while its run waited).
 */
export async function settlePlan(
  tx: Queryable,
  run: Pick<RunRow, 'planId'>,
  end: { readonly succeeded: boolean; readonly outcome?: string; readonly nowMs: number },
): Promise<void> {
  if (run.planId === null) return
  const plan = await lockPlan(tx, run.planId)
  if (plan === undefined || isPlanFinished(plan.state)) return
  await advancePlan(tx, plan, end.succeeded ? 'succeed' : 'fail', {
    nowMs: end.nowMs,
    ...(end.outcome === undefined ? {} : { outcome: end.outcome }),
  })
}

/** Ends plans whose time has passed before anyone began them, with their waiting runs. @returns how many */
export async function expirePlans(parts: RunnerParts, limit: number): Promise<number> {
  const nowMs = parts.clock.now()
  let expired = 0
  for (const id of await expiredPlans(parts.database, nowMs, limit)) {
    if (await expirePlan(parts, id, nowMs)) expired++
  }
  return expired
}

async function expirePlan(parts: RunnerParts, id: string, nowMs: number): Promise<boolean> {
  const applyRunId = (await readPlan(parts.database, id))?.applyRunId ?? undefined
  return transaction(parts.database, async (tx) => {
    const run = applyRunId === undefined ? undefined : await lockRun(tx, applyRunId)
    const plan = await lockPlan(tx, id)
    if (plan === undefined || 'refused' in movePlanState(plan, 'expire', nowMs)) return false
    // Approved since it was looked at: the next pass sees its run as well.
    if ((plan.applyRunId ?? undefined) !== applyRunId) return false
    await advancePlan(tx, plan, 'expire', { nowMs })
    if (run !== undefined && run.finishedMs === null) {
      await finishRun(tx, run.id, {
        state: 'failed',
        reason: 'its plan expired before it began',
        report: null,
        lines: [],
        error: storedErrorOf(new PlanStateError(id, 'it expired before its run began')),
        rejectedByCode: {},
        nowMs,
      })
    }
    parts.logger.info({ plan: id }, 'plan expired')
    return true
  })
}
