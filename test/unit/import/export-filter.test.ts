import { expect, test } from 'vitest'
import { matches, readFilters } from '../../../src/import/export/filter.ts'
import { asUrn } from '../../../src/model/urn.ts'

test('a filter with an unknown key is refused with a near one', () => {
  expect(() => readFilters(['platfrom=hive'])).toThrow(
    expect.objectContaining({ code: 'EXPORT_FILTER', badInput: true, message: expect.stringContaining('"platform"') }),
  )
})

test('several values of one key mean any of them', () => {
  const filter = readFilters(['platform=hive', 'platform=snow*'])
  const found = ['hive', 'snowflake', 'kafka'].map((platform) =>
    matches(filter, asUrn(`urn:li:dataset:(urn:li:dataPlatform:${platform},db.t,PROD)`)),
  )
  expect(found).toEqual([true, true, false])
})
