import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { sqlPieces, type SqlPiece } from '../../../src/harvest/sql-pieces.ts'
import type { HarvestSettings } from '../../../src/harvest/settings.ts'
import { objectsAt, textAt } from '../../../src/model/json.ts'
import { harvested, type TestHarvest } from '../../support/harvest.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

/** Harvests files as they are given; a lone file is the source itself. */
async function harvestFiles(
  files: Readonly<Record<string, string | Uint8Array>>,
  settings: Partial<HarvestSettings> = {},
): Promise<TestHarvest> {
  await using folder = await temporaryFolder()
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder.path, name)), { recursive: true })
    await writeFile(join(folder.path, name), text)
  }
  const [only = ''] = Object.keys(files)
  const source = Object.keys(files).length === 1 ? join(folder.path, only) : folder.path
  return await harvested({ source, ...settings })
}

/** `platform:downstream <- platform:upstream`, sorted. */
function tableEdges({ changes }: TestHarvest): readonly string[] {
  return changes
    .filter(({ aspectName }) => aspectName === 'upstreamLineage')
    .flatMap(({ urn, intent }) =>
      objectsAt(intent, 'upstreams').map((edge) => `${short(urn)} <- ${short(textAt(edge, 'dataset') ?? '')}`),
    )
    .toSorted()
}

const CTAS = (to: string, from: string): string => `create table ${to} as select a from ${from};`

const short = (urn: string): string =>
  urn.replace(/^urn:li:dataset:\(urn:li:dataPlatform:(\w+),([^,]+),PROD\)$/, '$1:$2')

async function pieces(text: string, chunk: number): Promise<readonly SqlPiece[]> {
  async function* chunks(): AsyncGenerator<string> {
    for (let at = 0; at < text.length; at += chunk) yield text.slice(at, at + chunk)
  }
  const found: SqlPiece[] = []
  for await (const piece of sqlPieces(chunks(), { cutAt: 200, longest: 1000 })) found.push(piece)
  return found
}

const csvlogRow = (message: string, severity = 'LOG'): string =>
  `2026-11-21 02:00:00.123 UTC,"etl","ops",4711,"10.0.0.1:5000",6560a.1,1,"INSERT",2026-11-21 01:00:00 UTC,3/4,0,${severity},00000,"${message}",,,,,,,,,"psql","client backend",,0`

const at = (seconds: number, query: string, more: object = { session_id: 'one' }): string =>
  JSON.stringify({ query, timestamp: seconds, ...more })

const entity = (name: string): string => `{ name: ${name}, type: dataset, env: PROD, platform: postgres }`
const field = (table: string, column: string): string =>
  `"urn:li:schemaField:(urn:li:dataset:(urn:li:dataPlatform:postgres,${table},PROD),${column})"`

const dbtModel = (name: string, code: string) => ({
  resource_type: 'model',
  package_name: 'shop',
  name,
  database: 'dwh',
  schema: 'mart',
  original_file_path: `models/${name}.sql`,
  config: { materialized: 'table' },
  compiled_code: code,
  depends_on: { nodes: [] },
})

