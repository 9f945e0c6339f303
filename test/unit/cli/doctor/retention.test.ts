import { expect, test } from 'vitest'
import { judgeRetention } from '../../../../src/cli/doctor/retention.ts'
import { readPolicy } from '../../../../src/retention/policy.ts'

const policy = readPolicy('rules: [{ aspect: operation, keepDays: 30 }]', 'r.yaml')
const nightly = { id: 'nightly', job: 'retention', enabled: true }

test('the doctor says what runs the policy, and warns of plans that wait', () => {
  expect(judgeRetention(policy, [nightly, { ...nightly, id: 'off', enabled: false }], 0)).toEqual({
    status: 'ok',
    found: '1 rule, run by nightly',
  })
  expect(judgeRetention({ rules: [] }, [], 0)).toEqual({ status: 'ok', found: '0 rules, no schedule runs them' })
  expect(judgeRetention(policy, [nightly], 2)).toMatchObject({
    status: 'warn',
    found: '1 rule, run by nightly; 2 plans wait for a decision',
  })
})
