/**
 * A plan of changes, as a file: one line for each, with what is asked, what would become of it, and the hash of what the
 * aspect was. Carrying out the plan means making the same changes again, in the same order, each only where its aspect still is
 * as planned (or already as wanted); so what was approved is what is done, and nothing that came in between is
 * overwritten.
 */
import { createReadStream, createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { HeadwaterError } from '../model/errors.ts'
import type { JsonObject } from '../model/json.ts'
import { linesOf } from '../model/lines.ts'
import type { Urn } from '../model/urn.ts'
import { decodeUtf8 } from '../model/utf8.ts'
import { ABSENT, BARRIER, type AspectChange, type Changes, type Comparison, type Wanted } from './change.ts'
import { describeDifference, describePatch } from './difference.ts'
import { aspectHash, sameAspect, type StoredAspect } from './sink.ts'

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
  readonly urn: Urn
  readonly aspectName: string
  /** What is asked: enough to make the change again without its input. */
  readonly intent: JsonObject
  /** The change's own. */
  readonly rule?: string
  /** Hash of the aspect; null where there was none. */
  readonly before: string | null
  /** What would become of it, for whoever reads the file. */
  readonly outcome: keyof PlanSummary['counts']
}

type Counts = { -readonly [K in keyof PlanSummary['counts']]: PlanSummary['counts'][K] }

const LINES_SHOWN = 40
const READ_BYTES = 256 * 1024
const WRITE_CHARACTERS = 64 * 1024

/** Writes the plan and sums it up. */
export async function writePlanFile(path: string, comparisons: AsyncIterable<Comparison>): Promise<PlanSummary> {
  const counts: Counts = { change: 0, create: 0, unchanged: 0, refused: 0 }
  const lines: string[] = []
  async function* pieces(): AsyncGenerator<string> {
    let waiting = ''
    for await (const comparison of comparisons) {
      const outcome = outcomeOf(comparison)
      counts[outcome] = (counts[outcome] ?? 0) + 1
      if (lines.length < LINES_SHOWN) lines.push(...shownLines(comparison))
      waiting += `${JSON.stringify(planLine(comparison, outcome))}\n`
      if (waiting.length < WRITE_CHARACTERS) continue
      yield waiting
      waiting = ''
    }
    yield waiting
  }
  // A disk that is full fails the plan, and nothing else.
  await pipeline(pieces(), createWriteStream(path, { mode: 0o600 }))
  const hidden = counts.change + counts.create + (counts.remove ?? 0) + counts.refused
  const more = lines.length >= LINES_SHOWN ? [`… (${hidden} aspects in all; every one is in the plan's file)`] : []
  return { counts, lines: [...lines.slice(0, LINES_SHOWN), ...more] }
}

/** Ties changes to a plan. @throws PlanStaleError where the changes are not those that were planned */
export async function* bindToPlan(changes: Changes, path: string): AsyncGenerator<AspectChange | typeof BARRIER> {
  const planned = planLines(path)
  for await (const change of changes) {
    if (change === BARRIER) {
      yield change
      continue
    }
    const next = await planned.next()
    if (next.done === true) throw new PlanStaleError('it asks for more than was planned')
    const line = next.value
    const { urn, aspectName, intent } = change
    if (line.urn !== urn || line.aspectName !== aspectName || !sameAspect(line.intent, intent)) {
      throw new PlanStaleError(`it asks for another ${aspectName} of ${urn}`)
    }
    yield asPlanned(change, line)
  }
  if ((await planned.next()).done !== true) throw new PlanStaleError('it asks for less than was planned')
}

/** What a plan holds of a change. */
export type Asked = Pick<AspectChange, 'urn' | 'aspectName' | 'intent'>

/**
 * The changes of a plan, made again from the plan alone.
 * @param changeOf the change by the name of its aspect and of its rule: plans hold data, not what to do with it
 * @throws PlanStaleError for one that is not known
 */
export async function* plannedChanges(
  path: string,
  changeOf: (asked: Asked, rule: string | undefined) => AspectChange | undefined,
): AsyncGenerator<AspectChange> {
  for await (const line of planLines(path)) {
    const { urn, aspectName, intent, rule } = line
    const change = changeOf({ urn, aspectName, intent }, rule)
    if (change === undefined) throw new PlanStaleError(`nothing is known of merging ${aspectName}`)
    yield asPlanned(change, line)
  }
}

/** @throws PlanStaleError for a plan of an earlier version, which did not hold what it asks for */
async function* planLines(path: string): AsyncGenerator<PlanLine> {
  for await (const text of linesOf(decodeUtf8(createReadStream(path, { highWaterMark: READ_BYTES }), path))) {
    const line = JSON.parse(text) as PlanLine
    if (typeof line.intent === 'string') throw new PlanStaleError('an earlier version of headwater made it')
    yield line
  }
}

function asPlanned(change: AspectChange, line: PlanLine): AspectChange {
  return { ...change, merge: (_current, intent, stored) => mergeAsPlanned(change, line, intent, stored) }
}

function mergeAsPlanned(
  change: AspectChange,
  line: PlanLine,
  intent: JsonObject,
  stored: StoredAspect | undefined,
): Wanted | undefined {
  const after = change.merge(stored?.value, intent, stored)
  // Already as wanted, by an earlier attempt of this run or by somebody else: nothing to overwrite.
  if (after === undefined) return after
  if ((stored === undefined ? null : aspectHash(stored.value)) === line.before) return after
  throw new ChangedSincePlanError(change)
}

function planLine(comparison: Comparison, outcome: PlanLine['outcome']): PlanLine {
  const { change } = comparison
  return {
    urn: change.urn,
    aspectName: change.aspectName,
    intent: change.intent,
    ...(change.rule === undefined ? {} : { rule: change.rule }),
    before: beforeOf(comparison),
    outcome,
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

function shownLines(comparison: Comparison): readonly string[] {
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
