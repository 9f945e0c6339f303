/** Usage of a log over several harvests: in buckets and windows, by user and query, and how long its facts are kept. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { LineageReader } from '../../../src/harvest/analyse.ts'
import { openLineageReader } from '../../../src/harvest/reader.ts'
import { KEPT_MS } from '../../../src/harvest/usage/usage-collector.ts'
import { usageRules } from '../../../src/harvest/usage/usage-rules.ts'
import type { HarvestSettings } from '../../../src/harvest/settings.ts'
import { harvested, TestMemory, type TestHarvest } from '../../support/harvest.ts'
import { temporaryFolder, type TemporaryFolder } from '../../support/temporary-folder.ts'

const DAY_MS = 86_400_000
const START = Date.UTC(2026, 9, 1, 12)

interface Entry {
  readonly query: string
  readonly atMs: number
  readonly user?: string
}

const READ = 'select id from raw.orders'
const WRITE = 'insert into mart.daily (id) select id from raw.orders'

function logOf(entries: readonly Entry[]): string {
  return entries.map(({ query, atMs, user }) => `${JSON.stringify({ query, timestamp: atMs / 1000, user })}\n`).join('')
}

async function usageOf(
  folder: TemporaryFolder,
  entries: readonly Entry[],
  settings: Partial<HarvestSettings> = {},
  memory = new TestMemory(),
): Promise<TestHarvest> {
  const source = join(folder.path, 'log.ndjson')
  await writeFile(source, logOf(entries))
  const asked = { source, platform: 'hive', usage: true, adds: true, takesAway: false, ...settings }
  return harvested(asked, { memory })
}

/** `time what count` of each usage event. */
function events({ changes }: TestHarvest): readonly string[] {
  return changes
    .filter(({ aspectName }) => aspectName.endsWith('UsageStatistics'))
    .map(({ aspectName, intent }) => {
      const at = new Date(Number(intent['timestampMillis'])).toISOString().slice(0, 16)
      return `${at} ${aspectName} ${Number(intent['totalSqlQueries'] ?? intent['queryCount'])}`
    })
    .toSorted()
}

test('hours, a window, top statements and users that are not counted', async () => {
  await using folder = await temporaryFolder()
  const found = await usageOf(
    folder,
    [
      { query: READ, atMs: START - 2 * DAY_MS, user: 'mia' },
      { query: READ, atMs: START, user: 'mia@corp.com' },
      { query: READ, atMs: START + 60_000, user: 'svc_bot' },
      { query: READ, atMs: START + 3_600_000 },
      { query: WRITE, atMs: START + 3_700_000, user: 'svc_bot' },
      { query: READ, atMs: START + 2 * DAY_MS },
    ],
    {
      usageRules: {
        bucket: 'HOUR',
        from: '-1d',
        until: new Date(START + DAY_MS).toISOString(),
        top: 0,
        deny: ['SVC_'],
      },
    },
  )
  expect(events(found)).toEqual([
    '2026-10-01T12:00 datasetUsageStatistics 1',
    '2026-10-01T13:00 datasetUsageStatistics 1',
  ])
  const [first] = found.changes.filter(({ aspectName }) => aspectName === 'datasetUsageStatistics')
  expect(first?.intent).toMatchObject({
    eventGranularity: { unit: 'HOUR', multiple: 1 },
    topSqlQueries: [],
    userCounts: [{ user: 'urn:li:corpuser:mia@corp.com', count: 1, userEmail: 'mia@corp.com' }],
  })
  // What was changed is told whoever changed it.
  expect(found.changes.filter(({ aspectName }) => aspectName === 'operation')).toHaveLength(1)
})

test('statements that only read are queries with counts of their own where that is asked for', async () => {
  await using folder = await temporaryFolder()
  const entries = [
    { query: READ, atMs: START, user: 'mia' },
    { query: READ, atMs: START + 1000, user: 'bo' },
    { query: WRITE, atMs: START + 2000, user: 'etl' },
  ]
  const without = await usageOf(folder, entries)
  expect(events(without)).toEqual([
    '2026-10-01T00:00 datasetUsageStatistics 3',
    '2026-10-01T00:00 queryUsageStatistics 1',
  ])
  const found = await usageOf(folder, entries, { readQueries: true })
  expect(events(found)).toEqual([
    '2026-10-01T00:00 datasetUsageStatistics 3',
    '2026-10-01T00:00 queryUsageStatistics 1',
    '2026-10-01T00:00 queryUsageStatistics 2',
  ])
  const queries = found.changes.filter(({ aspectName }) => aspectName === 'queryProperties').map(({ intent }) => intent)
  expect(queries).toMatchObject([
    { statement: { value: WRITE }, ran: { time: START + 2000, actor: 'urn:li:corpuser:etl' } },
    { statement: { value: READ }, ran: { time: START, actor: 'urn:li:corpuser:mia' } },
  ])
})

