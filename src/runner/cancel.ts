import { transaction } from '../store/database.ts'
import { finishRun, lockRun, requestCancel } from '../store/ledger/runs.ts'
import { isFinished, type RunRow } from '../store/ledger/types.ts'
import { carrierId } from './carrier.ts'
import { settlePlan } from './decide.ts'
import { RunCancelledError, RunNotFoundError, RunStateError, storedErrorOf } from './errors.ts'
import { measureEnd } from './measure.ts'
import type { RunnerParts } from './parts.ts'

/**
 * Cancels a run, wherever it is: one that waits ends at once; the worker of a running one reads the request with its next
 * heartbeat and ends it at a batch border.
 * @returns the run as it was found, and whether it has ended already
 * @throws RunNotFoundError, RunStateError
 */
export async function cancelRun(
  parts: RunnerParts,
  id: string,
  person: string,
): Promise<{ readonly run: RunRow; readonly ended: boolean }> {
  const nowMs = parts.clock.now()
  const result = await transaction(parts.database, async (tx) => {
    const run = await lockRun(tx, id)
    if (run === undefined) throw new RunNotFoundError(id)
    if (isFinished(run.state)) throw new RunStateError(`run ${id} has ended: ${run.state}`)
    await requestCancel(tx, id, { person, nowMs })
    if (run.state === 'running') return { run, ended: false }
    const error = new RunCancelledError(person)
    await finishRun(tx, id, {
      state: 'cancelled',
      reason: error.message,
      report: null,
      lines: [],
      error: storedErrorOf(error),
      rejectedByCode: {},
      nowMs,
    })
    await settlePlan(tx, run, { succeeded: false, outcome: error.message, nowMs })
    return { run, ended: true }
  })
  parts.logger.info({ run: id, by: person, ended: result.ended }, 'run cancelled')
  if (result.ended) measureEnd(parts, result.run, 'cancelled')
  if (result.ended) await parts.queues.remove(result.run.job, carrierId(id, result.run.carrier)).catch(() => undefined)
  return result
}
