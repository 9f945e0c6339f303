/**
 * The two things a run can be: making a plan, or taking effect. Each ends its run, and what belongs to it, in one
 * transaction that first looks whether the run is still this worker's.
 */
import { decode } from '../model/decode.ts'
import { transaction, type Queryable } from '../store/database.ts'
import { insertPlan, lockPlan } from '../store/ledger/plans.ts'
import { finishRun, lockRun, writeBalance, type Hold } from '../store/ledger/runs.ts'
import type { NewPlan, PlanRow, RunRow } from '../store/ledger/types.ts'
import { hasLosses, unsettled } from './balance.ts'
import { advancePlan, approveLocked, POLICY, settlePlan } from './decide.ts'
import type {
  BalanceCounts,
  GateVerdict,
  JobContext,
  JobDefinition,
  JobInput,
  Plan,
  PlanDraft,
  RunOutcome,
} from './define-job.ts'
import {
  PlanChangedError,
  PlanFileMissingError,
  PlanDriftedError,
  PlanNotFoundError,
  RunBalanceError,
  RunTakenOverError,
} from './errors.ts'
import { measureEnd } from './measure.ts'
import { artifactPath, planHash } from './plan-hash.ts'
import { asJson, checkSize, type RunnerParts } from './parts.ts'
import { LedgerJournal, type AttemptLedger, type LedgerRejects } from './attempt-context.ts'

const MAX_REPORT_BYTES = 256 * 1024
const MAX_LINES = 500

/** One attempt at work. */
export interface Attempt {
  readonly run: RunRow
  readonly job: JobDefinition
  readonly context: JobContext<JobInput>
  readonly ledger: AttemptLedger
  readonly rejects: LedgerRejects
}

/** Plans, lets the job check the plan, and stores it. @returns the run that carries the plan out, where it needs no person */
export async function runPlanPhase(parts: RunnerParts, attempt: Attempt): Promise<RunRow | undefined> {
  const { run, job, context } = attempt
  if (job.plan === undefined) throw new TypeError(`job ${job.name} has no plan`)
  // Planning writes nothing: there is no border to wait for.
  const draft = await job.plan({ ...context, signal: AbortSignal.any([context.stop, context.signal]) })
  context.stop.throwIfAborted()
  const nowMs = parts.clock.now()
  const verdict = draft.nothingToDo ? undefined : job.check?.(draft, { input: context.input, nowMs })
  const plan = await freeze(parts, attempt, draft, verdict)
  const report = { ...draft.report, plan: plan.id, counts: draft.counts }
  checkSize('the report', report, MAX_REPORT_BYTES)
  return finishHeld(parts, attempt, { partial: false }, async (tx, state) => {
    await finishRun(tx, run.id, {
      state,
      reason: null,
      report: { ...asJson(report), ...(verdict === undefined ? {} : { verdict: asJson(verdict) }) },
      lines: draft.lines.slice(0, MAX_LINES),
      error: null,
      rejectedByCode: attempt.rejects.byCode(),
      nowMs,
    })
    return decidePlanned(tx, await insertPlan(tx, plan), { draft, verdict, applies: run.applies, nowMs })
  })
}

/** What becomes of a new plan before any person saw it. */
async function decidePlanned(
  tx: Queryable,
  plan: PlanRow,
  facts: {
    readonly draft: PlanDraft
    readonly verdict: GateVerdict | undefined
    readonly applies: boolean
    readonly nowMs: number
  },
): Promise<RunRow | undefined> {
  const { draft, verdict, applies, nowMs } = facts
  if (draft.nothingToDo) {
    await advancePlan(tx, plan, 'find-nothing', { nowMs })
    return undefined
  }
  const decision = verdict?.decision
  if (decision === 'ask') await advancePlan(tx, plan, 'ask', { nowMs })
  if (decision === 'deny') await advancePlan(tx, plan, 'deny', { nowMs, decision: { by: POLICY, atMs: nowMs } })
  // Asked for a plan only, a plan that passed stays planned until a person approves it.
  if (decision !== 'auto' || !applies) return undefined
  return (await approveLocked(tx, plan, { event: 'pass', by: POLICY, nowMs })).run
}

