/**
 * Carries out one step of an approved plan:
 *
 *   count ─► samples ─► archive ─► truncate with the frozen cut-off ─► follow the task ─► count, samples, sizes again
 *
 * Each stage is remembered before the next begins (`memory.ts`), so that it may be repeated at any point. A truncation
 * is asked for once; it is asked for again only when nothing is under way any more and rows are left.
 */
import type { TaskStatus } from '../client/operations.ts'
import { pause } from '../client/retry.ts'
import { assertNever, HeadwaterError } from '../model/errors.ts'
import { writeArchive } from './archive.ts'
import { TruncationFailedError } from './errors.ts'
import { drift } from './gate.ts'
import type { StepMemory, StepResult } from './memory.ts'
import type { Step } from './plan.ts'
import { takeSamples } from './samples.ts'
import { FIRST_POLL_MS, requestOf, SLOWEST_POLL_MS, wait, type TruncateContext } from './truncate-context.ts'
import { finished, settled, sizeNow } from './verify.ts'

/** How long a cancelled task may take to end. */
const CANCEL_MS = 60_000
/** Reasons of a stop after which nobody goes on with the task. */
const GIVEN_UP = new Set(['RUN_CANCELLED', 'RUN_DEADLINE'])

/**
 * @throws TruncationFailedError where the task fails, vanishes or takes too long, or rows remain or are missing
 * @throws the reason of `stop`
 */
export async function carryOut(step: Step, context: TruncateContext): Promise<StepResult> {
  const { store } = context
  let memory = (await store.read()) ?? (await counted(step, context))
  while (memory.result === null) {
    context.stop.throwIfAborted()
    const next: StepMemory = await advance(step, memory, context)
    await store.save(next)
    memory = next
  }
  return memory.result
}

/** One stage further. */
async function advance(step: Step, memory: StepMemory, context: TruncateContext): Promise<StepMemory> {
  switch (memory.stage) {
    case 'counted':
      if (memory.before.matching === 0) return finished(step, memory, undefined, context)
      return { ...memory, stage: 'archived', archive: await archived(step, memory, context) }
    case 'archived':
      return { ...(await asked(step, memory, context)), stage: 'started' }
    case 'asked':
      if ((await standStill(step, memory, context)) === 0) return finished(step, memory, undefined, context)
      return { ...memory, stage: 'counted' }
    case 'started':
      return follow(step, memory, context)
    case 'done':
      return memory
    default:
      return assertNever(memory.stage)
  }
}

/** What is there before the first truncation. @throws TruncationFailedError where it is more than was approved */
async function counted(step: Step, context: TruncateContext): Promise<StepMemory> {
  const { client, signal, clock, settings, kind, store } = context
  const startedAtMs = clock.now()
  await earlierTaskEnded(step, context)
  const { matching, total } = await client.timeseries.truncateDryRun(requestOf(step), signal)
  const [reason] = drift(step, { matching, total }, settings.driftShare)
  if (reason !== undefined) throw new TruncationFailedError(step.indexName, `not begun: ${reason}`)
  const samples =
    matching === 0 ? [] : await takeSamples(step, { count: settings.samples, streams: kind.streams }, context)
  const memory: StepMemory = {
    stage: 'counted',
    before: { matching, total },
    sizeMbBefore: (await sizeNow(step, context)) ?? step.sizeMb,
    samples: [...samples],
    archive: null,
    taskId: null,
    startedAtMs,
    result: null,
  }
  await store.save(memory)
  return memory
}

/** An earlier run lost sight of its task (a 401, a catalog that was away): it may still be at work on this index. */
async function earlierTaskEnded(step: Step, context: TruncateContext): Promise<void> {
  const { client, clock, signal, tasks } = context
  const taskId = await tasks.read()
  if (taskId === undefined) return
  const deadline = clock.monotonic() + step.timeoutMs
  for (let pollMs = FIRST_POLL_MS; ; pollMs = Math.min(pollMs * 1.5, SLOWEST_POLL_MS)) {
    const { state } = await client.timeseries.taskStatus(taskId, signal)
    if (state !== 'running') return tasks.save(undefined)
    if (clock.monotonic() >= deadline) {
      throw new TruncationFailedError(step.indexName, `not begun: task ${taskId} of an earlier run is still under way`)
    }
    await wait(pollMs, context)
  }
}

/** Archives where that is wanted, and counts a last time. @throws TruncationFailedError where it is more than was approved */
async function archived(step: Step, memory: StepMemory, context: TruncateContext): Promise<StepMemory['archive']> {
  const { client, signal, settings } = context
  // An attempt before this one has begun to delete: what is left is a part of what its archive holds.
  const archive = memory.archive ?? (await writeIfWanted(step, context))
  const now = await client.timeseries.truncateDryRun(requestOf(step), signal)
  const [reason] = drift(step, now, settings.driftShare)
  if (reason !== undefined) throw new TruncationFailedError(step.indexName, `not begun: ${reason}`)
  if (archive !== null && memory.archive === null && archive.rows !== now.matching) {
    const differ = `the archive holds ${archive.rows} rows, ${now.matching} would go`
    throw new TruncationFailedError(step.indexName, `not begun: ${differ}`, { retryable: true })
  }
  return archive
}

