/** The import's check of its own plan: who takes away much is asked first. */
import type { ItemTally } from '../client/tally.ts'

/** So few may always go: two tags of three are a share of 67 % and no catastrophe. */
export const FEW_REMOVALS = 20

export interface RemovalVerdict {
  readonly decision: 'auto' | 'ask'
  readonly reasons: readonly string[]
}

/** @param maxShare of all items in the aspects that the plan looks at, from 0 to 1 */
export function checkRemovals(
  { removed, held }: Pick<ItemTally, 'removed' | 'held'>,
  maxShare: number,
): RemovalVerdict {
  const share = held === 0 ? 0 : removed / held
  if (removed <= FEW_REMOVALS || share <= maxShare) return { decision: 'auto', reasons: [] }
  const what = `${removed} of ${held} items (${percent(share)}) would go from the aspects that this import touches`
  return { decision: 'ask', reasons: [`${what}; more than ${percent(maxShare)} needs a person (--max-removals)`] }
}

function percent(share: number): string {
  return `${Math.round(share * 1000) / 10} %`
}
