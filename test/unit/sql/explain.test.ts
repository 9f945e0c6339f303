import { expect, test } from 'vitest'
import { explainColumn } from '../../../src/sql/encode/explain.ts'
import { explainMissing } from '../../../src/sql/encode/explain-missing.ts'
import { parseLineage } from '../../../src/sql/index.ts'

test('a column that no statement writes is refused with a near one', () => {
  const lineage = parseLineage('INSERT INTO mart.daily (total) SELECT amount FROM raw.orders')
  expect(explainColumn(lineage, 'daily.total')).toContain('raw.orders.amount')
  expect(() => explainColumn(lineage, 'daily.totl')).toThrow(
    expect.objectContaining({ code: 'UNKNOWN_NAME_IN_LINEAGE', badInput: true }),
  )
})

test('a defined column that nothing reads is no unknown name', () => {
  const lineage = parseLineage(
    'CREATE TABLE raw.orders (id int, cur text); INSERT INTO mart.daily (total) SELECT id FROM raw.orders',
  )
  expect(explainMissing(lineage, 'raw.orders.cur', 'daily.total')).toContain('raw.orders.cur reaches: nothing')
  expect(explainMissing(lineage, 'orders', 'daily')).toContain('there is a way')
  expect(() => explainMissing(lineage, 'raw.orders.cud', 'daily.total')).toThrow(
    expect.objectContaining({ code: 'UNKNOWN_NAME_IN_LINEAGE', badInput: true }),
  )
})
