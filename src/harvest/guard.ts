/** Reasons to stop before the first write: a harvest that would take away or miss far more than usual is rarely right. */
import type { Coverage } from './coverage.ts'
import type { EdgeCounts } from './edge-diff.ts'

export interface GuardLimits {
  /** Share of the origin's edges that may vanish at once. */
  readonly maxVanish: number
  /** Share of statements that may fail. */
  readonly maxFailures: number
  /** By how much the coverage may fall, as a share of all. */
  readonly maxCoverageFall: number
}

export interface GuardFacts {
  readonly edges: EdgeCounts
  readonly read: number
  readonly rejected: number
  readonly coverage: Coverage
  /** Of the last harvest of this origin. */
  readonly formerCoverage: Coverage | undefined
}

/** Fewer edges or statements than this say nothing by their share. */
const FLOOR = 20

/** Why the harvest should not be carried out, a sentence each; empty where nothing speaks against it. */
export function guardReasons(facts: GuardFacts, limits: GuardLimits): readonly string[] {
  const { edges, read, rejected, coverage, formerCoverage } = facts
  const held = edges.removed + edges.kept
  const reasons: string[] = []
  if (held >= FLOOR && edges.removed / held > limits.maxVanish) {
    reasons.push(
      `${edges.removed} of ${held} edges of this origin would vanish (${percent(edges.removed / held)}; maxVanish lets ${percent(limits.maxVanish)} pass)`,
    )
  }
  if (read >= FLOOR && rejected / read > limits.maxFailures) {
    reasons.push(
      `${rejected} of ${read} statements were not understood (${percent(rejected / read)}; maxFailures lets ${percent(limits.maxFailures)} pass)`,
    )
  }
  for (const what of ['statements', 'tables', 'columns'] as const) {
    const before = formerCoverage?.[what] ?? 0
    const fall = before - coverage[what]
    if (read < FLOOR || fall <= limits.maxCoverageFall) continue
    reasons.push(
      `coverage of ${what} falls from ${percent(before)} to ${percent(coverage[what])} (maxCoverageFall lets ${percent(limits.maxCoverageFall)} pass)`,
    )
  }
  return reasons
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`
}