async function writeIfWanted(step: Step, context: TruncateContext): Promise<StepMemory['archive']> {
  if (!step.archive || !context.kind.streams) return null
  const { client, signal, clock, settings, onProgress } = context
  const createdAt = new Date(clock.now()).toISOString()
  const target = { folder: settings.archiveFolder, plan: settings.plan, createdAt }
  const onRows = (count: number): void => onProgress('archive', count)
  const { path, rows } = await writeArchive(step, target, { client, signal, onRows })
  return { path, rows }
}

/** Asks for the truncation, once. That it is being asked for is remembered before. */
async function asked(
  step: Step,
  memory: StepMemory,
  { client, store, tasks, signal }: TruncateContext,
): Promise<StepMemory> {
  const asking: StepMemory = { ...memory, stage: 'asked', taskId: null }
  await store.save(asking)
  const taskId = await client.timeseries.truncate(requestOf(step), signal)
  await tasks.save(taskId)
  return { ...asking, taskId }
}

/** The answer to our question was lost: what may be under way must have ended before we ask again. @returns rows left */
async function standStill(step: Step, memory: StepMemory, context: TruncateContext): Promise<number> {
  const { client, signal, clock, settings } = context
  const deadline = clock.monotonic() + step.timeoutMs
  let stillSince = clock.monotonic()
  let last = memory.before.matching
  while (clock.monotonic() < deadline) {
    const { matching } = await client.timeseries.truncateDryRun(requestOf(step), signal)
    if (matching === 0) return 0
    if (matching !== last) stillSince = clock.monotonic()
    if (clock.monotonic() - stillSince >= settings.settleMs) return matching
    last = matching
    await wait(Math.min(SLOWEST_POLL_MS, Math.max(FIRST_POLL_MS, settings.settleMs / 10)), context)
  }
  throw new TruncationFailedError(step.indexName, 'rows still go, although nobody knows the task that deletes them')
}

/** Polls until the task has ended. One that the catalog does not know is not taken for done: the counts decide. */
async function follow(step: Step, memory: StepMemory, context: TruncateContext): Promise<StepMemory> {
  const { client, clock, signal, onProgress } = context
  const taskId = memory.taskId ?? ''
  const deadline = clock.monotonic() + step.timeoutMs
  for (let pollMs = FIRST_POLL_MS; clock.monotonic() < deadline; pollMs = Math.min(pollMs * 1.5, SLOWEST_POLL_MS)) {
    const status = await client.timeseries.taskStatus(taskId, signal)
    if (status.state !== 'unknown' && status.deleted !== undefined) onProgress('truncate', status.deleted)
    if (status.state !== 'running') return ended(step, memory, status, context)
    try {
      await wait(pollMs, context)
    } catch (reason) {
      if (reason instanceof HeadwaterError && GIVEN_UP.has(reason.code)) await cancel(taskId, context)
      throw reason
    }
  }
  const went = await cancel(taskId, context)
  const minutes = step.timeoutMs / 60_000
  throw new TruncationFailedError(step.indexName, `task ${taskId} did not end within ${minutes} minutes; ${went}`)
}

/** What a task that has ended, or that nobody knows, means. */
async function ended(
  step: Step,
  memory: StepMemory,
  status: Exclude<TaskStatus, { state: 'running' }>,
  context: TruncateContext,
): Promise<StepMemory> {
  const { store, tasks } = context
  await tasks.save(undefined)
  const failure =
    status.state === 'unknown'
      ? `the catalog does not know task ${memory.taskId} any more`
      : status.failures > 0
        ? `task ${memory.taskId} ended with ${status.failures} failures`
        : undefined
  if (failure === undefined) {
    return finished(step, memory, status.state === 'completed' ? status.deleted : undefined, context)
  }
  const { matching } = await settled(step, context)
  if (matching === 0) return finished(step, memory, undefined, context)
  // Nothing is under way any more: the next attempt may ask again.
  await store.save({ ...memory, stage: 'counted', taskId: null })
  const left = `${failure}; ${matching} of ${memory.before.matching} rows are left`
  throw new TruncationFailedError(step.indexName, left, { retryable: true })
}

/** Ends a task where the catalog can. @returns what became of it, for a message */
async function cancel(taskId: string, { client, kind, clock, signal, tasks }: TruncateContext): Promise<string> {
  if (!kind.cancels) return 'this catalog cannot cancel it, so it may go on'
  await client.timeseries.cancelTask(taskId, signal)
  const deadline = clock.monotonic() + CANCEL_MS
  for (let pollMs = FIRST_POLL_MS; clock.monotonic() < deadline; pollMs = Math.min(pollMs * 1.5, SLOWEST_POLL_MS)) {
    const status = await client.timeseries.taskStatus(taskId, signal)
    if (status.state !== 'running') {
      await tasks.save(undefined)
      return `it was cancelled${deletedSoFar(status)}`
    }
    await pause(pollMs, signal)
  }
  return 'it was cancelled, and has not ended yet'
}

function deletedSoFar(status: TaskStatus): string {
  return status.state === 'completed' && status.deleted !== undefined ? ` after ${status.deleted} rows` : ''
}