describe('folders of SQL', () => {
  test('patterns say which files count', async () => {
    const files = {
      'mart/a.sql': CTAS('s.a', 's.x'),
      'mart/b.hql': CTAS('s.b', 's.x'),
      'mart/old/c.hql': CTAS('s.c', 's.x'),
      'tmp/d.hql': CTAS('s.d', 's.x'),
    }
    const found = await harvestFiles(files, {
      platform: 'hive',
      include: ['**/*.hql'],
      exclude: ['tmp', 'mart/old/**'],
    })
    expect(tableEdges(found)).toEqual(['hive:s.b <- hive:s.x'])
  })

  test('a path may tell platform, database and schema', async () => {
    const files = {
      'headwater.yaml': 'sources:\n  - { path: "{platform}/{database}/{schema}/**/*.sql" }\n',
      'snowflake/dwh/mart/x/a.sql': CTAS('a', 'raw.x'),
      'postgres/ops/public/b.sql': CTAS('b', 'x'),
    }
    expect(tableEdges(await harvestFiles(files))).toEqual([
      'postgres:ops.public.b <- postgres:ops.public.x',
      'snowflake:dwh.mart.a <- snowflake:dwh.raw.x',
    ])
  })

  test('what a file says at its head counts first; an unknown key costs that file', async () => {
    const files = {
      'a.sql': `-- nightly\n-- headwater: platform=bigquery database=proj schema=Mart\n${CTAS('A', 'raw.x')}`,
      'b.sql': `/* headwater: platfrom=x */\n${CTAS('b', 'x')}`,
      'c.sql': CTAS('s.c', 's.x'),
    }
    const found = await harvestFiles(files, { platform: 'hive' })
    expect(tableEdges(found)).toEqual(['bigquery:proj.Mart.A <- bigquery:proj.raw.x', 'hive:s.c <- hive:s.x'])
    expect(found.rejects).toMatchObject([
      {
        code: 'FRONT_MATTER',
        message: expect.stringContaining('did you mean "platform"?'),
        place: { file: 'b.sql', line: 1 },
      },
    ])
  })

  test('files of a source may share a session, so that temporary tables are folded over files', async () => {
    const files = {
      'headwater.yaml':
        'sources:\n  - { path: night/, platform: postgres, session: together }\n  - { path: "", platform: postgres }\n',
      'night/1.sql': 'create temporary table t as select a from s.x;',
      'night/2.sql': 'insert into s.y (a) select a from t;',
      'other.sql': 'insert into s.z (a) select a from s.t;',
    }
    expect(tableEdges(await harvestFiles(files))).toEqual([
      'postgres:s.y <- postgres:s.x',
      'postgres:s.z <- postgres:s.t',
    ])
  })

  test('gzip is told by its bytes', async () => {
    expect(tableEdges(await harvestFiles({ 'a.sql': gzipSync(CTAS('s.a', 's.x')) }, { platform: 'hive' }))).toEqual([
      'hive:s.a <- hive:s.x',
    ])
  })

  test('two statements that feed one column keep their own expression, statement and line', async () => {
    const sql = [
      'insert into s.t (a)',
      'select upper(b) from s.x;',
      '',
      'insert into s.t (a)',
      'select c + 1 from s.y;',
    ]
    const { changes } = await harvestFiles({ 'a.sql': sql.join('\n') }, { platform: 'hive' })
    const lineage = changes.find(({ aspectName }) => aspectName === 'upstreamLineage')
    const fields = objectsAt(lineage?.intent, 'fineGrainedLineages')
    expect(new Set(fields.map((edge) => edge['transformOperation']))).toEqual(new Set(['c + 1', 'upper(b)']))
    const queries = new Map(
      changes
        .filter(({ aspectName }) => aspectName === 'queryProperties')
        .map(({ urn, intent }) => [urn as string, intent]),
    )
    const places = fields.map((edge) => {
      const query = queries.get(textAt(edge, 'query') ?? '')
      const place = Object.entries(query?.['customProperties'] ?? {}).find(([key]) => key.startsWith('place.'))?.[1]
      return [edge['transformOperation'], textAt(query, 'name'), place]
    })
    expect(new Set(places)).toEqual(
      new Set([
        ['c + 1', 'a.sql:4', '5:8'],
        ['upper(b)', 'a.sql:1', '2:8'],
      ]),
    )
  })
})

describe('a file that is too large to be held', () => {
  const statements = Array.from(
    { length: 40 },
    (_, n) => `insert into t values (${n}, 'a;\nb', "x;\ny"); -- c;\n/* d;\n */`,
  )
  const text = statements.join('\n')

  test.each([7, 64, 1000])('is cut behind statements, wherever its pieces of %i characters end', async (chunk) => {
    const found = await pieces(text, chunk)
    expect(found.length).toBeGreaterThan(2)
    expect(found.map((piece) => (piece.kind === 'text' ? piece.sql : '')).join('')).toBe(text)
    let line = 1
    for (const piece of found) {
      expect(piece.line).toBe(line)
      if (piece.kind === 'text') line += piece.sql.split('\n').length - 1
    }
  })

  test('a statement that is too long is told, and what follows is read', async () => {
    const long = `insert into t values ${Array.from({ length: 400 }, () => '(1)').join(',\n')};`
    const found = await pieces(`select 1;\n${long}\nselect 2;\nselect 3;`, 100)
    expect(found.map((piece) => piece.kind)).toEqual(['text', 'too-long', 'text'])
    expect(found.at(-1)).toMatchObject({ sql: 'select 2;\nselect 3;', line: 402 })
  })
})

