import { expect, test } from 'vitest'
import { lineageOf, truthOf } from '../support/dbt-truth.ts'

/** Whole projects, read as they lie there, against what an analyst reads off their models. */
test.each([
  ['bakery', { dialect: 'snowflake' }],
  ['harbour', { dialect: 'bigquery', profile: { type: 'bigquery', database: 'harbour-dwh', schema: 'dbt' } }],
  ['clinic', { dialect: 'postgres', profile: { schema: 'clinic' } }],
] as const)('%s', async (name, options) => {
  const { tables, statements } = await lineageOf(name, options)
  expect(statements.filter(({ skipped }) => skipped > 0).map(({ file }) => file)).toEqual([])
  expect(tables).toEqual(truthOf(name))
})
