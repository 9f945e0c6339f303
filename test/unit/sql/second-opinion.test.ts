import { array, assert, constantFrom, nat, property } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseLineage, type ScriptLineage } from '../../../src/sql/index.ts'
import { isStrictDialect, parseStrict } from '../../../src/sql/strict/parse.ts'
import { lineageByStrictParser, lineageWithOpinion, weighOpinions } from '../../../src/sql/strict/second-opinion.ts'
import { isTemplate } from '../../../src/sql/strict/script.ts'
import { actualFacts, goldenOptions } from '../../support/golden/check.ts'
import type { GoldenCase } from '../../support/golden/format.ts'
import { goldenSuite } from '../../support/golden/suite.ts'
import { generatedOptions } from '../../support/sql-generator/compare.ts'
import { generateStatement } from '../../support/sql-generator/statement.ts'

const OPTIONS = { dialect: 'postgres' }
const SQL = 'INSERT INTO mart.a (k) SELECT id FROM shop.orders'

function confidenceOf(lineage: ScriptLineage): number {
  return lineage.columns[0]?.confidence ?? 0
}

function factsOf(golden: GoldenCase, lineage: ScriptLineage): string {
  return actualFacts(golden, lineage).join('\n').toLowerCase()
}

function disagreements(lineage: ScriptLineage): string[] {
  return lineage.diagnostics.filter((d) => d.code === 'SECOND_OPINION').map((d) => d.message)
}

test('what both parsers draw is surer than what one draws', () => {
  const alone = lineageWithOpinion([{ sql: SQL }], OPTIONS, 'off')
  const both = lineageWithOpinion([{ sql: SQL }], OPTIONS, 'all')
  expect(alone.columns[0]?.confidence).toBeLessThan(1)
  expect(both.columns[0]?.confidence).toBeGreaterThan(alone.columns[0]?.confidence ?? 1)
  expect(both.columns[0]?.upstreams).toEqual(alone.columns[0]?.upstreams)
})

test('where they differ a diagnostic holds both answers, and nothing gets surer', () => {
  const ours = parseLineage(SQL, OPTIONS)
  const theirs = parseLineage('INSERT INTO mart.a (k) SELECT nr FROM shop.orders', OPTIONS)
  const weighed = weighOpinions(ours, theirs)
  expect(disagreements(weighed)).toEqual(['two parsers disagree on mart.a.k: shop.orders.id; or shop.orders.nr'])
  expect(weighed.columns).toEqual(ours.columns)
})

test('a share of the texts is the same share every time', () => {
  const texts = Array.from({ length: 400 }, (_, i) => `INSERT INTO mart.a (k) SELECT c${i} FROM shop.orders`)
  const chosen = (): number[] =>
    texts.flatMap((sql, i) => {
      const sampled = lineageWithOpinion([{ sql }], OPTIONS, { share: 0.25 })
      return confidenceOf(sampled) > confidenceOf(parseLineage(sql, OPTIONS)) ? [i] : []
    })
  expect(chosen()).toEqual(chosen())
  expect(chosen().length).toBeGreaterThan(60)
  expect(chosen().length).toBeLessThan(140)
})

test('where words were stepped over, the strict parser says what was expected', () => {
  const lineage = lineageWithOpinion([{ sql: 'SELECT a FROM t\nWHERE b = 1 FROB KNOB' }], OPTIONS, 'all')
  expect(lineage.diagnostics).toContainEqual(
    expect.objectContaining({ code: 'STRICT_SYNTAX', line: 2, message: expect.stringContaining('Syntax') as string }),
  )
})

test.each([
  ['SELECT a FROM', { kind: 'syntax', line: 1 }],
  ['DO $$ BEGIN DELETE FROM t; END $$', { kind: 'not-carried' }],
  ['SELECT a FROM t', { kind: 'read' }],
])('the strict front end reads %s', (sql, reading) => {
  expect(parseStrict(sql, 'postgres')).toMatchObject(reading)
})

test('in front, the strict parser leaves to the other one what it cannot read, and says so', () => {
  const sql = 'CREATE TABLE t (a INT);\nCALL p();\nINSERT INTO mart.a (k) SELECT id FROM shop.orders'
  const lineage = lineageByStrictParser([{ sql }], OPTIONS)
  expect(lineage?.statements.map(({ kind }) => kind)).toEqual(['table', 'call', 'insert'])
  expect(lineage?.columns).toHaveLength(1)
  const told = lineage?.diagnostics.filter(({ code }) => code === 'STRICT_SYNTAX')
  expect(told?.map(({ statement, line }) => [statement, line])).toEqual([[1, 2]])
})

test('the strict parser alone has no answer outside of its dialects', () => {
  expect(lineageByStrictParser([{ sql: SQL }], { dialect: 'snowflake' })).toBeUndefined()
  expect(lineageByStrictParser([{ sql: SQL }], OPTIONS)?.columns).toHaveLength(1)
})

describe('two parsers that know nothing of each other agree', () => {
  test('on the golden cases that both read', () => {
    const wrong = goldenSuite().flatMap((golden) =>
      golden.dialects.filter(isStrictDialect).flatMap((dialect) => {
        const lineage = lineageWithOpinion([{ sql: golden.sql }], goldenOptions(golden, dialect), 'all')
        return disagreements(lineage).map((message) => `${golden.file}:${golden.line} ${dialect} ${message}`)
      }),
    )
    expect(wrong).toEqual([])
  })

  test('in front of the other, on every golden case that is no template', () => {
    const wrong = goldenSuite().flatMap((golden) =>
      golden.dialects.filter(isStrictDialect).flatMap((dialect) => {
        const options = goldenOptions(golden, dialect)
        const strict = lineageByStrictParser([{ sql: golden.sql }], options)
        const name = `${golden.file}:${golden.line} ${dialect}`
        if (strict === undefined) return isTemplate(golden.sql) ? [] : [`${name} no answer`]
        const [theirs, ours] = [strict, parseLineage(golden.sql, options)].map((one) => factsOf(golden, one))
        return theirs === ours ? [] : [`${name} ${theirs} instead of ${ours}`]
      }),
    )
    expect(wrong).toEqual([])
  })

  test('on generated statements', () => {
    const dialect = constantFrom('bigquery', 'mariadb', 'mysql', 'postgres', 'sqlite')
    const tape = array(nat({ max: 9999 }), { minLength: 0, maxLength: 160, size: 'max' })
    assert(
      property(dialect, tape, (name, numbers) => {
        const generated = generateStatement(name, numbers)
        const lineage = lineageWithOpinion([{ sql: generated.sql }], generatedOptions(generated), 'all')
        expect(disagreements(lineage), generated.sql).toEqual([])
      }),
      { numRuns: 1000, seed: 3 },
    )
  })
})
