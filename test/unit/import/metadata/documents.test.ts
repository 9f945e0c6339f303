import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { aDataset } from '../../../support/import-run.ts'
import { runMetadata } from '../../../support/metadata-run.ts'
import { StubCatalog } from '../../../support/stub-catalog.ts'

let stub: StubCatalog

beforeEach(async () => {
  stub = await StubCatalog.start()
})

afterEach(async () => {
  await stub.close()
})

const ORDERS = aDataset('shop.orders')
const aspectOf = (urn: string, name: string) => stub.aspect(urn, name)?.value
const column = (dataset: string, path: string) => `urn:li:schemaField:(${dataset},${path})`

/** Runs a document twice: the second run finds nothing to write. */
async function importTwice(text: string, settings: Parameters<typeof runMetadata>[3] = {}) {
  const first = await runMetadata(stub.url, 'a.yaml', text, settings)
  const second = await runMetadata(stub.url, 'a.yaml', text, settings)
  expect(second.proposals.counts.written).toBe(0)
  return first
}

describe('datasets', () => {
  const YAML = `
- id: shop.orders
  platform: postgres
  name: Orders
  description: All of them
  subtype: Table
  properties: { retention: 30, team: ops }
  tags: [pii]
  glossary_terms: ["urn:li:glossaryTerm:Sales"]
  owners: [ada, { id: "urn:li:corpGroup:ops", type: DATA_STEWARD }, { id: bob, type: "urn:li:ownershipType:lead" }]
  structured_properties: { keep: 30 }
  downstreams: ["${aDataset('mart.orders')}"]
  schema:
    fields:
      - { id: id, type: number, nativeDataType: int8, description: Key }
      - { urn: "${column(ORDERS, 'mail')}", type: string, nullable: true, tags: [pii], structured_properties: { keep: "7" } }
`
  beforeEach(() => {
    stub.put('urn:li:structuredProperty:keep', 'propertyDefinition', {
      valueType: 'urn:li:dataType:datahub.number',
      entityTypes: ['urn:li:entityType:datahub.dataset', 'urn:li:entityType:datahub.schemaField'],
    })
  })

  test('all that is said of a dataset and of its columns', async () => {
    const { rejects, records } = await importTwice(YAML)
    expect(rejects).toEqual([])
    expect(records).toMatchObject({ read: 1, used: 1 })
    expect(aspectOf(ORDERS, 'datasetProperties')).toEqual({
      name: 'Orders',
      description: 'All of them',
      customProperties: { retention: '30', team: 'ops' },
    })
    expect(aspectOf(ORDERS, 'subTypes')).toEqual({ typeNames: ['Table'] })
    expect(aspectOf(ORDERS, 'globalTags')).toEqual({ tags: [{ tag: 'urn:li:tag:pii' }] })
    expect(aspectOf(ORDERS, 'glossaryTerms')).toMatchObject({ terms: [{ urn: 'urn:li:glossaryTerm:Sales' }] })
    expect(aspectOf(ORDERS, 'ownership')).toMatchObject({
      owners: [
        { owner: 'urn:li:corpuser:ada', type: 'TECHNICAL_OWNER' },
        { owner: 'urn:li:corpGroup:ops', type: 'DATA_STEWARD' },
        { owner: 'urn:li:corpuser:bob', type: 'CUSTOM', typeUrn: 'urn:li:ownershipType:lead' },
      ],
    })
    expect(aspectOf(ORDERS, 'structuredProperties')).toMatchObject({ properties: [{ values: [{ double: 30 }] }] })
    expect(aspectOf(ORDERS, 'schemaMetadata')).toMatchObject({
      fields: [
        { fieldPath: 'id', nativeDataType: 'int8', nullable: false, description: 'Key' },
        { fieldPath: 'mail', nullable: true, globalTags: { tags: [{ tag: 'urn:li:tag:pii' }] } },
      ],
    })
    expect(aspectOf(column(ORDERS, 'mail'), 'structuredProperties')).toMatchObject({
      properties: [{ values: [{ double: 7 }] }],
    })
    expect(aspectOf(aDataset('mart.orders'), 'upstreamLineage')).toMatchObject({
      upstreams: [{ dataset: ORDERS, type: 'COPY' }],
    })
  })

  test('a value that its definition does not allow costs that dataset only', async () => {
    const { rejects, records } = await runMetadata(
      stub.url,
      'a.yaml',
      `- { id: a, platform: postgres, structured_properties: { keep: soon } }\n- { id: b, platform: postgres, name: B }\n`,
    )
    expect(rejects).toMatchObject([{ code: 'INVALID_VALUE', place: { path: '0' } }])
    expect(records).toMatchObject({ read: 2, used: 1, rejected: 1 })
    expect(aspectOf(aDataset('b'), 'datasetProperties')).toEqual({ name: 'B' })
  })

  test.each([
    ['- { platform: postgres, name: x }', 'give a urn, or an id and a platform'],
    ['- { id: x, platform: postgres, nmae: y }', 'did you mean "name"?'],
    ['{ id: x, platform: postgres, schema: { file: a.avsc } }', 'a.avsc'],
    ['{ id: x, platform: postgres, schema: { fields: [{ type: string }] } }', 'a field needs an id'],
  ])('%s is refused', async (text, message) => {
    await expect(runMetadata(stub.url, 'a.yaml', text)).rejects.toThrow(message)
  })
})

