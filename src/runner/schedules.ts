/**
 * The clock's part of the ledger. A slot becomes a run whose id is the schedule and the slot, and the schedule moves on,
 * in one transaction that has the schedule's row locked: so any number of replicas make one run of it, and none is lost
 * between the two. The queue hears of it afterwards; where it does not, the sweeper tells it.
 */
import pLimit from 'p-limit'
import { decode } from '../model/decode.ts'
import { transaction, type Queryable } from '../store/database.ts'
import { finishRun, insertRun, lockRun, requestCancel } from '../store/ledger/runs.ts'
import {
  advanceSchedules,
  dueSchedules,
  listSchedules,
  lockDueSchedules,
  lockSchedule,
  openRunsOf,
  pauseSchedule,
  removeSchedulesExcept,
  writeSchedule,
  type ScheduleMove,
} from '../store/ledger/schedules.ts'
import type { RunRow, RunTrigger, ScheduleDefinition, ScheduleRow } from '../store/ledger/types.ts'
import { HeadwaterError } from '../model/errors.ts'
import { didYouMean } from '../model/near.ts'
import { decideOverlap, type OpenRun } from './overlap.ts'
import type { RunnerParts } from './parts.ts'
import {
  checkExpression,
  dueSlots,
  nextSlot,
  ScheduleExpressionError,
  slotName,
  slotsAfter,
  slotsBetween,
} from './slots.ts'
import { enqueue, enqueueAll, newRun } from './submit.ts'

export class ScheduleNotFoundError extends HeadwaterError {
  readonly code = 'SCHEDULE_NOT_FOUND'
  override readonly badInput = true

  constructor(id: string, known: readonly string[]) {
    super(`there is no schedule ${JSON.stringify(id)}${didYouMean(id, known)}`, {
      remedy: 'headwater schedules lists them; they stand in schedules.yaml',
    })
  }
}

/** Schedules that one tick looks at. */
const TICK_LIMIT = 1_000
/** Schedules that are fired in one transaction: a commit waits for the disk. */
const TICK_CHUNK = 50
/** Transactions of one tick at once; each needs a connection for a moment. */
const TICK_CONCURRENCY = 4
/** Slots that one backfill may ask for. */
const BACKFILL_LIMIT = 1_000

/** Ids of what a file changed; what is in none of them was left as it is. */
export interface ScheduleChanges {
  readonly added: readonly string[]
  readonly changed: readonly string[]
  readonly removed: readonly string[]
}

/**
 * Makes the ledger's schedules those of the configuration: a new expression or zone starts from now, an unchanged one
 * keeps its next slot, one that is gone is removed (its runs stay).
 * @throws ScheduleExpressionError, UnknownJobError, JobWithoutPlanError, DecodeError before anything is written
 */
export async function syncSchedules(
  parts: RunnerParts,
  wanted: readonly ScheduleDefinition[],
): Promise<ScheduleChanges> {
  const nowMs = parts.clock.now()
  for (const schedule of wanted) checkSchedule(parts, schedule)
  const known = new Map((await listSchedules(parts.database)).map((row) => [row.id, row]))
  const added: string[] = []
  const changed: string[] = []
  await transaction(parts.database, async (tx) => {
    for (const schedule of wanted) {
      const row = known.get(schedule.id)
      if (row !== undefined && sameSchedule(row, schedule)) continue
      ;(row === undefined ? added : changed).push(schedule.id)
      const keepsSlot =
        row?.cron === schedule.cron && row.timeZone === schedule.timeZone && row.enabled === schedule.enabled
      const nextRunMs = keepsSlot ? row.nextRunMs : (nextSlot(schedule.cron, schedule.timeZone, nowMs) ?? null)
      await writeSchedule(tx, { ...schedule, nextRunMs }, nowMs)
      parts.logger.info({ schedule: schedule.id, nextRunMs }, row === undefined ? 'schedule added' : 'schedule changed')
    }
    await removeSchedulesExcept(
      tx,
      wanted.map(({ id }) => id),
    )
  })
  const removed = [...known.keys()].filter((id) => !wanted.some((schedule) => schedule.id === id))
  return { added, changed, removed }
}

function checkSchedule(parts: RunnerParts, schedule: ScheduleDefinition): void {
  try {
    checkExpression(schedule.cron, schedule.timeZone)
  } catch (error) {
    if (!(error instanceof ScheduleExpressionError)) throw error
    const { message, remedy } = error
    const more = remedy === undefined ? {} : { remedy }
    throw new ScheduleExpressionError(`schedule ${schedule.id}: ${message}`, { cause: error, ...more })
  }
  checkRunnable(parts, schedule)
}

/** @throws UnknownJobError, JobWithoutPlanError, DecodeError where no run can be made of it */
function checkRunnable(parts: RunnerParts, schedule: ScheduleDefinition): void {
  runOfSlot(parts, schedule, { slotMs: 0, trigger: 'schedule', requestedBy: null, nowMs: 0 })
}

