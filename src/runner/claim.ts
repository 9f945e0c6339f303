/**
 * A worker was handed a run by the queue: may it begin? The queue may hand a run out late, twice, or after its end, so
 * the answer comes from the row alone. Pure.
 *
 *     queued ──► running ──► succeeded | partial | failed | cancelled
 *       ▲ ▲         │ │
 *       │ └─ stop,  │ └─ silent for longer than the lease ──► stalled ──► running (another worker)
 *       │   retry ◄─┘                                           └──► failed (too often), cancelled
 *     skipped (an overlapping slot; never began)
 */
import { isFinished, type RunRow } from '../store/ledger/types.ts'

export type Claim =
  | { readonly kind: 'start' }
  /** Nothing left to do: the queue may forget it. */
  | { readonly kind: 'drop' }
  /** Not now; look again later. */
  | { readonly kind: 'wait'; readonly afterMs: number }
  | { readonly kind: 'cancel' }
  /** Too many workers died with it. */
  | { readonly kind: 'give-up'; readonly stalls: number }

export interface ClaimLimits {
  readonly nowMs: number
  /** How long ago the present worker was heard of; undefined where there is none. */
  readonly silentMs: number | undefined
  /** After this much silence a worker counts as lost. */
  readonly leaseMs: number
  readonly maxStalls: number
}

export function decideClaim(run: RunRow, { nowMs, silentMs, leaseMs, maxStalls }: ClaimLimits): Claim {
  if (isFinished(run.state)) return { kind: 'drop' }
  const lost = run.state === 'running'
  if (lost && silentMs !== undefined && silentMs < leaseMs) return { kind: 'wait', afterMs: leaseMs - silentMs + 50 }
  if (run.cancelRequestedMs !== null) return { kind: 'cancel' }
  const stalls = run.stalls + (lost ? 1 : 0)
  if (stalls > maxStalls) return { kind: 'give-up', stalls }
  if (run.notBeforeMs > nowMs) return { kind: 'wait', afterMs: run.notBeforeMs - nowMs }
  return { kind: 'start' }
}
