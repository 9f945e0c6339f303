import type { Queryable } from '../database.ts'
import { findDeadLetters, type DeadLetterFilter } from './journal.ts'
import { readPlan } from './plans.ts'
import type { DeadLetterRow, RunRow } from './types.ts'

type RunOfLetters = Pick<RunRow, 'id' | 'planId'>

/**
 * What a run rejected, and what of it was refused or given up. A run that carries a plan out does not read the input
 * again: what was rejected there is kept by the run that made the plan, and listed with this one too.
 */
export async function lettersOfRun(
  db: Queryable,
  run: RunOfLetters,
  limit: number,
  narrow: Pick<DeadLetterFilter, 'code' | 'open'> = { open: false },
): Promise<readonly DeadLetterRow[]> {
  const find = (filter: Omit<DeadLetterFilter, 'open'>): Promise<readonly DeadLetterRow[]> =>
    findDeadLetters(db, { ...filter, ...narrow }, { after: 0, limit })
  const own = await find({ runId: run.id })
  const planning = await planningRunOf(db, run)
  if (planning === run.id || own.some(isRejected)) return own
  return [...(await find({ runId: planning, outcomes: ['rejected'] })), ...own].slice(0, limit)
}

/** The run that read the input: the one that made the plan, or the run itself. */
export async function planningRunOf(db: Queryable, { id, planId }: RunOfLetters): Promise<string> {
  const plan = planId === null ? undefined : await readPlan(db, planId)
  return plan?.runId ?? id
}

function isRejected({ outcome }: DeadLetterRow): boolean {
  return outcome === 'rejected'
}
