import { describe, expect, test } from 'vitest'
import { maskLiterals, parseLineage } from '../../../src/sql/index.ts'

describe('literals are masked', () => {
  test.each([
    ["SELECT a1, 'x''y' AS b FROM t WHERE c = 12.5e3", 'SELECT a1, ? AS b FROM t WHERE c = ?'],
    ["INSERT INTO t VALUES (1, 'mail@example.org'), (-2, null)", 'INSERT INTO t VALUES (?, ?), (-?, null)'],
    ['SELECT a -- call 0171 555\nFROM t /* secret */ WHERE b', 'SELECT a\nFROM t WHERE b'],
    ["SELECT `o'brien`, a FROM t # it's", "SELECT `o'brien`, a FROM t "],
    ["SELECT date '2024-01-01', x'ff', N'ü'", 'SELECT date ?, ?, ?'],
    ['', ''],
    ["SELECT 'never closed", 'SELECT ?'],
  ])('%s', (sql, masked) => expect(maskLiterals(sql, { dialect: 'mysql' })).toBe(masked))

  test('inside of dollar-quoted bodies, too', () => {
    const sql = "CREATE FUNCTION f() RETURNS int AS $$ SELECT 42 FROM t WHERE k = 'secret' $$ LANGUAGE sql"
    expect(maskLiterals(sql, { dialect: 'postgres' })).toBe(
      'CREATE FUNCTION f() RETURNS int AS $$ SELECT ? FROM t WHERE k = ? $$ LANGUAGE sql',
    )
  })

  test('in a dialect whose double quotes are strings', () => {
    expect(maskLiterals('SELECT "secret", `name` FROM t', { dialect: 'bigquery' })).toBe('SELECT ?, `name` FROM t')
  })
})

function edges(sql: string): unknown {
  return parseLineage(sql, { dialect: 'postgres' }).columns.map((column) => column.upstreams)
}

test('a masked statement keeps its lineage', () => {
  const sql = "INSERT INTO t (a, b) SELECT x + 1, CASE WHEN y = 'z' THEN w END FROM s WHERE d > '2024-01-01' LIMIT 10"
  expect(edges(maskLiterals(sql, { dialect: 'postgres' }))).toEqual(edges(sql))
})
