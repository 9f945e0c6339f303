/** After a truncation: are the rows gone that should go, and those there that should stay? */
import { TruncationFailedError } from './errors.ts'
import type { RowCount, StepMemory, StepResult } from './memory.ts'
import type { Step } from './plan.ts'
import { missingSamples } from './samples.ts'
import { FIRST_POLL_MS, requestOf, SLOWEST_POLL_MS, wait, type TruncateContext } from './truncate-context.ts'

/**
 * The end of a step: counts, samples and sizes again, and what a person should know of it.
 * @param deleted as the task says, where it does
 * @throws TruncationFailedError where rows remain that should not, or are gone that should stay
 */
export async function finished(
  step: Step,
  memory: StepMemory,
  deleted: number | undefined,
  context: TruncateContext,
): Promise<StepMemory> {
  const after = await settled(step, context)
  const went = await verified(step, memory, { after, deleted }, context)
  const { before, archive, samples } = memory
  const sizeMbAfter = before.matching === 0 ? memory.sizeMbBefore : ((await sizeNow(step, context)) ?? null)
  const grew = step.method === 'rebuild' && sizeMbAfter !== null && sizeMbAfter > memory.sizeMbBefore
  const more = went - before.matching
  const notes = [
    ...(more > 0 ? [`${more} rows more went than were counted: they came in just before`] : []),
    ...(after.matching > 0
      ? [`${after.matching} rows older than the cut-off came while it ran: the next run takes them`]
      : []),
    ...(archive !== null && went > archive.rows
      ? [`${went - archive.rows} rows went that the archive does not hold`]
      : []),
    ...(samples.length === 0 && before.matching > 0 && context.settings.samples > 0
      ? ['no row that stays could be read, so none was looked for afterwards']
      : []),
    ...(grew ? ['the index was rebuilt, and is not smaller'] : []),
  ]
  const result: StepResult = {
    indexName: step.indexName,
    cutoffMs: step.cutoffMs,
    deleted: went,
    rowsBefore: before.total,
    rowsAfter: after.total,
    lateRows: after.matching,
    sizeMbBefore: memory.sizeMbBefore,
    sizeMbAfter,
    samplesChecked: samples.length,
    archive: archive?.path ?? null,
    taskId: memory.taskId,
    durationMs: Math.max(0, Math.round(context.clock.now() - memory.startedAtMs)),
    notes,
  }
  return { ...memory, stage: 'done', result }
}

/** @returns rows that went. @throws TruncationFailedError where rows remain that should not, or are gone that should stay */
async function verified(
  step: Step,
  { before, samples }: StepMemory,
  { after, deleted }: { readonly after: RowCount; readonly deleted: number | undefined },
  context: TruncateContext,
): Promise<number> {
  const { indexName } = step
  const allWent = deleted !== undefined && deleted >= before.matching
  if (after.matching > 0 && !allWent) {
    throw new TruncationFailedError(indexName, `${after.matching} rows that should go remain`)
  }
  const kept = before.total - before.matching
  if (after.total - after.matching < kept) {
    const there = after.total - after.matching
    throw new TruncationFailedError(indexName, `${kept} rows should stay, only ${there} are there`)
  }
  const missing = await missingSamples(step, samples, context)
  const [first] = missing
  if (first !== undefined) {
    const example = `${first.urn} at ${new Date(first.timestampMillis).toISOString()}`
    const reason = `${missing.length} of ${samples.length} rows that should stay are gone, for example of ${example}`
    throw new TruncationFailedError(indexName, reason)
  }
  return allWent ? deleted : before.matching
}

/** Counts again until nothing matches, for as long as a catalog's index may lag. */
export async function settled(step: Step, context: TruncateContext): Promise<RowCount> {
  const { client, clock, signal, settings } = context
  const deadline = clock.monotonic() + settings.settleMs
  for (let pollMs = FIRST_POLL_MS; ; pollMs = Math.min(pollMs * 1.5, SLOWEST_POLL_MS)) {
    const { matching, total } = await client.timeseries.truncateDryRun(requestOf(step), signal)
    if (matching === 0 || clock.monotonic() >= deadline) return { matching, total }
    await wait(pollMs, context)
  }
}

/** Megabytes of the index as the catalog tells now. */
export async function sizeNow(step: Step, { client, signal }: TruncateContext): Promise<number | undefined> {
  const sizes = await client.timeseries.indexSizes(signal)
  return sizes.find((size) => size.indexName === (step.partOf ?? step.indexName))?.sizeMb
}
