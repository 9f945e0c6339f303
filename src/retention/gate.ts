/** Whether a plan may be carried out without a person. Pure: counts in, decision and reasons out. */
import type { Step } from './plan.ts'

export interface Verdict {
  readonly decision: 'auto' | 'ask' | 'deny'
  readonly reasons: readonly string[]
}

/** `deny` when there is nothing left but what the policy forbids. */
export function judge(
  steps: readonly Step[],
  blocked: readonly { readonly indexName: string; readonly reason: string }[],
): Verdict {
  const forbidden = blocked.map(({ indexName, reason }) => `${indexName} is left alone: ${reason}`)
  if (steps.length === 0) return { decision: 'deny', reasons: forbidden }
  const questions = steps.flatMap(questionsOf)
  const decision = questions.length === 0 ? 'auto' : 'ask'
  const passed = questions.length === 0 ? [`all ${steps.length} truncations are within the limits of the policy`] : []
  return { decision, reasons: [...questions, ...passed, ...forbidden] }
}

/** Why a person has to look at a step; none: the policy lets it pass. */
function questionsOf(step: Step): readonly string[] {
  const share = step.matching / step.total
  const reasons = [
    step.decide === 'ask' ? 'the policy says ask' : undefined,
    share > step.maxShare
      ? `${(100 * share).toFixed(1)} % of the rows would go, the policy lets ${(100 * step.maxShare).toFixed(1)} % pass`
      : undefined,
    step.matching > step.maxRows ? `${step.matching} rows would go, the policy lets ${step.maxRows} pass` : undefined,
  ]
  return reasons.filter((reason) => reason !== undefined).map((reason) => `${step.indexName}: ${reason}`)
}

/**
 * The second look, before the effect: is what was approved still what would happen?
 * @param matching and total as counted now, with the plan's cut-off
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
