/**
 * Cut-offs that follow from a budget of bytes: the latest that is needed so that what stays fits, to the day. Bytes are
 * counted as after a rebuild (rows that stay, at the bytes that a row takes now), since a delete gives none back. The
 * catalog is only asked to count: some twelve dry runs an index.
 */
import { DAY_MS } from './duration.ts'
import type { IndexPart } from './index-parts.ts'
import type { Candidate, Cause } from './plan.ts'
import type { RetentionRule } from './policy.ts'

/** How many rows of an index are older than a cut-off, and all. */
export type CountRows = (
  index: IndexPart,
  cutoffMs: number,
) => Promise<{ readonly matching: number; readonly total: number }>

/** No row is kept longer than this by a budget; bounds the search. */
const LONGEST_DAYS = 4096

export interface Share {
  readonly index: IndexPart
  readonly rule: RetentionRule
  /** By age; undefined where the rule has none. */
  readonly candidate: Candidate | undefined
}

/** The candidate that keeps one index within `maxMb`; the one by age where that is enough, undefined where none is needed. */
export async function withinBudget(
  share: Share,
  maxMb: number,
  { count, nowMs }: { readonly count: CountRows; readonly nowMs: number },
): Promise<{ readonly candidate: Candidate | undefined; readonly fits: boolean }> {
  const sizeAt = (days: number) => sizeAfter(share, nowMs - days * DAY_MS, count)
  const { days, fits } = await mostDays(share.rule.keepDaysFloor, maxMb, sizeAt)
  return { candidate: later(share, days, 'budget', nowMs), fits }
}

/**
 * The candidates that keep all indexes together within `maxMb`: one common cut-off, oldest first; an index goes no lower
 * than its own floor.
 * @param restMb what indexes without a rule take, which nothing makes smaller
 */
export async function withinTotalBudget(
  shares: readonly Share[],
  maxMb: number,
  { count, nowMs, restMb }: { readonly count: CountRows; readonly nowMs: number; readonly restMb: number },
): Promise<{ readonly candidates: readonly Candidate[]; readonly fits: boolean }> {
  const lowest = Math.min(...shares.map(({ rule }) => rule.keepDaysFloor))
  const sizeAt = async (days: number): Promise<number> => {
    let megabytes = restMb
    for (const share of shares) {
      const cutoffMs = nowMs - Math.max(days, share.rule.keepDaysFloor) * DAY_MS
      megabytes += await sizeAfter(share, cutoffMs, count)
    }
    return megabytes
  }
  if (shares.length === 0) return { candidates: [], fits: restMb <= maxMb }
  const { days, fits } = await mostDays(lowest, maxMb, sizeAt)
  const candidates = shares.flatMap((share) => {
    const own = later(
      share,
      days === undefined ? undefined : Math.max(days, share.rule.keepDaysFloor),
      'total-budget',
      nowMs,
    )
    return own === undefined ? [] : [own]
  })
  return { candidates, fits }
}

/** The most whole days that fit; undefined where everything does. The floor where nothing does. */
async function mostDays(
  floorDays: number,
  maxMb: number,
  sizeAt: (days: number) => Promise<number>,
): Promise<{ readonly days: number | undefined; readonly fits: boolean }> {
  if ((await sizeAt(LONGEST_DAYS)) <= maxMb) return { days: undefined, fits: true }
  let fitting = Math.ceil(floorDays)
  if ((await sizeAt(fitting)) > maxMb) return { days: floorDays, fits: false }
  let tooMany = LONGEST_DAYS
  while (tooMany - fitting > 1) {
    const middle = Math.floor((fitting + tooMany) / 2)
    if ((await sizeAt(middle)) <= maxMb) fitting = middle
    else tooMany = middle
  }
  return { days: fitting, fits: true }
}

/** Megabytes of an index after a rebuild without what is older than the cut-off, or than the one by age. */
async function sizeAfter({ index, candidate }: Share, cutoffMs: number, count: CountRows): Promise<number> {
  const { matching, total } = await count(index, Math.max(cutoffMs, candidate?.cutoffMs ?? 0))
  return total === 0 ? 0 : (index.sizeMb * (total - matching)) / total
}

/** The later of the cut-off by age and the one by days. */
function later({ index, rule, candidate }: Share, days: number | undefined, cause: Cause, nowMs: number) {
  if (days === undefined) return candidate
  const cutoffMs = nowMs - Math.round(days * DAY_MS)
  if (candidate !== undefined && candidate.cutoffMs >= cutoffMs) return candidate
  return { index, rule, cutoffMs, cause }
}
