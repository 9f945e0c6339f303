/**
 * From sizes and dry runs to a plan: which index loses which rows, with an absolute cut-off that does not move while
 * people think about it. Pure.
 */
import type { DryRun, IndexSize } from '../client/operations.ts'
import type { JsonObject } from '../model/json.ts'
import { didYouMean } from '../model/near.ts'
import { fits, ruleFor, type RetentionPolicy, type RetentionRule } from './policy.ts'

const DAY_MS = 86_400_000

/** An index that a rule speaks of, before anything is counted. */
export interface Candidate {
  readonly index: IndexSize
  readonly rule: RetentionRule
  /** What the catalog is told; frozen. */
  readonly endTimeMillis: number
}

/** One truncation. Plain data: it waits in the plan for its approval. */
export interface Step extends JsonObject {
  readonly entityType: string
  readonly aspectName: string
  readonly indexName: string
  readonly sizeMb: number
  readonly endTimeMillis: number
  readonly keepDays: number
  readonly matching: number
  readonly total: number
  readonly decide: 'auto' | 'ask'
  readonly maxShare: number
  readonly maxRows: number
  readonly minRowsKept: number
  readonly method: 'auto' | 'delete' | 'rebuild'
  readonly batchSize: number | null
  readonly timeoutMs: number
}

/** An index that is left alone although it has old rows, and why. */
export interface Blocked {
  readonly indexName: string
  readonly reason: string
}

/**
 * Indexes that have a rule.
 * @param strictlyOlder whether the catalog keeps the row at `endTimeMillis` (ours) or deletes it (a DataHub, contract
 * §7.1); the row at the cut-off stays in both cases
 */
export function candidates(
  sizes: readonly IndexSize[],
  policy: RetentionPolicy,
  nowMs: number,
  strictlyOlder: boolean,
): readonly Candidate[] {
  return sizes.flatMap((index) => {
    const rule = ruleFor(policy, index)
    if (rule === undefined || rule.decide === 'never') return []
    const cutoff = nowMs - Math.round(rule.keepDays * DAY_MS)
    return [{ index, rule, endTimeMillis: strictlyOlder ? cutoff : cutoff - 1 }]
  })
}

/** Rules that fit no index, with what their author may have meant. */
export function idleRules(policy: RetentionPolicy, sizes: readonly IndexSize[]): readonly string[] {
  const names = sizes.map((index) => index.aspectName)
  return policy.rules
    .filter(
      (rule) => !sizes.some((index) => fits(rule.aspect, index.aspectName) && fits(rule.entityType, index.entityType)),
    )
    .map((rule) => `no index fits the rule for ${rule.entityType} ${rule.aspect}${didYouMean(rule.aspect, names)}`)
}

/** A counted candidate: a step, a reason to leave it alone, or undefined where nothing is old enough. */
export function stepFor({ index, rule, endTimeMillis }: Candidate, dryRun: DryRun): Step | Blocked | undefined {
  const { matching, total } = dryRun
  if (matching === 0) return undefined
  if (total - matching < rule.minRowsKept) {
    const kept = `${total - matching} of ${total} rows would stay, the rule wants at least ${rule.minRowsKept}`
    return { indexName: index.indexName, reason: kept }
  }
  return {
    entityType: index.entityType,
    aspectName: index.aspectName,
    indexName: index.indexName,
    sizeMb: index.sizeMb,
    endTimeMillis,
    keepDays: rule.keepDays,
    matching,
    total,
    decide: rule.decide === 'auto' ? 'auto' : 'ask',
    maxShare: rule.maxShare,
    maxRows: rule.maxRows,
    minRowsKept: rule.minRowsKept,
    method: rule.method,
    batchSize: rule.batchSize ?? null,
    timeoutMs: Math.round(rule.timeoutMinutes * 60_000),
  }
}

/** One line of a plan for people. */
export function describeStep(step: Step): string {
  const share = ((100 * step.matching) / step.total).toFixed(1)
  const cutoff = new Date(step.endTimeMillis).toISOString().replace('.000Z', 'Z')
  return `${step.indexName}: ${step.matching} of ${step.total} rows (${share} %) older than ${cutoff} (${step.keepDays} days), ${step.sizeMb.toFixed(1)} MB now`
}