const node = (name: string, more = '') =>
  `{ entity: { name: ${name}, type: dataset, env: PROD, platform: postgres }${more} }`

const upstreamsOf = (urn: string) =>
  (aspectOf(urn, 'upstreamLineage') as { upstreams: { dataset: string; type: string }[] } | undefined)?.upstreams.map(
    ({ dataset, type }) => `${type} ${dataset}`,
  )

describe('lineage files', () => {
  const FILE = `
version: 1
lineage:
  - entity: { name: shop.orders, type: dataset, env: PROD, platform: postgres }
    upstream:
      - ${node('raw.orders', `, upstream: [${node('src.orders')}]`)}
      - ${node('raw.people')}
    fineGrainedLineages:
      - upstreams: ["${column(aDataset('raw.orders'), 'id')}"]
        downstreams: ["${column(ORDERS, 'id')}"]
        transformOperation: COPY
`
  test('edges of nodes and of nodes in them', async () => {
    await importTwice(FILE)
    expect(upstreamsOf(ORDERS)).toEqual([
      `TRANSFORMED ${aDataset('raw.orders')}`,
      `TRANSFORMED ${aDataset('raw.people')}`,
    ])
    expect(upstreamsOf(aDataset('raw.orders'))).toEqual([`TRANSFORMED ${aDataset('src.orders')}`])
    expect(upstreamsOf(aDataset('src.orders'))).toBeUndefined()
    expect(aspectOf(ORDERS, 'upstreamLineage')).toMatchObject({
      fineGrainedLineages: [
        { upstreamType: 'FIELD_SET', downstreamType: 'FIELD', confidenceScore: 1, transformOperation: 'COPY' },
      ],
    })
  })

  test.each([
    [
      true,
      [`VIEW ${aDataset('else')}`, `TRANSFORMED ${aDataset('raw.orders')}`, `TRANSFORMED ${aDataset('raw.people')}`],
    ],
    [false, [`TRANSFORMED ${aDataset('raw.orders')}`, `TRANSFORMED ${aDataset('raw.people')}`]],
  ])('preserving upstreams: %s', async (preserveUpstream, expected) => {
    stub.put(ORDERS, 'upstreamLineage', {
      upstreams: [{ dataset: aDataset('else'), type: 'VIEW', auditStamp: { time: 1, actor: 'urn:li:corpuser:x' } }],
    })
    await importTwice(FILE, { preserveUpstream })
    expect(upstreamsOf(ORDERS)).toEqual(expected)
  })

  test.each([
    ['version: 2\nlineage: []', 'version'],
    [`version: 1\nlineage: [${node('"urn:li:dataset:x"')}]`, 'no URN'],
    ['version: 1\nlineage: [{ entity: { name: a, type: chart, platform: x } }]', 'not one of dataset'],
    [`version: 1\nlineage: [${node('a', ', upstream: [{ entty: {} }]')}]`, 'did you mean "entity"?'],
  ])('%s is refused', async (text, message) => {
    await expect(runMetadata(stub.url, 'a.yaml', text, { format: 'lineage' })).rejects.toThrow(message)
  })
})

test('definitions and tags are found by their keys', async () => {
  await importTwice(`- { id: keep, type: NUMBER, entity_types: [dataset], allowed_values: [{ value: 30 }] }\n`)
  expect(aspectOf('urn:li:structuredProperty:keep', 'propertyDefinition')).toMatchObject({
    valueType: 'urn:li:dataType:datahub.number',
    allowedValues: [{ value: { double: 30 } }],
  })
  await importTwice('- { id: pii, name: PII, color: "#ff0000" }\n')
  expect(aspectOf('urn:li:tag:pii', 'tagProperties')).toEqual({ name: 'PII', colorHex: '#ff0000' })
})

test('a document that says nothing of its kind is refused with the ways to say it', async () => {
  await expect(runMetadata(stub.url, 'a.yaml', 'a: 1\n')).rejects.toMatchObject({
    code: 'DECODE',
    remedy: expect.stringContaining('--format'),
  })
})
