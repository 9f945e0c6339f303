/** How a dataset was used: its `datasetUsageStatistics`, window by window, and summed up (contract §9.5). */
import { numberAt, objectsAt, stringsAt, textAt, type JsonObject } from '../../model/json.ts'
import type { Urn } from '../../model/urn.ts'
import type { GraphqlContext } from './context.ts'
import { nodeOf, type Node } from './nodes.ts'

const DAY_MS = 24 * 60 * 60 * 1000
/** Windows as far back as each range reaches. */
const RANGE_MS: Readonly<Record<string, number>> = {
  DAY: DAY_MS,
  WEEK: 7 * DAY_MS,
  MONTH: 31 * DAY_MS,
  QUARTER: 92 * DAY_MS,
  YEAR: 366 * DAY_MS,
}
const MAX_WINDOWS = 10_000
const DURATIONS = new Set(['DAY', 'WEEK', 'MONTH', 'YEAR'])

interface UserCount {
  readonly user: Node | null
  readonly count: number
  readonly userEmail: string | null
}

/** @param range all where absent */
export async function usageStats(
  { urn }: Node,
  { range }: { readonly range?: string | null },
  { catalog }: GraphqlContext,
) {
  const back = RANGE_MS[range ?? 'ALL']
  const events = await catalog.timeseries.events({
    urn,
    aspect: 'datasetUsageStatistics',
    limit: MAX_WINDOWS,
    ...(back === undefined ? {} : { fromMs: catalog.clock.now() - back }),
  })
  const windows = events.map(({ value }) => value).toReversed()
  const users = summed(windows.flatMap(usersOf), ({ user, userEmail }) => user?.urn ?? userEmail ?? '')
  return {
    buckets: windows.map((value) => windowOf(urn, value)),
    aggregations: {
      uniqueUserCount: users.length,
      users,
      totalSqlQueries: windows.reduce((sum, value) => sum + (numberAt(value, 'totalSqlQueries') ?? 0), 0),
      fields: summed(windows.flatMap(fieldsOf), ({ fieldName }) => fieldName),
    },
  }
}

function windowOf(urn: Urn, value: JsonObject) {
  const unit = textAt(value.eventGranularity, 'unit') ?? ''
  return {
    bucket: value.timestampMillis,
    duration: DURATIONS.has(unit) ? unit : null,
    resource: urn,
    metrics: {
      uniqueUserCount: numberAt(value, 'uniqueUserCount') ?? null,
      users: usersOf(value),
      totalSqlQueries: numberAt(value, 'totalSqlQueries') ?? null,
      topSqlQueries: stringsAt(value, 'topSqlQueries'),
      fields: fieldsOf(value),
    },
  }
}

const usersOf = (value: JsonObject): readonly UserCount[] =>
  objectsAt(value, 'userCounts').map((one) => ({
    user: nodeOf(one.user) ?? null,
    count: numberAt(one, 'count') ?? 0,
    userEmail: textAt(one, 'userEmail') ?? null,
  }))

const fieldsOf = (value: JsonObject) =>
  objectsAt(value, 'fieldCounts').map((one) => ({
    fieldName: textAt(one, 'fieldPath') ?? '',
    count: numberAt(one, 'count') ?? 0,
  }))

/** One item for all of the same key, with their counts together; the greatest first. */
function summed<T extends { readonly count: number }>(items: readonly T[], keyOf: (item: T) => string): readonly T[] {
  const sums = new Map<string, T>()
  for (const item of items) {
    const key = keyOf(item)
    sums.set(key, { ...item, count: (sums.get(key)?.count ?? 0) + item.count })
  }
  return [...sums.values()].toSorted((a, b) => b.count - a.count)
}
