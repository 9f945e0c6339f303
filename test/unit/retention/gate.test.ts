import { describe, expect, test } from 'vitest'
import { drift, judge, moved } from '../../../src/retention/gate.ts'
import { endTimeOf, idleRules, stepFor, type Blocked, type Candidate, type Step } from '../../../src/retention/plan.ts'
import { fits, readPolicy, ruleFor } from '../../../src/retention/policy.ts'

const DAY_MS = 86_400_000
const NOW = 1_800_000_000_000

function aPolicy(rule = 'keepDays: 30, decide: auto'): ReturnType<typeof readPolicy> {
  return readPolicy(`rules:\n  - { aspect: datasetprofile, ${rule} }\n`, 'retention.yaml')
}

const INDEX = { entityType: 'dataset', aspectName: 'datasetprofile', indexName: 'i', sizeMb: 10 }

function aCandidate(ruleText?: string, cause: Candidate['cause'] = 'age'): Candidate {
  const rule = ruleFor(aPolicy(ruleText), INDEX)
  if (rule === undefined) throw new Error('no rule fits')
  return { index: INDEX, rule, cutoffMs: NOW - 30 * DAY_MS, cause }
}

const counted = (matching: number, total: number, ruleText?: string, usualRows?: number): Step | Blocked | undefined =>
  stepFor(aCandidate(ruleText), { matching, total }, { nowMs: NOW, strictlyOlder: true, usualRows })

function aStep(matching: number, total: number, ruleText?: string, usualRows?: number): Step {
  const step = counted(matching, total, ruleText, usualRows)
  if (step === undefined || 'reason' in step) throw new Error('no step')
  return step
}

const FACTS = { nowMs: NOW, streams: true }

describe('the policy', () => {
  test.each([
    ['datasetProfile', 'datasetprofile', true],
    ['dataset*', 'datasetUsageStatistics', true],
    ['*', 'operation', true],
    ['operation', 'operations', false],
    ['a.b', 'axb', false],
  ])('%s fits %s: %s', (pattern, name, expected) => {
    expect(fits(pattern, name)).toBe(expected)
  })

  test('no rule goes below the floor', () => {
    expect(ruleFor(aPolicy('keepDays: 1'), INDEX)?.keepDays).toBe(7)
  })

  test('a wrong key is named with its place', () => {
    expect(() => readPolicy('rules:\n  - { aspect: x, keepDay: 3 }\n', 'r.yaml')).toThrow(
      /r\.yaml:2:\d+.*keepDay.*did you mean "keepDays"/s,
    )
  })

  test('a rule that fits nothing is a warning with a near name', () => {
    expect(idleRules(readPolicy('rules:\n  - { aspect: datasetprofil, keepDays: 30 }\n', 'r'), [INDEX])).toEqual([
      'no index fits the rule for * datasetprofil, did you mean "datasetprofile"?',
    ])
  })
})

describe('a plan', () => {
  test('tells a catalog that deletes the row at the time a millisecond less', () => {
    expect([endTimeOf(NOW, true), endTimeOf(NOW, false)]).toEqual([NOW, NOW - 1])
  })

  test('leaves out what has nothing old, and what may never go', () => {
    expect(counted(0, 9)).toBeUndefined()
    expect(counted(5, 9, 'keepDays: 30, decide: never')).toMatchObject({ reason: 'the policy says never' })
  })

  test('leaves alone an index of which too little would stay', () => {
    expect(counted(9, 9)).toMatchObject({ reason: '0 of 9 rows would stay, the rule wants at least 1' })
  })

  test('reckons bytes as after a rebuild, and wants one where a budget asks for bytes', () => {
    const facts = { nowMs: NOW, strictlyOlder: true, usualRows: undefined }
    expect(aStep(40, 100)).toMatchObject({ sizeMb: 10, sizeMbAfter: 6, method: 'auto', keepDays: 30 })
    const byBudget = aCandidate('keepDays: 30, decide: auto', 'budget')
    expect(stepFor(byBudget, { matching: 40, total: 100 }, facts)).toMatchObject({ method: 'rebuild' })
  })
})

