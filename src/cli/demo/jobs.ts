/** The demo's runs: submitted like any other, waited for, and told as the views show them. */
import type { JsonObject } from '../../model/json.ts'
import type { Progress } from '../../observe/progress.ts'
import { cancelRun } from '../../runner/cancel.ts'
import type { Reject } from '../../runner/define-job.ts'
import type { RunnerParts } from '../../runner/parts.ts'
import { submitRun } from '../../runner/submit.ts'
import { waitForRun } from '../../runner/wait.ts'
import { lettersOfRun } from '../../store/ledger/run-letters.ts'
import type { RunRow, StoredError } from '../../store/ledger/types.ts'
import type { RunView } from '../show/run-table.ts'

export interface DemoJob {
  /** What the table of runs calls it. */
  readonly label: string
  readonly job: string
  readonly input: JsonObject
}

export interface DemoRun extends RunView {
  readonly lines: readonly string[]
  readonly error: StoredError | null
}

const MOST_REJECTS = 50

/** Carries one job out through the queue. A signal cancels the run and waits for its end. */
export async function carryOut(
  parts: RunnerParts,
  { label, job, input }: DemoJob,
  { signal, progress }: { readonly signal: AbortSignal; readonly progress: Progress },
): Promise<DemoRun> {
  signal.throwIfAborted()
  const submitted = await submitRun(parts, { job, input, mode: 'apply', requestedBy: 'demo' })
  const cancel = () =>
    void cancelRun(parts, submitted.id, 'demo').catch((err: unknown) => {
      parts.logger.warn({ err, run: submitted.id }, 'run not cancelled')
    })
  signal.addEventListener('abort', cancel)
  try {
    const { run, applied } = await waitForRun(parts, submitted.id, {
      signal: new AbortController().signal,
      onChange: (row) => {
        if (row.progress !== null) progress.report(row.progress)
      },
    })
    signal.throwIfAborted()
    return await viewOf(parts, label, run, applied)
  } finally {
    signal.removeEventListener('abort', cancel)
  }
}

async function viewOf(parts: RunnerParts, label: string, run: RunRow, applied: RunRow | undefined): Promise<DemoRun> {
  const last = applied ?? run
  const letters = await lettersOfRun(parts.database, last, MOST_REJECTS)
  const rejects = letters.map(({ code, reason, place, entityUrn }): Reject => {
    return { code, message: reason, place: place ?? { path: entityUrn ?? '' } }
  })
  return {
    label,
    state: last.state,
    balance: last.balance,
    durationMs: (last.finishedMs ?? last.createdMs) - run.createdMs,
    rejects,
    lines: last.lines,
    error: last.error,
  }
}
