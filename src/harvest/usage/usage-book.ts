/**
 * Who reads what: reads of datasets counted by day and file of the log, so that a log which grew adds up, and one that is
 * read again replaces what it said before. The shape of `datasetUsageStatistics` is contract §3.6.
 */
import type { JsonObject } from '../../model/json.ts'
import type { DatasetUrn, Urn } from '../../model/urn.ts'

/** A statement that read a dataset. */
export interface DatasetRead {
  readonly dataset: DatasetUrn
  readonly timeMs: number
  readonly user?: Urn
  /** Field paths that it used. */
  readonly fields: Iterable<string>
  /** Text, masked and shortened, by which equal statements are counted together. */
  readonly sql: string
}

/** Reads of one dataset on one day, as one file of a log tells them. Plain, so that it can be kept between runs. */
export interface UsageCounts {
  readonly queries: number
  readonly users: Readonly<Record<string, number>>
  readonly fields: Readonly<Record<string, number>>
  readonly texts: Readonly<Record<string, number>>
}

const DAY_MS = 86_400_000
/** Statements that are shown with a day, and statements among which they are found. */
const TOP_QUERIES = 10
const TEXTS_KEPT = 200

interface MutableCounts {
  queries: number
  readonly users: Map<string, number>
  readonly fields: Map<string, number>
  readonly texts: Map<string, number>
}

export class UsageBook {
  readonly #days = new Map<DatasetUrn, Map<number, MutableCounts>>()

  add({ dataset, timeMs, user, fields, sql }: DatasetRead): void {
    const counts = this.#countsOf(dataset, Math.floor(timeMs / DAY_MS) * DAY_MS)
    counts.queries++
    if (user !== undefined) increase(counts.users, user)
    for (const field of new Set(fields)) increase(counts.fields, field)
    if (counts.texts.size < TEXTS_KEPT || counts.texts.has(sql)) increase(counts.texts, sql)
  }

  /** Days in order of dataset and time. */
  *days(): Generator<{ readonly dataset: DatasetUrn; readonly dayMs: number; readonly counts: UsageCounts }> {
    for (const [dataset, days] of this.#days) {
      for (const [dayMs, { queries, users, fields, texts }] of [...days].toSorted(([a], [b]) => a - b)) {
        const counts = { queries, users: toObject(users), fields: toObject(fields), texts: toObject(texts) }
        yield { dataset, dayMs, counts }
      }
    }
  }

  #countsOf(dataset: DatasetUrn, dayMs: number): MutableCounts {
    const days = this.#days.get(dataset) ?? new Map<number, MutableCounts>()
    this.#days.set(dataset, days)
    const counts = days.get(dayMs) ?? { queries: 0, users: new Map(), fields: new Map(), texts: new Map() }
    days.set(dayMs, counts)
    return counts
  }
}

/** What several files, or two halves of one, say together. */
export function addCounts(all: readonly UsageCounts[]): UsageCounts {
  const sum = (key: 'users' | 'fields' | 'texts'): Readonly<Record<string, number>> => {
    const counts = new Map<string, number>()
    for (const one of all) for (const [name, count] of Object.entries(one[key])) increase(counts, name, count)
    return toObject(counts)
  }
  return {
    queries: all.reduce((total, one) => total + one.queries, 0),
    users: sum('users'),
    fields: sum('fields'),
    texts: sum('texts'),
  }
}

/**
 * The day's event. Its message id keeps the days of other tools and of other harvests apart from ours, and makes a
 * second run replace this event instead of adding one.
 */
export function usageAspect(dayMs: number, counts: UsageCounts, origin: string): JsonObject {
  return {
    timestampMillis: dayMs,
    eventGranularity: { unit: 'DAY', multiple: 1 },
    partitionSpec: { type: 'FULL_TABLE', partition: 'FULL_TABLE_SNAPSHOT' },
    messageId: `headwater:${origin}`,
    uniqueUserCount: Object.keys(counts.users).length,
    totalSqlQueries: counts.queries,
    topSqlQueries: byCount(counts.texts)
      .slice(0, TOP_QUERIES)
      .map(([text]) => text),
    userCounts: byCount(counts.users).map(([user, count]) => ({ user, count })),
    fieldCounts: byCount(counts.fields).map(([fieldPath, count]) => ({ fieldPath, count })),
  }
}

/** Most frequent first. */
function byCount(counts: Readonly<Record<string, number>>): readonly (readonly [string, number])[] {
  return Object.entries(counts).toSorted(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
}

function increase(counts: Map<string, number>, name: string, by = 1): void {
  counts.set(name, (counts.get(name) ?? 0) + by)
}

/** In the order of the names, so that equal counts are equal texts. */
function toObject(counts: ReadonlyMap<string, number>): Readonly<Record<string, number>> {
  return Object.fromEntries([...counts].toSorted(([a], [b]) => (a < b ? -1 : 1)))
}
