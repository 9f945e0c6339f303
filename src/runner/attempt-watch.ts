/**
 * Watches over one attempt: says that the worker lives, and tells the job to stop when a person cancels, its time is up,
 * the worker stops, or another worker has taken over. `stop` asks for the next batch border; `signal` ends everything,
 * at once or when the job did not reach a border in time.
 */
import { setInterval as every, setTimeout as after } from 'node:timers/promises'
import type { Logger } from '../observe/logger.ts'
import type { ProgressReport } from '../observe/progress.ts'
import type { Database } from '../store/database.ts'
import { heartbeat, type Hold } from '../store/ledger/runs.ts'
import type { BalanceCounts } from './define-job.ts'
import { RunCancelledError, RunDeadlineError, RunTakenOverError, WorkerStoppingError } from './errors.ts'
import { asJson } from './parts.ts'

export interface WatchSettings {
  readonly heartbeatMs: number
  /** Without a heartbeat for this long others take the run. */
  readonly leaseMs: number
  readonly deadlineMs: number
  /** How long after `stop` everything ends. */
  readonly graceMs: number
}

export interface Watch {
  readonly stop: AbortSignal
  readonly signal: AbortSignal
  /** The worker stops: give the run back at the next border. */
  giveBack(): void
  /** Ends everything at once; the run is given back. */
  abandon(): void
  /** The attempt is over; resolves when nothing of the watch is under way. */
  end(): Promise<void>
}

export interface Watched {
  readonly hold: Hold
  readonly database: Database
  readonly logger: Logger
  readonly facts: () => { readonly progress: ProgressReport | undefined; readonly balance: BalanceCounts }
}

export function watchAttempt({ hold, database, logger, facts }: Watched, settings: WatchSettings): Watch {
  const stop = new AbortController()
  const hard = new AbortController()
  const over = new AbortController()
  const tasks: Promise<void>[] = []

  function spawn(task: () => Promise<void>): void {
    tasks.push(
      task().catch((err: unknown) => {
        if (!over.signal.aborted) logger.error({ err }, 'watch of a run failed')
      }),
    )
  }

  function askToStop(reason: Error): void {
    if (stop.signal.aborted) return
    stop.abort(reason)
    spawn(async () => {
      await after(settings.graceMs, undefined, { signal: over.signal })
      hard.abort(reason)
    })
  }

  function endAll(reason: Error): void {
    stop.abort(reason)
    hard.abort(reason)
  }

  async function beat(): Promise<void> {
    const { progress, balance } = facts()
    const answer = await heartbeat(database, hold, {
      progress: progress === undefined ? null : asJson(progress),
      balance,
    })
    if (over.signal.aborted) return
    if (answer === undefined) endAll(new RunTakenOverError(hold.runId))
    else if (answer.cancelRequestedBy !== null) askToStop(new RunCancelledError(answer.cancelRequestedBy))
  }

  async function keepBeating(): Promise<void> {
    let lastHeard = performance.now()
    for await (const _ of every(settings.heartbeatMs, undefined, { signal: over.signal })) {
      try {
        await beat()
        lastHeard = performance.now()
      } catch (err) {
        logger.warn({ err }, 'heartbeat failed')
        // Somebody else may have the run by now: a second writer is worse than an attempt for nothing.
        if (performance.now() - lastHeard > settings.leaseMs) endAll(new RunTakenOverError(hold.runId))
      }
    }
  }

  async function keepTime(): Promise<void> {
    await after(settings.deadlineMs, undefined, { signal: over.signal })
    askToStop(new RunDeadlineError(settings.deadlineMs))
  }

  spawn(keepBeating)
  spawn(keepTime)
  return {
    stop: stop.signal,
    signal: hard.signal,
    giveBack: () => askToStop(new WorkerStoppingError()),
    abandon: () => endAll(new WorkerStoppingError()),
    end: async () => {
      over.abort()
      await Promise.all(tasks)
    },
  }
}
