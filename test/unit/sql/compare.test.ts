import { expect, test } from 'vitest'
import { parseLineage } from '../../../src/sql/index.ts'
import { caseOptions, readCase } from '../../../src/sql/eval/case.ts'
import { compareCase, type Verdict } from '../../../src/sql/eval/compare.ts'

function judge(raw: object): Verdict {
  const reading = readCase(JSON.stringify({ id: 'x', dialect: 'postgres', ...raw }))
  if (!reading.ok) throw new Error(reading.bad.error)
  return compareCase(reading.value, parseLineage(reading.value.sql, caseOptions(reading.value, 'datahub')))
}

const SQL = 'INSERT INTO t (a, b) SELECT x.a, x.b FROM s.x x'

test('names meet without case and after defaults', () => {
  const { tables, columns } = judge({
    sql: SQL,
    defaults: { db: 'D', schema: 'S' },
    expected_tables: { sources: ['D.s.X'], targets: ['d.S.t'] },
    expected_columns: [
      { target: 'T.a', sources: ['s.x.A'] },
      { target: 'd.s.t.b', sources: ['d.s.x.b'] },
    ],
  })
  expect(tables?.exact).toBe(true)
  expect(columns?.exact).toBe(true)
})

test('an output without sources and an upstream without a table do not count', () => {
  const { columns } = judge({
    sql: 'SELECT COUNT(*) AS n, x.a FROM x',
    expected_columns: [{ target: '-.a', sources: ['x.a', '?.z'] }],
  })
  expect(columns?.exact).toBe(true)
})

test('partial_columns asks for the listed outputs only', () => {
  const raw = { sql: SQL, expected_columns: [{ target: 't.a', sources: ['s.x.a'] }] }
  expect(judge(raw).columns?.exact).toBe(false)
  expect(judge({ ...raw, partial_columns: true }).columns?.exact).toBe(true)
})

test('ignore_self leaves the own target out of inputs and upstreams', () => {
  const raw = {
    sql: 'UPDATE t SET a = t.b + x.c FROM x',
    expected_tables: { sources: ['x'], targets: ['t'] },
    expected_columns: [{ target: 't.a', sources: ['x.c'] }],
  }
  expect(judge(raw).tables?.exact).toBe(false)
  expect(judge({ ...raw, ignore_self: true })).toMatchObject({ tables: { exact: true }, columns: { exact: true } })
})

test('an unnamed expression is paired by its sources', () => {
  const { columns } = judge({
    sql: 'SELECT x.a + x.b FROM x',
    expected_columns: [{ target: '-.a + b', sources: ['x.a', 'x.b'] }],
  })
  expect(columns?.exact).toBe(true)
})

test('a wrong source is one fact missing and one wrong', () => {
  const { columns } = judge({ sql: 'SELECT x.a FROM x', expected_columns: [{ target: '-.a', sources: ['y.a'] }] })
  expect(columns).toMatchObject({ exact: false, missing: ['a <- y.a'], wrong: ['a <- x.a'], agreed: 0 })
})

test.each([
  ['not JSON', '{', 'the line is not JSON'],
  ['a list', '[]', 'the line is not a JSON object'],
  ['no SQL', '{"id":"q"}', '"sql" must be a string'],
])('%s is told, and the id kept where there is one', (_, line, error) => {
  const reading = readCase(line)
  expect(reading).toMatchObject({ ok: false, bad: { error: expect.stringContaining(error) as string } })
})

test('outputs that share a name are paired by their sources, one by one', () => {
  const { columns } = judge({
    sql: 'SELECT max(x.a), max(x.b), x.c + 1, x.d + 1 FROM x',
    expected_columns: [
      { target: '-._col_0', sources: ['x.a'] },
      { target: '-._col_1', sources: ['x.b'] },
      { target: '-._col_2', sources: ['x.c'] },
      { target: '-._col_3', sources: ['x.d'] },
    ],
  })
  expect(columns?.exact).toBe(true)
})

test('the table of a target whose column is an expression ends before the expression', () => {
  const { columns } = judge({
    sql: 'INSERT INTO s.t SELECT upper(x.a), upper(y.a) FROM x, y',
    expected_columns: [
      { target: 's.t.upper(x.a)', sources: ['x.a'] },
      { target: 's.t.upper(y.a)', sources: ['y.a'] },
    ],
  })
  expect(columns?.exact).toBe(true)
})

test.each(['tsql', 'snowflake'])('a case says all of its defaults: no schema is taken for %s', (dialect) => {
  const { tables } = judge({
    dialect,
    sql: 'INSERT INTO t SELECT a FROM other..u',
    defaults: { db: 'd', schema: null },
    expected_tables: { sources: ['other.u'], targets: ['d.t'] },
  })
  expect(tables?.exact).toBe(true)
})
