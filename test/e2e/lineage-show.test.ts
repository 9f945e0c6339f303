import { afterAll, beforeAll, expect, test } from 'vitest'
import { CatalogClient } from '../../src/client/catalog-client.ts'
import { findPlace } from '../../src/cli/show/find-place.ts'
import { readLineageAround } from '../../src/cli/show/read-lineage.ts'
import { renderTree } from '../../src/cli/show/render-tree.ts'
import { lineageTree } from '../../src/cli/show/tree.ts'
import { datasetUrn, schemaFieldUrn, type DatasetUrn } from '../../src/model/urn.ts'
import { testCatalog, type TestCatalog } from '../support/catalog.ts'
import { headwater } from '../support/command.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const RAW = datasetUrn({ platform: 'postgres', name: 'shop.raw.orders' })
const STAGING = datasetUrn({ platform: 'postgres', name: 'shop.staging.orders' })
const MART = datasetUrn({ platform: 'snowflake', name: 'dwh.mart.sales' })
const TWIN = datasetUrn({ platform: 'bigquery', name: 'dwh.mart.sales' })
const QUERY = 'urn:li:query:q1'

let catalog: TestCatalog
let client: CatalogClient

beforeAll(async () => {
  catalog = await testCatalog()
  client = new CatalogClient({ url: catalog.url })
  for (const urn of [RAW, STAGING, MART, TWIN]) await catalog.put(urn, { status: { removed: false } })
  await catalog.put(QUERY, {
    queryProperties: {
      statement: { value: 'select 1', language: 'SQL' },
      source: 'SYSTEM',
      name: 'mart/sales.sql:7',
      created: { time: 0, actor: 'urn:li:corpuser:x' },
      lastModified: { time: 0, actor: 'urn:li:corpuser:x' },
    },
  })
  await catalog.put(STAGING, { upstreamLineage: lineage(RAW, 'amount', STAGING, 'item.net') })
  await catalog.put(MART, { upstreamLineage: lineage(STAGING, 'item.net', MART, 'total') })
  await catalog.put(RAW, {
    editableSchemaMetadata: {
      editableSchemaFieldInfo: [{ fieldPath: 'amount', globalTags: { tags: [{ tag: 'urn:li:tag:money' }] } }],
    },
  })
})

afterAll(async () => {
  await client.close()
  await catalog[Symbol.asyncDispose]()
})

function lineage(from: DatasetUrn, fromColumn: string, to: DatasetUrn, toColumn: string) {
  return {
    upstreams: [{ dataset: from, type: 'TRANSFORMED', query: QUERY }],
    fineGrainedLineages: [
      {
        upstreamType: 'FIELD_SET',
        upstreams: [schemaFieldUrn(from, fromColumn)],
        downstreamType: 'FIELD',
        downstreams: [schemaFieldUrn(to, toColumn)],
        query: QUERY,
      },
    ],
  }
}

async function shown(name: string, direction: 'up' | 'down', depth = 20): Promise<readonly string[]> {
  const place = await findPlace(client, name, {})
  const { graph } = await readLineageAround(client, place.dataset, { direction, depth })
  return renderTree(lineageTree(graph, place, { direction, depth }), { width: 100, style: (_, text) => text })
}

test('a column is followed back over platforms, with places and tags', async () => {
  expect(await shown(schemaFieldUrn(MART, 'total'), 'up')).toEqual([
    'snowflake  dwh.mart.sales.total',
    'postgres   └─ shop.staging.orders.item.net      mart/sales.sql:7',
    'postgres      └─ shop.raw.orders.amount #money  mart/sales.sql:7',
  ])
})

test('a table and its columns are followed down, as far as asked', async () => {
  expect(await shown('shop.raw.orders', 'down')).toEqual([
    'postgres   shop.raw.orders',
    'postgres   └─ shop.staging.orders  mart/sales.sql:7',
    'snowflake     └─ dwh.mart.sales    mart/sales.sql:7',
  ])
  expect(await shown('SHOP.RAW.orders.amount', 'down', 1)).toEqual([
    'postgres  shop.raw.orders.amount #money',
    'postgres  └─ shop.staging.orders.item.net …  mart/sales.sql:7',
  ])
})

test('a nested column is found by its path', async () => {
  expect(await findPlace(client, 'shop.staging.orders.item.net', {})).toEqual({ dataset: STAGING, column: 'item.net' })
})

test('a name on two platforms asks for the platform', async () => {
  await expect(findPlace(client, 'dwh.mart.sales.total', {})).rejects.toThrow(
    /is more than one table: .*bigquery.*snowflake/,
  )
  const chosen = await findPlace(client, 'dwh.mart.sales.total', { platform: 'snowflake' })
  expect(chosen).toEqual({ dataset: MART, column: 'total' })
})

test('a table that the catalog does not have is bad input; the remedy says how to name one', async () => {
  await using folder = await temporaryFolder()
  const { code, stderr } = await headwater(['lineage', 'show', 'no.such.table', '--catalog', catalog.url], {
    cwd: folder.path,
  })
  expect(code).toBe(4)
  expect(stderr).toContain('the catalog has no table "no.such.table"')
  expect(stderr).toMatch(/what to do: .*URN/)
})
