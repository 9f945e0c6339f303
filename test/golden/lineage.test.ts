import { describe, expect, test } from 'vitest'
import { parseLineage } from '../../src/sql/index.ts'
import { actualFacts, expectedFacts, goldenOptions } from '../support/golden/check.ts'
import { goldenSuite } from '../support/golden/suite.ts'

const suite = goldenSuite()
const constructs = [...new Set(suite.map((golden) => golden.construct))]

describe.each(constructs)('%s', (construct) => {
  const runs = suite
    .filter((golden) => golden.construct === construct)
    .flatMap((golden) =>
      golden.dialects.map((dialect) => ({ golden, dialect, name: `${dialect}: ${golden.title} (${golden.line})` })),
    )

  test.each(runs)('$name', ({ golden, dialect }) => {
    const actual = parseLineage(golden.sql, goldenOptions(golden, dialect))
    expect(actualFacts(golden, actual)).toEqual(expectedFacts(golden, actual))
  })
})
