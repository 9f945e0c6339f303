import { gzipSync } from 'node:zlib'
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
const PII = { tags: [{ tag: 'urn:li:tag:pii' }] }

function mcp(fields: object = {}): object {
  return {
    entityType: 'dataset',
    entityUrn: ORDERS,
    changeType: 'UPSERT',
    aspectName: 'globalTags',
    aspect: { json: PII },
    ...fields,
  }
}

const tagsOf = (urn: string) => stub.aspect(urn, 'globalTags')?.value

describe('files of MCPs', () => {
  const second = mcp({
    entityType: 'tag',
    entityUrn: 'urn:li:tag:pii',
    aspectName: 'tagProperties',
    aspect: { value: '{"name":"PII: \\"{[\\""}', contentType: 'application/json' },
    systemMetadata: { lastObserved: 1, runId: 'x' },
  })
  test.each([
    ['a list', 'a.json', JSON.stringify([mcp(), second])],
    ['a list over many lines', 'a.json', JSON.stringify([mcp(), second], undefined, 2)],
    ['one a line', 'a.ndjson', `${JSON.stringify(mcp())}\n\n${JSON.stringify(second)}\r\n`],
    ['one after the other', 'a.json', JSON.stringify(mcp(), undefined, 2) + JSON.stringify(second, undefined, 2)],
    ['packed', 'a.json.gz', gzipSync(JSON.stringify([mcp(), second]))],
    ['bodies of calls', 'a.jsonl', `{"proposal":${JSON.stringify(mcp())},"async":"false"}\n${JSON.stringify(second)}`],
  ])('%s', async (_, name, content) => {
    const result = await runMetadata(stub.url, name, content)
    expect(result.rejects).toEqual([])
    expect(result.records).toMatchObject({ read: 2, used: 2 })
    expect(tagsOf(ORDERS)).toEqual(PII)
    expect(stub.aspect('urn:li:tag:pii', 'tagProperties')?.value).toEqual({ name: 'PII: "{["' })
    const again = await runMetadata(stub.url, name, content)
    expect(again.proposals.counts).toEqual({ written: 0, unchanged: 2, refused: 0, dead: 0 })
  })

  test('an entity may be named by its key aspect', async () => {
    const byKey = mcp({ entityType: 'tag', entityUrn: undefined, entityKeyAspect: { json: { name: 'late' } } })
    await runMetadata(
      stub.url,
      'a.json',
      JSON.stringify([{ ...byKey, aspectName: 'tagProperties', aspect: { json: { name: 'Late' } } }]),
    )
    expect(stub.aspect('urn:li:tag:late', 'tagProperties')?.value).toEqual({ name: 'Late' })
  })

  test('a patch goes out as it is', async () => {
    const patch = [{ op: 'add', path: '/tags/urn:li:tag:pii', value: { tag: 'urn:li:tag:pii' } }]
    await runMetadata(stub.url, 'a.json', JSON.stringify([mcp({ changeType: 'PATCH', aspect: { json: patch } })]))
    const [member] = stub.writes[0]?.members ?? []
    expect(member).toMatchObject({ changeType: 'PATCH', aspect: { contentType: 'application/json-patch+json' } })
    expect(JSON.parse(member?.aspect?.value ?? '')).toEqual({ patch })
  })

  test('CREATE writes what is not there, and leaves what reads otherwise', async () => {
    const file = JSON.stringify([mcp({ changeType: 'CREATE' })])
    expect((await runMetadata(stub.url, 'a.json', file)).proposals.counts.written).toBe(1)
    expect((await runMetadata(stub.url, 'a.json', file)).proposals.counts.unchanged).toBe(1)
    stub.put(ORDERS, 'globalTags', { tags: [] })
    const { proposals, journal } = await runMetadata(stub.url, 'a.json', file)
    expect(proposals.counts.refused).toBe(1)
    expect(journal.deadLetters).toMatchObject([{ code: 'ASPECT_EXISTS' }])
  })
})

