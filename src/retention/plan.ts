/**
 * From counts to a plan: which index loses which rows, with an absolute cut-off that does not move while people think
 * about it. Pure.
 */
import type { DryRun } from '../client/operations.ts'
import type { JsonObject } from '../model/json.ts'
import { nearest } from '../model/near.ts'
import { DAY_MS } from './duration.ts'
import type { Growth } from './forecast.ts'
import { type IndexPart } from './index-parts.ts'
import { fits, rulesOf, type IndexNames, type RetentionPolicy, type RetentionRule } from './policy.ts'
import type { QuietHours } from './quiet-hours.ts'

/** Why rows go: they are too old, the index is too large, all together are, or somebody asked for it by hand. */
export type Cause = 'age' | 'budget' | 'total-budget' | 'hand'

/** An index that is to lose rows, before they are counted. */
export interface Candidate {
  readonly index: IndexPart
  readonly rule: RetentionRule
  /** Rows older than this go, the row at it stays. Frozen. */
  readonly cutoffMs: number
  readonly cause: Cause
}

/** One truncation. Plain data: it waits in the plan for its approval. */
export interface Step extends JsonObject {
  readonly entityType: string
  readonly aspectName: string
  readonly indexName: string
  /** Only this data platform's rows; null for all. */
  readonly platform: string | null
  /** All but these platforms' rows; null for all. */
  readonly exceptPlatforms: string[] | null
  /** The catalog's name of the index, where the step is about some platforms' rows of it. */
  readonly partOf: string | null
  readonly sizeMb: number
  /** After a rebuild: a delete gives no bytes back. */
  readonly sizeMbAfter: number
  readonly cutoffMs: number
  /** What the catalog is told. */
  readonly endTimeMillis: number
  readonly cause: Cause
  /** Days that are kept, as reckoned when the plan was made. */
  readonly keepDays: number
  readonly matching: number
  readonly total: number
  /** Rows that such a cut-off usually takes; null while that is not known. */
  readonly usualRows: number | null
  readonly usualTimes: number
  readonly decide: 'auto' | 'ask'
  readonly maxShare: number
  readonly maxRows: number
  readonly minRowsKept: number
  readonly quietHours: QuietHours[]
  readonly method: 'auto' | 'delete' | 'rebuild'
  readonly batchSize: number | null
  readonly timeoutMs: number
  readonly archive: boolean
}

/** An index that is left alone although it has old rows, and why. */
export interface Blocked extends JsonObject {
  readonly indexName: string
  readonly reason: string
}

/** What an index is expected to do. */
export interface Forecast {
  readonly indexName: string
  readonly sizeMb: number
  readonly growth: Growth | undefined
  readonly budgetMb: number | undefined
  /** Days until the budget is reached; undefined where there is none, or it never will be. */
  readonly daysLeft: number | undefined
}

/** What the catalog is told so that the rows older than the cut-off go and the one at it stays. */
export function endTimeOf(cutoffMs: number, strictlyOlder: boolean): number {
  // A DataHub deletes what is at the time or before it (contract §7.1), ours what is strictly older.
  return strictlyOlder ? cutoffMs : cutoffMs - 1
}

/** Rules that fit no index, with what their author may have meant. */
export function idleRules(policy: RetentionPolicy, sizes: readonly IndexNames[]): readonly string[] {
  return policy.rules.flatMap((rule) => {
    const fitting = sizes.filter(
      (index) => fits(rule.aspect, index.aspectName) && fits(rule.entityType, index.entityType),
    )
    const what = `${rule.entityType} ${rule.aspect}`
    if (fitting.length === 0) return [`no index fits the rule for ${what}${nearNames(rule.aspect, sizes)}`]
    if (rule.platform === undefined || fitting.some((index) => rulesOf(policy, index).includes(rule))) return []
    return [`the rule for ${what} of ${rule.platform} is never reached: an earlier one takes its rows`]
  })
}

/** `; near are a, b`, or what there is where nothing is near; for a name that fits no index. */
export function nearNames(aspect: string, sizes: readonly IndexNames[]): string {
  const names = [...new Set(sizes.map((index) => index.aspectName))]
  const near = nearest(aspect, names, 3)
  if (near.length > 0) return `, did you mean ${near.map((name) => JSON.stringify(name)).join(' or ')}?`
  return names.length === 0 ? ': the catalog has no timeseries index' : `; there are ${names.toSorted().join(', ')}`
}

/** A counted candidate: a step, a reason to leave it alone, or undefined where nothing is old enough. */
export function stepFor(
  { index, rule, cutoffMs, cause }: Candidate,
  { matching, total }: Pick<DryRun, 'matching' | 'total'>,
  facts: { readonly nowMs: number; readonly strictlyOlder: boolean; readonly usualRows: number | undefined },
): Step | Blocked | undefined {
  const { indexName, entityType, aspectName, sizeMb } = index
  if (matching === 0) return undefined
  if (rule.decide === 'never') return { indexName, reason: 'the policy says never' }
  if (total - matching < rule.minRowsKept) {
    const kept = `${total - matching} of ${total} rows would stay, the rule wants at least ${rule.minRowsKept}`
    return { indexName, reason: kept }
  }
  // Only a rebuild gives bytes back, and a budget is about bytes.
  const forBytes = cause === 'budget' || cause === 'total-budget'
  return {
    entityType,
    aspectName,
    indexName,
    platform: index.platform ?? null,
    exceptPlatforms: index.exceptPlatforms === undefined ? null : [...index.exceptPlatforms],
    partOf: index.partOf ?? null,
    sizeMb,
    sizeMbAfter: (sizeMb * (total - matching)) / total,
    cutoffMs,
    endTimeMillis: endTimeOf(cutoffMs, facts.strictlyOlder),
    cause,
    keepDays: Math.round((10 * (facts.nowMs - cutoffMs)) / DAY_MS) / 10,
    matching,
    total,
    usualRows: facts.usualRows === undefined ? null : Math.round(facts.usualRows),
    usualTimes: rule.usualTimes,
    decide: rule.decide,
    maxShare: rule.maxShare,
    maxRows: rule.maxRows,
    minRowsKept: rule.minRowsKept,
    quietHours: rule.quietHours,
    method: rule.method === 'auto' && forBytes ? 'rebuild' : rule.method,
    batchSize: rule.batchSize ?? null,
    timeoutMs: Math.round(rule.timeoutMinutes * 60_000),
    archive: rule.archive,
  }
}
