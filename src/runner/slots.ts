/**
 * Which moments a cron expression means. cron-parser computes them, node-cron (the ticker) must agree on the
 * expression: the two read some spellings differently (day of month with day of week: either or both; ranges that wrap),
 * and a schedule that somebody misreads deletes the wrong night's data. Pure, but for the check's look at today.
 *
 * Local times that a clock change leaves out fire once, right after the gap; those that it repeats fire once if the
 * expression names the hour, and go on firing if it is an interval.
 */
import { CronExpressionParser } from 'cron-parser'
import { createTask } from 'node-cron'
import { HeadwaterError } from '../model/errors.ts'
import { gapBefore } from './clock-change.ts'

/** An expression, or its time zone, that cannot be used. */
export class ScheduleExpressionError extends HeadwaterError {
  readonly code = 'SCHEDULE_EXPRESSION'
  override readonly badInput = true
}

/** Slots that the two readings must have in common. */
const COMPARED_SLOTS = 10

/** @throws ScheduleExpressionError with a suggestion where there is one */
export function checkExpression(cron: string, timeZone: string): void {
  checkTimeZone(timeZone)
  const nowMs = Date.UTC(2026, 0, 1)
  const slots = attempt(cron, () => slotsAfter(cron, 'UTC', nowMs, COMPARED_SLOTS))
  const ticker = attempt(cron, () => tickerSlots(cron))
  const again = slotsAfter(cron, 'UTC', ticker.fromMs, ticker.slots.length)
  if (slots.length > 0 && ticker.slots.every((slot, i) => slot === again[i])) return
  throw new ScheduleExpressionError(`the expression ${JSON.stringify(cron)} can be read in two ways`, {
    remedy: suggestionFor(cron) ?? 'write it with plain lists and ranges',
  })
}

/** Longest time after a gap in which a local time that it left out may still be due. */
const GAP_LOOK_BACK_MS = 3 * 3_600_000
/** Slots after a gap that are looked through; an interval, which has more of them, loses none anyway. */
const GAP_SLOTS = 64

/** The first slot after a moment, or undefined where there is none. */
export function nextSlot(cron: string, timeZone: string, afterMs: number): number | undefined {
  const found = searchSlot(cron, timeZone, afterMs)
  const inGap = timeZone === 'UTC' ? undefined : slotOfGap(cron, timeZone, afterMs)
  if (inGap === undefined || found === undefined) return inGap ?? found
  return Math.min(inGap, found)
}

/**
 * A local time that a gap left out is due right after it. Seen from after the gap that time does not exist, so it is
 * looked for from before.
 */
function slotOfGap(cron: string, timeZone: string, afterMs: number): number | undefined {
  const gapMs = gapBefore(timeZone, afterMs, GAP_LOOK_BACK_MS)
  if (gapMs === undefined) return undefined
  let at: number | undefined = gapMs - 1
  for (let n = 0; n < GAP_SLOTS && at !== undefined && at <= afterMs; n++) at = searchSlot(cron, timeZone, at)
  return at !== undefined && at > afterMs ? at : undefined
}

function searchSlot(cron: string, timeZone: string, afterMs: number): number | undefined {
  // Where a zone's clock moves by less than an hour (Australia/Lord_Howe) the search may miss its goal from within that
  // hour; from further on it finds the next one.
  for (const skipMs of [0, 1_800_000, 3_600_000, 7_200_000]) {
    try {
      return CronExpressionParser.parse(cron, { tz: timeZone, currentDate: new Date(afterMs + skipMs) })
        .next()
        .getTime()
    } catch (error) {
      if (!(error instanceof Error) || !/loop limit|time span/i.test(error.message)) throw error
    }
  }
  return undefined
}

/** The next `count` slots after a moment. */
export function slotsAfter(cron: string, timeZone: string, afterMs: number, count: number): readonly number[] {
  const slots: number[] = []
  for (let at: number | undefined = afterMs; slots.length < count; slots.push(at)) {
    at = nextSlot(cron, timeZone, at)
    if (at === undefined) break
  }
  return slots
}

/** The slots from `fromMs` to `toMs`, both included; at most `max`, the oldest where there are more. */
export function slotsBetween(
  schedule: { readonly cron: string; readonly timeZone: string },
  fromMs: number,
  toMs: number,
  max: number,
): readonly number[] {
  const slots: number[] = []
  let at = nextSlot(schedule.cron, schedule.timeZone, fromMs - 1)
  while (at !== undefined && at <= toMs && slots.length < max) {
    slots.push(at)
    at = nextSlot(schedule.cron, schedule.timeZone, at)
  }
  return slots
}

/** A slot that is later than this was missed: nothing ran when it was due. */
const MISSED_AFTER_MS = 30_000

