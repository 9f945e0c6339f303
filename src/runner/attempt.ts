/** One attempt of a run, from the claim to its end: plan or apply, and what becomes of an error. */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { HandlerResult } from '../queue/queue-kit.ts'
import type { Logger } from '../observe/logger.ts'
import type { ProgressReport } from '../observe/progress.ts'
import { waitText, type OnWait } from '../client/retry.ts'
import { openRunLog, type RunLog } from '../observe/run-log.ts'
import type { Queryable } from '../store/database.ts'
import { DatabaseUnavailableError } from '../store/errors.ts'
import { finishRun, requeueRun } from '../store/ledger/runs.ts'
import type { FinishedRunState, RunRow } from '../store/ledger/types.ts'
import { evenIfAway } from '../store/patience.ts'
import { LedgerCheckpoints, ledgerMeasurements, LedgerRejects, type AttemptLedger } from './attempt-context.ts'
import { LedgerMemory } from './memory.ts'
import { watchAttempt, type Watch, type WatchSettings } from './attempt-watch.ts'
import { nextAttemptAfterMs } from './back-off.ts'
import { BalanceCounter } from './balance.ts'
import { settlePlan } from './decide.ts'
import type { Connections, JobDefinition } from './define-job.ts'
import { RunCancelledError, RunTakenOverError, storedErrorOf, WorkerStoppingError } from './errors.ts'
import { LedgerPast } from './past.ts'
import { balanceMetrics, measureEnd, paceMeter } from './measure.ts'
import { inputOf, runApplyPhase, runPlanPhase, whileHeld } from './phases.ts'
import type { RunnerParts } from './parts.ts'
import { enqueue } from './submit.ts'

/** What a worker needs besides the runner's parts. */
export interface AttemptSettings extends Omit<WatchSettings, 'deadlineMs'> {
  /** The catalogs of a run that was pointed to this target (a connection's name or a URL; our own when absent). */
  readonly connectionsFor: (target: string | undefined, onWait: OnWait) => Connections
  /** Below it each run has its folder. */
  readonly artifactsFolder: string
  /** For what outlives runs, such as archives; a folder of each run when absent. */
  readonly keepsakesFolder?: string
  /** Between 0 and 1; spreads retries. */
  readonly chance: () => number
}

const DEFAULT_DEADLINE_MS = 6 * 3_600_000
/** Name of a run's log in its folder. */
export const RUN_LOG = 'run.ndjson'
const NOT_BEGUN: ProgressReport = { phase: 'start', done: 0, unit: 'steps' }
const DONE: HandlerResult = { kind: 'done' }

/**
 * Works on a run that was just claimed.
 * @param onWatch is handed the means to stop it, before anything of the job runs
 */
export async function workOnRun(
  parts: RunnerParts,
  { run, job }: { readonly run: RunRow; readonly job: JobDefinition },
  settings: AttemptSettings,
  onWatch: (watch: Watch) => void,
): Promise<HandlerResult> {
  const bindings = { run: run.id, job: run.job, attempt: run.attempt }
  const processLogger = parts.logger.child(bindings)
  const hold = { runId: run.id, attempt: run.attempt }
  const ledger: AttemptLedger = { database: parts.database, clock: parts.clock, hold }
  const balance = new BalanceCounter(balanceMetrics(parts.metrics, run.job))
  const rejects = new LedgerRejects(ledger, balance)
  const pace = paceMeter(parts.metrics, run.job)
  let progress: ProgressReport | undefined
  const watch = watchAttempt(
    { hold, database: parts.database, logger: processLogger, facts: () => ({ progress, balance: balance.snapshot() }) },
    { ...settings, deadlineMs: job.queue?.deadlineMs ?? DEFAULT_DEADLINE_MS },
  )
  onWatch(watch)
  const started = parts.clock.monotonic()
  let log: RunLog | undefined
  try {
    const artifacts = join(settings.artifactsFolder, run.id)
    await mkdir(artifacts, { recursive: true, mode: 0o700 })
    log = openRunLog(join(artifacts, RUN_LOG), parts.logger, bindings)
    const { logger } = log
    const onWait: OnWait = (wait) => {
      if (wait !== undefined) logger.warn({ reason: waitText(wait) }, 'the catalog is asked again')
      const { waiting: _, ...last } = progress ?? NOT_BEGUN
      progress = wait === undefined ? last : { ...last, waiting: waitText(wait) }
    }
    logger.info({ mode: run.mode }, 'run started')
    const context = {
      runId: run.id,
      mode: run.mode,
      attempt: run.attempt,
      input: inputOf(job, run),
      stop: watch.stop,
      // A plan writes nothing, so nobody has to wait for a border.
      signal: run.mode === 'plan' ? watch.stop : watch.signal,
      logger,
      clock: parts.clock,
      progress: {
        report: (report: ProgressReport) => {
          progress = report
          pace.report(report)
        },
      },
      balance,
      rejects,
      connections: settings.connectionsFor(run.target ?? undefined, onWait),
      checkpoints: new LedgerCheckpoints(ledger),
      measurements: ledgerMeasurements(parts.database, run.target ?? undefined),
      past: new LedgerPast(ledger, run.target),
      memory: new LedgerMemory(ledger, run),
      applies: run.applies || run.mode === 'apply',
      artifacts,
      keepsakes: settings.keepsakesFolder ?? join(artifacts, 'keepsakes'),
    }
    const attempt = { run, job, context, ledger, rejects }
    const next = run.mode === 'plan' ? await runPlanPhase(parts, attempt) : await runApplyPhase(parts, attempt)
    logger.info({ durationMs: Math.round(parts.clock.monotonic() - started) }, 'run finished')
    if (next !== undefined) await enqueue(parts, next)
    return DONE
  } catch (error) {
    // Once it was asked to stop, whatever it throws is the way it stops.
    const cause: unknown = watch.stop.aborted ? watch.stop.reason : error
    return await endFailed(parts, {
      run,
      balance,
      rejects,
      error: cause,
      chance: settings.chance(),
      logger: log?.logger ?? processLogger,
    })
  } finally {
    await watch.end()
    log?.close()
  }
}

