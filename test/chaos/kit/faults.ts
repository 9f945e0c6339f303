import { seededRandom } from '../../../src/cli/demo/random.ts'

/**
 * What can go wrong with one HTTP request, and plans of which request gets what. A plan is asked once per request, in
 * the order in which they arrive.
 */
export type Fault =
  /** All is well. */
  | { readonly kind: 'pass' }
  /** Answered by the proxy; the target never sees the request. `retryAfter` in seconds. */
  | { readonly kind: 'status'; readonly status: number; readonly retryAfter?: number; readonly body?: string }
  /** The connection is reset before the target sees the request. */
  | { readonly kind: 'reset' }
  /** The target carries the request out, and the answer never arrives: the connection is reset instead. */
  | { readonly kind: 'lost-answer' }
  /** The target carries the request out; half of the answer's body arrives, then the connection is reset. */
  | { readonly kind: 'half-answer' }
  /** The target carries out the first half of a batch of proposals, and the whole of it is answered as refused. */
  | { readonly kind: 'half-applied'; readonly status: number }
  /** Nothing happens until the client gives up. */
  | { readonly kind: 'hang' }
  /** Forwarded after a delay. */
  | { readonly kind: 'slow'; readonly delayMs: number }

export interface SeenRequest {
  readonly method: string
  /** With its query. */
  readonly path: string
  /** Only where the proxy reads bodies. */
  readonly body?: string
}

export type FaultPlan = (request: SeenRequest) => Fault

export const PASS: Fault = { kind: 'pass' }

export function always(fault: Fault): FaultPlan {
  return () => fault
}

/** These faults for the first requests, one each, then none. */
export function first(...faults: readonly Fault[]): FaultPlan {
  let seen = 0
  return () => faults[seen++] ?? PASS
}

/** The n-th, 2n-th, … request gets the next of these faults, in turn. */
export function every(n: number, ...faults: readonly Fault[]): FaultPlan {
  let seen = 0
  return () => {
    seen++
    return seen % n === 0 ? (faults[(seen / n - 1) % faults.length] ?? PASS) : PASS
  }
}

/** A share of the requests, chosen by the seed, gets one of these faults. */
export function byChance(seed: number, share: number, ...faults: readonly Fault[]): FaultPlan {
  const random = seededRandom(seed)
  return () => (random.next() < share ? random.pick(faults) : PASS)
}

/** A plan for the requests that match; the others pass and are not counted. */
export function onlyFor(isMeant: (request: SeenRequest) => boolean, plan: FaultPlan): FaultPlan {
  return (request) => (isMeant(request) ? plan(request) : PASS)
}
