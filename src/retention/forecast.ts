/**
 * How fast an index grows, and when it reaches its budget. From the sizes that earlier looks left in the ledger, else
 * from counts: rows of the last days, at the bytes that a row takes now. Pure.
 */
import { DAY_MS } from './duration.ts'

/** Size of an index at a moment. */
export interface SizePoint {
  readonly atMs: number
  readonly sizeMb: number
}

export interface Growth {
  readonly mbPerDay: number
  /** What it follows from. */
  readonly basis: 'history' | 'counts'
}

/** Days of which the rows are counted where there is no history. */
export const COUNTED_DAYS = 7
const LEAST_SPAN_MS = DAY_MS / 2

/**
 * The median of the growth between neighbouring days. Days on which the index shrank are left out: that was a
 * truncation, and says nothing about what comes in.
 * @returns undefined where the points span less than half a day
 */
export function growthOf(points: readonly SizePoint[]): Growth | undefined {
  const daily = lastOfEachDay(points)
  const rates: number[] = []
  for (const [at, point] of daily.entries()) {
    const before = daily[at - 1]
    if (before === undefined || point.sizeMb < before.sizeMb) continue
    rates.push((point.sizeMb - before.sizeMb) / ((point.atMs - before.atMs) / DAY_MS))
  }
  const first = daily[0]
  const last = daily.at(-1)
  const spanMs = first === undefined || last === undefined ? 0 : last.atMs - first.atMs
  if (rates.length === 0 || spanMs < LEAST_SPAN_MS) return undefined
  return { mbPerDay: median(rates), basis: 'history' }
}

/** @param newRows rows of the last `COUNTED_DAYS` days */
export function growthFromCounts(index: { sizeMb: number; rows: number; newRows: number }): Growth | undefined {
  if (index.rows === 0) return undefined
  return { mbPerDay: (index.sizeMb / index.rows) * (index.newRows / COUNTED_DAYS), basis: 'counts' }
}

/** Days until a size reaches its budget; 0 when it has, undefined when it never will. */
export function daysUntil(budgetMb: number, sizeMb: number, growth: Growth | undefined): number | undefined {
  if (sizeMb >= budgetMb) return 0
  if (growth === undefined || growth.mbPerDay <= 0) return undefined
  return (budgetMb - sizeMb) / growth.mbPerDay
}

/** The middle value; of an even number the mean of the two in the middle. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  const upper = sorted[middle] ?? 0
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2
}

function lastOfEachDay(points: readonly SizePoint[]): readonly SizePoint[] {
  const sorted = points.toSorted((a, b) => a.atMs - b.atMs)
  return [...new Map(sorted.map((point) => [Math.floor(point.atMs / DAY_MS), point])).values()]
}