test('temporary tables are neither read nor changed, by whatever they are known', async () => {
  await using folder = await temporaryFolder()
  const found = await usageOf(
    folder,
    [
      { query: 'create temporary table t as select id from raw.orders', atMs: START },
      { query: 'insert into mart.daily (id) select id from t', atMs: START + 1000 },
      { query: 'insert into mart.tmp_x (id) select id from raw.items', atMs: START + 2000 },
    ],
    { temporary: ['mart\\.tmp_'] },
  )
  const urns = found.changes
    .filter(({ aspectName }) => aspectName === 'operation' || aspectName === 'datasetUsageStatistics')
    .map(({ urn, aspectName }) => `${aspectName} ${urn.split(',')[1] ?? ''}`)
  expect(urns.toSorted()).toEqual([
    'datasetUsageStatistics raw.items',
    'datasetUsageStatistics raw.orders',
    'operation mart.daily',
  ])
})

test('a log that grew adds to its day; the same again says nothing new', async () => {
  await using folder = await temporaryFolder()
  const memory = new TestMemory()
  const entries = [{ query: READ, atMs: START }]
  await usageOf(folder, entries, {}, memory)
  const again = await usageOf(folder, entries, { full: true }, memory)
  expect(events(again)).toEqual([])
  const grown = await usageOf(folder, [...entries, { query: READ, atMs: START + 1000 }], {}, memory)
  expect(events(grown)).toEqual(['2026-10-01T00:00 datasetUsageStatistics 2'])
})

test('a statement that runs again is counted unread, until what it reads has other columns', async () => {
  await using folder = await temporaryFolder()
  await using own = closing(openLineageReader({ threads: 1 }))
  const read: string[] = []
  const reader: LineageReader = {
    lineages(requests) {
      read.push(...requests.map(({ sql }) => String(sql)))
      return own.lineages(requests)
    },
  }
  const files = [
    ['create table raw.orders (id int, qty int)', look(1), look(2), look(3)],
    [look(4), 'create or replace table raw.orders (id int, qty int, price int)'],
    [look(5), look(6)],
  ]
  for (const [at, statements] of files.entries()) {
    const entries = statements.map((query, second) => ({ query, atMs: START + at * 60_000 + second * 1000 }))
    await writeFile(join(folder.path, `log-${at}.ndjson`), logOf(entries))
  }
  const asked = { source: folder.path, format: 'log', platform: 'hive', usage: true } as const
  const { changes, counts } = await harvested({ ...asked, adds: true, takesAway: false }, { reader })
  expect(new Set(read.filter((sql) => sql.startsWith('select')))).toEqual(new Set([look(1), look(5)]))
  expect(counts).toMatchObject({ read: 8, duplicate: 5 })
  const [usage] = changes.filter(({ aspectName }) => aspectName === 'datasetUsageStatistics')
  expect(usage?.intent).toMatchObject({
    totalSqlQueries: 6,
    topSqlQueries: [look(1)],
    fieldCounts: [
      { fieldPath: 'id', count: 6 },
      { fieldPath: 'qty', count: 6 },
      { fieldPath: 'price', count: 2 },
    ],
  })
})

function look(above: number): string {
  return `select * from raw.orders where id > ${above}`
}

function closing(own: ReturnType<typeof openLineageReader>): ReturnType<typeof openLineageReader> & AsyncDisposable {
  return Object.assign(own, { [Symbol.asyncDispose]: async () => own.close() })
}

test('what files said of old days is forgotten; a log that tells of them late is not counted wrongly', async () => {
  await using folder = await temporaryFolder()
  const memory = new TestMemory()
  const facts = (): readonly string[] => [...memory.values.keys()].filter((key) => key.includes('/usage/'))
  const entries = [{ query: READ, atMs: START }]
  await usageOf(folder, entries, {}, memory)
  expect(facts()).toHaveLength(1)
  entries.push({ query: READ, atMs: START + KEPT_MS + 2 * DAY_MS })
  await usageOf(folder, entries, {}, memory)
  expect(facts()).toHaveLength(1)
  expect(facts()[0]).toContain('raw.orders')
  entries.push({ query: READ, atMs: START + 1000 }, { query: READ, atMs: START + KEPT_MS + 2 * DAY_MS + 1000 })
  const late = await usageOf(folder, entries, {}, memory)
  expect(events(late)).toEqual(['2026-11-07T00:00 datasetUsageStatistics 2'])
  expect(late.report.doubtsByCode).toMatchObject({ USAGE_TOO_OLD: 1 })
  const full = await usageOf(folder, entries, { full: true }, memory)
  expect(events(full)).toContain('2026-10-01T00:00 datasetUsageStatistics 2')
  expect(facts()).toHaveLength(1)
})

test.each([
  [{ from: 'soon' }, 'no time'],
  [{ from: '2026-11-02', until: '2026-11-01' }, 'is not before'],
  [{ deny: ['('] }, 'no regular expression'],
])('%j is refused', (settings, message) => {
  expect(() => usageRules(settings, START)).toThrow(message)
})
