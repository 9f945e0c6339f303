import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { textAt, type JsonObject } from '../../../src/model/json.ts'
import { harvested, TestMemory, type TestHarvest } from '../../support/harvest.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

/** Harvests texts by file name. */
async function harvestOf(
  files: Readonly<Record<string, string>>,
  settings: Partial<Parameters<typeof harvested>[0]> = {},
  options: Parameters<typeof harvested>[1] = {},
): Promise<TestHarvest> {
  await using folder = await temporaryFolder()
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder.path, name), text)
  return await harvested(
    { source: folder.path, platform: 'postgres', database: 'd', schema: 's', ...settings },
    options,
  )
}

function intents(harvest: TestHarvest, aspectName: string): readonly JsonObject[] {
  return harvest.changes.filter((change) => change.aspectName === aspectName).map((change) => change.intent)
}

describe('coverage', () => {
  test('tells statements, tables and columns apart, of all and of each platform', async () => {
    const { report } = await harvestOf({
      'a.sql': 'create table raw (x int, y int); insert into t (a, b) select x, nowhere from raw;',
      'b.sql': 'insert into u (a) select (((;',
      'c.sql': 'create view v as select x from raw',
    })
    expect(report.coverage.statements).toBeCloseTo(3 / 4)
    expect(report.coverage.tables).toBe(1)
    expect(report.coverage.columns).toBeLessThan(1)
    expect(report.platforms).toMatchObject([{ platform: 'postgres', read: 4 }])
    expect(report.unresolved).toMatchObject([{ columns: 2, resolved: 1 }])
  })

  test('is whole where there is nothing to understand', async () => {
    const { report } = await harvestOf({ 'a.sql': 'set x = 1' })
    expect(report.coverage).toEqual({ statements: 1, tables: 1, columns: 1 })
  })
})

test('masked, neither statements nor expressions nor rejects hold a literal', async () => {
  const harvest = await harvestOf(
    {
      'a.sql': "insert into t (a) select case when x = 'secret' then y + 4711 end from raw where z = 'secret'",
      'b.sql': "insert into u (a) select (((; -- 'secret'",
    },
    { mask: true },
  )
  expect(JSON.stringify([harvest.changes, harvest.rejects])).not.toMatch(/secret|4711/)
  expect(intents(harvest, 'queryProperties')).toMatchObject([
    { statement: { value: 'insert into t (a) select case when x = ? then y + ? end from raw where z = ?' } },
  ])
})

test('a longer statement is cut at the length that is asked for', async () => {
  const harvest = await harvestOf(
    { 'a.sql': `insert into t (a) select x from raw where ${'x = 1 or '.repeat(100)} true` },
    { statementLength: 100 },
  )
  const [query] = intents(harvest, 'queryProperties')
  expect(textAt(query?.['statement'], 'value')).toHaveLength(100)
})

describe('usage', () => {
  const DAY = Date.UTC(2026, 0, 1)
  const entry = (query: string, seconds: number, user?: string): string =>
    `${JSON.stringify({ query, timestamp: DAY / 1000 + seconds, ...(user === undefined ? {} : { user }) })}\n`
  const LOG =
    entry('insert into t (a) select x from raw where k = 1', 10, 'etl') +
    entry('insert into t (a) select x from raw where k = 2', 20, 'etl') +
    entry('select x, y from raw', 30, 'bo')
  const settings = { usage: true, adds: true, origin: 'log' } as const

  test('counts what is read each day, statements that repeat included, and tells what is written', async () => {
    const harvest = await harvestOf({ 'q.ndjson': LOG }, { ...settings, format: 'log' })
    const [usage] = intents(harvest, 'datasetUsageStatistics')
    expect(usage).toMatchObject({
      timestampMillis: DAY,
      totalSqlQueries: 3,
      uniqueUserCount: 2,
      userCounts: [
        { user: 'urn:li:corpuser:etl', count: 2 },
        { user: 'urn:li:corpuser:bo', count: 1 },
      ],
    })
    expect(usage?.['fieldCounts']).toContainEqual({ fieldPath: 'x', count: 3 })
    expect(usage?.['fieldCounts']).toContainEqual({ fieldPath: 'y', count: 1 })
    const operations = intents(harvest, 'operation')
    expect(operations.map((one) => one['timestampMillis'])).toEqual([DAY + 10_000, DAY + 20_000])
    expect(operations[0]).toMatchObject({ operationType: 'INSERT', actor: 'urn:li:corpuser:etl' })
  })

  test('of a log that grew is the same as of the whole log', async () => {
    await using folder = await temporaryFolder()
    const file = join(folder.path, 'q.ndjson')
    const harvest = (memory: TestMemory): Promise<TestHarvest> =>
      harvested({ source: file, platform: 'postgres', database: 'd', schema: 's', ...settings }, { memory })
    const memory = new TestMemory()
    await writeFile(file, LOG.split('\n').slice(0, 1).join('\n') + '\n')
    await harvest(memory)
    await writeFile(file, LOG)
    const grown = await harvest(memory)
    const whole = await harvest(new TestMemory())
    expect(intents(grown, 'datasetUsageStatistics')).toEqual(intents(whole, 'datasetUsageStatistics'))
    const again = await harvest(memory)
    expect(intents(again, 'datasetUsageStatistics')).toEqual([])
    expect(intents(again, 'operation')).toEqual([])
  })
})
