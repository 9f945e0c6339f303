/**
 * The workers of one process: one for each job's queue, all together bounded. Stopping: the first time runs end at their
 * next batch border and go back to the queue; the second time at once.
 */
import pLimit from 'p-limit'
import type { JsonObject } from '../model/json.ts'
import type { Closable } from '../observe/resources.ts'
import type { HandlerResult } from '../queue/queue-kit.ts'
import { workOnRun, type AttemptSettings } from './attempt.ts'
import type { Watch } from './attempt-watch.ts'
import { carriedBy } from './carrier.ts'
import { claimRun, type LeaseSettings } from './claim-run.ts'
import type { JobDefinition } from './define-job.ts'
import type { RunnerParts } from './parts.ts'

export interface WorkersOptions extends AttemptSettings, LeaseSettings {
  /** Shown with each attempt, for example `host.4711`. */
  readonly worker: string
  /** Runs at once in this process, over all jobs. */
  readonly concurrency: number
  /** Instead of the jobs' own; for tests that do not want to wait. */
  readonly lockDurationMs?: number | undefined
  /** Instead of this program's own; for tests of versions side by side. */
  readonly protocol?: number
}

/** The safe values of what a composition does not set. */
export const WORKER_DEFAULTS = {
  heartbeatMs: 1_000,
  leaseMs: 30_000,
  maxStalls: 3,
  graceMs: 20_000,
} as const
/** Of jobs that do not say how long the queue keeps a run for a worker that gives no sign. */
const LOCK_MS = 60_000

export interface Workers extends Closable {
  /** Ids of the runs under way. */
  running(): readonly string[]
  /** False once it was told to stop. */
  isWorking(): boolean
  /** Takes nothing new, lets runs end at their next batch border and gives them back; resolves when all are out. */
  close(): Promise<void>
  /** Ends what is under way at once; to be called besides `close`. */
  abandon(): void
}

const RETURNED: HandlerResult = { kind: 'again', afterMs: 0 }
const DONE: HandlerResult = { kind: 'done' }

export async function openWorkers(parts: RunnerParts, options: WorkersOptions): Promise<Workers> {
  const limit = pLimit(options.concurrency)
  const watches = new Map<string, Watch>()
  let stopping = false

  async function handle(job: JobDefinition, payload: JsonObject): Promise<HandlerResult> {
    if (stopping) return RETURNED
    const carried = carriedBy(payload)
    if (carried === undefined) return DONE
    const { runId } = carried
    const claim = await claimRun(parts, carried, options)
    if (claim.kind === 'drop') return DONE
    if (claim.kind === 'wait') return { kind: 'again', afterMs: claim.afterMs }
    try {
      return await workOnRun(parts, { run: claim.run, job }, options, (watch) => {
        watches.set(runId, watch)
        if (stopping) watch.giveBack()
      })
    } finally {
      watches.delete(runId)
    }
  }

  const workers = await Promise.all(
    parts.jobs.all().map((job) =>
      // A job that waits for its turn here keeps its lock; the queue would hand it to this process again anyway.
      parts.queues.work(job.name, ({ payload }) => limit(() => handle(job, payload)), {
        concurrency: job.queue?.concurrency ?? 1,
        lockDurationMs: options.lockDurationMs ?? job.queue?.lockDurationMs ?? LOCK_MS,
      }),
    ),
  )

  async function close(): Promise<void> {
    stopping = true
    for (const watch of watches.values()) watch.giveBack()
    await Promise.all(workers.map((worker) => worker.close()))
  }

  let closing: Promise<void> | undefined
  return {
    running: () => [...watches.keys()],
    isWorking: () => !stopping,
    close: () => (closing ??= close()),
    abandon: () => {
      for (const watch of watches.values()) watch.abandon()
    },
  }
}