function sameSchedule(row: ScheduleRow, wanted: ScheduleDefinition): boolean {
  const keys = Object.keys(wanted) as (keyof ScheduleDefinition)[]
  return keys.every((key) => JSON.stringify(row[key]) === JSON.stringify(wanted[key]))
}

/** Slots of a schedule that are shown. */
const SHOWN_SLOTS = 5

/** The slot that is due, and those after it; none while it is paused or disabled. */
export function shownSlots(schedule: ScheduleRow, nowMs: number): readonly number[] {
  const { cron, timeZone, enabled, paused, nextRunMs } = schedule
  if (!enabled || paused || nextRunMs === null) return []
  return slotsAfter(cron, timeZone, Math.min(nextRunMs - 1, nowMs), SHOWN_SLOTS)
}

export interface TickReport {
  readonly fired: readonly RunRow[]
  readonly skipped: readonly RunRow[]
}

/** Fires what is due. Any number of processes may tick at once. */
export async function tick(parts: RunnerParts): Promise<TickReport> {
  const limit = pLimit(TICK_CONCURRENCY)
  const due = await dueSchedules(parts.database, parts.clock.now(), TICK_LIMIT)
  const runs = (await Promise.all(chunksOf(due).map((ids) => limit(() => fireOrComplain(parts, ids))))).flat()
  const fired = runs.filter(({ state }) => state === 'queued')
  await enqueueAll(parts, fired)
  return { fired, skipped: runs.filter(({ state }) => state !== 'queued') }
}

function chunksOf(ids: readonly string[]): readonly (readonly string[])[] {
  return Array.from({ length: Math.ceil(ids.length / TICK_CHUNK) }, (_, n) =>
    ids.slice(n * TICK_CHUNK, (n + 1) * TICK_CHUNK),
  )
}

/** One that breaks the transaction does not hold up the others of it. */
async function fireOrComplain(parts: RunnerParts, ids: readonly string[]): Promise<readonly RunRow[]> {
  try {
    return await fireDue(parts, ids)
  } catch (err) {
    if (ids.length === 1) {
      parts.logger.error({ err, schedule: ids[0] }, 'schedule not fired')
      return []
    }
    const runs: RunRow[] = []
    for (const id of ids) runs.push(...(await fireOrComplain(parts, [id])))
    return runs
  }
}

/** Fires schedules in one transaction; those that another process fires at this moment are left to it. */
function fireDue(parts: RunnerParts, ids: readonly string[]): Promise<readonly RunRow[]> {
  return transaction(parts.database, async (tx) => {
    const schedules = await lockDueSchedules(tx, ids, parts.clock.now())
    // Looked at once: slots that are made up for follow each other, they do not overlap.
    const open = await openRunsOf(
      tx,
      schedules.map(({ id }) => id),
    )
    const runs: RunRow[] = []
    const next: ScheduleMove[] = []
    for (const schedule of schedules) {
      const own = open.filter(({ scheduleId }) => scheduleId === schedule.id)
      const fired = await fireSlots(parts, tx, { schedule, open: own })
      runs.push(...fired.runs)
      if (fired.next !== undefined) next.push(fired.next)
    }
    await advanceSchedules(tx, next)
    return runs
  })
}

/** A schedule that cannot be fired (its job is gone, its input no longer fits) stays as it is. */
async function fireSlots(
  parts: RunnerParts,
  tx: Queryable,
  facts: { readonly schedule: ScheduleRow; readonly open: readonly OpenRun[] },
): Promise<{ readonly runs: readonly RunRow[]; readonly next?: ScheduleMove }> {
  const { schedule } = facts
  const nowMs = parts.clock.now()
  if (schedule.nextRunMs === null) return { runs: [] }
  try {
    checkRunnable(parts, schedule)
  } catch (err) {
    parts.logger.error({ err, schedule: schedule.id }, 'schedule not fired')
    return { runs: [] }
  }
  const due = dueSlots({ ...schedule, nextRunMs: schedule.nextRunMs }, nowMs)
  const runs: RunRow[] = []
  for (const slotMs of due.run) {
    const run = await fireSlot(parts, tx, facts, { slotMs, trigger: 'schedule', requestedBy: null, nowMs })
    if (run !== undefined) runs.push(run)
  }
  return { runs, next: { id: schedule.id, nextRunMs: due.next ?? null } }
}

interface Firing {
  readonly slotMs: number
  readonly trigger: RunTrigger
  readonly requestedBy: string | null
  readonly nowMs: number
}