async function freeze(
  parts: RunnerParts,
  { run, context }: Attempt,
  draft: PlanDraft,
  verdict: GateVerdict | undefined,
): Promise<NewPlan> {
  checkSize('the body of the plan', draft.body, MAX_REPORT_BYTES)
  const nowMs = parts.clock.now()
  const content = {
    job: run.job,
    inputHash: run.inputHash,
    target: run.target,
    counts: draft.counts,
    body: asJson(draft.body),
    artifact: draft.artifact === undefined ? null : artifactPath(context.artifacts, draft.artifact),
    expiresMs: Math.round(draft.expiresAtMs),
  }
  return {
    ...content,
    id: parts.ids.next('plan', nowMs),
    runId: run.id,
    verdict: verdict?.decision ?? null,
    reasons: verdict?.reasons ?? [],
    lines: draft.lines.slice(0, MAX_LINES),
    hash: await planHash(content),
    createdMs: nowMs,
  }
}

/** Carries out an approved plan, or applies at once where the job asks for none. */
export async function runApplyPhase(parts: RunnerParts, attempt: Attempt): Promise<void> {
  const { run, job, context, ledger, rejects } = attempt
  const plan = run.planId === null ? undefined : await beginPlan(parts, attempt, run.planId)
  if (plan !== undefined && job.recheck !== undefined) {
    const second = await job.recheck(plan, context)
    if (!second.holds) throw new PlanDriftedError(plan.id, second.reasons)
  }
  const outcome = await job.run({
    ...context,
    journal: new LedgerJournal(ledger),
    ...(plan === undefined ? {} : { plan }),
  })
  checkSize('the report', outcome.report, MAX_REPORT_BYTES)
  await finishHeld(parts, attempt, { partial: outcome.partial ?? false }, async (tx, state) => {
    const nowMs = parts.clock.now()
    await finishRun(tx, run.id, {
      state,
      reason: null,
      report: asJson(outcome.report),
      lines: linesOf(outcome),
      error: null,
      rejectedByCode: rejects.byCode(),
      nowMs,
    })
    await settlePlan(tx, run, { succeeded: true, nowMs })
  })
}

function linesOf({ lines }: RunOutcome): readonly string[] {
  return lines.slice(0, MAX_LINES)
}

/** Moves the plan to `applying` and gives it as the job sees it. @throws PlanStateError, PlanChangedError */
async function beginPlan(parts: RunnerParts, { run }: Attempt, planId: string): Promise<Plan> {
  const row = await transaction(parts.database, async (tx) => {
    const plan = await lockPlan(tx, planId)
    if (plan === undefined) throw new PlanNotFoundError(planId)
    return advancePlan(tx, plan, 'start', { nowMs: parts.clock.now() })
  })
  const content = { ...row, inputHash: run.inputHash, target: run.target }
  const hash = await planHash(content).catch((error: unknown) => {
    throw new PlanFileMissingError(planId, row.artifact ?? '', error)
  })
  if (hash !== row.hash) throw new PlanChangedError(planId)
  return {
    id: row.id,
    runId: row.runId,
    job: row.job,
    counts: row.counts,
    lines: row.lines,
    body: row.body,
    expiresAtMs: row.expiresMs,
    createdAtMs: row.createdMs,
    nothingToDo: false,
    hash: row.hash,
    ...(row.artifact === null ? {} : { artifact: row.artifact }),
    ...(row.decidedBy === null ? {} : { decidedBy: row.decidedBy }),
  }
}

/** Ends a run that went well, if it is still this worker's and its sums add up. @throws RunTakenOverError, RunBalanceError */
async function finishHeld<T>(
  parts: RunnerParts,
  { run, ledger: { hold }, context: { balance } }: Attempt,
  { partial }: { readonly partial: boolean },
  end: (tx: Queryable, state: 'succeeded' | 'partial') => Promise<T>,
): Promise<T> {
  const counts = balance.snapshot()
  const open = unsettled(counts)
  if (open.records !== 0 || open.proposals !== 0) throw new RunBalanceError(open)
  const state = partial || hasLosses(counts) ? 'partial' : 'succeeded'
  const result = await whileHeld(parts, hold, counts, (tx) => end(tx, state))
  measureEnd(parts, run, state)
  return result
}

/** Runs the last writes of an attempt in a transaction. @throws RunTakenOverError where another worker has the run */
export function whileHeld<T>(
  parts: RunnerParts,
  hold: Hold,
  counts: BalanceCounts,
  write: (tx: Queryable) => Promise<T>,
): Promise<T> {
  return transaction(parts.database, async (tx) => {
    const run = await lockRun(tx, hold.runId)
    if (run?.state !== 'running' || run.attempt !== hold.attempt) throw new RunTakenOverError(hold.runId)
    await writeBalance(tx, hold.runId, counts)
    return write(tx)
  })
}

/** The input as the job's schema has it now. @throws DecodeError where the schema changed since the run was asked for */
export function inputOf(job: JobDefinition, run: RunRow): JobInput {
  return decode(job.input, run.input)
}
