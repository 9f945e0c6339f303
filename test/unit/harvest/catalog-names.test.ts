import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CatalogClient } from '../../../src/client/catalog-client.ts'
import type { HarvestSettings } from '../../../src/harvest/settings.ts'
import { objectsAt, textAt } from '../../../src/model/json.ts'
import { datasetUrn } from '../../../src/model/urn.ts'
import { testCatalog, type TestCatalog } from '../../support/catalog.ts'
import { harvested, type TestHarvest } from '../../support/harvest.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

let catalog: TestCatalog
let client: CatalogClient

beforeAll(async () => {
  catalog = await testCatalog()
  client = new CatalogClient({ url: catalog.url })
  for (const [name, columns] of Object.entries(TABLES)) {
    await catalog.put(urn(name), {
      schemaMetadata: {
        schemaName: name,
        platform: 'urn:li:dataPlatform:snowflake',
        version: 0,
        hash: '',
        platformSchema: { 'com.linkedin.schema.OtherSchema': { rawSchema: '' } },
        fields: columns.map((fieldPath) => ({
          fieldPath,
          nativeDataType: 'text',
          type: { type: { 'com.linkedin.schema.StringType': {} } },
        })),
      },
    })
  }
})

afterAll(async () => {
  await client.close()
  await catalog[Symbol.asyncDispose]()
})

const TABLES = {
  'DB.RAW.Orders': ['OrderId', 'amount'],
  'db.raw.customer': ['id', 'Name', 'NAME'],
  'DB.raw.twin': ['a'],
  'db.RAW.twin': ['a'],
}

function urn(name: string): string {
  return datasetUrn({ platform: 'snowflake', name })
}

async function harvestSql(sql: string, settings: Partial<HarvestSettings> = {}): Promise<TestHarvest> {
  await using folder = await temporaryFolder()
  await mkdir(join(folder.path, 'sql'))
  await writeFile(join(folder.path, 'sql/a.sql'), sql)
  const given = { platform: 'snowflake', database: 'db', schema: 'raw', ...settings }
  return await harvested({ source: join(folder.path, 'sql'), ...given }, { sink: client })
}

function lineagesOf({ changes }: TestHarvest): readonly (readonly [string, readonly string[], readonly string[]])[] {
  return changes
    .filter(({ aspectName }) => aspectName === 'upstreamLineage')
    .map(({ urn: downstream, intent }) => [
      downstream,
      objectsAt(intent, 'upstreams').map((edge) => textAt(edge, 'dataset') ?? ''),
      objectsAt(intent, 'fineGrainedLineages').flatMap((edge) =>
        (edge['upstreams'] as readonly string[]).map((field) => field.slice(field.lastIndexOf(',') + 1, -1)),
      ),
    ])
}

test('a table and its columns are written as the only one that the catalog has, whatever the case', async () => {
  const found = await harvestSql('create table mart.d as select ORDERID, AMOUNT from raw.orders;')
  expect(lineagesOf(found)).toEqual([[urn('db.mart.d'), [urn('DB.RAW.Orders')], ['amount', 'OrderId']]])
})

test('the exact name counts before others; of several none is guessed', async () => {
  const found = await harvestSql('create table mart.d as select c.id, t.a from customer c join twin t on t.a = c.NAME;')
  expect(lineagesOf(found).map(([, tables]) => tables)).toEqual([[urn('db.raw.customer'), urn('db.raw.twin')]])
  expect(found.report.doubtsByCode).toMatchObject({ AMBIGUOUS_TABLE_CASE: 1 })
  const columns = await harvestSql('create table mart.e as select name as n from customer;')
  expect(columns.report.doubtsByCode).toMatchObject({ AMBIGUOUS_CASE: 1 })
})

describe('tables that nobody knows', () => {
  const sql = 'create table mart.d as select o.amount, x.b from raw.orders o join raw.ordrs x on x.id = o.amount;'

  test('are counted, and listed with names like theirs', async () => {
    const { report } = await harvestSql(sql)
    expect(report.ghosts).toBe(1)
    expect(report.ghostList).toEqual([{ dataset: urn('db.raw.ordrs'), near: ['DB.RAW.Orders'] }])
  })

  test.each([
    ['stub', [urn('db.mart.d'), urn('DB.RAW.Orders'), urn('db.raw.ordrs')], 2],
    ['emit', [urn('db.mart.d')], 2],
    ['require-known', [urn('db.mart.d'), urn('DB.RAW.Orders')].slice(0, 1), 1],
  ] as const)('%s', async (unknownTables, made, edges) => {
    const found = await harvestSql(sql, { unknownTables })
    const existing = found.changes
      .filter(({ aspectName }) => aspectName === 'status')
      .map(({ urn: dataset }) => dataset)
    expect(existing.toSorted()).toEqual([...made].toSorted())
    expect(lineagesOf(found)[0]?.[1]).toHaveLength(edges)
    expect(found.report.unknownEdges).toBe(2 - edges)
  })
})
