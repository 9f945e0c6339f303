import { diskFull, HeadwaterError } from '../model/errors.ts'
import { didYouMean } from '../model/near.ts'
import type { StoredError } from '../store/ledger/types.ts'

/** No job has this name. */
export class UnknownJobError extends HeadwaterError {
  readonly code = 'JOB_UNKNOWN'
  override readonly badInput = true

  constructor(name: string, known: readonly string[]) {
    super(`there is no job ${JSON.stringify(name)}${didYouMean(name, known)}`, {
      remedy: `the jobs are ${known.join(', ')}`,
    })
  }
}

/** A module of the configuration's `jobs` cannot be used. */
export class JobModuleError extends HeadwaterError {
  readonly code = 'JOB_MODULE'
  override readonly badInput = true

  constructor(module: string, reason: string, cause?: unknown) {
    super(`the job module ${module} cannot be used: ${reason}`, {
      cause,
      remedy: 'a job module exports one job as default, or a list of them; each is made by defineJob',
    })
  }
}

/** A job was asked for a plan and makes none. */
export class JobWithoutPlanError extends HeadwaterError {
  readonly code = 'JOB_WITHOUT_PLAN'
  override readonly badInput = true

  constructor(job: string) {
    super(`the job ${job} makes no plan`, { remedy: 'run it with --apply' })
  }
}

export class RunNotFoundError extends HeadwaterError {
  readonly code = 'RUN_NOT_FOUND'
  override readonly badInput = true

  constructor(runId: string) {
    super(`there is no run ${JSON.stringify(runId)}`, { remedy: 'headwater runs lists them' })
  }
}

/** An earlier run wrote to another catalog than the one that this run is pointed to. */
export class OtherCatalogError extends HeadwaterError {
  readonly code = 'OTHER_CATALOG'
  override readonly badInput = true

  constructor(runId: string, theirs: string | null, ours: string | null) {
    super(`run ${runId} wrote to ${theirs ?? 'our own catalog'}, not to ${ours ?? 'our own catalog'}`, {
      remedy: 'use headwater undo and headwater dead replay, which go to the catalog of the run by themselves',
    })
  }
}

/** The run is known, and its log is not on this machine. */
export class RunLogNotFoundError extends HeadwaterError {
  readonly code = 'RUN_LOG_NOT_FOUND'
  override readonly badInput = true

  constructor(id: string, worker: string | null) {
    const where = worker === null ? 'it has not begun' : `its worker was ${worker}`
    super(`there is no log of run ${id} in this data folder: ${where}`, {
      remedy: 'ask on the machine whose worker ran it, with its --data',
    })
  }
}

export class PlanNotFoundError extends HeadwaterError {
  readonly code = 'PLAN_NOT_FOUND'
  override readonly badInput = true

  constructor(planId: string) {
    super(`there is no plan ${JSON.stringify(planId)}`, { remedy: 'headwater plans lists them' })
  }
}

/** A plan is in a state in which this cannot be done to it. */
export class PlanStateError extends HeadwaterError {
  readonly code = 'PLAN_STATE'

  constructor(planId: string, reason: string) {
    super(`plan ${planId}: ${reason}`, { remedy: 'a new run makes a new plan' })
  }
}

/** A run is in a state in which this cannot be done to it. */
export class RunStateError extends HeadwaterError {
  readonly code = 'RUN_STATE'
}

/** The stored plan is not the one that was approved. */
export class PlanChangedError extends HeadwaterError {
  readonly code = 'PLAN_CHANGED'

  constructor(planId: string) {
    super(`plan ${planId} or its artifact was changed after it was made`, { remedy: 'plan again' })
  }
}

/** The file with a plan's changes is not where this worker looks for it. Another worker may have it. */
export class PlanFileMissingError extends HeadwaterError {
  readonly code = 'PLAN_FILE_MISSING'
  override readonly retryable = true

  constructor(planId: string, path: string, cause: unknown) {
    super(`the changes of plan ${planId} cannot be read on this machine: ${path}`, {
      cause,
      remedy: 'give the workers of all machines one data folder (a shared disk), or make the plan again',
    })
  }
}

/** The second look found that what was approved is no longer so. */
export class PlanDriftedError extends HeadwaterError {
  readonly code = 'PLAN_DRIFTED'

  constructor(planId: string, reasons: readonly string[]) {
    super(`plan ${planId} no longer holds: ${reasons.join('; ')}`, { remedy: 'plan again and look at the difference' })
  }
}

/** A person cancelled the run. */
export class RunCancelledError extends HeadwaterError {
  readonly code = 'RUN_CANCELLED'

  constructor(person: string) {
    super(person === '' ? 'the run was cancelled' : `the run was cancelled by ${person}`)
  }
}

/** An attempt took longer than its job allows. */
export class RunDeadlineError extends HeadwaterError {
  readonly code = 'RUN_DEADLINE'

  constructor(deadlineMs: number) {
    super(`the run took longer than ${deadlineMs / 1000} s`, {
      remedy: 'give the job less to do at once, or a longer deadline in its queue settings',
    })
  }
}

/** The worker process is asked to stop; the run goes back to the queue. */
export class WorkerStoppingError extends HeadwaterError {
  readonly code = 'WORKER_STOPPING'
  override readonly retryable = true

  constructor() {
    super('the worker stops')
  }
}

/** Another worker has taken the run over; this one must not write any more. */
export class RunTakenOverError extends HeadwaterError {
  readonly code = 'RUN_TAKEN_OVER'

  constructor(runId: string) {
    super(`run ${runId} is no longer held by this worker`)
  }
}

/** Workers died with this run too often. */
export class WorkerLostError extends HeadwaterError {
  readonly code = 'WORKER_LOST'

  constructor(stalls: number) {
    super(`the run lost its worker ${stalls === 1 ? 'once' : `${stalls} times`}`, {
      remedy: 'look for out-of-memory kills; CPU-bound work belongs into worker threads',
    })
  }
}

/** A job ended well with sums that do not add up: something was lost. */
export class RunBalanceError extends HeadwaterError {
  readonly code = 'RUN_BALANCE'

  constructor(unsettled: { readonly records: number; readonly proposals: number }) {
    super(
      `the run does not add up: ${unsettled.records} records and ${unsettled.proposals} proposals are unaccounted for`,
      { remedy: 'this is a fault of the job; please report it with the run' },
    )
  }
}

/** A report, plan or checkpoint is too large for its row. */
export class ResultTooLargeError extends HeadwaterError {
  readonly code = 'RESULT_TOO_LARGE'

  constructor(what: string, bytes: number, limit: number) {
    super(`${what} has ${bytes} bytes of JSON, more than ${limit}`, { remedy: 'write it to a file below `artifacts`' })
  }
}

/** An error as it is kept in a row: code and sentence, no stack. */
export function storedErrorOf(error: unknown): StoredError {
  if (!(error instanceof HeadwaterError)) {
    const message = error instanceof Error ? error.message : String(error)
    const full = diskFull(error)
    return full === undefined ? { code: 'UNEXPECTED', message, retryable: false } : storedErrorOf(full)
  }
  const { code, message, remedy, retryable, badInput } = error
  return { code, message, retryable, badInput, ...(remedy === undefined ? {} : { remedy }) }
}
