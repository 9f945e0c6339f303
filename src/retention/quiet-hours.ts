/**
 * Times of the day at which nothing is truncated without a person, by the wall clock of a place. Across a change to or
 * from summer time the wall clock counts: an hour that is skipped is never quiet, one that comes twice is quiet twice.
 */
import { Type, type Static } from 'typebox'

export const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const

export const QuietHours = Type.Object(
  {
    from: Type.String({ pattern: '^([01]\\d|2[0-3]):[0-5]\\d$', description: 'First minute, HH:MM.' }),
    to: Type.String({
      pattern: '^(([01]\\d|2[0-3]):[0-5]\\d|24:00)$',
      description: 'First minute after it, HH:MM; earlier than `from`: on the next day.',
    }),
    timeZone: Type.String({ default: 'UTC', description: 'IANA name, for example Europe/Berlin.' }),
    days: Type.Array(Type.Enum([...DAYS]), {
      default: [...DAYS],
      description: 'Days on which it begins: mon, tue, wed, thu, fri, sat, sun; every day when absent.',
    }),
  },
  { additionalProperties: false },
)
export type QuietHours = Static<typeof QuietHours>

/** The first of the quiet hours that a moment lies in. */
export function quietAt(all: readonly QuietHours[], nowMs: number): QuietHours | undefined {
  return all.find((hours) => isWithin(hours, nowMs))
}

/** What is wrong with quiet hours, beyond their shape. */
export function faultOf({ from, to, timeZone }: QuietHours): string | undefined {
  if (!isTimeZone(timeZone)) return `${JSON.stringify(timeZone)} is no time zone; they read Europe/Berlin, UTC`
  return from === to ? 'from and to are the same minute: for all day write from 00:00 to 24:00' : undefined
}

/** `22:00–06:00 Europe/Berlin (mon, tue)`. */
export function describeQuiet({ from, to, timeZone, days }: QuietHours): string {
  const on = days.length === DAYS.length ? '' : ` (${days.join(', ')})`
  return `${from}–${to} ${timeZone}${on}`
}

function isWithin({ from, to, timeZone, days }: QuietHours, nowMs: number): boolean {
  const { day, minute } = wallClock(timeZone, nowMs)
  const [first, after] = [minuteOf(from), minuteOf(to)]
  if (first < after) return minute >= first && minute < after && days.includes(day)
  return (minute >= first && days.includes(day)) || (minute < after && days.includes(dayBefore(day)))
}

function minuteOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  return hours * 60 + minutes
}

function dayBefore(day: QuietHours['days'][number]): QuietHours['days'][number] {
  return DAYS[(DAYS.indexOf(day) + DAYS.length - 1) % DAYS.length] ?? day
}

const FORMATS = new Map<string, Intl.DateTimeFormat>()

function wallClock(timeZone: string, nowMs: number): { readonly day: (typeof DAYS)[number]; readonly minute: number } {
  const format = FORMATS.get(timeZone) ?? formatOf(timeZone)
  FORMATS.set(timeZone, format)
  const parts = new Map(format.formatToParts(nowMs).map(({ type, value }) => [type, value]))
  const name = parts.get('weekday')?.toLowerCase()
  const day = DAYS.find((each) => each === name) ?? 'mon'
  return { day, minute: Number(parts.get('hour')) * 60 + Number(parts.get('minute')) }
}

function formatOf(timeZone: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat('en-US', {
    timeZone,
    weekday: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  })
}

function isTimeZone(name: string): boolean {
  try {
    formatOf(name)
    return true
  } catch {
    return false
  }
}