describe('exports of query logs', () => {
  test('QUERY_HISTORY of Snowflake as CSV: names of the row, failed statements passed over', async () => {
    const csv = [
      'QUERY_ID,QUERY_TEXT,DATABASE_NAME,SCHEMA_NAME,QUERY_TYPE,SESSION_ID,USER_NAME,EXECUTION_STATUS,START_TIME',
      '1,"create temporary table T as\nselect A from RAW.X",DWH,MART,CTAS,7,ETL,SUCCESS,2026-11-21 02:00:00.000 +0000',
      '2,"insert into DAILY (A) select A from T",DWH,MART,INSERT,7,ETL,SUCCESS,2026-11-21 02:00:01.000 +0000',
      '3,"insert into DAILY (A) select A from BAD",DWH,MART,INSERT,7,ETL,FAIL,2026-11-21 02:00:02.000 +0000',
    ].join('\n')
    const found = await harvestFiles({ 'h.csv': csv }, { platform: 'snowflake', preset: 'snowflake' })
    expect(tableEdges(found)).toEqual(['snowflake:dwh.mart.daily <- snowflake:dwh.raw.x'])
    expect(found.counts).toMatchObject({ read: 3, noEffect: 1 })
  })

  test('the JOBS view of BigQuery as a JSON array', async () => {
    const rows = [
      {
        creation_time: '2026-11-21T02:00:00Z',
        project_id: 'proj',
        user_email: 'etl@x',
        statement_type: 'CREATE_TABLE_AS_SELECT',
        state: 'DONE',
        job_type: 'QUERY',
        error_result: null,
        query: 'create table mart.daily as select a from `raw.x`',
      },
      {
        project_id: 'proj',
        state: 'DONE',
        error_result: { reason: 'invalidQuery' },
        query: 'create table m.b as select 1',
      },
    ]
    const text = JSON.stringify(rows, null, 2)
    const found = await harvestFiles({ 'j.json': text }, { platform: 'bigquery', preset: 'bigquery' })
    expect(tableEdges(found)).toEqual(['bigquery:proj.mart.daily <- bigquery:proj.raw.x'])
  })

  test('csvlog of PostgreSQL, gzipped: statements out of messages', async () => {
    const csv = [
      csvlogRow('duration: 1.204 ms  statement: insert into mart.daily (a) select a from raw.x'),
      csvlogRow('execute s1: insert into mart.daily (a) select ""B"" from raw.y'),
      csvlogRow('connection received'),
      csvlogRow('insert into mart.daily (a) select a from raw.z', 'ERROR'),
    ].join('\n')
    const settings = { platform: 'postgres', preset: 'postgres-csvlog' } as const
    const found = await harvestFiles({ 'pg.csv.gz': gzipSync(csv) }, settings)
    expect(tableEdges(found)).toEqual([
      'postgres:ops.mart.daily <- postgres:ops.raw.x',
      'postgres:ops.mart.daily <- postgres:ops.raw.y',
    ])
    expect(found.counts).toMatchObject({ read: 4, noEffect: 2 })
  })

  test('any other export, by a mapping; an unusable row costs itself', async () => {
    const lines = [
      { sql: { text: 'insert into t (a) select a from u' }, who: 'x', db: 'D1', on: 'trino' },
      { sql: { text: 7 } },
      { sql: { text: 'insert into t (a) select a from u' }, db: 'D2', on: 'trino' },
    ]
    const found = await harvestFiles(
      { 'log.ndjson': lines.map((line) => JSON.stringify(line)).join('\n') },
      { platform: 'x', schema: 's', columns: { query: 'sql.text', user: 'who', database: 'db', platform: 'on' } },
    )
    expect(tableEdges(found)).toEqual(['trino:d1.s.t <- trino:d1.s.u', 'trino:d2.s.t <- trino:d2.s.u'])
    expect(found.rejects).toMatchObject([{ code: 'LOG_ENTRY_INVALID', place: { line: 2 } }])
  })

  test('without session ids, a user who rests begins a new session; a folder of logs is one log', async () => {
    const [a, b] = [{ user: 'a' }, { user: 'b' }]
    const files = {
      '1.ndjson': [
        at(0, 'create temp table t as select a from s.x', a),
        at(1, 'create temp table t as select a from s.w', b),
      ].join('\n'),
      '2.ndjson': [
        at(600, 'insert into s.y (a) select a from t', a),
        at(5400, 'insert into s.z (a) select a from t', a),
      ].join('\n'),
    }
    const found = await harvestFiles(files, { platform: 'postgres', format: 'log', sessionGapMinutes: 30 })
    expect(tableEdges(found)).toEqual(['postgres:s.y <- postgres:s.x', 'postgres:s.z <- postgres:t'])
  })

  test('entries of one time window are put in the order of their time', async () => {
    const lines = [at(5, 'insert into s.y (a) select a from t'), at(1, 'create temp table t as select a from s.x')]
    expect(tableEdges(await harvestFiles({ 'l.ndjson': lines.join('\n') }, { platform: 'hive' }))).toEqual([
      'hive:s.y <- hive:s.x',
    ])
  })

  test('tables that are temporary by their names are folded, also where nothing says so', async () => {
    const lines = [
      at(0, 'create table db.tmp_1 as select a from db.x'),
      at(0, 'insert into db.y (a) select a from db.tmp_1'),
      at(0, 'insert into db.z (a) select a from db.TMP_2'),
    ]
    const found = await harvestFiles({ 'l.ndjson': lines.join('\n') }, { platform: 'hive', temporary: ['db\\.tmp_'] })
    expect(tableEdges(found)).toEqual(['hive:db.y <- hive:db.x'])
  })

  test('what a log states and its SQL does not say is told', async () => {
    const query = 'insert into s.t (a) select a from s.u'
    const lines = [
      { query, upstream_tables: ['s.u'], downstream_tables: ['s.t'] },
      { query, upstream_tables: ['s.v'], downstream_tables: ['s.t'] },
    ]
    const text = lines.map((line) => JSON.stringify(line)).join('\n')
    const found = await harvestFiles({ 'l.ndjson': text }, { platform: 'hive' })
    expect(tableEdges(found)).toEqual(['hive:s.t <- hive:s.u', 'hive:s.t <- hive:s.v'])
    expect(found.report.doubts).toMatchObject([{ code: 'DECLARED_DIFFERS', place: { line: 2 } }])
  })
})

