import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { headwater, runCommand } from '../support/command.ts'
import { dbtProjectFolder } from '../support/dbt-projects.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const INSERT = 'INSERT INTO mart.sales (total) SELECT SUM(o.amount) FROM shop.orders o'

test('a statement on the command line prints a tree with the place of each edge', async () => {
  const { code, stdout } = await headwater(['lineage', 'parse', '-e', INSERT])
  expect(code).toBe(0)
  expect(stdout).toContain('insert mart.sales <- shop.orders')
  expect(stdout).toMatch(/total +<- shop\.orders\.amount +SUM\(o\.amount\) +line 1:39/)
})

test.each([
  ['json', (text: string) => expect(JSON.parse(text)).toMatchObject({ tables: { outputs: ['mart.sales'] } })],
  ['ndjson', (text: string) => expect(JSON.parse(text)).toMatchObject({ id: 'statement' })],
  ['mermaid', (text: string) => expect(text).toMatch(/^flowchart LR\n/)],
  ['dot', (text: string) => expect(text).toMatch(/^digraph lineage \{\n/)],
  ['openlineage', (text: string) => expect(JSON.parse(text)).toMatchObject({ eventType: 'COMPLETE' })],
  ['datahub', (text: string) => expect(JSON.parse(text)).toMatchObject([{ aspectName: 'upstreamLineage' }])],
])('--format %s', async (format, holds) => {
  const { code, stdout } = await headwater(['lineage', 'parse', '-e', INSERT, '--format', format])
  expect(code).toBe(0)
  holds(stdout)
})

test('a dbt project is read as such: models in their order, under the names that they make', async () => {
  const { code, stdout } = await headwater(['lineage', 'parse', dbtProjectFolder('bakery'), '--format', 'json'])
  const { statements, tables } = JSON.parse(stdout) as { statements: { kind: string }[]; tables: { outputs: string[] } }
  expect([0, 2]).toContain(code)
  expect(statements.map(({ kind }) => kind)).not.toContain('query')
  expect(tables.outputs.some((name) => name.endsWith('fct_orders'))).toBe(true)
})

test('a USE holds in its file, and in the numbered scripts behind it', async () => {
  await using folder = await temporaryFolder()
  await mkdir(join(folder.path, 'run'))
  await writeFile(join(folder.path, 'jobs.sql'), 'USE msdb\nINSERT INTO log (a) SELECT l.a FROM raw l')
  await writeFile(join(folder.path, 'run/01.sql'), 'USE dw')
  await writeFile(join(folder.path, 'run/02.sql'), 'INSERT INTO t (b) SELECT x.b FROM x')
  await writeFile(join(folder.path, 'views.sql'), 'CREATE VIEW v AS SELECT y.c FROM y')
  const args = ['lineage', 'parse', '.', '--dialect', 'tsql', '--format', 'json']
  const { stdout } = await headwater(args, { cwd: folder.path })
  const { tables } = JSON.parse(stdout) as { tables: object }
  expect(tables).toMatchObject({
    inputs: ['msdb.dbo.raw', 'dw.dbo.x', 'y'],
    outputs: ['msdb.dbo.log', 'dw.dbo.t', 'v'],
  })
})

test('what was not understood ends with 2 and says where', async () => {
  const { code, stdout } = await headwater(['lineage', 'parse', '-'], { stdin: `${INSERT};\nFROB THE KNOB;\n` })
  expect(code).toBe(2)
  expect(stdout).toContain('(stdin):2:1 error UNKNOWN_STATEMENT')
})

test('files of a folder share a session, and a schema file spells out a star', async () => {
  await using folder = await temporaryFolder()
  await mkdir(join(folder.path, 'etl'))
  await writeFile(join(folder.path, 'ddl.sql'), 'CREATE TABLE shop.orders (id INT, amount INT);')
  await writeFile(join(folder.path, 'etl/1.sql'), 'CREATE TEMP TABLE t AS SELECT * FROM shop.orders;')
  await writeFile(join(folder.path, 'etl/2.sql'), 'INSERT INTO mart.sales (k, v) SELECT * FROM t;')
  const args = ['lineage', 'parse', 'etl', '--schema', 'ddl.sql', '--dialect', 'postgres', '--format', 'json']
  const { code, stdout } = await headwater(args, { cwd: folder.path })
  expect(code).toBe(0)
  const { columns, tables } = JSON.parse(stdout) as { columns: { downstream: object }[]; tables: object }
  expect(tables).toMatchObject({ inputs: ['shop.orders'], outputs: ['mart.sales'] })
  expect(columns).toMatchObject([
    { downstream: { column: 'k' }, upstreams: [{ column: 'id' }] },
    { downstream: { column: 'v' }, upstreams: [{ column: 'amount' }] },
  ])
})

test.each([
  ['schema.json', JSON.stringify({ 'shop.orders': ['id', 'amount'] })],
  [
    'manifest.json',
    JSON.stringify({
      nodes: { 'model.x.orders': { database: null, schema: 'shop', alias: 'orders', columns: { id: {}, amount: {} } } },
    }),
  ],
  [
    'catalog.json',
    JSON.stringify({
      nodes: {},
      sources: {
        'source.x.shop.orders': {
          metadata: { schema: 'shop', name: 'orders' },
          columns: { amount: { index: 2 }, id: { index: 1 } },
        },
      },
    }),
  ],
])('columns are read from %s', async (name, content) => {
  await using folder = await temporaryFolder()
  await writeFile(join(folder.path, name), content)
  const args = ['lineage', 'parse', '-e', 'SELECT * FROM shop.orders', '--schema', name, '--format', 'ndjson']
  const { stdout } = await headwater(args, { cwd: folder.path })
  const { columns } = JSON.parse(stdout) as { columns: { downstream: { column: string } }[] }
  expect(columns.map((column) => column.downstream.column)).toEqual(['id', 'amount'])
})

test.each([
  ['ddl.sql', 'CREATE TABLE shop.orders (id INT64, addr STRUCT<city STRING, geo STRUCT<lat FLOAT64>>)'],
  ['schema.json', '{"shop.orders": {"id": "INT64", "addr": "STRUCT<city STRING, geo STRUCT<lat FLOAT64>>"}}'],
])('fields are read from the types of %s', async (name, content) => {
  await using folder = await temporaryFolder()
  await writeFile(join(folder.path, name), content)
  const sql = 'SELECT addr.*, id FROM shop.orders'
  const args = ['lineage', 'parse', '-e', sql, '--dialect', 'bigquery', '--schema', name, '--format', 'ndjson']
  const { stdout } = await headwater(args, { cwd: folder.path })
  const { columns } = JSON.parse(stdout) as { columns: { downstream: { column: string } }[] }
  expect(columns).toMatchObject([
    { downstream: { column: 'city' }, upstreams: [{ column: 'addr.city' }] },
    { downstream: { column: 'geo' }, upstreams: [{ column: 'addr.geo' }] },
    { downstream: { column: 'id' }, upstreams: [{ column: 'id' }] },
  ])
})

test.each([
  [['lineage', 'parse', '-e', 'SELECT 1', '--dialect', 'snowflak'], 'did you mean "snowflake"?'],
  [['lineage', 'parse', '-e', 'SELECT 1', '--profile', 'openlinage'], 'did you mean "openlineage"?'],
  [['lineage', 'parse', '-e', 'SELECT 1', '--format', 'mermaids'], 'did you mean "mermaid"?'],
  [['lineage', 'parse', 'no-such-file.sql'], 'no-such-file.sql does not exist'],
  [['lineage', 'parse'], 'nothing to read'],
  [['lineage', 'parse', '--explain-missing', 'a', '-e', 'SELECT 1'], '--explain-missing takes two names'],
  [['lineage', 'diff', 'no-such-a', 'no-such-b'], 'is neither a path nor a git revision here'],
  [['lineage', 'eval', 'no-such-cases.ndjson'], 'no-such-cases.ndjson does not exist'],
])('%j ends with 4 and says what to do', async (args, hint) => {
  const { code, stderr } = await headwater(args)
  expect(stderr).toContain(hint)
  expect(code).toBe(4)
})

test.each([
  ['{\n  "shop.orders": ["id",\n  "x": 1\n', /schema\.json:\d+:\d+/],
  ['{\n  "shop.orders": 7\n}', /schema\.json:2:\d+ at shop\.orders/],
])('a schema file that is broken is named with its place', async (content, place) => {
  await using folder = await temporaryFolder()
  await writeFile(join(folder.path, 'schema.json'), content)
  const args = ['lineage', 'parse', '-e', 'SELECT 1', '--schema', 'schema.json']
  const { code, stderr } = await headwater(args, { cwd: folder.path })
  expect(code).toBe(4)
  expect(stderr).toMatch(place)
})

test('cases go in and results come out: one a line, in order, whatever is wrong with a line', async () => {
  const cases = [
    JSON.stringify({ id: 'a', dialect: 'postgres', sql: INSERT }),
    'not json',
    JSON.stringify({
      id: 'c',
      dialect: 'nosuch',
      sql: ['CREATE TEMP TABLE t AS SELECT id AS k FROM s.a', 'INSERT INTO s.b (k) SELECT k FROM t'],
    }),
    JSON.stringify({ id: 'd' }),
    JSON.stringify({
      id: 5,
      dialect: 'ansi',
      sql: 'SELECT * FROM t',
      schemas: { t: ['x'] },
      defaults: { db: 'd', schema: 's' },
    }),
  ]
  const { code, stdout } = await headwater(['lineage', 'parse', '--format', 'ndjson', '--threads', '2'], {
    stdin: `${cases.join('\n')}\n`,
  })
  expect(code).toBe(0)
  const results = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)
  expect(results.map((result) => result['id'])).toEqual(['a', null, 'c', 'd', 5])
  expect(results.map((result) => 'error' in result)).toEqual([false, true, false, true, false])
  expect(results[2]).toMatchObject({ tables: { inputs: ['s.a'], outputs: ['s.b'] } })
  expect(results[4]).toMatchObject({
    columns: [{ downstream: { table: null, column: 'x' }, upstreams: [{ table: 'd.s.t', column: 'x' }] }],
  })
})