/** @returns undefined where the slot was fired before */
async function fireSlot(
  parts: RunnerParts,
  tx: Queryable,
  { schedule, open }: { readonly schedule: ScheduleRow; readonly open: readonly OpenRun[] },
  firing: Firing,
): Promise<RunRow | undefined> {
  const overlap = decideOverlap(schedule.overlap, open, schedule.catchUp === 'all')
  const run = runOfSlot(parts, schedule, firing)
  const own = overlap.alone ? [`schedule:${schedule.id}`] : []
  const row = await insertRun(
    tx,
    { ...run, resources: [...new Set([...run.resources, ...schedule.resources, ...own])] },
    overlap.skip === undefined ? undefined : { reason: overlap.skip },
  )
  if (row === undefined) return undefined
  for (const id of overlap.supersede) await endSuperseded(tx, id, row.id, firing.nowMs)
  for (const id of overlap.cancel) await requestCancel(tx, id, { person: `run ${row.id}`, nowMs: firing.nowMs })
  return row
}

function runOfSlot(parts: RunnerParts, schedule: ScheduleDefinition, { slotMs, trigger, requestedBy, nowMs }: Firing) {
  const job = parts.jobs.get(schedule.job)
  const run = newRun(job, {
    id: `${schedule.id}.${slotName(slotMs)}`,
    input: decode(job.input, schedule.input, (path) => ({ path: [schedule.id, 'input', ...path].join('.') })),
    mode: schedule.apply ? 'apply' : job.byHand,
    trigger,
    nowMs,
    requestedBy,
    target: null,
  })
  return { ...run, scheduleId: schedule.id, slotMs }
}

async function endSuperseded(tx: Queryable, id: string, by: string, nowMs: number): Promise<void> {
  // A worker may have begun it since it was seen waiting.
  const run = await lockRun(tx, id)
  if (run?.state !== 'queued') return
  await finishRun(tx, id, {
    state: 'skipped',
    reason: `superseded by run ${by}`,
    report: null,
    lines: [],
    error: null,
    rejectedByCode: {},
    nowMs,
  })
}

/** Fires a schedule now, whatever its slots; its overlap policy holds. @throws ScheduleNotFoundError */
export async function triggerSchedule(parts: RunnerParts, id: string, person: string): Promise<RunRow> {
  const nowMs = parts.clock.now()
  const run = await transaction(parts.database, async (tx) => {
    const schedule = await lockSchedule(tx, id)
    if (schedule === undefined) throw await notFound(parts, id)
    const open = await openRunsOf(tx, [id])
    return fireSlot(parts, tx, { schedule, open }, { slotMs: nowMs, trigger: 'hand', requestedBy: person, nowMs })
  })
  // The same millisecond twice: the first one's run is what was asked for.
  if (run === undefined) return triggerSchedule(parts, id, person)
  if (run.state === 'queued') await enqueue(parts, run)
  return run
}

export interface Backfill {
  readonly fromMs: number
  readonly toMs: number
  readonly person: string
  readonly dryRun: boolean
}

/**
 * Runs the slots of a past span that were not run, oldest first, at most 1,000, one after the other.
 * @returns the slots of the span, and the runs that were made for those without one
 * @throws ScheduleNotFoundError
 */
export async function backfillSchedule(
  parts: RunnerParts,
  id: string,
  { fromMs, toMs, person, dryRun }: Backfill,
): Promise<{ readonly slots: readonly number[]; readonly runs: readonly RunRow[] }> {
  const nowMs = parts.clock.now()
  const result = await transaction(parts.database, async (tx) => {
    const schedule = await lockSchedule(tx, id)
    if (schedule === undefined) throw await notFound(parts, id)
    const slots = slotsBetween(schedule, fromMs, toMs, BACKFILL_LIMIT)
    const runs: RunRow[] = []
    for (const slotMs of dryRun ? [] : slots) {
      const run = runOfSlot(parts, schedule, { slotMs, trigger: 'backfill', requestedBy: person, nowMs })
      const resources = [...new Set([...run.resources, ...schedule.resources, `schedule:${id}`])]
      const row = await insertRun(tx, { ...run, resources })
      if (row !== undefined) runs.push(row)
    }
    return { slots, runs }
  })
  await enqueueAll(parts, result.runs)
  return result
}

/** Stops a schedule, or lets it go on from its next slot: those in between were not missed but not wanted. @throws ScheduleNotFoundError */
export async function setPaused(parts: RunnerParts, id: string, paused: boolean): Promise<void> {
  const nowMs = parts.clock.now()
  await transaction(parts.database, async (tx) => {
    const schedule = await lockSchedule(tx, id)
    if (schedule === undefined) throw await notFound(parts, id)
    const resumed = schedule.paused && !paused
    const nextRunMs = resumed ? (nextSlot(schedule.cron, schedule.timeZone, nowMs) ?? null) : schedule.nextRunMs
    await pauseSchedule(tx, id, { paused, nextRunMs, nowMs })
  })
  parts.logger.info({ schedule: id }, paused ? 'schedule paused' : 'schedule resumed')
}

async function notFound(parts: RunnerParts, id: string): Promise<ScheduleNotFoundError> {
  const known = await listSchedules(parts.database)
  return new ScheduleNotFoundError(
    id,
    known.map((schedule) => schedule.id),
  )
}
