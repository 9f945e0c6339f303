/**
 * The life of a plan. Nothing takes effect but through `applying`, and nothing gets there but through a decision:
 *
 *                 ┌── nothing to do ──► empty
 *                 │
 *     planned ────┼── policy says auto ──► approved ── start ──► applying ──► applied
 *      │  │  │    │                         ▲    │                  │
 *      │  │  │    └── policy says deny ──►  │    │ expire           └──► failed
 *      │  │  │           rejected           │    ▼
 *      │  │  └─ a person approves ──────────┤  expired ◄── expire ── planned, awaiting
 *      │  └──── a person rejects ► rejected │
 *      └─ ask ──► awaiting ── a person approves
 *                     └────── a person rejects ──► rejected
 *
 * Pure; the ledger moves the row only if it is still in the state that was looked at.
 */
import type { PlanState } from '../store/ledger/types.ts'

export const PLAN_EVENTS = [
  /** The run found nothing to do. */
  'find-nothing',
  /** The job's check says that no person is needed. */
  'pass',
  /** The job's check wants a person. */
  'ask',
  /** The job's check forbids it. */
  'deny',
  'approve',
  'reject',
  'expire',
  /** A worker begins to carry it out, or goes on after a crash. */
  'start',
  'succeed',
  'fail',
] as const
export type PlanEvent = (typeof PLAN_EVENTS)[number]

/** The state after the event, or why the event is refused. */
export type PlanTransition = { readonly to: PlanState } | { readonly refused: string }

const to = (state: PlanState): PlanTransition => ({ to: state })
const no = (refused: string): PlanTransition => ({ refused })

const checked = no('it was checked already')
const notBegun = no('it has not been begun')
const underWay = no('it is being carried out')

function ended(reason: string): Readonly<Record<PlanEvent, PlanTransition>> {
  const refused = no(reason)
  return {
    'find-nothing': refused,
    pass: refused,
    ask: refused,
    deny: refused,
    approve: refused,
    reject: refused,
    expire: refused,
    start: refused,
    succeed: refused,
    fail: refused,
  }
}

export const PLAN_TRANSITIONS: Readonly<Record<PlanState, Readonly<Record<PlanEvent, PlanTransition>>>> = {
  planned: {
    'find-nothing': to('empty'),
    pass: to('approved'),
    ask: to('awaiting'),
    deny: to('rejected'),
    approve: to('approved'),
    reject: to('rejected'),
    expire: to('expired'),
    start: no('it is not approved'),
    succeed: notBegun,
    fail: notBegun,
  },
  awaiting: {
    'find-nothing': checked,
    pass: checked,
    ask: checked,
    deny: checked,
    approve: to('approved'),
    reject: to('rejected'),
    expire: to('expired'),
    start: no('it waits for a person to approve it'),
    succeed: notBegun,
    fail: notBegun,
  },
  approved: {
    'find-nothing': checked,
    pass: checked,
    ask: checked,
    deny: checked,
    approve: no('it is approved already'),
    reject: no('it is approved already; cancel its run instead'),
    expire: to('expired'),
    start: to('applying'),
    succeed: notBegun,
    // Its run ended before it began: cancelled while it waited, or its workers were lost.
    fail: to('failed'),
  },
  applying: {
    'find-nothing': underWay,
    pass: underWay,
    ask: underWay,
    deny: underWay,
    approve: underWay,
    reject: no('it is being carried out; cancel its run instead'),
    expire: underWay,
    start: to('applying'),
    succeed: to('applied'),
    fail: to('failed'),
  },
  rejected: ended('it was rejected'),
  applied: ended('it was carried out already'),
  failed: ended('it failed'),
  expired: ended('it has expired'),
  empty: ended('there is nothing to do'),
}

/** Events that come too late once the plan's time has passed. */
const TIMELY: ReadonlySet<PlanEvent> = new Set(['pass', 'approve', 'start'])

/**
 * What an event does to a plan at a moment. An approval or a beginning at or after `expiresMs` is too late; a worker that
 * had begun in time may go on.
 */
export function movePlanState(
  plan: { readonly state: PlanState; readonly expiresMs: number },
  event: PlanEvent,
  nowMs: number,
): PlanTransition {
  const transition = PLAN_TRANSITIONS[plan.state][event]
  const tooLate = TIMELY.has(event) && plan.state !== 'applying' && nowMs >= plan.expiresMs
  if (tooLate && 'to' in transition) return no(`it expired at ${new Date(plan.expiresMs).toISOString()}`)
  if (event === 'expire' && 'to' in transition && nowMs < plan.expiresMs) return no('its time has not passed')
  return transition
}

/** States that a plan does not leave. */
export function isPlanFinished(state: PlanState): boolean {
  return Object.values(PLAN_TRANSITIONS[state]).every((transition) => 'refused' in transition)
}
