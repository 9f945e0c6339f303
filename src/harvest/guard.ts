/**
 * Reasons to stop before the first write: a harvest that would take away or miss far more than usual is rarely
 * right; and what a person should hear of although nothing stops.
 */
import type { Coverage } from './coverage.ts'
import type { EdgeCounts } from './edge-diff.ts'

export interface GuardLimits {
  /** Share of the origin's edges that may vanish at once. */
  readonly maxVanish: number
  /** Share of statements that may fail. */
  readonly maxFailures: number
  /** By how much the coverage may fall, as a share of all. */
  readonly maxCoverageFall: number
  /** By how much it may fall before a person is told. */
  readonly alarmCoverageFall: number
}

export interface GuardFacts {
  readonly edges: EdgeCounts
  readonly read: number
  readonly rejected: number
  readonly coverage: Coverage
  /** Of the last harvest of this origin. */
  readonly formerCoverage: Coverage | undefined
  /** Another source that was harvested under the same origin, which nobody named. */
  readonly otherSource: string | undefined
}

/** Fewer edges or statements than this say nothing by their share. */
const FLOOR = 20

/** Why the harvest should not be carried out, a sentence each; empty where nothing speaks against it. */
export function guardReasons(facts: GuardFacts, limits: GuardLimits): readonly string[] {
  const { edges, read, rejected } = facts
  const held = edges.removed + edges.kept
  const reasons: string[] = []
  if (held >= FLOOR && edges.removed / held > limits.maxVanish) {
    reasons.push(
      `${edges.removed} of ${held} edges of this origin would vanish (${percent(edges.removed / held)}; maxVanish lets ${percent(limits.maxVanish)} pass)`,
    )
  }
  if (facts.otherSource !== undefined && edges.removed > 0) {
    reasons.push(
      `${edges.removed === 1 ? '1 edge' : `${edges.removed} edges`} would vanish that were found in ${facts.otherSource}: two sources have one name (origin tells them apart)`,
    )
  }
  if (read >= FLOOR && rejected / read > limits.maxFailures) {
    reasons.push(
      `${rejected} of ${read} statements were not understood (${percent(rejected / read)}; maxFailures lets ${percent(limits.maxFailures)} pass)`,
    )
  }
  return [...reasons, ...falls(facts, 'maxCoverageFall', limits)]
}

/** What a person does about a harvest that was stopped. */
export const GUARD_REMEDY =
  'A guard stopped the harvest before its first write. If the source lost its files, or names and dialect are wrong, mend that; if two sources share a name, give each its own by --origin; if all is as it should be, raise the limit that is named for once (--max-vanish, --max-failures, --max-coverage-fall), or let a person decide: --on-guard ask, then headwater approve'

/** What a person should hear of: all that stops a harvest, and smaller falls of coverage. */
export function harvestAlarms(facts: GuardFacts, limits: GuardLimits): readonly string[] {
  const reasons = guardReasons(facts, limits)
  return reasons.length > 0 ? reasons : falls(facts, 'alarmCoverageFall', limits)
}

function falls(
  { read, coverage, formerCoverage }: GuardFacts,
  limit: 'maxCoverageFall' | 'alarmCoverageFall',
  limits: GuardLimits,
): readonly string[] {
  return COVERED.flatMap((what) => {
    const before = formerCoverage?.[what] ?? 0
    if (read < FLOOR || before - coverage[what] <= limits[limit]) return []
    const limitText = `${limit} lets ${percent(limits[limit])} pass`
    return [`coverage of ${what} falls from ${percent(before)} to ${percent(coverage[what])} (${limitText})`]
  })
}

const COVERED = ['statements', 'tables', 'columns'] as const

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`
}
