/**
 * Carries out one step of an approved plan: truncate with the frozen cut-off, follow the task to its end, count again.
 * Safe to repeat at any point, since the cut-off does not move.
 */
import type { CatalogClient } from '../client/catalog-client.ts'
import type { TruncateRequest } from '../client/operations.ts'
import { pause } from '../client/retry.ts'
import { HeadwaterError } from '../model/errors.ts'
import type { JsonObject } from '../model/json.ts'
import type { Clock } from '../observe/clock.ts'
import type { Step } from './plan.ts'

/** A truncation that did not do what it should. */
class TruncationFailedError extends HeadwaterError {
  readonly code = 'TRUNCATION_FAILED'
  readonly indexName: string

  constructor(indexName: string, reason: string) {
    super(`truncation of ${indexName}: ${reason}`, {
      remedy: "look into the catalog's log, then run retention again: what is gone already is not asked for twice",
    })
    this.indexName = indexName
  }
}

/** What became of a step. */
export interface StepResult extends JsonObject {
  readonly indexName: string
  readonly deleted: number
  readonly rowsBefore: number
  readonly rowsAfter: number
  readonly sizeMbBefore: number
  readonly sizeMbAfter: number | null
}

/** Rows older than the cut-off, and all. */
export interface RowCount extends JsonObject {
  readonly matching: number
  readonly total: number
}

export interface TruncateContext {
  readonly client: CatalogClient
  readonly clock: Clock
  readonly signal: AbortSignal
  /** Told of the rows that are gone so far. */
  readonly onProgress: (deleted: number) => void
}

const FIRST_POLL_MS = 100
const SLOWEST_POLL_MS = 10_000
/** A real catalog's counts lag behind the end of the task. */
const SETTLE_MS = 60_000

/** What the catalog is asked for. */
export function requestOf(step: Step): TruncateRequest {
  return {
    entityType: step.entityType,
    aspectName: step.aspectName,
    endTimeMillis: step.endTimeMillis,
    ...(step.batchSize === null ? {} : { batchSize: step.batchSize }),
    ...(step.method === 'auto' ? {} : { method: step.method }),
  }
}

/**
 * @param before as counted just before the first truncation of this step
 * @throws TruncationFailedError where the task fails, vanishes or takes too long, or rows remain or are missing
 */
export async function carryOut(step: Step, before: RowCount, context: TruncateContext): Promise<StepResult> {
  const { client, signal } = context
  if (before.matching > 0) {
    const taskId = await client.truncate(requestOf(step), signal)
    await followTask(step, taskId, context)
  }
  const after = await settled(step, context)
  const kept = before.total - before.matching
  if (after.matching > 0)
    throw new TruncationFailedError(step.indexName, `${after.matching} rows that should go remain`)
  if (after.total < kept) {
    throw new TruncationFailedError(step.indexName, `${kept} rows should stay, only ${after.total} are there`)
  }
  const sizes = await client.indexSizes(signal)
  return {
    indexName: step.indexName,
    deleted: before.matching,
    rowsBefore: before.total,
    rowsAfter: after.total,
    sizeMbBefore: step.sizeMb,
    sizeMbAfter: sizes.find((size) => size.indexName === step.indexName)?.sizeMb ?? null,
  }
}

/** Polls until the task has ended. One that the catalog does not know is not taken for done: the count decides. */
async function followTask(step: Step, taskId: string, context: TruncateContext): Promise<void> {
  const { client, clock, signal, onProgress } = context
  const deadline = clock.monotonic() + step.timeoutMs
  for (let pollMs = FIRST_POLL_MS; clock.monotonic() < deadline; pollMs = Math.min(pollMs * 1.5, SLOWEST_POLL_MS)) {
    const status = await client.taskStatus(taskId, signal)
    if (status.state === 'unknown') return
    if (status.deleted !== undefined) onProgress(status.deleted)
    if (status.state === 'completed') {
      if (status.failures === 0) return
      throw new TruncationFailedError(step.indexName, `task ${taskId} ended with ${status.failures} failures`)
    }
    await pause(pollMs, signal)
  }
  throw new TruncationFailedError(step.indexName, `task ${taskId} did not end within ${step.timeoutMs} ms`)
}

/** Counts again until nothing matches, for as long as a catalog's index may lag. */
async function settled(step: Step, { client, clock, signal }: TruncateContext): Promise<RowCount> {
  const deadline = clock.monotonic() + SETTLE_MS
  for (let pollMs = FIRST_POLL_MS; ; pollMs = Math.min(pollMs * 1.5, SLOWEST_POLL_MS)) {
    const count = await client.truncateDryRun(requestOf(step), signal)
    const { matching, total } = count
    if (matching === 0 || clock.monotonic() >= deadline) return { matching, total }
    await pause(pollMs, signal)
  }
}
