/**
 * A plan of changes, as a file: one line for each, with what the aspect was and what it shall be. Carrying out the plan
 * means making the same changes again, in the same order, each only where its aspect still is as planned (or already as
 * wanted); so what was approved is what is done, and nothing that came in between is overwritten.
 */
import { once } from 'node:events'
import { createReadStream, createWriteStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { finished } from 'node:stream/promises'
import { HeadwaterError } from '../model/errors.ts'
import type { JsonObject } from '../model/json.ts'
import { ABSENT, BARRIER, type AspectChange, type Changes, type Comparison, type Wanted } from './change.ts'
import { describeDifference, describePatch } from './difference.ts'
import { aspectHash, type StoredAspect } from './sink.ts'

/** What a plan comes to. */
export interface PlanSummary {
  readonly counts: {
    readonly change: number
    readonly create: number
    /** Absent where nothing goes, as in most plans. */
    readonly remove?: number
    readonly unchanged: number
    readonly refused: number
  }
  /** The first differences, for people. */
  readonly lines: readonly string[]
}

/** The input is not what it was when the plan was made. */
class PlanStaleError extends HeadwaterError {
  readonly code = 'PLAN_STALE'

  constructor(reason: string) {
    super(`the plan does not fit its input any more: ${reason}`, { remedy: 'make a new plan' })
  }
}

/** The aspect changed after the plan was made; it is left as it is. */
class ChangedSincePlanError extends HeadwaterError {
  readonly code = 'CHANGED_SINCE_PLAN'

  constructor(change: AspectChange) {
    super(`${change.aspectName} of ${change.urn} changed after the plan was made`, {
      remedy: 'make a new plan: it shows what is there now',
    })
  }
}

interface PlanLine {
  readonly urn: string
  readonly aspectName: string
  readonly intent: string
  /** Hash of the aspect; null where there was none. */
  readonly before: string | null
  /** Absent where nothing was to be done; null where it goes. */
  readonly after?: string | null
}

type Counts = { -readonly [K in keyof PlanSummary['counts']]: PlanSummary['counts'][K] }

const LINES_SHOWN = 40

/** Writes the plan and sums it up. */
export async function writePlanFile(path: string, comparisons: AsyncIterable<Comparison>): Promise<PlanSummary> {
  const out = createWriteStream(path, { mode: 0o600 })
  const counts: Counts = { change: 0, create: 0, unchanged: 0, refused: 0 }
  const lines: string[] = []
  for await (const comparison of comparisons) {
    const outcome = outcomeOf(comparison)
    counts[outcome] = (counts[outcome] ?? 0) + 1
    if (lines.length < LINES_SHOWN) lines.push(...linesOf(comparison))
    if (!out.write(`${JSON.stringify(planLine(comparison))}\n`)) await once(out, 'drain')
  }
  out.end()
  await finished(out)
  const hidden = counts.change + counts.create + (counts.remove ?? 0) + counts.refused
  const more = lines.length >= LINES_SHOWN ? [`… (${hidden} aspects in all; every one is in the plan's file)`] : []
  return { counts, lines: [...lines.slice(0, LINES_SHOWN), ...more] }
}

/** Ties changes to a plan. @throws PlanStaleError where the changes are not those that were planned */
export async function* bindToPlan(changes: Changes, path: string): AsyncGenerator<AspectChange | typeof BARRIER> {
  const planned = createInterface({ input: createReadStream(path), crlfDelay: Infinity })[Symbol.asyncIterator]()
  for await (const change of changes) {
    if (change === BARRIER) {
      yield change
      continue
    }
    const next = await planned.next()
    if (next.done === true) throw new PlanStaleError('it asks for more than was planned')
    const line = JSON.parse(next.value) as PlanLine
    if (line.urn !== change.urn || line.aspectName !== change.aspectName || line.intent !== aspectHash(change.intent)) {
      throw new PlanStaleError(`it asks for another ${change.aspectName} of ${change.urn}`)
    }
    yield { ...change, merge: (_current, intent, stored) => mergeAsPlanned(change, line, intent, stored) }
  }
  if ((await planned.next()).done !== true) throw new PlanStaleError('it asks for less than was planned')
}

function mergeAsPlanned(
  change: AspectChange,
  line: PlanLine,
  intent: JsonObject,
  stored: StoredAspect | undefined,
): Wanted | undefined {
  const now = stored === undefined ? null : aspectHash(stored.value)
  const after = change.merge(stored?.value, intent, stored)
  // Already as wanted, by an earlier attempt of this run or by somebody else: nothing to overwrite.
  if (after === undefined || now === line.before) return after
  throw new ChangedSincePlanError(change)
}

function planLine(comparison: Comparison): PlanLine {
  const { change } = comparison
  return {
    urn: change.urn,
    aspectName: change.aspectName,
    intent: aspectHash(change.intent),
    before: beforeOf(comparison),
    ...(comparison.kind === 'differs'
      ? { after: comparison.after === ABSENT ? null : aspectHash(comparison.after) }
      : {}),
  }
}

function beforeOf(comparison: Comparison): string | null {
  return comparison.before === undefined ? null : aspectHash(comparison.before.value)
}

function outcomeOf(comparison: Comparison): keyof PlanSummary['counts'] {
  if (comparison.kind === 'same') return 'unchanged'
  if (comparison.kind === 'refused') return 'refused'
  if (comparison.after === ABSENT) return 'remove'
  return comparison.before === undefined ? 'create' : 'change'
}

function linesOf(comparison: Comparison): readonly string[] {
  const { change } = comparison
  const title = `${change.urn} ${change.aspectName}`
  if (comparison.kind === 'same') return []
  if (comparison.kind === 'refused') return [`${title}: refused: ${(comparison.error as Error).message}`]
  const { before, after } = comparison
  if (after === ABSENT)
    return [`${title}: removed`, ...describeDifference(before?.value, {}).map((line) => `  ${line}`)]
  const lines = change.changeType === 'PATCH' ? describePatch(after) : describeDifference(before?.value, after)
  return [title, ...lines.map((line) => `  ${line}`)]
}
