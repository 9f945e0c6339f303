import { expect, test } from 'vitest'
import { renderRejects, renderRuns } from '../../../../src/cli/show/run-table.ts'
import { renderSizes } from '../../../../src/cli/show/size-table.ts'
import { renderTree } from '../../../../src/cli/show/render-tree.ts'
import { shortened, textTable } from '../../../../src/cli/show/text-table.ts'
import { lineageTree, summarize } from '../../../../src/cli/show/tree.ts'
import type { LineageGraph } from '../../../../src/cli/show/lineage-graph.ts'
import { datasetUrn } from '../../../../src/model/urn.ts'

const plain = { width: 100, style: (_: string, text: string) => text }

const MART = datasetUrn({ platform: 'snowflake', name: 'dwh.mart.sales' })
const STAGING = datasetUrn({ platform: 'snowflake', name: 'dwh.staging.orders' })
const RAW = datasetUrn({ platform: 'postgres', name: 'shop.raw.orders' })

/** mart.total <- staging.net, staging.tax <- raw.amount; staging and mart feed each other's note in a circle. */
function shop(): LineageGraph {
  const facts = (urn: typeof MART, platform: string, name: string, tags: readonly (readonly [string, string[]])[]) =>
    [urn, { urn, platform, name, tags: [], columnTags: new Map(tags) }] as const
  const at = (dataset: typeof MART, column: string) => ({ dataset, column })
  return {
    datasets: new Map([
      facts(MART, 'snowflake', 'dwh.mart.sales', [['total', ['money', 'board']]]),
      facts(STAGING, 'snowflake', 'dwh.staging.orders', []),
      facts(RAW, 'postgres', 'shop.raw.orders', [['amount', ['money']]]),
    ]),
    tableEdges: [
      { from: STAGING, to: MART, evidence: { place: 'mart/sales.sql:3' } },
      { from: RAW, to: STAGING, evidence: {} },
    ],
    columnEdges: [
      { from: at(STAGING, 'net'), to: at(MART, 'total'), evidence: { place: 'mart/sales.sql:3' } },
      { from: at(STAGING, 'tax'), to: at(MART, 'total'), evidence: { place: 'mart/sales.sql:3' } },
      { from: at(RAW, 'amount'), to: at(STAGING, 'net'), evidence: { place: 'staging/orders.sql:12' } },
      { from: at(RAW, 'amount'), to: at(STAGING, 'tax'), evidence: { place: 'staging/orders.sql:13' } },
      { from: at(MART, 'note'), to: at(STAGING, 'note'), evidence: {} },
      { from: at(STAGING, 'note'), to: at(MART, 'note'), evidence: {} },
    ],
  }
}

test('the tree of a column shows each hop with its place, its tags and its platform', () => {
  const tree = lineageTree(shop(), { dataset: MART, column: 'total' }, { direction: 'up', depth: 9 })
  expect(renderTree(tree, plain).join('\n')).toBe(
    [
      'snowflake  dwh.mart.sales.total #money #board',
      'snowflake  ├─ dwh.staging.orders.net            mart/sales.sql:3',
      'postgres   │  └─ shop.raw.orders.amount #money  staging/orders.sql:12',
      'snowflake  └─ dwh.staging.orders.tax            mart/sales.sql:3',
      'postgres      └─ shop.raw.orders.amount #money  staging/orders.sql:13',
    ].join('\n'),
  )
  expect(summarize(tree)).toEqual({ places: 4, ends: [{ dataset: 'shop.raw.orders', column: 'amount' }], hops: 2 })
})

test('downwards, the same edges lead to what is made of a column', () => {
  const tree = lineageTree(shop(), { dataset: RAW, column: 'amount' }, { direction: 'down', depth: 9 })
  expect(renderTree(tree, plain).map((line) => line.slice(11).trimEnd())).toEqual([
    'shop.raw.orders.amount #money',
    '├─ dwh.staging.orders.net                 staging/orders.sql:12',
    '│  └─ dwh.mart.sales.total #money #board  mart/sales.sql:3',
    '└─ dwh.staging.orders.tax                 staging/orders.sql:13',
    '   └─ dwh.mart.sales.total #money #board  mart/sales.sql:3',
  ])
})

