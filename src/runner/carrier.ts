/**
 * The job that carries a run through the queue. A run whose worker died gets a new one at once: the queue hands the old
 * one out again only when its lock has run out, a minute later, and then it is dropped. Workers of neighbouring versions
 * may stand side by side: each run says which protocol its worker must know.
 */
import type { JsonObject } from '../model/json.ts'
import type { NewJob } from '../queue/queue-kit.ts'
import type { RunRow } from '../store/ledger/types.ts'

/**
 * What scheduler, ledger and worker must agree on: how a run's row and its job's input are read. Goes up by one when a
 * worker of the version before could not carry out what this version asks for; such runs then wait for a newer worker.
 */
export const RUN_PROTOCOL = 1

export type Carried = Pick<RunRow, 'id' | 'job' | 'carrier'>

/** What the queue is given for a run. */
export function carrierOf({ id, carrier }: Carried): NewJob {
  return { id: carrierId(id, carrier), payload: { run: id, carrier } }
}

/** Id in the queue of the job that carries a run now. */
export function carrierId(runId: string, carrier: number): string {
  return carrier === 0 ? runId : `${runId}.again-${carrier}`
}

/** Which run a job of the queue carries; undefined where it is none of ours. */
export function carriedBy(payload: JsonObject): { readonly runId: string; readonly carrier: number } | undefined {
  const { run, carrier } = payload
  if (typeof run !== 'string') return undefined
  return { runId: run, carrier: typeof carrier === 'number' ? carrier : 0 }
}
