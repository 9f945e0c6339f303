import { array, assert, constantFrom, nat, property } from 'fast-check'
import { expect, test } from 'vitest'
import { DIALECTS, parseLineage } from '../../src/sql/index.ts'
import { differences, generatedOptions } from '../support/sql-generator/compare.ts'
import { generateStatement } from '../support/sql-generator/statement.ts'

/**
 * Statements whose lineage is known because they were built from it. A failure prints the seed, and shrinks to the
 * smallest statement that is still wrong. `GENERATED_STATEMENTS` runs more, `GENERATED_SEED` runs the same again.
 */
const STATEMENTS = Number(process.env['GENERATED_STATEMENTS'] ?? 20_000)
const SEED = Number(process.env['GENERATED_SEED'] ?? 20_240_601)

const tape = array(nat({ max: 9999 }), { minLength: 0, maxLength: 160, size: 'max' })

test(`${STATEMENTS} statements of known lineage in all dialects, seed ${SEED}`, { timeout: 180_000 }, () => {
  assert(
    property(constantFrom(...DIALECTS), tape, (dialect, numbers) => {
      const statement = generateStatement(dialect, numbers)
      const wrong = differences(statement, parseLineage(statement.sql, generatedOptions(statement)))
      expect(wrong, `${dialect}: ${statement.sql}`).toEqual([])
    }),
    { numRuns: STATEMENTS, seed: SEED },
  )
})
