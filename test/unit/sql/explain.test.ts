import { expect, test } from 'vitest'
import { explainColumn } from '../../../src/sql/encode/explain.ts'
import { parseLineage } from '../../../src/sql/index.ts'

test('a column that no statement writes is refused with a near one', () => {
  const lineage = parseLineage('INSERT INTO mart.daily (total) SELECT amount FROM raw.orders')
  expect(explainColumn(lineage, 'daily.total')).toContain('raw.orders.amount')
  expect(() => explainColumn(lineage, 'daily.totl')).toThrow(
    expect.objectContaining({ code: 'UNKNOWN_NAME_IN_LINEAGE', badInput: true }),
  )
})