describe('declared lineage', () => {
  const file = [
    'version: 1',
    'lineage:',
    `  - entity: ${entity('s.t')}`,
    '    upstream:',
    `      - entity: ${entity('s.u')}`,
    '        upstream:',
    `          - entity: ${entity('s.w')}`,
    '    fineGrainedLineages:',
    `      - { upstreams: [${field('s.u', 'a')}], downstreams: [${field('s.t', 'b')}], transformOperation: "a + 1", confidenceScore: 0.7 }`,
    '  - entity: { name: "urn:li:x", type: dataset, env: PROD, platform: postgres }',
    `  - entity: ${entity('s.alone')}`,
  ].join('\n')

  test('a lineage file gives its edges, upstreams of upstreams too; a bad entry costs itself', async () => {
    const found = await harvestFiles({ 'lineage.yaml': file })
    expect(tableEdges(found)).toEqual(['postgres:s.t <- postgres:s.u', 'postgres:s.u <- postgres:s.w'])
    const lineages = found.changes.filter(({ aspectName }) => aspectName === 'upstreamLineage')
    const fields = lineages.flatMap(({ intent }) => objectsAt(intent, 'fineGrainedLineages'))
    expect(fields).toMatchObject([{ transformOperation: 'a + 1', confidenceScore: 0.7 }])
    expect(found.rejects).toMatchObject([{ code: 'LINEAGE_ENTRY_INVALID', place: { file: 'lineage.yaml', line: 10 } }])
  })

  test('beside SQL, both are kept, and where they disagree is told', async () => {
    await using folder = await temporaryFolder()
    await mkdir(join(folder.path, 'sql'))
    await writeFile(join(folder.path, 'sql/a.sql'), CTAS('s.t', 's.x'))
    await writeFile(join(folder.path, 'l.yaml'), file)
    const declared = join(folder.path, 'l.yaml')
    const found = await harvested({ source: join(folder.path, 'sql'), platform: 'postgres', declared })
    expect(tableEdges(found)).toEqual([
      'postgres:s.t <- postgres:s.u',
      'postgres:s.t <- postgres:s.x',
      'postgres:s.u <- postgres:s.w',
    ])
    expect(found.report.doubts).toMatchObject([
      { code: 'DECLARED_DIFFERS', message: expect.stringContaining('only the SQL says that it reads s.x') },
    ])
  })
})

test.each(['target/manifest.json', 'manifest.json'])('%s is a dbt project, with its catalog', async (place) => {
  await using folder = await temporaryFolder()
  const manifest = {
    metadata: { adapter_type: 'snowflake', project_name: 'shop' },
    nodes: { 'model.shop.orders': dbtModel('orders', '\n-- comment\nselect * from raw.till.sales') },
    sources: {
      'source.shop.till.sales': {
        source_name: 'till',
        name: 'sales',
        database: 'raw',
        schema: 'till',
        identifier: 'sales',
      },
    },
  }
  const catalog = { sources: { 'source.shop.till.sales': { columns: { ID: { name: 'ID', index: 1, type: 'int' } } } } }
  const source = join(folder.path, place)
  await mkdir(dirname(source), { recursive: true })
  await writeFile(source, JSON.stringify(manifest))
  await writeFile(join(dirname(source), 'catalog.json'), JSON.stringify(catalog))
  const found = await harvested({ source })
  expect(tableEdges(found)).toEqual(['snowflake:dwh.mart.orders <- snowflake:raw.till.sales'])
  const lineage = found.changes.find(({ aspectName }) => aspectName === 'upstreamLineage')
  expect(objectsAt(lineage?.intent, 'fineGrainedLineages')).toHaveLength(1)
  const query = found.changes.find(({ aspectName }) => aspectName === 'queryProperties')
  expect(query?.intent).toMatchObject({
    name: 'models/orders.sql:3',
    statement: { value: 'select * from raw.till.sales' },
  })
})
