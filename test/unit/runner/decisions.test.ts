import { describe, expect, test } from 'vitest'
import { HeadwaterError } from '../../../src/model/errors.ts'
import { nextAttemptAfterMs } from '../../../src/runner/back-off.ts'
import { BalanceCounter, hasLosses, unsettled } from '../../../src/runner/balance.ts'
import { decideClaim, type ClaimLimits } from '../../../src/runner/claim.ts'
import { decideOverlap } from '../../../src/runner/overlap.ts'
import { EMPTY_BALANCE, FINISHED_RUN_STATES, type RunRow } from '../../../src/store/ledger/types.ts'

class Flaky extends HeadwaterError {
  readonly code = 'FLAKY'
  override readonly retryable = true
  readonly retryAfterMs: number | undefined

  constructor(retryAfterMs?: number) {
    super('flaky')
    this.retryAfterMs = retryAfterMs
  }
}

describe('the wait before another attempt', () => {
  test('doubles, is spread over its upper half, and ends at five minutes', () => {
    const cases = [
      { failures: 0, chance: 0, waitMs: 500 },
      { failures: 0, chance: 1, waitMs: 1_000 },
      { failures: 1, chance: 0, waitMs: 1_000 },
      { failures: 2, chance: 0, waitMs: 2_000 },
      { failures: 20, chance: 1, waitMs: 300_000 },
    ]
    for (const { failures, chance, waitMs } of cases) {
      expect(nextAttemptAfterMs(new Flaky(), { failures, maxAttempts: 99 }, chance)).toBe(waitMs)
    }
  })

  test('is as long as the catalog asks for', () => {
    expect(nextAttemptAfterMs(new Flaky(7_000), { failures: 0, maxAttempts: 3 }, 0)).toBe(7_000)
    expect(nextAttemptAfterMs(new Flaky(9e9), { failures: 0, maxAttempts: 3 }, 0)).toBe(300_000)
  })

  test('there is none after the last attempt, nor where trying again cannot help', () => {
    expect(nextAttemptAfterMs(new Flaky(), { failures: 2, maxAttempts: 3 }, 0)).toBeUndefined()
    expect(nextAttemptAfterMs(new Error('a fault'), { failures: 0, maxAttempts: 3 }, 0)).toBeUndefined()
  })
})

describe('a worker that is handed a run', () => {
  const limits: ClaimLimits = { nowMs: 1_000, silentMs: undefined, leaseMs: 100, maxStalls: 2 }

  test('begins a run that waits, and one whose worker is lost', () => {
    expect(decideClaim(aRun({ state: 'queued' }), limits)).toEqual({ kind: 'start' })
    expect(decideClaim(aRun({ state: 'stalled', stalls: 2 }), limits)).toEqual({ kind: 'start' })
    expect(decideClaim(aRun({ state: 'running', stalls: 1 }), { ...limits, silentMs: 100 })).toEqual({ kind: 'start' })
  })

  test('waits for the worker that has it, and for its time', () => {
    expect(decideClaim(aRun({ state: 'running' }), { ...limits, silentMs: 40 })).toEqual({ kind: 'wait', afterMs: 110 })
    expect(decideClaim(aRun({ state: 'queued', notBeforeMs: 1_500 }), limits)).toEqual({ kind: 'wait', afterMs: 500 })
  })

  test('drops what has ended', () => {
    for (const state of FINISHED_RUN_STATES) expect(decideClaim(aRun({ state }), limits)).toEqual({ kind: 'drop' })
  })

  test('gives up when too many workers were lost, and ends what was cancelled', () => {
    const silent = { ...limits, silentMs: 500 }
    expect(decideClaim(aRun({ state: 'running', stalls: 2 }), silent)).toEqual({ kind: 'give-up', stalls: 3 })
    expect(decideClaim(aRun({ state: 'running', cancelRequestedMs: 1 }), silent)).toEqual({ kind: 'cancel' })
    expect(decideClaim(aRun({ state: 'stalled', cancelRequestedMs: 1 }), limits)).toEqual({ kind: 'cancel' })
  })
})

describe('a slot while an earlier run goes on', () => {
  const open = [
    { id: 'a', state: 'running' },
    { id: 'b', state: 'queued' },
  ]

  test('is skipped, follows, replaces or joins, as the schedule says', () => {
    expect(decideOverlap('skip', open, false)).toMatchObject({ skip: 'overlaps with run a', supersede: [], cancel: [] })
    expect(decideOverlap('queue', open, false)).toEqual({ supersede: ['b'], cancel: [], alone: true })
    expect(decideOverlap('queue', open, true)).toEqual({ supersede: [], cancel: [], alone: true })
    expect(decideOverlap('cancel-old', open, false)).toEqual({ supersede: ['b'], cancel: ['a'], alone: true })
    expect(decideOverlap('allow', open, false)).toEqual({ supersede: [], cancel: [], alone: false })
    expect(decideOverlap('skip', [], false)).toEqual({ supersede: [], cancel: [], alone: true })
  })
})

describe('a balance', () => {
  test('adds up, and shows what is missing', () => {
    const balance = new BalanceCounter()
    balance.records({ read: 10, used: 4 })
    balance.records({ duplicate: 3, rejected: 1 })
    balance.proposals({ made: 4, written: 3 })
    expect(unsettled(balance.snapshot())).toEqual({ records: 2, proposals: 1 })
    expect(hasLosses(balance.snapshot())).toBe(true)
    expect(hasLosses(EMPTY_BALANCE)).toBe(false)
  })
})

function aRun(facts: Partial<RunRow>): RunRow {
  return {
    id: 'run-1',
    job: 'job',
    mode: 'apply',
    applies: false,
    trigger: 'hand',
    requestedBy: null,
    scheduleId: null,
    slotMs: null,
    planId: null,
    retryOf: null,
    target: null,
    resources: [],
    input: {},
    inputHash: '',
    maxAttempts: 3,
    protocol: 1,
    carrier: 0,
    createdMs: 0,
    state: 'queued',
    reason: null,
    attempt: 0,
    failures: 0,
    stalls: 0,
    notBeforeMs: 0,
    worker: null,
    heartbeatMs: null,
    cancelRequestedMs: null,
    cancelRequestedBy: null,
    progress: null,
    balance: EMPTY_BALANCE,
    unsettled: { records: 0, proposals: 0 },
    rejectedByCode: {},
    report: null,
    lines: [],
    error: null,
    startedMs: null,
    finishedMs: null,
    ...facts,
  }
}