describe('the gate', () => {
  test.each([
    ['keepDays: 30, decide: auto', 40, 100, 'auto', 'within the limits'],
    ['keepDays: 30, decide: auto', 51, 100, 'ask', '51.0 % of the rows would go'],
    ['keepDays: 30, decide: auto, maxRows: 39', 40, 100, 'ask', '40 rows would go'],
    ['keepDays: 30, decide: ask', 1, 100, 'ask', 'the policy says ask'],
    ['keepDays: 30', 1, 100, 'ask', 'the policy says ask'],
  ])('%s with %d of %d: %s', (rule, matching, total, decision, reason) => {
    const verdict = judge([aStep(matching, total, rule)], [], FACTS)
    expect(verdict.decision).toBe(decision)
    expect(verdict.reasons.join()).toContain(reason)
  })

  test.each([
    [100, 'auto', 'within the limits'],
    [500, 'auto', 'within the limits'],
    [501, 'ask', '501 rows would go, by the truncations before 20 to 500 are expected'],
    [19, 'ask', '19 rows would go'],
  ])('of some 100 usual rows, %d: %s', (matching, decision, reason) => {
    const verdict = judge([aStep(matching, 10_000, undefined, 100)], [], FACTS)
    expect(verdict.decision).toBe(decision)
    expect(verdict.reasons.join()).toContain(reason)
  })

  test('asks where the policy wants an archive that the catalog cannot give', () => {
    const step = aStep(1, 100, 'keepDays: 30, decide: auto, archive: true')
    expect(judge([step], [], FACTS).decision).toBe('auto')
    expect(judge([step], [], { ...FACTS, streams: false }).reasons.join()).toContain('cannot hand out the rows')
  })

  test('asks in quiet hours', () => {
    const quiet = "keepDays: 30, decide: auto, quietHours: [{ from: '00:00', to: '24:00' }]"
    expect(judge([aStep(1, 100, quiet)], [], FACTS)).toEqual({
      decision: 'ask',
      reasons: ['i: it is quiet now: 00:00–24:00 UTC'],
    })
  })

  test('one step that needs a person makes the whole plan wait', () => {
    expect(judge([aStep(1, 100), aStep(1, 100, 'keepDays: 30, decide: ask')], [], FACTS).decision).toBe('ask')
  })

  test('denies when all that is left is forbidden', () => {
    expect(judge([], [{ indexName: 'i', reason: 'too few would stay' }], FACTS)).toEqual({
      decision: 'deny',
      reasons: ['i is left alone: too few would stay'],
    })
  })
})

describe('the second look', () => {
  test.each([
    [100, 1000, true],
    [105, 1000, true],
    [106, 1000, false],
    [0, 900, true],
    [100, 100, false],
  ])('100 of 1000 planned, %d of %d now: %s', (matching, total, holds) => {
    expect(drift(aStep(100, 1000), { matching, total }, 0.05).length === 0).toBe(holds)
  })
})

describe('a cut-off that was frozen', () => {
  const facts = { nowMs: NOW, decidedBy: 'ada', floorDays: 7 }

  test.each([
    ['keepDays: 30', 0, ''],
    ['keepDays: 30', 5 * DAY_MS, ''],
    ['keepDays: 30', -1, 'its cut-off moved: 30 days are to be kept now'],
    ['keepDays: 31', 0, 'its cut-off moved: 31 days are to be kept now'],
    ['keepDays: 30, decide: never', 0, 'the policy says never now'],
    ['maxGb: 1', 0, 'the policy says no keepDays any more'],
  ])('holds for a policy of %s, %d ms later: "%s"', (ruleText, laterMs, reason) => {
    const reasons = moved(aStep(1, 100), ruleFor(aPolicy(ruleText), INDEX), { ...facts, nowMs: NOW + laterMs })
    expect(reasons).toEqual(reason === '' ? [] : [`i: ${reason}`])
  })

  test('does not hold once no rule speaks of the index', () => {
    expect(moved(aStep(1, 100), undefined, facts)).toEqual(['i: no rule fits it any more'])
  })

  test('is carried out in quiet hours where a person approved it, not where the policy did', () => {
    const step = aStep(1, 100, "keepDays: 30, decide: auto, quietHours: [{ from: '00:00', to: '24:00' }]")
    expect(moved(step, ruleFor(aPolicy('keepDays: 30'), INDEX), facts)).toEqual([])
    expect(moved(step, ruleFor(aPolicy('keepDays: 30'), INDEX), { ...facts, decidedBy: 'policy' })).toHaveLength(1)
  })
})
