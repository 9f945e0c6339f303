/**
 * Asking for a run: a row first, then a job in the queue that carries the row's id. Where the queue is away the row waits
 * and the sweeper adds the job later, so asking succeeds as soon as the row is there.
 */
import { decode } from '../model/decode.ts'
import { readPlan } from '../store/ledger/plans.ts'
import { insertRun, readRun } from '../store/ledger/runs.ts'
import type { NewRun, RunRow, RunTrigger } from '../store/ledger/types.ts'
import { carrierOf, RUN_PROTOCOL, type Carried } from './carrier.ts'
import type { JobDefinition, JobInput, RunMode } from './define-job.ts'
import { JobWithoutPlanError, RunNotFoundError, RunStateError } from './errors.ts'
import { asJson, fingerprint, type RunnerParts } from './parts.ts'

/** Attempts of a run whose job does not say how many. */
const DEFAULT_ATTEMPTS = 3

export interface RunRequest {
  readonly job: string
  readonly input: unknown
  /** What the job does by hand when absent. */
  readonly mode?: RunMode | undefined
  /** The catalog to write to: the name of a connection or a URL; our own when absent. */
  readonly target?: string | undefined
  readonly requestedBy?: string | undefined
}

/**
 * @throws UnknownJobError, JobWithoutPlanError
 * @throws DecodeError where the input is not what the job's schema asks for
 */
export async function submitRun(parts: RunnerParts, request: RunRequest): Promise<RunRow> {
  const job = parts.jobs.get(request.job)
  const nowMs = parts.clock.now()
  const run = newRun(job, {
    id: parts.ids.next('run', nowMs),
    input: decode(job.input, request.input),
    mode: request.mode ?? job.byHand,
    trigger: 'hand',
    nowMs,
    requestedBy: request.requestedBy ?? null,
    target: request.target ?? null,
  })
  const row = await insertRun(parts.database, run)
  if (row === undefined) throw new RunStateError(`there is a run ${run.id} already`)
  await enqueue(parts, row)
  return row
}

/** Runs a finished run's job once more, with the same input. @throws RunNotFoundError, RunStateError */
export async function retryRun(parts: RunnerParts, id: string, requestedBy: string): Promise<RunRow> {
  const old = await readRun(parts.database, id)
  if (old === undefined) throw new RunNotFoundError(id)
  if (old.finishedMs === null) {
    throw new RunStateError(`run ${id} is ${old.state}`, { remedy: 'wait for its end, or cancel it' })
  }
  if (old.planId !== null) {
    const plan = await readPlan(parts.database, old.planId)
    throw new RunStateError(`run ${id} carried out plan ${old.planId}, and a plan is carried out once`, {
      remedy: `make a new one: headwater runs retry ${plan?.runId ?? '<the run that planned>'}; what this run wrote already is left as it is`,
    })
  }
  const nowMs = parts.clock.now()
  const again: NewRun = {
    ...newRun(parts.jobs.get(old.job), {
      id: parts.ids.next('run', nowMs),
      input: decode(parts.jobs.get(old.job).input, old.input),
      mode: old.applies ? 'apply' : old.mode,
      trigger: 'retry',
      nowMs,
      requestedBy,
      target: old.target,
    }),
    retryOf: old.id,
    resources: old.resources,
  }
  const row = await insertRun(parts.database, again)
  if (row === undefined) throw new RunStateError(`there is a run ${again.id} already`)
  await enqueue(parts, row)
  return row
}

/** Puts a run into the queue; where that fails, the sweeper does it later. */
export async function enqueue(parts: RunnerParts, run: Carried): Promise<void> {
  try {
    await parts.queues.add(run.job, carrierOf(run))
  } catch (err) {
    parts.logger.warn({ err, run: run.id, job: run.job }, 'run not queued yet, the sweeper will')
  }
}

/** Puts runs into the queue, all of one job at once; where that fails, the sweeper does it later. */
export async function enqueueAll(parts: RunnerParts, runs: readonly Carried[]): Promise<void> {
  for (const [job, own] of Map.groupBy(runs, (run) => run.job)) {
    try {
      await parts.queues.addAll(job, own.map(carrierOf))
    } catch (err) {
      parts.logger.warn({ err, job, runs: own.length }, 'runs not queued yet, the sweeper will')
    }
  }
}

/**
 * The row of a run that does what was asked for: a job with a check is planned first, and goes on to apply where the
 * gate lets it; a job without one applies at once.
 * @throws JobWithoutPlanError
 */
export function newRun(
  job: JobDefinition,
  asked: {
    readonly id: string
    /** Decoded by the job's schema. */
    readonly input: JobInput
    readonly mode: RunMode
    readonly trigger: RunTrigger
    readonly nowMs: number
    readonly requestedBy: string | null
    readonly target: string | null
  },
): NewRun {
  if (asked.mode === 'plan' && job.plan === undefined) throw new JobWithoutPlanError(job.name)
  const input = asJson(asked.input)
  const gated = job.plan !== undefined && job.check !== undefined
  const mode = gated ? 'plan' : asked.mode
  return {
    id: asked.id,
    job: job.name,
    mode,
    applies: mode === 'plan' && asked.mode === 'apply',
    trigger: asked.trigger,
    requestedBy: asked.requestedBy,
    scheduleId: null,
    slotMs: null,
    planId: null,
    retryOf: null,
    target: asked.target,
    resources: job.resources?.(asked.input) ?? [],
    input,
    inputHash: fingerprint(input),
    maxAttempts: job.queue?.attempts ?? DEFAULT_ATTEMPTS,
    protocol: RUN_PROTOCOL,
    createdMs: asked.nowMs,
  }
}
