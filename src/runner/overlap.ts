/** What a slot does when an earlier run of its schedule has not ended. Pure. */

export type OverlapPolicy = 'skip' | 'queue' | 'cancel-old' | 'allow'

export interface OpenRun {
  readonly id: string
  readonly state: string
}

export interface OverlapDecision {
  /** Why the slot is not run; it is, where absent. */
  readonly skip?: string
  /** Runs that wait and are overtaken by this one: the newest carries the newest data. */
  readonly supersede: readonly string[]
  /** Runs that are under way and shall make room. */
  readonly cancel: readonly string[]
  /** Whether it must wait until no other run of the schedule is under way. */
  readonly alone: boolean
}

/**
 * @param open the runs of the schedule that have not ended
 * @param everySlot whether each slot counts (catch-up `all`): then none is overtaken, they follow each other
 */
export function decideOverlap(policy: OverlapPolicy, open: readonly OpenRun[], everySlot: boolean): OverlapDecision {
  const [first] = open
  if (policy === 'allow' || first === undefined) return { supersede: [], cancel: [], alone: policy !== 'allow' }
  if (policy === 'skip') return { skip: `overlaps with run ${first.id}`, supersede: [], cancel: [], alone: true }
  const waiting = open.filter(({ state }) => state === 'queued').map(({ id }) => id)
  const underWay = open.filter(({ state }) => state !== 'queued').map(({ id }) => id)
  return {
    supersede: everySlot ? [] : waiting,
    cancel: policy === 'cancel-old' ? underWay : [],
    alone: true,
  }
}