test('a circle ends where it meets itself, and the depth that was asked for where it is reached', () => {
  const circle = lineageTree(shop(), { dataset: MART, column: 'note' }, { direction: 'up', depth: 99 })
  expect(renderTree(circle, plain)).toEqual([
    'snowflake  dwh.mart.sales.note',
    'snowflake  └─ dwh.staging.orders.note',
    'snowflake     └─ dwh.mart.sales.note (see above)',
  ])
  const short = lineageTree(shop(), { dataset: MART, column: 'total' }, { direction: 'up', depth: 1 })
  expect(renderTree(short, plain)[1]).toContain('dwh.staging.orders.net …')
})

test('without a column the tree goes by datasets', () => {
  const tree = lineageTree(shop(), { dataset: MART }, { direction: 'up', depth: 9 })
  expect(renderTree(tree, plain)).toEqual([
    'snowflake  dwh.mart.sales',
    'snowflake  └─ dwh.staging.orders  mart/sales.sql:3',
    'postgres      └─ shop.raw.orders',
  ])
})

test('short names leave the database away; a table that the catalog has no facts of is named by its URN', () => {
  const graph = { ...shop(), datasets: new Map() }
  const tree = lineageTree(graph, { dataset: MART }, { direction: 'up', depth: 1 })
  expect(renderTree(tree, { ...plain, names: 'short' })).toEqual([
    'snowflake  mart.sales',
    'snowflake  └─ staging.orders …  mart/sales.sql:3',
  ])
})

test('places give way to a narrow terminal from their beginning; names are never cut', () => {
  const tree = lineageTree(shop(), { dataset: MART, column: 'total' }, { direction: 'up', depth: 9 })
  const lines = renderTree(tree, { ...plain, width: 60 })
  expect(lines[2]).toContain('shop.raw.orders.amount')
  expect(lines[2]).toContain('…g/orders.sql:12')
})

test('runs are a table of what became of records and proposals', () => {
  const run = {
    label: 'import-csv tags.csv',
    state: 'partial',
    durationMs: 1234,
    balance: {
      records: { read: 97, used: 90, duplicate: 1, noEffect: 4, rejected: 2 },
      proposals: { made: 1063, written: 1060, unchanged: 0, refused: 1, dead: 2 },
    },
    rejects: [],
  }
  expect(renderRuns([run], { ...plain, width: 120 })).toEqual([
    'run                  state    read  used  duplicate  no effect  rejected  written  unchanged  refused   time',
    'import-csv tags.csv  partial    97    90          1          4         2    1,060          0        3  1.2 s',
  ])
})

test('each rejected record has its place and its reason, and its words below, wrapped', () => {
  const reject = {
    code: 'INVALID_URN',
    message: 'resource:\n not a URN',
    place: { file: 'tags.csv', line: 47, column: 1 },
  }
  expect(renderRejects([reject], plain)).toEqual(['tags.csv:47:1  INVALID_URN', '    resource: not a URN'])
  expect(renderRejects([reject], { ...plain, width: 18 }).slice(1)).toEqual(['    resource: not', '    a URN'])
})

function index(aspectName: string, sizeMb: number) {
  return { entityType: 'dataset', aspectName, indexName: aspectName, sizeMb }
}

test('sizes stand beside each other, the largest first, empty indexes left out', () => {
  const before = [{ ...index('small', 2), rows: 1200 }, { ...index('large', 24), rows: 98_000 }, index('none', 0)]
  const after = [
    { ...index('large', 6), rows: 20_000 },
    { ...index('small', 2), rows: 1200 },
  ]
  expect(renderSizes(before, after, plain)).toEqual([
    'index            rows     now     size     now  change',
    'dataset.large  98,000  20,000  24.0 MB  6.0 MB   -75 %  ██████░░░░░░░░░░░░░░░░░░',
    'dataset.small   1,200   1,200   2.0 MB  2.0 MB     0 %  ██',
  ])
})

test('a table gives way in the columns that may be shortened', () => {
  const columns = [
    { title: 'file', shorten: 'start' as const },
    { title: 'n', align: 'right' as const },
  ]
  expect(textTable(columns, [['a/very/long/path.sql', '12']], 14)).toEqual(['file         n', '…/path.sql  12'])
  expect(shortened('größer', 4)).toBe('grö…')
  const both = [
    { title: 'what', shorten: 'start' },
    { title: 'why', shorten: 'end' },
  ] as const
  expect(textTable(both, [['urn:li:tag:a', 'the catalog refused it']], 26).at(1)).toBe('urn:li:tag:a  the catalog…')
  expect(textTable(both, [['urn:li:tag:long', 'refused']], 20).at(1)).toBe('…i:tag:long  refused')
})
