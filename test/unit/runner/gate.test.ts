import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  isPlanFinished,
  movePlanState,
  PLAN_EVENTS,
  PLAN_TRANSITIONS,
  type PlanEvent,
} from '../../../src/runner/gate.ts'
import { PLAN_STATES, type PlanState } from '../../../src/store/ledger/types.ts'

const EXPIRES = 1_000

test('every state has an answer to every event', () => {
  for (const state of PLAN_STATES) {
    expect(Object.keys(PLAN_TRANSITIONS[state]).toSorted()).toEqual([...PLAN_EVENTS].toSorted())
  }
})

test('whatever happens in whatever order, nothing is begun that was not approved in time', () => {
  const moment = fc.nat({ max: 2 * EXPIRES })
  const history = fc.array(fc.record({ event: fc.constantFrom(...PLAN_EVENTS), atMs: moment }), { maxLength: 30 })
  fc.assert(
    fc.property(history, (events) => {
      let state: PlanState = 'planned'
      const approvals: number[] = []
      let begun = 0
      let ended = 0
      for (const { event, atMs } of events.toSorted((a, b) => a.atMs - b.atMs)) {
        const transition = movePlanState({ state, expiresMs: EXPIRES }, event, atMs)
        if ('refused' in transition) continue
        if (transition.to === 'approved') approvals.push(atMs)
        if (transition.to === 'applying') begun++
        if (event === 'succeed') ended++
        state = transition.to
      }
      expect(approvals.length).toBeLessThanOrEqual(1)
      expect(approvals.every((atMs) => atMs < EXPIRES)).toBe(true)
      expect(approvals.length).toBeGreaterThanOrEqual(Math.min(begun, 1))
      expect(ended).toBeLessThanOrEqual(begun > 0 ? 1 : 0)
    }),
    { numRuns: 2_000 },
  )
})

test('a finished plan does not move, and only a finished one is stuck', () => {
  const finished = PLAN_STATES.filter(isPlanFinished)
  expect(finished.toSorted()).toEqual(['applied', 'empty', 'expired', 'failed', 'rejected'])
})

test.each<[PlanState, PlanEvent, number]>([
  ['planned', 'approve', EXPIRES],
  ['awaiting', 'approve', EXPIRES + 1],
  ['planned', 'pass', EXPIRES],
  ['approved', 'start', EXPIRES],
])('%s: %s at %i ms is too late', (state, event, atMs) => {
  expect(movePlanState({ state, expiresMs: EXPIRES }, event, atMs)).toEqual({
    refused: expect.stringContaining('expired at'),
  })
  expect(movePlanState({ state, expiresMs: EXPIRES }, event, EXPIRES - 1)).toHaveProperty('to')
})

test('an apply that began in time may go on after a crash', () => {
  expect(movePlanState({ state: 'applying', expiresMs: EXPIRES }, 'start', EXPIRES + 1)).toEqual({ to: 'applying' })
})

test('a plan does not expire before its time', () => {
  expect(movePlanState({ state: 'awaiting', expiresMs: EXPIRES }, 'expire', EXPIRES - 1)).toHaveProperty('refused')
  expect(movePlanState({ state: 'awaiting', expiresMs: EXPIRES }, 'expire', EXPIRES)).toEqual({ to: 'expired' })
})
