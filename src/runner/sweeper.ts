/**
 * Makes the queue and the world agree with the ledger, again and again, in every process that has workers: the passes of
 * several do not harm each other. What it finds:
 *
 *   a running run whose worker went silent      → stalled, put into the queue anew for another worker
 *   a waiting run that the queue does not have  → put into the queue (it was flushed, or away when the run was asked for)
 *   a plan that nobody began in time            → expired
 *   jobs that ended in the queue                → forgotten there
 */
import type { Closable } from '../observe/resources.ts'
import { overdueRuns, silentRuns, type OverdueRun } from '../store/ledger/runs.ts'
import { carrierOf } from './carrier.ts'
import { stallIfSilent, type LeaseSettings } from './claim-run.ts'
import { expirePlans } from './decide.ts'
import type { RunnerParts } from './parts.ts'
import { repeatUntilClosed } from './repeat.ts'
import { enqueue } from './submit.ts'

export interface SweepSettings extends LeaseSettings {
  readonly intervalMs: number
  /** How long a run may wait before the queue is asked whether it still has it. */
  readonly overdueMs: number
  /** How long the queue remembers jobs that ended. */
  readonly keepEndedMs: number
}

export const SWEEP_DEFAULTS = { intervalMs: 5_000, overdueMs: 30_000, keepEndedMs: 3_600_000 } as const

/** Rows that one pass looks at, of each kind. */
const PASS_LIMIT = 200

export interface SweepReport {
  readonly stalled: number
  readonly requeued: number
  readonly expired: number
  /** Where the next pass goes on among the waiting runs. */
  readonly reached: OverdueRun | undefined
}

/** One pass. */
export async function sweep(parts: RunnerParts, settings: SweepSettings, from?: OverdueRun): Promise<SweepReport> {
  const stalled = await sweepSilent(parts, settings)
  const expired = await expirePlans(parts, PASS_LIMIT)
  const waiting = await overdueRuns(parts.database, parts.clock.now() - settings.overdueMs, PASS_LIMIT, from)
  let requeued = 0
  for (const run of waiting) {
    const added = await parts.queues.ensure(run.job, carrierOf(run))
    if (!added) continue
    requeued++
    parts.logger.warn({ run: run.id, job: run.job }, 'run put back into the queue')
  }
  await forgetEnded(parts, settings)
  return { stalled, requeued, expired, reached: waiting.length < PASS_LIMIT ? undefined : waiting.at(-1) }
}

async function sweepSilent(parts: RunnerParts, settings: SweepSettings): Promise<number> {
  let stalled = 0
  for (const id of await silentRuns(parts.database, settings.leaseMs, PASS_LIMIT)) {
    const run = await stallIfSilent(parts, id, settings)
    if (run === undefined) continue
    stalled++
    parts.metrics.runsStalled.inc({ job: run.job })
    parts.logger.warn({ run: id, worker: run.worker }, 'run lost its worker')
    await enqueue(parts, run)
  }
  return stalled
}

/** Redis forgets by itself. */
async function forgetEnded(parts: RunnerParts, settings: SweepSettings): Promise<void> {
  if (parts.queues.kind === 'redis') return
  for (const name of parts.jobs.names) await parts.queues.clean(name, settings.keepEndedMs)
}

/** Sweeps until it is closed; a pass that fails is logged and the next one tries again. */
export function openSweeper(parts: RunnerParts, settings: SweepSettings): Closable {
  let reached: OverdueRun | undefined
  const once = async (): Promise<void> => {
    reached = (await sweep(parts, settings, reached)).reached
  }
  return repeatUntilClosed(once, {
    intervalMs: settings.intervalMs,
    onError: (err) => parts.logger.warn({ err }, 'sweep failed, the next one follows'),
  })
}