test('a snapshot is as many changes as it has aspects, in the names of the wire', async () => {
  const space = 'com.linkedin.pegasus2avro'
  const mce = {
    auditHeader: null,
    proposedSnapshot: {
      [`${space}.metadata.snapshot.DatasetSnapshot`]: {
        urn: ORDERS,
        aspects: [
          { [`${space}.common.Status`]: { removed: false } },
          {
            [`${space}.schema.SchemaMetadata`]: {
              schemaName: 'orders',
              platform: 'urn:li:dataPlatform:postgres',
              version: 0,
              hash: '',
              dataset: null,
              platformSchema: { [`${space}.schema.MySqlDDL`]: { tableSchema: '' } },
              fields: [
                {
                  fieldPath: 'id',
                  nativeDataType: 'int',
                  type: { type: { [`${space}.schema.NumberType`]: {} } },
                },
              ],
            },
          },
        ],
      },
    },
    proposedDelta: null,
  }
  const { rejects } = await runMetadata(stub.url, 'a.json', JSON.stringify([mce]))
  expect(rejects).toEqual([])
  expect(stub.aspect(ORDERS, 'status')?.value).toEqual({ removed: false })
  expect(stub.aspect(ORDERS, 'schemaMetadata')?.value).toMatchObject({
    platformSchema: { 'com.linkedin.schema.MySqlDDL': { tableSchema: '' } },
    fields: [{ type: { type: { 'com.linkedin.schema.NumberType': {} } } }],
  })
  expect(stub.aspect(ORDERS, 'schemaMetadata')?.value).not.toHaveProperty('dataset')
})

test('a deletion removes its aspect and nothing else, once', async () => {
  stub.put(ORDERS, 'globalTags', PII)
  stub.put(ORDERS, 'status', { removed: false })
  const file = JSON.stringify([mcp({ changeType: 'DELETE', aspect: undefined })])
  const { proposals } = await runMetadata(stub.url, 'a.json', file)
  expect(proposals.counts).toEqual({ written: 1, unchanged: 0, refused: 0, dead: 0 })
  expect(tagsOf(ORDERS)).toBeUndefined()
  expect(stub.aspect(ORDERS, 'status')?.value).toEqual({ removed: false })
  const again = await runMetadata(stub.url, 'a.json', file)
  expect(again.proposals.counts).toEqual({ written: 0, unchanged: 1, refused: 0, dead: 0 })
})

describe('a record that cannot be used is rejected alone, with its line', () => {
  test.each([
    ['RECORD_INVALID', '{"entityType":', 'not JSON'],
    ['RECORD_INVALID', '42', 'not a JSON object'],
    ['RECORD_INVALID', '{"a":1}', 'neither an MCP'],
    ['RECORD_INVALID', JSON.stringify(mcp({ aspectName: 'globlTags' })), 'did you mean "globalTags"?'],
    ['RECORD_INVALID', JSON.stringify(mcp({ changeType: 'UPSRT' })), 'did you mean "UPSERT"?'],
    ['RECORD_INVALID', JSON.stringify(mcp({ entityType: 'tag' })), 'is not that of'],
    ['RECORD_INVALID', JSON.stringify(mcp({ aspect: { value: '{' } })), 'not JSON text'],
    ['RECORD_INVALID', JSON.stringify(mcp({ aspect: undefined })), 'no aspect'],
    ['INVALID_URN', JSON.stringify(mcp({ entityUrn: 'urn:li:dataset:(x' })), 'parentheses'],
    ['INVALID_VALUE', JSON.stringify(mcp({ aspect: { json: { tags: [{}] } } })), 'required'],
    ['NOT_APPLICABLE', JSON.stringify(mcp({ changeType: 'DELETE', aspectName: 'datasetKey' })), 'deletes no entity'],
    ['NOT_APPLICABLE', JSON.stringify(mcp({ changeType: 'DELETE', aspectName: 'datasetProfile' })), 'can be removed'],
  ])('%s: %s', async (code, record, text) => {
    const good = JSON.stringify(mcp())
    const { rejects, records } = await runMetadata(stub.url, 'a.ndjson', `${good}\n${record}\n${good}\n`)
    expect(rejects).toMatchObject([{ code, place: { line: 2 }, record }])
    expect(rejects[0]?.message).toContain(text)
    expect(records).toEqual({ read: 3, used: 2, noEffect: 0, rejected: 1 })
    expect(tagsOf(ORDERS)).toEqual(PII)
  })
})
