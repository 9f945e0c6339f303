/**
 * Whether a plan may be carried out without a person. Pure: plan, policy (its limits stand in each step) and history (the
 * usual rows stand there, too) in, decision and reasons out.
 */
import { DAY_MS } from './duration.ts'
import type { Blocked, Step } from './plan.ts'
import type { RetentionRule } from './policy.ts'
import { describeQuiet, quietAt } from './quiet-hours.ts'

export interface Verdict {
  readonly decision: 'auto' | 'ask' | 'deny'
  readonly reasons: readonly string[]
}

export interface GateFacts {
  readonly nowMs: number
  /** Whether the catalog can hand out the rows, so that they can be archived. */
  readonly streams: boolean
}

/** `deny` when there is nothing left but what the policy forbids. */
export function judge(steps: readonly Step[], blocked: readonly Blocked[], facts: GateFacts): Verdict {
  const forbidden = blocked.map(({ indexName, reason }) => `${indexName} is left alone: ${reason}`)
  if (steps.length === 0) return { decision: 'deny', reasons: forbidden }
  const questions = steps.flatMap((step) => questionsOf(step, facts))
  const decision = questions.length === 0 ? 'auto' : 'ask'
  const many = steps.length === 1 ? 'the truncation is' : `all ${steps.length} truncations are`
  const passed = questions.length === 0 ? [`${many} within the limits of the policy`] : []
  return { decision, reasons: [...questions, ...passed, ...forbidden] }
}

/** Why a person has to look at a step; none: the policy lets it pass. */
function questionsOf(step: Step, { nowMs, streams }: GateFacts): readonly string[] {
  const { matching, total, maxShare, maxRows } = step
  const share = matching / total
  const quiet = quietAt(step.quietHours, nowMs)
  const reasons = [
    step.decide === 'ask' ? 'the policy says ask' : undefined,
    share > maxShare ? `${percent(share)} of the rows would go, the policy lets ${percent(maxShare)} pass` : undefined,
    matching > maxRows ? `${matching} rows would go, the policy lets ${maxRows} pass` : undefined,
    unusual(step),
    quiet === undefined ? undefined : `it is quiet now: ${describeQuiet(quiet)}`,
    step.archive && !streams ? 'the policy wants an archive, and this catalog cannot hand out the rows' : undefined,
  ]
  return reasons.filter((reason) => reason !== undefined).map((reason) => `${step.indexName}: ${reason}`)
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`
}

/** Far more or far fewer rows than usual: data came twice, or came to a halt. */
function unusual({ matching, usualRows, usualTimes }: Step): string | undefined {
  if (usualRows === null || usualRows <= 0) return undefined
  const low = Math.floor(usualRows / usualTimes)
  const high = Math.ceil(usualRows * usualTimes)
  if (matching >= low && matching <= high) return undefined
  return `${matching} rows would go, by the truncations before ${low} to ${high} are expected`
}

/**
 * The second look, before the effect: is what was approved still what would happen?
 * @param now as counted now, with the plan's cut-off
 * @returns why not; empty where it is
 */
export function drift(
  step: Step,
  now: { readonly matching: number; readonly total: number },
  driftShare: number,
): readonly string[] {
  const most = step.matching + Math.ceil(step.matching * driftShare)
  if (now.matching > most) {
    return [`${step.indexName}: ${now.matching} rows would go now, ${step.matching} were planned`]
  }
  if (now.matching > 0 && now.total - now.matching < step.minRowsKept) {
    return [`${step.indexName}: only ${now.total - now.matching} rows would stay now`]
  }
  return []
}

/**
 * Whether the policy as it is now still allows the cut-off that was frozen: it may have been changed to keep more, or
 * the clock may have been set back since.
 * @param rule as it holds for the index now; undefined where none does
 * @param decidedBy who approved the plan
 */
export function moved(
  step: Step,
  rule: RetentionRule | undefined,
  { nowMs, decidedBy, floorDays }: { readonly nowMs: number; readonly decidedBy: string; readonly floorDays: number },
): readonly string[] {
  const floor = rule?.keepDaysFloor ?? floorDays
  const keepDays = step.cause === 'age' ? (rule?.keepDays ?? floor) : floor
  const quiet = decidedBy === 'policy' ? quietAt(step.quietHours, nowMs) : undefined
  const reasons = [
    rule === undefined && step.cause !== 'hand' ? 'no rule fits it any more' : undefined,
    rule?.decide === 'never' ? 'the policy says never now' : undefined,
    rule !== undefined && step.cause === 'age' && rule.keepDays === undefined
      ? 'the policy says no keepDays any more'
      : undefined,
    step.cutoffMs > nowMs - keepDays * DAY_MS ? `its cut-off moved: ${keepDays} days are to be kept now` : undefined,
    quiet === undefined ? undefined : `it is quiet now: ${describeQuiet(quiet)}`,
  ]
  return reasons.filter((reason) => reason !== undefined).map((reason) => `${step.indexName}: ${reason}`)
}