test('--explain tells a derivation step by step with places', async () => {
  const sql =
    'CREATE TEMP TABLE t AS SELECT o.amount * 2 AS twice FROM shop.orders o;\nINSERT INTO mart.sales (total) SELECT twice FROM t'
  const { code, stdout } = await headwater(
    ['lineage', 'parse', '-', '--dialect', 'postgres', '--explain', 'sales.total'],
    { stdin: sql },
  )
  expect(code).toBe(0)
  expect(stdout).toMatch(/mart\.sales\.total +insert at \(stdin\):2:\d+/)
  expect(stdout).toMatch(/= o\.amount \* 2/)
  expect(stdout).toMatch(/<- shop\.orders\.amount/)
})

test('--explain names the nearest columns where there is none of that name', async () => {
  const { stderr } = await headwater(['lineage', 'parse', '-e', INSERT, '--explain', 'mart.sales.totl'])
  expect(stderr).toContain('did you mean mart.sales.total?')
})

test('--explain-missing shows how far both sides reach', async () => {
  const sql = 'INSERT INTO stage.a SELECT x.id FROM raw.x x;\nINSERT INTO mart.b SELECT y.id FROM stage.c y'
  const { stdout } = await headwater(['lineage', 'parse', '-', '--explain-missing', 'raw.x', 'mart.b'], { stdin: sql })
  expect(stdout).toContain('no way from raw.x to mart.b')
  expect(stdout).toMatch(/raw\.x -> stage\.a +insert at \(stdin\):1:1/)
  expect(stdout).toMatch(/stage\.c -> mart\.b +insert at \(stdin\):2:1/)
})

