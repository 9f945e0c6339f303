/** What the ledger remembers of indexes: their sizes, and what truncations before took. */
import type { IndexSize } from '../client/operations.ts'
import { numberAt, type JsonObject } from '../model/json.ts'
import { DAY_MS } from './duration.ts'
import { median, type SizePoint } from './forecast.ts'
import type { Forecast } from './plan.ts'

/** One figure of a series, as the ledger keeps it. */
export interface HistoryPoint {
  readonly series: string
  readonly atMs: number
  readonly facts: JsonObject
}

export const SIZE_SERIES = 'index-size/'
export const TRUNCATION_SERIES = 'truncation/'

const HOUR_MS = 3_600_000
/** Truncations that the usual number of rows follows from, and the fewest that will do. */
const MOST_RATES = 10
const LEAST_RATES = 3

/** Sizes as points, one an hour and index at most, with what was forecast then. */
export function sizePoints(
  sizes: readonly IndexSize[],
  forecasts: readonly Forecast[],
  nowMs: number,
): readonly HistoryPoint[] {
  const atMs = Math.floor(nowMs / HOUR_MS) * HOUR_MS
  const byIndex = new Map(forecasts.map((forecast) => [forecast.indexName, forecast]))
  return sizes.map(({ indexName, sizeMb, rows }) => {
    const { growth, daysLeft } = byIndex.get(indexName) ?? {}
    return {
      series: `${SIZE_SERIES}${indexName}`,
      atMs,
      facts: {
        sizeMb,
        ...(rows === undefined ? {} : { rows }),
        ...(growth === undefined ? {} : { mbPerDay: growth.mbPerDay }),
        ...(daysLeft === undefined ? {} : { daysLeft }),
      },
    }
  })
}

/** A truncation as a point; its moment is the cut-off, so that a second attempt does not count twice. */
export function truncationPoint(indexName: string, cutoffMs: number, rows: number): HistoryPoint {
  return { series: `${TRUNCATION_SERIES}${indexName}`, atMs: cutoffMs, facts: { rows } }
}

export function sizesOf(history: readonly HistoryPoint[], indexName: string): readonly SizePoint[] {
  return history
    .filter(({ series }) => series === `${SIZE_SERIES}${indexName}`)
    .map(({ atMs, facts }) => ({ atMs, sizeMb: numberAt(facts, 'sizeMb') ?? 0 }))
}

/**
 * How many rows a cut-off is expected to take: rows for each day that earlier cut-offs moved on (the median of the last
 * ten), times the days that this one moves on from the last.
 * @returns undefined where fewer than three such rates are known, or the cut-off does not move on
 */
export function usualRows(history: readonly HistoryPoint[], indexName: string, cutoffMs: number): number | undefined {
  const earlier = history
    .filter(({ series }) => series === `${TRUNCATION_SERIES}${indexName}`)
    .toSorted((a, b) => a.atMs - b.atMs)
  const rates = earlier.flatMap((point, at) => {
    const before = earlier[at - 1]
    if (before === undefined) return []
    return [(numberAt(point.facts, 'rows') ?? 0) / ((point.atMs - before.atMs) / DAY_MS)]
  })
  const last = earlier.at(-1)
  if (last === undefined || last.atMs >= cutoffMs || rates.length < LEAST_RATES) return undefined
  return median(rates.slice(-MOST_RATES)) * ((cutoffMs - last.atMs) / DAY_MS)
}
