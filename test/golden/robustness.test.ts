/** Deep, long and broken input: never a crash, never above a second, memory bounded. */
import { array, assert, constantFrom, nat, property, string } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { DIALECTS, parseLineage, type DialectName } from '../../src/sql/index.ts'
import { goldenSuite } from '../support/golden/suite.ts'
import { generateStatement } from '../support/sql-generator/statement.ts'

const LONGEST_MS = 1000
const SEED = Number(process.env['GENERATED_SEED'] ?? 11)

/** Reads the text and gives the milliseconds of this thread's work, whatever else runs; an exception fails the test. */
function timeOf(sql: string, dialect: DialectName): number {
  const begun = process.threadCpuUsage()
  const lineage = parseLineage(sql, { dialect })
  JSON.stringify(lineage)
  const { user, system } = process.threadCpuUsage(begun)
  return (user + system) / 1000
}

function repeat(text: string, times: number): string {
  return text.repeat(times)
}

function list(count: number, item: (i: number) => string, separator: string): string {
  return Array.from({ length: count }, (_, i) => item(i)).join(separator)
}

describe('deep and long', () => {
  const bars: readonly (readonly [name: string, ms: number, sql: string])[] = [
    ['subqueries 200 deep', 50, `${repeat('SELECT a FROM (', 200)}SELECT a FROM t${repeat(') x', 200)}`],
    ['an IN list of 50,000', 300, `SELECT a FROM t WHERE a IN (${list(50_000, String, ', ')})`],
    ['an AND chain of 5,000', 150, `SELECT a FROM t WHERE ${list(5000, (i) => `c${i} = ${i}`, ' AND ')}`],
    ['UNION ALL of 3,000', 400, list(3000, (i) => `SELECT a FROM t${i}`, ' UNION ALL ')],
    ['an INSERT of 20,000 rows', 300, `INSERT INTO t (a, b) VALUES ${list(20_000, (i) => `(${i}, 'x')`, ', ')}`],
    ['a CASE of 5,000 branches', 300, `SELECT CASE ${list(5000, (i) => `WHEN a = ${i} THEN b`, ' ')} END AS c FROM t`],
    ['a select list of 5,000', 300, `SELECT ${list(5000, (i) => `t.c${i} + 1 AS d${i}`, ', ')} FROM t`],
    [
      'a chain of 500 CTEs',
      400,
      `WITH c0 AS (SELECT a FROM t), ${list(500, (i) => `c${i + 1} AS (SELECT a FROM c${i})`, ', ')} SELECT a FROM c500`,
    ],
    [
      'joins of 500 tables',
      400,
      `SELECT t0.a FROM t0 ${list(500, (i) => `JOIN t${i + 1} ON t${i + 1}.k = t${i}.k`, ' ')}`,
    ],
  ]

  // The bars hold for a quiet machine; tests share theirs, and get twice the time.
  test.each(bars)('%s take less than %i ms', (_, ms, sql) => {
    const best = Math.min(...[1, 2, 3, 4, 5].map(() => timeOf(sql, 'postgres')))
    expect(best).toBeLessThan(2 * ms)
  })

  const deep: readonly (readonly [name: string, sql: string])[] = [
    ['subqueries', `${repeat('SELECT a FROM (', 2000)}SELECT a FROM t${repeat(') x', 2000)}`],
    ['parentheses', `SELECT ${repeat('(', 20_000)}a${repeat(')', 20_000)} FROM t`],
    ['functions', `SELECT ${repeat('f(', 20_000)}a${repeat(')', 20_000)} FROM t`],
    ['CASE', `SELECT ${repeat('CASE WHEN a THEN ', 5000)}a${repeat(' END', 5000)} FROM t`],
    ['scalar subqueries', `SELECT ${repeat('(SELECT ', 2000)}a${repeat(' FROM t)', 2000)} FROM t`],
    ['open parentheses', `SELECT ${repeat('(', 50_000)}`],
    ['blocks', repeat('BEGIN IF 1 = 1 THEN ', 2000)],
    ['brackets and braces', `SELECT ${repeat('[{', 20_000)}`],
    ['nested comments', repeat('/*', 50_000)],
    ['joins in parentheses', `SELECT a FROM ${repeat('(', 5000)}t${repeat(')', 5000)}`],
  ]

  test.each(deep)('%s nested thousands deep give an answer', (_, sql) => {
    for (const dialect of ['postgres', 'tsql', 'bigquery', 'oracle'] as const) {
      expect(timeOf(sql, dialect)).toBeLessThan(LONGEST_MS)
    }
  })
})

describe('broken', () => {
  test('golden cases cut off at every character', { timeout: 300_000 }, () => {
    const seen = new Set<string>()
    for (const { sql, dialects } of goldenSuite()) {
      const [dialect] = dialects
      if (dialect === undefined || seen.has(`${dialect} ${sql}`)) continue
      seen.add(`${dialect} ${sql}`)
      for (let end = 0; end < sql.length; end++) {
        const cut = sql.slice(0, end)
        const ms = timeOf(cut, dialect)
        expect(ms, `${dialect}: ${cut}`).toBeLessThan(LONGEST_MS)
      }
    }
  })

  test('words taken out', { timeout: 120_000 }, () => {
    assert(
      property(
        constantFrom(...goldenSuite()),
        array(nat({ max: 200 }), { minLength: 1, maxLength: 6 }),
        (golden, gone) => {
          const words = golden.sql.split(/(\s+|[(),.;])/)
          const left = words.filter((_, i) => !gone.includes(i)).join('')
          for (const dialect of golden.dialects.slice(0, 3)) expect(timeOf(left, dialect)).toBeLessThan(LONGEST_MS)
        },
      ),
      { numRuns: 5000, seed: SEED },
    )
  })

  test('random text', { timeout: 120_000 }, () => {
    const text = string({ unit: 'binary', maxLength: 400, size: 'max' })
    assert(
      property(constantFrom(...DIALECTS), text, (dialect, sql) => {
        expect(timeOf(sql, dialect)).toBeLessThan(LONGEST_MS)
      }),
      { numRuns: 5000, seed: SEED },
    )
  })

  test('words of SQL in random order', { timeout: 120_000 }, () => {
    const word = constantFrom(
      ...'SELECT FROM WHERE ( ) , . * ; a b t AS WITH UNION ALL JOIN ON USING CASE WHEN THEN END INSERT INTO VALUES UPDATE SET MERGE MATCHED CREATE TABLE VIEW BEGIN IF LOOP DECLARE PIVOT FOR IN OVER LATERAL UNNEST [ ] { } : :: => -> \' " ` $$ {{ }} {% %} -- /* */ @ # ? 1'.split(
        ' ',
      ),
    )
    assert(
      property(
        constantFrom(...DIALECTS),
        array(word, { minLength: 1, maxLength: 60, size: 'max' }),
        (dialect, words) => {
          expect(timeOf(words.join(' '), dialect)).toBeLessThan(LONGEST_MS)
        },
      ),
      { numRuns: 10_000, seed: SEED },
    )
  })

  test('a wrong dialect gives an answer all the same', { timeout: 120_000 }, () => {
    const tape = array(nat({ max: 9999 }), { minLength: 0, maxLength: 160, size: 'max' })
    assert(
      property(constantFrom(...DIALECTS), constantFrom(...DIALECTS), tape, (written, readAs, numbers) => {
        const { sql } = generateStatement(written, numbers)
        expect(timeOf(sql, readAs)).toBeLessThan(LONGEST_MS)
      }),
      { numRuns: 3000, seed: SEED },
    )
  })
})