test('diff shows edges added, removed and changed, between files and between git revisions', async () => {
  await using folder = await temporaryFolder()
  const git = (...args: readonly string[]) =>
    runCommand('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args], { cwd: folder.path })
  await writeFile(join(folder.path, 'a.sql'), 'INSERT INTO m.t (k, v) SELECT o.id, o.x FROM s.o o')
  await git('init', '-q')
  await git('add', '.')
  await git('commit', '-q', '-m', 'one')
  await writeFile(join(folder.path, 'b.sql'), 'INSERT INTO m.t (k, v) SELECT o.id + 1, o.y FROM s.o o')
  const files = await headwater(['lineage', 'diff', 'a.sql', 'b.sql', '--exit-code'], { cwd: folder.path })
  expect(files.code).toBe(1)
  expect(files.stdout.split('\n').slice(0, 3)).toEqual([
    '- m.t.v <- s.o.x',
    '+ m.t.v <- s.o.y',
    '~ m.t.k <- s.o.id  IDENTITY => TRANSFORMED o.id + 1',
  ])
  await writeFile(join(folder.path, 'a.sql'), 'INSERT INTO m.t (k) SELECT o.id FROM s.o o')
  const revisions = await headwater(['lineage', 'diff', 'HEAD', 'worktree', 'a.sql', '--json'], { cwd: folder.path })
  expect(JSON.parse(revisions.stdout)).toEqual({ added: [], removed: ['m.t.v <- s.o.x'], changed: [] })
})

test('diff reads a dbt project as one, at a revision and as it is, and a part of it as that part', async () => {
  await using folder = await temporaryFolder()
  const git = (...args: readonly string[]) =>
    runCommand('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args], { cwd: folder.path })
  const write = (file: string, text: string) => writeFile(join(folder.path, file), text)
  await mkdir(join(folder.path, 'models/mart'), { recursive: true })
  await write('dbt_project.yml', "name: shop\nversion: '1.0'\nmodel-paths: [models]\n")
  await write('models/stg.sql', "{{ config(materialized='view') }} select o.id, o.x from raw.orders o")
  await write('models/mart/sales.sql', "select s.id as k from {{ ref('stg') }} s")
  await git('init', '-q')
  await git('add', '.')
  await git('commit', '-q', '-m', 'one')
  await write('models/stg.sql', "{{ config(materialized='view') }} select o.id + 1 as id, o.x from raw.orders o")
  await write('models/mart/sales.sql', "select s.id as k, s.x as v from {{ ref('stg') }} s")
  const run = (...args: readonly string[]) => headwater(['lineage', 'diff', ...args, '--json'], { cwd: folder.path })
  const whole = JSON.parse((await run('HEAD', 'worktree')).stdout) as { added: string[]; changed: { edge: string }[] }
  expect(whole.added.map((edge) => edge.replaceAll(/\w+\.(stg|sales)/g, '$1'))).toEqual(['sales.v <- stg.x'])
  expect(whole.changed).toHaveLength(1)
  const part = JSON.parse((await run('HEAD', 'worktree', 'models/mart')).stdout) as typeof whole
  expect([part.added.length, part.changed.length]).toEqual([1, 0])
  expect((await git('status', '--short')).stdout).not.toContain('??')
})

test('a folder gives files of SQL by their endings; variables hold across its scripts and from --var', async () => {
  await using folder = await temporaryFolder()
  await writeFile(join(folder.path, '1_load.pkb'), 'INSERT INTO &dw..t (a) SELECT s.b FROM ${env}.s s\n/\n')
  await writeFile(join(folder.path, '2_install.sql'), 'DEFINE dw = XX_DW\n@@1_load.pkb\n')
  await writeFile(join(folder.path, 'notes.txt'), 'INSERT INTO no.sql SELECT 1')
  const args = ['lineage', 'parse', folder.path, '--dialect', 'oracle', '--format', 'json', '--var', 'env=PRD']
  const { code, stdout } = await headwater(args)
  expect(code).toBe(0)
  expect(JSON.parse(stdout)).toMatchObject({ tables: { inputs: ['PRD.s'], outputs: ['XX_DW.t'] } })
  const broken = await headwater(['lineage', 'parse', folder.path, '--var', 'env'])
  expect(broken.code).toBe(4)
  expect(broken.stderr).toContain('--var "env" is not NAME=VALUE')
})

test('a folder gives the SQL that programs, notebooks, scripts and mappers carry, at their lines', async () => {
  await using folder = await temporaryFolder()
  await writeFile(join(folder.path, 'a.sql'), 'create table raw.orders (id int, amount int);')
  await writeFile(join(folder.path, 'dag.py'), 'run(\n  "insert into mart.a select * from raw.orders"\n)\n')
  await writeFile(
    join(folder.path, 'm.xml'),
    '<mapper namespace="n">\n<select id="s">select o.id from raw.orders o</select></mapper>',
  )
  await writeFile(join(folder.path, 'helper.py'), 'print("nothing")\n')
  const { code, stdout } = await headwater(['lineage', 'parse', folder.path])
  expect(code).toBe(0)
  expect(stdout).toMatch(/insert mart\.a <- raw\.orders {2}\S*dag\.py:2:4\n {2}id .*\n {2}amount/)
  expect(stdout).toMatch(/query result <- raw\.orders {2}\S*m\.xml:2:/)
})

test('eval scores cases, lists misses, and ends with 1 when too little is right', async () => {
  await using folder = await temporaryFolder()
  const right = {
    id: 'r',
    dialect: 'ansi',
    sql: INSERT,
    expected_tables: { sources: ['shop.orders'], targets: ['mart.sales'] },
    expected_columns: [{ target: 'mart.sales.total', sources: ['shop.orders.amount'] }],
  }
  const wrong = {
    ...right,
    id: 'w',
    expected_columns: [{ target: 'mart.sales.total', sources: ['shop.orders.price'] }],
  }
  await writeFile(join(folder.path, 'cases.ndjson'), [right, wrong].map((one) => JSON.stringify(one)).join('\n'))
  const run = (...args: readonly string[]) =>
    headwater(['lineage', 'eval', 'cases.ndjson', ...args], { cwd: folder.path })
  const misses = await run('--misses')
  expect(misses.code).toBe(1)
  expect(misses.stdout).toMatch(/all +2 +2\/2 100\.0 % +1\/2 50\.0 %/)
  expect(misses.stdout).toContain('missing  mart.sales.total <- shop.orders.price')
  expect(misses.stdout).toContain('wrong    mart.sales.total <- shop.orders.amount')
  expect((await run('--min-columns', '50')).code).toBe(0)
  const json = JSON.parse((await run('--json')).stdout) as { all: object }
  expect(json.all).toMatchObject({
    cases: 2,
    tables: { right: 2, of: 2 },
    columns: { right: 1, of: 2 },
    precision: 0.5,
    recall: 0.5,
  })
})

test.each([['parse'], ['diff'], ['eval']])('lineage %s --help shows examples', async (command) => {
  const { code, stdout } = await headwater(['lineage', command, '--help'])
  expect(code).toBe(0)
  expect(stdout).toContain('Examples:')
})
