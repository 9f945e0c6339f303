import { describe, expect, test } from 'vitest'
import { withinBudget, withinTotalBudget, type Share } from '../../../src/retention/budget.ts'
import { DAY_MS, daysOf } from '../../../src/retention/duration.ts'
import { daysUntil, growthFromCounts, growthOf } from '../../../src/retention/forecast.ts'
import { truncationPoint, usualRows } from '../../../src/retention/history.ts'
import { effective, readPolicy } from '../../../src/retention/policy.ts'

const NOW = Date.parse('2026-11-21T12:00:00Z')
const daily = (...sizes: readonly number[]) =>
  sizes.map((sizeMb, at) => ({ atMs: NOW - (sizes.length - 1 - at) * DAY_MS, sizeMb }))

test.each([
  ['14d', 14],
  ['36h', 1.5],
  ['8w', 56],
  ['30', 30],
  ['0d', undefined],
  ['-3d', undefined],
  ['3 months', undefined],
])('%s is %s days', (text, days) => {
  expect(daysOf(text)).toBe(days)
})

describe('growth', () => {
  test('is the median of the days on which the index grew: a truncation says nothing', () => {
    expect(growthOf(daily(10, 12, 14, 5, 7, 9))).toEqual({ mbPerDay: 2, basis: 'history' })
  })

  test('of one day that was looked at often is the growth to the next day', () => {
    const often = [...daily(10), { atMs: NOW + 60_000, sizeMb: 11 }, { atMs: NOW + DAY_MS, sizeMb: 14 }]
    expect(growthOf(often)?.mbPerDay).toBeCloseTo(3, 1)
  })

  test('is not known from a single day', () => {
    expect(growthOf(daily(10))).toBeUndefined()
    expect(growthOf([])).toBeUndefined()
  })

  test('follows from counts where there is no history', () => {
    expect(growthFromCounts({ sizeMb: 100, rows: 1000, newRows: 70 })).toEqual({ mbPerDay: 1, basis: 'counts' })
    expect(growthFromCounts({ sizeMb: 1, rows: 0, newRows: 0 })).toBeUndefined()
  })

  test.each([
    [100, 40, 2, 30],
    [100, 100, 2, 0],
    [100, 40, 0, undefined],
  ])('a budget of %d at %d, growing %d a day, is reached in %s days', (budget, size, mbPerDay, days) => {
    expect(daysUntil(budget, size, { mbPerDay, basis: 'history' })).toBe(days)
  })
})

const nightly = (...rows: readonly number[]) =>
  rows.map((count, at) => truncationPoint('i', NOW - (rows.length - at) * DAY_MS, count))

describe('usual rows', () => {
  test('are those of a day, from the fourth truncation on', () => {
    expect(usualRows(nightly(9999, 100, 110, 90), 'i', NOW)).toBe(100)
    expect(usualRows(nightly(9999, 100, 110), 'i', NOW)).toBeUndefined()
  })

  test('grow with the days that were left out', () => {
    expect(usualRows(nightly(9999, 100, 100, 100), 'i', NOW + 2 * DAY_MS)).toBe(300)
  })

  test('are not known where a truncation went further already', () => {
    expect(usualRows(nightly(9999, 100, 100, 100), 'i', NOW - 2 * DAY_MS)).toBeUndefined()
  })
})

describe('a budget', () => {
  const policy = readPolicy('rules: [{ aspect: a, maxGb: 1 }]', 'r.yaml')
  const [first] = policy.rules
  if (first === undefined) throw new Error('no rule')
  const rule = effective(first, policy)
  const share = (indexName: string, sizeMb: number): Share => ({
    index: { entityType: 'dataset', aspectName: 'a', indexName, sizeMb },
    rule,
    candidate: undefined,
  })
  /** Ten rows a day for 100 days. */
  const count = (_: unknown, cutoffMs: number) => {
    const days = Math.min(100, Math.max(0, (NOW - cutoffMs) / DAY_MS))
    return Promise.resolve({ matching: 1000 - Math.round(days * 10), total: 1000 })
  }
  const context = { count, nowMs: NOW }

  test('keeps as many days as fit, and no more go', async () => {
    const { candidate, fits } = await withinBudget(share('i', 1000), 300, context)
    expect({ days: (NOW - (candidate?.cutoffMs ?? 0)) / DAY_MS, fits, cause: candidate?.cause }).toEqual({
      days: 30,
      fits: true,
      cause: 'budget',
    })
  })

  test('that is not reached takes nothing', async () => {
    expect(await withinBudget(share('i', 100), 300, context)).toEqual({ candidate: undefined, fits: true })
  })

  test('never goes below the floor, and says that it does not fit', async () => {
    const { candidate, fits } = await withinBudget(share('i', 1000), 10, context)
    expect({ days: (NOW - (candidate?.cutoffMs ?? 0)) / DAY_MS, fits }).toEqual({ days: 7, fits: false })
  })

  test('takes no more than age takes anyway', async () => {
    const byAge = { index: share('i', 1000).index, rule, cutoffMs: NOW - 20 * DAY_MS, cause: 'age' as const }
    expect(await withinBudget({ ...share('i', 1000), candidate: byAge }, 300, context)).toEqual({
      candidate: byAge,
      fits: true,
    })
  })

  test('of all together has one cut-off, oldest first; what no rule covers counts', async () => {
    const shares = [share('i', 1000), share('j', 500)]
    const { candidates, fits } = await withinTotalBudget(shares, 400, { ...context, restMb: 100 })
    expect(fits).toBe(true)
    expect(candidates.map(({ cutoffMs }) => (NOW - cutoffMs) / DAY_MS)).toEqual([20, 20])
    expect(await withinTotalBudget(shares, 100, { ...context, restMb: 100 })).toMatchObject({ fits: false })
  })
})
