import { setTimeout as sleep } from 'node:timers/promises'
import { readPlanOfRun } from '../store/ledger/plans.ts'
import { readRun } from '../store/ledger/runs.ts'
import { isFinished, type PlanRow, type RunRow } from '../store/ledger/types.ts'
import { evenIfAway } from '../store/patience.ts'
import { RunNotFoundError } from './errors.ts'
import type { RunnerParts } from './parts.ts'

const FIRST_LOOK_MS = 20
const LONGEST_LOOK_MS = 250

export interface WaitOptions {
  readonly signal: AbortSignal
  /** Called with each state that was seen, the last one included. */
  readonly onChange?: (run: RunRow) => void
}

/** How a run ended, with what came of it. */
export interface RunEnding {
  readonly run: RunRow
  /** The plan that it made. */
  readonly plan?: PlanRow
  /** The end of the run that carried the plan out, where it was approved by then. */
  readonly applied?: RunRow
}

/**
 * Waits for the end of a run, and of the run that carries its plan out if one was let loose. Reads rows only, since
 * events of a queue may be lost; looks often at first, then four times a second.
 * @throws RunNotFoundError, and the signal's reason
 */
export async function waitForRun(
  parts: Pick<RunnerParts, 'database'>,
  id: string,
  options: WaitOptions,
): Promise<RunEnding> {
  const run = await waitForEnd(parts, id, options)
  if (run.mode !== 'plan') return { run }
  const plan = await readPlanOfRun(parts.database, id)
  if (plan === undefined) return { run }
  if (plan.applyRunId === null) return { run, plan }
  const applied = await waitForEnd(parts, plan.applyRunId, options)
  return { run, plan: (await readPlanOfRun(parts.database, id)) ?? plan, applied }
}

async function waitForEnd(
  parts: Pick<RunnerParts, 'database'>,
  id: string,
  { signal, onChange }: WaitOptions,
): Promise<RunRow> {
  for (let lookMs = FIRST_LOOK_MS; ; lookMs = Math.min(lookMs * 1.5, LONGEST_LOOK_MS)) {
    signal.throwIfAborted()
    const run = await evenIfAway(() => readRun(parts.database, id))
    if (run === undefined) throw new RunNotFoundError(id)
    onChange?.(run)
    if (isFinished(run.state)) return run
    await sleep(lookMs, undefined, { signal })
  }
}
