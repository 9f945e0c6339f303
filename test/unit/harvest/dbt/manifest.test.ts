import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readDbtProject } from '../../../../src/harvest/dbt/read-project.ts'
import { textsOf } from '../../../../src/harvest/dbt/texts.ts'
import { createSession } from '../../../../src/sql/index.ts'
import { temporaryFolder } from '../../../support/temporary-folder.ts'

const model = (name: string, more: object) => ({
  resource_type: 'model',
  package_name: 'shop',
  name,
  alias: name,
  database: 'dwh',
  schema: 'mart',
  original_file_path: `models/${name}.sql`,
  config: { materialized: 'view' },
  depends_on: { nodes: [] },
  ...more,
})

const MANIFEST = {
  metadata: { adapter_type: 'snowflake', project_name: 'shop' },
  nodes: {
    'model.shop.totals': model('totals', {
      compiled_code: 'select shop, sum(amount) as total from dwh.mart.orders group by 1',
      raw_code: "select shop, sum(amount) as total from {{ ref('orders') }} group by 1",
      depends_on: { nodes: ['model.shop.orders'] },
      config: { materialized: 'table' },
    }),
    'model.shop.orders': model('orders', {
      compiled_code: 'select * from raw.till.sales_order',
      raw_code: "select * from {{ source('till', 'orders') }}",
    }),
    'model.shop.raw_only': model('raw_only', {
      compiled_code: null,
      raw_code: "select total, {{ twice('total') }} as twice from {{ ref('totals') }}",
      depends_on: { nodes: ['model.shop.totals'] },
    }),
    'test.shop.unique': { resource_type: 'test', package_name: 'shop', name: 'unique', compiled_code: 'select 1' },
  },
  sources: {
    'source.shop.till.orders': {
      source_name: 'till',
      name: 'orders',
      identifier: 'sales_order',
      database: 'raw',
      schema: 'till',
    },
  },
  macros: {
    'macro.shop.twice': { package_name: 'shop', macro_sql: '{% macro twice(c) %}{{ c }} * 2{% endmacro %}' },
  },
}

const CATALOG = {
  nodes: {},
  sources: {
    'source.shop.till.orders': {
      columns: { AMOUNT: { name: 'amount', index: 3 }, ID: { name: 'id', index: 1 }, SHOP: { name: 'shop', index: 2 } },
    },
  },
}

async function lineage(files: Readonly<Record<string, string>>) {
  await using folder = await temporaryFolder()
  await mkdir(join(folder.path, 'target'))
  await writeFile(join(folder.path, 'dbt_project.yml'), 'name: shop\n')
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder.path, 'target', name), text)
  const project = await readDbtProject(folder.path)
  const session = createSession({ dialect: 'snowflake', project: project.facts })
  for (const { file, sql, model: makes } of textsOf(project))
    session.add(sql, { file, ...(makes ? { model: makes } : {}) })
  const edges = session.lineage().columns.map(({ downstream, upstreams }) => {
    const sources = upstreams.map(({ table, column }) => `${table}.${column}`)
    return `${downstream.table}.${downstream.column} <- ${sources.join(', ')}`
  })
  return { project, edges }
}

test('what dbt compiled is read, with the names it gave and the columns that the warehouse has', async () => {
  const { project, edges } = await lineage({
    'manifest.json': JSON.stringify(MANIFEST),
    'catalog.json': JSON.stringify(CATALOG),
  })
  expect(project.profile.type).toBe('snowflake')
  expect(project.nodes.map(({ name }) => name)).toEqual(['orders', 'totals', 'raw_only'])
  expect(edges).toEqual([
    'dwh.mart.orders.id <- raw.till.sales_order.id',
    'dwh.mart.orders.shop <- raw.till.sales_order.shop',
    'dwh.mart.orders.amount <- raw.till.sales_order.amount',
    'dwh.mart.totals.shop <- dwh.mart.orders.shop',
    'dwh.mart.totals.total <- dwh.mart.orders.amount',
    'dwh.mart.raw_only.total <- dwh.mart.totals.total',
    'dwh.mart.raw_only.twice <- dwh.mart.totals.total',
  ])
})

test('without a catalog a star stays one', async () => {
  const { edges } = await lineage({ 'manifest.json': JSON.stringify(MANIFEST) })
  expect(edges.slice(0, 2)).toEqual([
    'dwh.mart.orders.* <- raw.till.sales_order.*',
    'dwh.mart.totals.shop <- dwh.mart.orders.shop',
  ])
})

test('a manifest that is none leaves the files, and is told', async () => {
  const { project } = await lineage({ 'manifest.json': '{' })
  expect(project.nodes).toEqual([])
  expect(project.problems.map(({ code, file }) => [code, file])).toEqual([['FILE_UNREADABLE', 'target/manifest.json']])
})