/** What a schedule that is due runs now, oldest first, and its next slot. */
export interface DueSlots {
  readonly run: readonly number[]
  readonly next: number | undefined
}

/**
 * Applies the catch-up policy to the slots from the one that was expected up to now: `none` runs the last one unless it
 * was missed, `latest` runs the last one, `all` the last `catchUpMax`.
 */
export function dueSlots(
  schedule: {
    readonly cron: string
    readonly timeZone: string
    readonly catchUp: 'none' | 'latest' | 'all'
    readonly catchUpMax: number
    readonly nextRunMs: number
  },
  nowMs: number,
): DueSlots {
  const wanted = schedule.catchUp === 'all' ? schedule.catchUpMax : 1
  const latest = latestSlots(schedule, schedule.nextRunMs, nowMs, wanted)
  const last = latest.at(-1)
  const missed = last === undefined || nowMs - last > MISSED_AFTER_MS
  return {
    run: schedule.catchUp === 'none' && missed ? [] : latest,
    next: nextSlot(schedule.cron, schedule.timeZone, Math.max(nowMs, last ?? nowMs)),
  }
}

/** The last `count` slots in a span, found from its end, so that a long outage of a frequent schedule costs little. */
function latestSlots(
  schedule: { readonly cron: string; readonly timeZone: string },
  fromMs: number,
  toMs: number,
  count: number,
): readonly number[] {
  for (let spanMs = 60_000; ; spanMs *= 2) {
    const startMs = Math.max(fromMs, toMs - spanMs)
    const slots = slotsBetween(schedule, startMs, toMs, Infinity)
    if (slots.length >= count || startMs === fromMs) return slots.slice(-count)
  }
}

/** The slot as it stands in the id of its run: UTC, sorts by time. */
export function slotName(slotMs: number): string {
  return new Date(slotMs)
    .toISOString()
    .replaceAll(/[-:]/g, '')
    .replace(/\.000Z$/, 'Z')
    .replace('.', '')
}

function checkTimeZone(timeZone: string): void {
  try {
    Intl.DateTimeFormat('en', { timeZone })
  } catch (cause) {
    throw new ScheduleExpressionError(`there is no time zone ${JSON.stringify(timeZone)}`, {
      cause,
      remedy: 'use a name of the IANA list, for example Europe/Berlin or UTC',
    })
  }
}

function attempt<T>(cron: string, read: () => T): T {
  try {
    return read()
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new ScheduleExpressionError(`the expression ${JSON.stringify(cron)} cannot be used: ${reason}`, {
      cause,
      remedy: suggestionFor(cron) ?? 'write five fields: minute hour day-of-month month day-of-week',
    })
  }
}

/** What the ticker makes of the expression, from the present moment on: it knows no other. */
function tickerSlots(cron: string): { readonly fromMs: number; readonly slots: readonly number[] } {
  const task = createTask(cron, () => undefined, { timezone: 'UTC' })
  try {
    const slots = task.getNextRuns(COMPARED_SLOTS).map((date) => date.getTime())
    return { fromMs: (slots[0] ?? 0) - 1, slots }
  } finally {
    void task.destroy()
  }
}

/** How to say without doubt what an expression probably means. */
function suggestionFor(cron: string): string | undefined {
  const fields = cron.trim().split(/\s+/)
  const [minute, hour, dayOfMonth, , dayOfWeek] = fields.slice(-5)
  if (fields.length < 5) return undefined
  const step = fields.map((field) => /^(\d+)\/(\d+)$/.exec(field)).find((match) => match !== null)
  if (step) return `write ${step[1]}-59/${step[2]} instead of ${step[0]}`
  const wrapped = wrappedRange(minute, 59) ?? wrappedRange(hour, 23)
  if (wrapped !== undefined) return wrapped
  if (/^sat-sun$/i.test(dayOfWeek ?? '') || dayOfWeek === '6-0') return 'write 0,6 instead of a range that wraps'
  if (restricted(dayOfMonth) && restricted(dayOfWeek)) {
    const day = `${minute} ${hour} ${dayOfMonth} * *`
    const weekday = `${minute} ${hour} * * ${dayOfWeek}`
    return `restrict the day of month or the day of week, not both; for either, make two schedules: "${day}" and "${weekday}"`
  }
  return undefined
}

function restricted(field: string | undefined): boolean {
  return field !== '*' && field !== '?'
}

function wrappedRange(field: string | undefined, last: number): string | undefined {
  const [range, from, to] = /^(\d+)-(\d+)$/.exec(field ?? '') ?? []
  if (range === undefined || Number(from) <= Number(to)) return undefined
  return `write ${from}-${last},0-${to} instead of ${range}`
}
