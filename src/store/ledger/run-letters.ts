import type { Queryable } from '../database.ts'
import { listDeadLetters } from './journal.ts'
import { readPlan } from './plans.ts'
import type { DeadLetterRow, RunRow } from './types.ts'

/**
 * What a run rejected, and what of it was refused or given up. A run that carries a plan out does not read the input
 * again: what was rejected there is kept by the run that made the plan, and listed with this one too.
 */
export async function lettersOfRun(
  db: Queryable,
  { id, planId }: Pick<RunRow, 'id' | 'planId'>,
  limit: number,
): Promise<readonly DeadLetterRow[]> {
  const own = await listDeadLetters(db, id, limit)
  const plan = planId === null ? undefined : await readPlan(db, planId)
  if (plan === undefined || plan.runId === id || own.some(isRejected)) return own
  const planned = await listDeadLetters(db, plan.runId, limit)
  return [...planned.filter(isRejected), ...own].slice(0, limit)
}

function isRejected({ outcome }: DeadLetterRow): boolean {
  return outcome === 'rejected'
}
