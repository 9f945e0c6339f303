import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { emit } from '../../../src/client/emitter.ts'
import { FileSink } from '../../../src/client/file-sink.ts'
import { MemoryJournal } from '../../../src/client/journal.ts'
import type { StatementReject } from '../../../src/harvest/account.ts'
import type { HarvestReport } from '../../../src/harvest/found.ts'
import { harvested } from '../../support/harvest.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

interface Harvested {
  readonly report: HarvestReport
  readonly counts: Readonly<Record<string, number>>
  readonly rejects: readonly StatementReject[]
  /** `downstream.column <- upstream.column`, sorted. */
  readonly columns: readonly string[]
  readonly mcps: readonly {
    readonly aspectName: string
    readonly entityUrn: string
    readonly aspect: { readonly json: object }
  }[]
}

/** Harvests files of SQL (or a log) of platform hive into a file. */
async function harvest(files: Readonly<Record<string, string | Buffer>>): Promise<Harvested> {
  await using folder = await temporaryFolder()
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder.path, 'in', name)), { recursive: true })
    await writeFile(join(folder.path, 'in', name), text)
  }
  const [only = ''] = Object.keys(files)
  const source = only.endsWith('.ndjson') ? join(folder.path, 'in', only) : join(folder.path, 'in')
  const { changes, report, counts, rejects } = await harvested({ source, platform: 'hive' })
  const mcps = changes.map(({ urn, aspectName, intent }) => ({ aspectName, entityUrn: urn, aspect: { json: intent } }))
  return { report, counts, rejects, mcps, columns: mcps.flatMap(columnEdges).toSorted() }
}

function columnEdges({ aspectName, aspect }: Harvested['mcps'][number]): readonly string[] {
  if (aspectName !== 'upstreamLineage') return []
  const { fineGrainedLineages } = aspect.json as {
    readonly fineGrainedLineages: readonly {
      readonly upstreams: readonly string[]
      readonly downstreams: readonly string[]
    }[]
  }
  return fineGrainedLineages.flatMap(({ upstreams, downstreams }) =>
    upstreams.map((upstream) => `${short(downstreams[0] ?? '')} <- ${short(upstream)}`),
  )
}

function short(fieldUrn: string): string {
  return fieldUrn
    .replace(/^urn:li:schemaField:\(urn:li:dataset:\(urn:li:dataPlatform:hive,/, '')
    .replace(',PROD),', '.')
    .replace(/\)$/, '')
}

test('stars follow a chain of views over many files, whatever their order', async () => {
  const depth = 20
  const files: Record<string, string> = { 'zz.sql': 'create table s.v0 (a int, b int);' }
  for (let n = 1; n <= depth; n++)
    files[`${String(depth - n).padStart(2, '0')}.sql`] = `create view s.v${n} as select * from s.v${n - 1};`
  const { columns, report, counts } = await harvest(files)
  expect(columns).toHaveLength(2 * depth)
  expect(columns).toContain(`s.v${depth}.a <- s.v${depth - 1}.a`)
  expect(report).toMatchObject({ datasets: depth, schemas: depth + 1 })
  expect(counts).toEqual({ read: depth + 1, used: depth + 1, duplicate: 0, noEffect: 0 })
})

/** A comment that no encoding writes like another. */
const copied = (table: string): string => `-- Größe\ncreate table s.${table} as select a from s.u;`

test('SQL is read in the encodings that editors leave', async () => {
  const { rejects, columns } = await harvest({
    'utf16.sql': Buffer.from(`\ufeff${copied('wide')}`, 'utf16le'),
    'windows.sql': Buffer.from(copied('western'), 'latin1'),
    'utf8.sql': Buffer.from(`\ufeff${copied('plain')}`),
  })
  expect(rejects).toEqual([])
  expect(columns).toEqual(['s.plain.a <- s.u.a', 's.western.a <- s.u.a', 's.wide.a <- s.u.a'])
})

test('a log of a folder that is no text is listed, and the others are read', async () => {
  await using folder = await temporaryFolder()
  await writeFile(join(folder.path, 'a.ndjson'), Buffer.from([0x7b, 0x7d, 0x0a, 0xf6]))
  await writeFile(
    join(folder.path, 'b.ndjson'),
    `${JSON.stringify({ query: 'insert into s.t (a) select a from s.u' })}\n`,
  )
  const { rejects, changes } = await harvested({ source: folder.path, format: 'log', platform: 'hive' })
  expect(rejects).toMatchObject([
    { code: 'LOG_ENTRY_INVALID' },
    { code: 'WRONG_ENCODING', place: { file: 'a.ndjson', line: 2 } },
  ])
  expect(changes.some(({ aspectName }) => aspectName === 'upstreamLineage')).toBe(true)
})

function entry(query: string, session: string): string {
  return JSON.stringify({ query, session_id: session })
}

test('a temporary table of a session connects what was read with what was written', async () => {
  const { columns, counts, rejects } = await harvest({
    'log.ndjson': [
      entry('create temporary table tmp as select id, a + 1 as b from s.src', 'one'),
      entry('create temporary table tmp as select 1 as id, 2 as b', 'two'),
      entry('insert into s.dst select id, b from tmp', 'one'),
      entry("select * from s.dst where id = 'x'", 'one'),
      entry("select * from s.dst where id = 'y'", 'one'),
      'not json',
    ].join('\n'),
  })
  expect(columns).toEqual(['s.dst.b <- s.src.a', 's.dst.id <- s.src.id'])
  expect(rejects).toMatchObject([{ code: 'LOG_ENTRY_INVALID', place: { file: 'log.ndjson', line: 6 } }])
  expect(counts['read']).toBe(6)
})

test('each edge names the statement that it comes from, with its place', async () => {
  const { mcps } = await harvest({ 'mart/daily.sql': '-- first\n\ninsert into s.t (a) select b from s.u;\n' })
  const query = mcps.find((mcp) => mcp.aspectName === 'queryProperties')
  expect(query?.aspect.json).toMatchObject({
    name: 'mart/daily.sql:3',
    statement: { value: 'insert into s.t (a) select b from s.u', language: 'SQL' },
  })
  const lineage = mcps.find((mcp) => mcp.aspectName === 'upstreamLineage')?.aspect.json
  expect(lineage).toMatchObject({
    upstreams: [{ query: query?.entityUrn }],
    fineGrainedLineages: [{ query: query?.entityUrn }],
  })
})

test('what a harvest wants can go to a file instead of a catalog', async () => {
  await using folder = await temporaryFolder()
  await writeFile(join(folder.path, 'a.sql'), 'create table s.t as select a from s.u;')
  const { changes } = await harvested({ source: folder.path, platform: 'hive' })
  const sink = new FileSink(join(folder.path, 'out.ndjson'))
  await emit(changes, { sink, journal: new MemoryJournal(), runId: 'r' })
  await sink.close()
  const lines = (await readFile(join(folder.path, 'out.ndjson'), 'utf8')).split('\n').slice(0, -1)
  expect(lines).toHaveLength(changes.length)
})
