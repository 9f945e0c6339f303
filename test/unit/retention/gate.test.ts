import { describe, expect, test } from 'vitest'
import { drift, judge } from '../../../src/retention/gate.ts'
import { candidates, idleRules, stepFor, type Step } from '../../../src/retention/plan.ts'
import { fits, readPolicy, ruleFor } from '../../../src/retention/policy.ts'

const DAY_MS = 86_400_000
const NOW = 1_800_000_000_000

function aPolicy(rule = 'keepDays: 30, decide: auto'): ReturnType<typeof readPolicy> {
  return readPolicy(`rules:\n  - { aspect: datasetprofile, ${rule} }\n`, 'retention.yaml')
}

const INDEX = { entityType: 'dataset', aspectName: 'datasetprofile', indexName: 'i', sizeMb: 10 }

function aStep(matching: number, total: number, rule?: string): Step {
  const [candidate] = candidates([INDEX], aPolicy(rule), NOW, true)
  if (candidate === undefined) throw new Error('no rule fits')
  const step = stepFor(candidate, { matching, total, method: 'delete', sentence: '' })
  if (step === undefined || 'reason' in step) throw new Error('no step')
  return step
}

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
  test('has an absolute cut-off, a millisecond earlier where the catalog deletes the row at it', () => {
    const ours = candidates([INDEX], aPolicy(), NOW, true)
    const datahub = candidates([INDEX], aPolicy(), NOW, false)
    expect(ours[0]?.endTimeMillis).toBe(NOW - 30 * DAY_MS)
    expect(datahub[0]?.endTimeMillis).toBe(NOW - 30 * DAY_MS - 1)
  })

  test('leaves out what may never go, and what has nothing old', () => {
    expect(candidates([INDEX], aPolicy('keepDays: 30, decide: never'), NOW, true)).toEqual([])
    expect(candidates([{ ...INDEX, aspectName: 'operation' }], aPolicy(), NOW, true)).toEqual([])
    const [candidate] = candidates([INDEX], aPolicy(), NOW, true)
    expect(candidate && stepFor(candidate, { matching: 0, total: 9, method: 'delete', sentence: '' })).toBeUndefined()
  })

  test('leaves alone an index of which too little would stay', () => {
    const [candidate] = candidates([INDEX], aPolicy(), NOW, true)
    expect(candidate && stepFor(candidate, { matching: 9, total: 9, method: 'delete', sentence: '' })).toMatchObject({
      reason: '0 of 9 rows would stay, the rule wants at least 1',
    })
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
    const verdict = judge([aStep(matching, total, rule)], [])
    expect(verdict.decision).toBe(decision)
    expect(verdict.reasons.join()).toContain(reason)
  })

  test('one step that needs a person makes the whole plan wait', () => {
    expect(judge([aStep(1, 100), aStep(1, 100, 'keepDays: 30, decide: ask')], []).decision).toBe('ask')
  })

  test('denies when all that is left is forbidden', () => {
    expect(judge([], [{ indexName: 'i', reason: 'too few would stay' }])).toEqual({
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
