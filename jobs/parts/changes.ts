/** What every job that makes changes of a catalog does with them: a plan of them, or the changes themselves. */
import { join } from 'node:path'
import type { Changes } from '../../src/client/change.ts'
import { compareChanges, emit, type EmitReport } from '../../src/client/emitter.ts'
import type { DeadLetter } from '../../src/client/journal.ts'
import { bindToPlan, writePlanFile } from '../../src/client/plan-file.ts'
import { Tally, type ItemTally } from '../../src/client/tally.ts'
import type { JobContext, PlanDraft, ProposalSink, RunContext } from '../../src/runner/define-job.ts'

/** Where the run's changes go. */
export function sinkOf({ connections }: Pick<JobContext<unknown>, 'connections'>): ProposalSink {
  return connections.sink?.() ?? connections.catalog()
}

const PLAN_LIVES_MS = 7 * 24 * 3600 * 1000

/** Compares the changes with what the catalog has, and writes the whole diff beside the run. Writes nothing else. */
export async function draftOf(
  changes: Changes,
  context: JobContext<unknown>,
): Promise<PlanDraft & { readonly items: ItemTally }> {
  const artifact = join(context.artifacts, 'plan.ndjson')
  const tally = new Tally()
  const comparisons = compareChanges(changes, sinkOf(context), context.signal)
  const { counts, lines } = await writePlanFile(artifact, counted(tally.watch(comparisons), context))
  const nothingToDo = counts.change + counts.create + (counts.remove ?? 0) + counts.refused === 0
  // No run carries this plan out, so its proposals end here.
  if (nothingToDo) context.balance.proposals({ made: counts.unchanged, unchanged: counts.unchanged })
  return {
    counts,
    lines,
    items: tally.sum,
    body: {},
    artifact,
    expiresAtMs: context.clock.now() + PLAN_LIVES_MS,
    nothingToDo,
  }
}

const REPORT_EVERY = 100

/** Reports how many aspects have been compared. */
async function* counted<T>(items: AsyncIterable<T>, { progress }: JobContext<unknown>): AsyncGenerator<T> {
  let done = 0
  for await (const item of items) {
    yield item
    if (++done % REPORT_EVERY === 0) progress.report({ phase: 'compare', done, unit: 'aspects' })
  }
  progress.report({ phase: 'compare', done, unit: 'aspects' })
}

/** Carries the changes out; with a plan, those of the plan and no others. Counts them in the balance. */
export function carryOut(changes: Changes, context: RunContext<unknown>): Promise<EmitReport> {
  const { plan } = context
  return send(plan?.artifact === undefined ? changes : bindToPlan(changes, plan.artifact), context)
}

/**
 * Sends what differs and counts it in the balance; how many changes there will be, the plan knows.
 * @param onLetters told of what was refused or given up
 */
export function send(
  changes: Changes,
  context: RunContext<unknown>,
  onLetters?: (letters: readonly DeadLetter[]) => void,
): Promise<EmitReport> {
  const { plan, progress } = context
  const { change = 0, create = 0, remove = 0, unchanged = 0, refused = 0 } = plan?.counts ?? {}
  const total = plan === undefined ? {} : { total: change + create + remove + unchanged + refused }
  return emit(changes, {
    sink: sinkOf(context),
    journal: context.journal,
    runId: context.runId,
    stop: context.stop,
    signal: context.signal,
    progress: { report: (report) => progress.report({ ...report, ...total }) },
    logger: context.logger,
    clock: context.clock,
    onBatch: (made, counts, letters) => {
      context.balance.proposals({ made, ...counts })
      onLetters?.(letters)
    },
  })
}

/** How the writes were kept from overwriting what somebody else wrote meanwhile; nothing where nothing was written. */
export function conditionLines({ conditions }: EmitReport): readonly string[] {
  const { checked, reread } = conditions ?? { checked: 0, reread: 0 }
  const byCatalog = `${checked} writes named the version that they were made for, and the catalog checked it`
  const byUs = `${reread} writes were made right after reading the aspect again: the catalog checks no versions of them`
  return [...(checked === 0 ? [] : [byCatalog]), ...(reread === 0 ? [] : [byUs])]
}

/** One sentence about what became of the changes. @param wish whose wish they are, for example `the files want them` */
export function endOf({ made, counts }: EmitReport, wish: string): string {
  const { written, unchanged, refused, dead } = counts
  if (written + refused + dead === 0) return nothingToWrite(unchanged, wish)
  return `${made} aspects: ${written} written, ${unchanged} unchanged, ${refused} refused, ${dead} given up`
}

/** @param unchanged aspects that were asked for and are so already */
export function nothingToWrite(unchanged: number, wish: string): string {
  return unchanged === 0 ? 'nothing to write' : `nothing to write: all ${unchanged} aspects are as ${wish}`
}
