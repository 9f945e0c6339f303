/** What a harvest leaves besides lineage: its report, the statements it did not understand, events, MCPs, usage. */
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { JOBS } from '../../jobs/index.ts'
import { textAt, type JsonObject } from '../../src/model/json.ts'
import { datasetUrn } from '../../src/model/urn.ts'
import type { RunRow } from '../../src/store/ledger/types.ts'
import { jobBench, type JobBench } from '../support/job-bench.ts'
import { temporaryFolder, type TemporaryFolder } from '../support/temporary-folder.ts'

let bench: JobBench
let folder: TemporaryFolder

beforeAll(async () => {
  bench = await jobBench(JOBS)
  folder = await temporaryFolder()
  await mkdir(join(folder.path, 'sql'))
  await writeFile(
    join(folder.path, 'sql/a.sql'),
    'create table raw.orders (id int, net int);\ncreate table mart.daily as select id, net + 1 as net from raw.orders;\n',
  )
  await writeFile(join(folder.path, 'sql/b.sql'), "insert into mart.x (a) select ((( '<b>secret</b>';\n")
})

afterAll(async () => {
  await bench[Symbol.asyncDispose]()
  await folder[Symbol.asyncDispose]()
})

async function carriedOut(input: object): Promise<RunRow> {
  const { run, applied } = await bench.run('harvest-lineage', { platform: 'postgres', ...input })
  return applied ?? run
}

function filesOf(run: RunRow): Readonly<Record<'html' | 'markdown' | 'json' | 'failures', string>> {
  return run.report?.['files'] as Readonly<Record<'html' | 'markdown' | 'json' | 'failures', string>>
}

async function jsonLines(path: string): Promise<readonly JsonObject[]> {
  const text = await readFile(path, 'utf8')
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as JsonObject)
}

test('the report stands as a page, as Markdown and as JSON; names and SQL in it are text and nothing else', async () => {
  const run = await carriedOut({ source: join(folder.path, 'sql'), origin: 'report' })
  const files = filesOf(run)
  const html = await readFile(files.html, 'utf8')
  expect(html).toContain('<h1>Harvest of report</h1>')
  expect(html).toContain('&lt;b&gt;')
  expect(html).not.toMatch(/<b>|<script|https?:\/\/(?!www\.w3\.org)/)
  const markdown = await readFile(files.markdown, 'utf8')
  expect(markdown).toContain('# Harvest of report')
  expect(markdown).toMatch(/\| postgres \| 3 \| 66\.7 % \|/)
  const json = JSON.parse(await readFile(files.json, 'utf8')) as JsonObject
  expect(json).toMatchObject({ records: { read: 3, rejected: 1 }, edges: { added: 1, removed: 0 } })
  expect(json['coverage']).toMatchObject({ statements: 2 / 3 })
})

test('a second harvest shows the trend of both', async () => {
  await carriedOut({ source: join(folder.path, 'sql'), origin: 'report' })
  const run = await carriedOut({ source: join(folder.path, 'sql'), origin: 'report' })
  const json = JSON.parse(await readFile(filesOf(run).json, 'utf8')) as JsonObject
  expect((json['trend'] as readonly unknown[]).length).toBeGreaterThanOrEqual(2)
})

test('what was not understood is kept as a query log, which can be harvested again', async () => {
  const run = await carriedOut({ source: join(folder.path, 'sql'), origin: 'failing', mask: true })
  const { failures } = filesOf(run)
  const [failure, ...others] = await jsonLines(failures)
  expect(others).toEqual([])
  expect(failure).toMatchObject({
    dialect: 'postgres',
    platform: 'postgres',
    place: { file: 'b.sql', line: 1 },
    code: expect.any(String) as string,
  })
  expect(textAt(failure, 'query')).not.toContain('secret')
  // The engine has learnt, or somebody mended the statement.
  await writeFile(
    failures,
    `${JSON.stringify({ ...failure, query: 'insert into mart.x (a) select id from raw.orders' })}\n`,
  )
  const again = await carriedOut({
    source: failures,
    format: 'log',
    origin: 'failing',
    removeGone: false,
    full: true,
    partial: true,
  })
  expect(again.balance.records).toMatchObject({ read: 1, used: 1, rejected: 0 })
})

test('lineage is told as OpenLineage events and as MCPs, too, also where the catalog has all of it', async () => {
  const openlineage = join(folder.path, 'events.ndjson')
  const mcpFile = join(folder.path, 'mcps.ndjson')
  for (const _ of ['first', 'again']) {
    await carriedOut({ source: join(folder.path, 'sql'), origin: 'told', openlineage, mcpFile })
    const events = await jsonLines(openlineage)
    expect(events).toMatchObject([
      {
        eventType: 'COMPLETE',
        job: { namespace: 'told', name: 'mart.daily' },
        inputs: [{ namespace: 'postgres', name: 'raw.orders' }],
      },
    ])
    const aspects = (await jsonLines(mcpFile)).map((mcp) => mcp['aspectName'])
    expect(aspects).toContain('upstreamLineage')
    expect(aspects).toContain('schemaMetadata')
  }
})

/** Events of the one dataset that the log reads, or of the one that it writes. */
async function rows(aspect: string): Promise<number> {
  const urn = datasetUrn({ platform: 'postgres', name: aspect === 'operation' ? 'mart.daily' : 'raw.orders' })
  const response = await fetch(`${bench.catalog.url}/aspects?action=getTimeseriesAspectValues`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ urn, entity: 'dataset', aspect, limit: 100 }),
  })
  const { value } = (await response.json()) as { value: { values: readonly unknown[] } }
  return value.values.length
}

test('usage and operations are written once, however often the log is harvested', async () => {
  const log = join(folder.path, 'log.ndjson')
  const timestamp = Date.UTC(2026, 10, 20, 12) / 1000
  const query = 'insert into mart.daily select id, net from raw.orders'
  await writeFile(
    log,
    [10, 20].map((second) => `${JSON.stringify({ query, timestamp: timestamp + second, user: 'etl' })}\n`).join(''),
  )
  for (const full of [false, false, true]) {
    await carriedOut({ source: log, origin: 'usage', usage: true, full })
    expect(await rows('datasetUsageStatistics')).toBe(1)
    expect(await rows('operation')).toBe(2)
  }
})
