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
const LATER = datasetUrn({ platform: 'snowflake', name: 'dwh.mart.later' })
const RAW_AMOUNT = schemaFieldUrn(RAW, 'amount')
const QUERY = 'urn:li:query:q1'
const UNREAD = 'urn:li:query:q2'

let catalog: TestCatalog
let client: CatalogClient

beforeAll(async () => {
  catalog = await testCatalog()
  client = new CatalogClient({ url: catalog.url })
  for (const urn of [RAW, STAGING, MART, TWIN, LATER]) await catalog.put(urn, { status: { removed: false } })
  await catalog.put(QUERY, {
    queryProperties: {
      statement: {
        value: 'insert into dwh.mart.sales (total) select sum(o.item) as total from staging.orders o where o.paid',
        language: 'SQL',
      },
      source: 'SYSTEM',
      name: 'mart/sales.sql:7',
      created: { time: 0, actor: 'urn:li:corpuser:x' },
      lastModified: { time: 0, actor: 'urn:li:corpuser:x' },
    },
  })
  await catalog.put(UNREAD, {
    queryProperties: {
      statement: { value: 'insert into later (total) select (x from sales', language: 'SQL' },
      source: 'SYSTEM',
      name: 'mart/later.sql:1',
      created: { time: 0, actor: 'urn:li:corpuser:x' },
      lastModified: { time: 0, actor: 'urn:li:corpuser:x' },
    },
  })
  await catalog.put(LATER, {
    upstreamLineage: { upstreams: [{ dataset: MART, type: 'TRANSFORMED', query: UNREAD }] },
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
    'postgres   └─ shop.staging.orders   mart/sales.sql:7',
    'snowflake     └─ dwh.mart.sales     mart/sales.sql:7',
    'snowflake        └─ dwh.mart.later  mart/later.sql:1',
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

/** Runs the command in an empty folder against the catalog of this file. */
async function command(...args: readonly string[]): ReturnType<typeof headwater> {
  await using folder = await temporaryFolder()
  return await headwater(['lineage', ...args, '--catalog', catalog.url], { cwd: folder.path })
}

test('why names each hop of the way between two columns, its statement and what shapes its rows', async () => {
  const { code, stdout } = await command('why', 'raw.orders.amount', 'dwh.mart.sales.total', '--platform', 'snowflake')
  expect(code).toBe(4)
  expect(stdout).toBe('')
  const told = await command('why', RAW_AMOUNT, schemaFieldUrn(MART, 'total'))
  expect(told.code).toBe(0)
  expect(told.stdout.split('\n')).toEqual([
    '  shop.raw.orders.amount -> shop.staging.orders.item.net  mart/sales.sql:7',
    '      rows shaped by orders.paid (filter)',
    '  shop.staging.orders.item.net -> dwh.mart.sales.total  mart/sales.sql:7',
    '      rows shaped by orders.paid (filter)',
    '',
  ])
})

test('why ends with 1 where there is no way, and says how to go on', async () => {
  const { code, stderr } = await command('why', schemaFieldUrn(MART, 'total'), RAW_AMOUNT)
  expect(code).toBe(1)
  expect(stderr).toContain('knows no way from dwh.mart.sales.total to shop.raw.orders.amount')
  expect(stderr).toContain('headwater lineage explain-missing')
})

test('explain-missing shows both sides, and the statement that joins the tables without a column', async () => {
  const { code, stdout } = await command('explain-missing', RAW_AMOUNT, schemaFieldUrn(LATER, 'total'))
  expect(code).toBe(0)
  expect(stdout).toContain('no way from shop.raw.orders.amount to dwh.mart.later.total')
  expect(stdout).toContain('shop.raw.orders.amount reaches:\n  dwh.mart.sales.total\n  shop.staging.orders.item.net\n')
  expect(stdout).toContain('dwh.mart.later.total is fed by nothing')
  expect(stdout).toMatch(
    /without a column that leads across:\n {2}dwh.mart.sales -> dwh.mart.later {2}mart\/later.sql:1\n/,
  )
  expect(stdout).toContain('UNBALANCED_PARENTHESES')
})

test('a table may be named by its last parts; a misspelt one is answered with names like it', async () => {
  const way = await command('why', 'raw.orders', 'staging.orders', '--json')
  expect(JSON.parse(way.stdout)).toMatchObject({ from: 'shop.raw.orders', to: 'shop.staging.orders', found: true })
  const { code, stderr } = await command('show', 'raw.ordres')
  expect(code).toBe(4)
  expect(stderr).toContain('did you mean raw.orders?')
})

test('a column that the table does not have is refused with the one that is meant', async () => {
  const { code, stderr } = await command('show', 'dwh.mart.sales.totla', '--platform', 'snowflake')
  expect(code).toBe(4)
  expect(stderr).toContain('dwh.mart.sales has no column "totla", did you mean "total"?')
})

test('a misspelt platform is refused', async () => {
  const { code, stderr } = await command('show', 'raw.orders', '--platform', 'postgers')
  expect(code).toBe(4)
  expect(stderr).toContain('unknown platform "postgers", did you mean "postgres"?')
})