/** Gives the run back, lets it be tried again, or ends it. */
async function endFailed(
  parts: RunnerParts,
  failure: {
    readonly run: RunRow
    readonly balance: BalanceCounter
    readonly rejects: LedgerRejects
    readonly error: unknown
    readonly chance: number
    readonly logger: Logger
  },
): Promise<HandlerResult> {
  const { run, balance, rejects, error, chance, logger } = failure
  const hold = { runId: run.id, attempt: run.attempt }
  if (error instanceof RunTakenOverError) {
    logger.warn('run was taken over by another worker')
    return DONE
  }
  const stored = storedErrorOf(error)
  const nowMs = parts.clock.now()
  const stopping = error instanceof WorkerStoppingError
  // Without its ledger a run can go on nowhere: that the database was away is no failure of the job.
  const away = error instanceof DatabaseUnavailableError
  const afterMs = stopping ? 0 : nextAttemptAfterMs(error, away ? { failures: 0, maxAttempts: 2 } : run, chance)
  // Often it is the database that broke the attempt; unsettled, the run would wait until its lease is over.
  const settle = (record: (tx: Queryable) => Promise<void>) =>
    evenIfAway(() => whileHeld(parts, hold, balance.snapshot(), record))
  try {
    if (afterMs !== undefined) {
      await settle((tx) =>
        requeueRun(tx, run.id, {
          outcome: stopping || away ? 'stopped' : 'failed',
          error: stopping ? null : stored,
          reason: stopping ? 'its worker stopped' : `waits for another attempt: ${stored.message}`,
          notBeforeMs: nowMs + afterMs,
          nowMs,
        }),
      )
      if (stopping) logger.info('run given back: its worker stops')
      else {
        parts.metrics.attemptsFailed.inc({ job: run.job, code: stored.code })
        logger.warn({ err: error, afterMs }, 'attempt failed, another follows')
      }
      return { kind: 'again', afterMs }
    }
    const state: FinishedRunState = error instanceof RunCancelledError ? 'cancelled' : 'failed'
    await settle(async (tx) => {
      await finishRun(tx, run.id, {
        state,
        reason: state === 'cancelled' ? stored.message : null,
        report: null,
        lines: [],
        error: stored,
        rejectedByCode: rejects.byCode(),
        nowMs,
      })
      await settlePlan(tx, run, { succeeded: false, outcome: stored.message, nowMs })
    })
    measureEnd(parts, run, state)
    if (state === 'cancelled') logger.info({ reason: stored.message }, 'run cancelled')
    // What the user handed in is wrong: told where it was asked for, and nothing that whoever runs the worker can mend.
    else logger[stored.badInput === true ? 'info' : 'error']({ err: error }, 'run failed')
    return DONE
  } catch (lost) {
    if (lost instanceof RunTakenOverError) return DONE
    throw lost
  }
}
