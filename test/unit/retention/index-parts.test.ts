import { describe, expect, test } from 'vitest'
import type { IndexSize } from '../../../src/client/operations.ts'
import { otherRows, partsOf, rowsOf, type IndexPart } from '../../../src/retention/index-parts.ts'
import { idleRules } from '../../../src/retention/plan.ts'
import { readPolicy, ruleFor } from '../../../src/retention/policy.ts'

const INDEX: IndexSize = {
  entityType: 'dataset',
  aspectName: 'operation',
  indexName: 'dataset_operationaspect_v1',
  sizeMb: 100,
  rows: 1000,
}
const ROWS: Readonly<Record<string, number>> = { snowflake: 600, hive: 100 }

function count(part: IndexPart): Promise<{ readonly total: number }> {
  if (part.platform !== undefined) return Promise.resolve({ total: ROWS[part.platform] ?? 0 })
  const others = (part.exceptPlatforms ?? []).reduce((sum, name) => sum + (ROWS[name] ?? 0), 0)
  return Promise.resolve({ total: 1000 - others })
}

const POLICY = readPolicy(
  `rules:
  - { aspect: operation, platform: snowflake, keepDays: 30 }
  - { aspect: 'oper*', platform: hive, keepDays: 60, decide: auto }
  - { aspect: operation, platform: hive, keepDays: 1000 }
  - { aspect: '*', keepDays: 365 }
  - { aspect: operation, platform: kafka, keepDays: 7 }`,
  'retention.yaml',
)

describe('rules of platforms', () => {
  test('split an index into their rows and all others, each with its share of the size', async () => {
    const parts = await partsOf(INDEX, POLICY, count)
    expect(parts).toMatchObject([
      { indexName: 'dataset_operationaspect_v1.snowflake', partOf: INDEX.indexName, platform: 'snowflake', sizeMb: 60 },
      { indexName: 'dataset_operationaspect_v1.hive', platform: 'hive', sizeMb: 10 },
      { indexName: 'dataset_operationaspect_v1.others', exceptPlatforms: ['snowflake', 'hive'], sizeMb: 30 },
    ])
    expect(parts.map((part) => ruleFor(POLICY, part)?.keepDays)).toEqual([30, 60, 365])
  })

  test('leave other indexes whole', async () => {
    const profiles = { ...INDEX, aspectName: 'datasetprofile' }
    expect(await partsOf(profiles, POLICY, count)).toEqual([profiles])
    expect(ruleFor(POLICY, profiles)?.keepDays).toBe(365)
  })

  test('keep what they do not name, where no rule takes the rest', async () => {
    const only = readPolicy('rules: [{ aspect: operation, platform: hive, keepDays: 60 }]', 'retention.yaml')
    expect((await partsOf(INDEX, only, count)).map(({ indexName }) => indexName)).toEqual([
      'dataset_operationaspect_v1.hive',
    ])
    expect(ruleFor(only, INDEX)).toBeUndefined()
  })

  test('that an earlier rule makes idle are a warning', () => {
    expect(idleRules(POLICY, [INDEX])).toEqual([
      'the rule for * operation of hive is never reached: an earlier one takes its rows',
      'the rule for * operation of kafka is never reached: an earlier one takes its rows',
    ])
  })

  test('name one platform as URNs do', () => {
    expect(() => readPolicy('rules: [{ aspect: operation, platform: "a,b", keepDays: 60 }]', 'p.yaml')).toThrow(
      expect.objectContaining({ code: 'DECODE' }),
    )
  })
})

test('the rows that a part does not have', () => {
  expect(rowsOf({ platform: 'hive', exceptPlatforms: null })).toEqual({ platform: 'hive' })
  expect(otherRows({ platform: 'hive' })).toEqual({ exceptPlatforms: ['hive'] })
  expect(otherRows({ exceptPlatforms: ['hive', 'kafka'] })).toEqual({ platform: 'hive' })
  expect(otherRows({})).toBeUndefined()
})
