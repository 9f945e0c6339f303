/**
 * Who reads what, and which statement ran how often: counted by day (or hour) and file of the log, so that a log which
 * grew adds up, and one that is read again replaces what it said before. The shapes are those of contract §3.6.
 */
import type { JsonObject } from '../../model/json.ts'
import { entityTypeOf, type Urn } from '../../model/urn.ts'
import { bucketOf, type UsageBucket, type UsageRules } from './usage-rules.ts'

/** A statement that read a dataset, or that ran. */
export interface Use {
  /** The dataset, or the query. */
  readonly of: Urn
  readonly timeMs: number
  readonly user?: Urn
  /** Field paths that it used, each once. */
  readonly fields: readonly string[]
  /** The statement, by which those that differ in literals only are counted together, and its text, masked and shortened. */
  readonly statement?: { readonly query: Urn; readonly shown: string }
}

/** Uses of one thing on one day, as one file of a log tells them. Plain, so that it can be kept between runs. */
export interface UsageCounts {
  readonly queries: number
  readonly users: Readonly<Record<string, number>>
  readonly fields: Readonly<Record<string, number>>
  /** By query; by the text itself where an earlier version counted. */
  readonly texts: Readonly<Record<string, number>>
  /** Texts of queries. */
  readonly shown?: Readonly<Record<string, string>>
}

/** Statements among which the most frequent of a day are found. */
const TEXTS_KEPT = 200

interface MutableCounts {
  queries: number
  readonly users: Map<string, number>
  readonly fields: Map<string, number>
  readonly texts: Map<string, number>
  readonly shown: Map<string, string>
}

export class UsageBook {
  readonly #bucket: UsageBucket
  readonly #buckets = new Map<Urn, Map<number, MutableCounts>>()

  constructor(bucket: UsageBucket = 'DAY') {
    this.#bucket = bucket
  }

  add({ of, timeMs, user, fields, statement }: Use): void {
    const counts = this.#countsOf(of, bucketOf(timeMs, this.#bucket))
    counts.queries++
    if (user !== undefined) increase(counts.users, user)
    for (const field of fields) increase(counts.fields, field)
    if (statement === undefined) return
    const { query, shown } = statement
    if (counts.texts.size >= TEXTS_KEPT && !counts.texts.has(query)) return
    increase(counts.texts, query)
    if (!counts.shown.has(query)) counts.shown.set(query, shown)
  }

  /** Buckets of time in order of what is used and time. */
  *buckets(): Generator<{ readonly of: Urn; readonly startMs: number; readonly counts: UsageCounts }> {
    for (const [of, buckets] of this.#buckets) {
      for (const [startMs, { queries, users, fields, texts, shown }] of [...buckets].toSorted(([a], [b]) => a - b)) {
        const counts = { queries, users: toObject(users), fields: toObject(fields), texts: toObject(texts) }
        yield { of, startMs, counts: { ...counts, ...(shown.size === 0 ? {} : { shown: toObject(shown) }) } }
      }
    }
  }

  #countsOf(of: Urn, startMs: number): MutableCounts {
    const buckets = this.#buckets.get(of) ?? new Map<number, MutableCounts>()
    this.#buckets.set(of, buckets)
    const known = buckets.get(startMs)
    if (known !== undefined) return known
    const made = { queries: 0, users: new Map(), fields: new Map(), texts: new Map(), shown: new Map() }
    buckets.set(startMs, made)
    return made
  }
}

/** What several files, or two halves of one, say together. */
export function addCounts(all: readonly UsageCounts[]): UsageCounts {
  const sum = (key: 'users' | 'fields' | 'texts'): Readonly<Record<string, number>> => {
    const counts = new Map<string, number>()
    for (const one of all) for (const [name, count] of Object.entries(one[key])) increase(counts, name, count)
    return toObject(counts)
  }
  // Of texts that differ in literals only the first is shown.
  const shown = new Map(all.toReversed().flatMap((one) => Object.entries(one.shown ?? {})))
  return {
    queries: all.reduce((total, one) => total + one.queries, 0),
    users: sum('users'),
    fields: sum('fields'),
    texts: sum('texts'),
    ...(shown.size === 0 ? {} : { shown: toObject(shown) }),
  }
}

/** What stands in an event besides its counts. */
export type UsageShape = Pick<UsageRules, 'bucket' | 'top'> & { readonly origin: string }

/**
 * The event of a bucket of time: `datasetUsageStatistics` of a dataset, `queryUsageStatistics` of a query. Its message id
 * keeps the days of other tools and of other harvests apart from ours, and makes a second run replace this event instead
 * of adding one.
 */
export function usageAspect(of: Urn, startMs: number, counts: UsageCounts, shape: UsageShape): JsonObject {
  const { bucket, top, origin } = shape
  const { queries, users, fields, texts, shown = {} } = counts
  const textCounts = Object.entries(texts).map(([query, count]) => [shown[query] ?? query, count] as const)
  const event = {
    timestampMillis: startMs,
    eventGranularity: { unit: bucket, multiple: 1 },
    partitionSpec: { type: 'FULL_TABLE', partition: 'FULL_TABLE_SNAPSHOT' },
    messageId: `headwater:${origin}`,
    uniqueUserCount: Object.keys(users).length,
    userCounts: byCount(Object.entries(users)).map(([user, count]) => ({ user, count, ...emailOf(user) })),
  }
  if (entityTypeOf(of) === 'query') return { ...event, queryCount: queries }
  return {
    ...event,
    totalSqlQueries: queries,
    topSqlQueries: byCount(textCounts)
      .slice(0, top)
      .map(([text]) => text),
    fieldCounts: byCount(Object.entries(fields)).map(([fieldPath, count]) => ({ fieldPath, count })),
  }
}

/** The aspect that counts uses of an entity. */
export function usageAspectName(of: Urn): string {
  return `${entityTypeOf(of)}UsageStatistics`
}

function emailOf(user: string): { readonly userEmail?: string } {
  const name = user.slice(user.lastIndexOf(':') + 1)
  return name.includes('@') ? { userEmail: name } : {}
}

/** Most frequent first. */
function byCount(counts: readonly (readonly [string, number])[]): readonly (readonly [string, number])[] {
  return counts.toSorted(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
}

function increase(counts: Map<string, number>, name: string, by = 1): void {
  counts.set(name, (counts.get(name) ?? 0) + by)
}

/** In the order of the names, so that equal counts are equal texts. */
function toObject<Value>(counts: ReadonlyMap<string, Value>): Readonly<Record<string, Value>> {
  return Object.fromEntries([...counts].toSorted(([a], [b]) => (a < b ? -1 : 1)))
}
