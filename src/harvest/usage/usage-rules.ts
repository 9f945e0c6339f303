/** What is counted of who reads what: by day or hour, in which window of time, whose statements, and how many are shown. */
import { DecodeError } from '../../model/errors.ts'
import { utcTimeOf } from '../utc-time.ts'

export const USAGE_BUCKETS = ['DAY', 'HOUR'] as const
export type UsageBucket = (typeof USAGE_BUCKETS)[number]

/** As people write it. */
export interface UsageSettings {
  readonly bucket?: UsageBucket | undefined
  /** ISO date or time (UTC where it has no zone), or `-7d`, `-12 hours` before the end. */
  readonly from?: string | undefined
  readonly until?: string | undefined
  /** Statements that are shown with a bucket; 0 for none. */
  readonly top?: number | undefined
  /** Characters of each of them. */
  readonly queryLength?: number | undefined
  /** Regular expressions of users, from their start: whose statements are counted, and whose are not. */
  readonly allow?: readonly string[] | undefined
  readonly deny?: readonly string[] | undefined
}

export interface UsageRules {
  readonly bucket: UsageBucket
  readonly fromMs: number
  readonly untilMs: number
  readonly top: number
  readonly queryLength: number
  readonly counts: (user: string) => boolean
}

const BUCKET_MS: Readonly<Record<UsageBucket, number>> = { DAY: 86_400_000, HOUR: 3_600_000 }
const TOP = 10
const QUERY_LENGTH = 1000

/** Begin of the bucket that a time is in (UTC). */
export function bucketOf(timeMs: number, bucket: UsageBucket): number {
  return Math.floor(timeMs / BUCKET_MS[bucket]) * BUCKET_MS[bucket]
}

/**
 * @param nowMs what a span before the end is counted from, where no end is given
 * @throws DecodeError for a time or a pattern that is none
 */
export function usageRules(settings: UsageSettings, nowMs: number): UsageRules {
  const { bucket = 'DAY', top = TOP, queryLength = QUERY_LENGTH, allow, deny = [] } = settings
  const untilMs = settings.until === undefined ? Number.POSITIVE_INFINITY : timeOf(settings.until, 'until')
  const fromMs = settings.from === undefined ? Number.NEGATIVE_INFINITY : startOf(settings.from, untilMs, nowMs, bucket)
  if (fromMs >= untilMs) throw wrong('from', `${settings.from} is not before ${settings.until}`)
  const allowed = allow?.map((pattern) => compile(pattern, 'allow'))
  const denied = deny.map((pattern) => compile(pattern, 'deny'))
  return {
    bucket,
    fromMs,
    untilMs,
    top,
    queryLength,
    counts: (user) =>
      !denied.some((pattern) => pattern.test(user)) && (allowed?.some((pattern) => pattern.test(user)) ?? true),
  }
}

const SPAN = /^\s*-\s*(\d+(?:\.\d+)?)\s*(h|hours?|d|days?|w|weeks?)\s*$/i
const SPAN_MS: Readonly<Record<string, number>> = { h: 3_600_000, d: 86_400_000, w: 7 * 86_400_000 }

function startOf(text: string, untilMs: number, nowMs: number, bucket: UsageBucket): number {
  const [, count, unit] = SPAN.exec(text) ?? []
  if (count === undefined || unit === undefined) return timeOf(text, 'from')
  const spanMs = Number(count) * (SPAN_MS[unit[0]?.toLowerCase() ?? ''] ?? 0)
  return bucketOf((Number.isFinite(untilMs) ? untilMs : nowMs) - spanMs, bucket)
}

function timeOf(text: string, key: string): number {
  const parsed = utcTimeOf(text)
  if (parsed === undefined) throw wrong(key, `${JSON.stringify(text)} is no time`)
  return parsed
}

function compile(pattern: string, key: string): RegExp {
  try {
    return new RegExp(`^(?:${pattern})`, 'i')
  } catch {
    throw wrong(key, `${JSON.stringify(pattern)} is no regular expression`)
  }
}

function wrong(key: string, what: string): DecodeError {
  return new DecodeError(
    what,
    { path: `usageRules.${key}` },
    { remedy: 'times read 2026-11-21, 2026-11-21T02:00:00Z or -7d' },
  )
}
