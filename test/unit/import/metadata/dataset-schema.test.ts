import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { avroFields } from '../../../../src/import/metadata/avro/fields.ts'
import { parseAvroSchema } from '../../../../src/import/metadata/avro/schema.ts'
import { readDatasets } from '../../../../src/import/metadata/datasets.ts'
import { aDataset } from '../../../support/import-run.ts'
import { runMetadata } from '../../../support/metadata-run.ts'
import { StubCatalog } from '../../../support/stub-catalog.ts'

let stub: StubCatalog

beforeEach(async () => {
  stub = await StubCatalog.start()
  stub.put('urn:li:structuredProperty:keep', 'propertyDefinition', {
    valueType: 'urn:li:dataType:datahub.number',
    entityTypes: ['urn:li:entityType:datahub.schemaField'],
  })
})

afterEach(async () => {
  await stub.close()
})

const CLICKS = aDataset('web.clicks')
const AVSC = JSON.stringify({
  type: 'record',
  name: 'Click',
  fields: [
    { name: 'at', type: { type: 'long', logicalType: 'timestamp-millis' } },
    { name: 'page', type: { type: 'record', name: 'Page', fields: [{ name: 'url', type: 'string' }] } },
    { name: 'who', type: ['null', 'string', 'long'] },
  ],
})
const yaml = (schema: string): string => `{ id: web.clicks, platform: postgres, schema: ${schema} }`
const columnsOf = (schema: unknown) => avroFields(parseAvroSchema(JSON.stringify(schema), 'a.avsc'), 'a.avsc')
const aspectOf = (name: string, urn: string = CLICKS) => stub.aspect(urn, name)?.value

describe('schema.file', () => {
  test('an Avro schema beside the YAML is the schema of the dataset', async () => {
    const import1 = () => runMetadata(stub.url, 'a.yaml', yaml('{ file: click.avsc }'), {}, { 'click.avsc': AVSC })
    expect(await import1()).toMatchObject({ rejects: [], records: { read: 1, used: 1 } })
    const schema = aspectOf('schemaMetadata') as { fields: { fieldPath: string }[] }
    expect(schema).toMatchObject({
      schemaName: 'web.clicks',
      platform: 'urn:li:dataPlatform:postgres',
      platformSchema: { 'com.linkedin.schema.OtherSchema': { rawSchema: AVSC } },
    })
    expect(schema.fields.map(({ fieldPath }) => fieldPath.replace('[version=2.0].[type=Click].', ''))).toEqual([
      '[type=long].at',
      '[type=Page].page',
      '[type=Page].page.[type=string].url',
      '[type=union].who',
      '[type=union].[type=string].who',
      '[type=union].[type=long].who',
    ])
    expect((await import1()).proposals.counts.written).toBe(0)
  })

  test('fields beside it say what people know of its columns, by the simple path', async () => {
    const text = yaml(
      '{ file: click.avsc, fields: [{ id: page.url, description: Without query, tags: [pii], structured_properties: { keep: 7 } }] }',
    )
    await runMetadata(stub.url, 'a.yaml', text, {}, { 'click.avsc': AVSC })
    const path = '[version=2.0].[type=Click].[type=Page].page.[type=string].url'
    expect(aspectOf('editableSchemaMetadata')).toMatchObject({
      editableSchemaFieldInfo: [
        { fieldPath: path, description: 'Without query', globalTags: { tags: [{ tag: 'urn:li:tag:pii' }] } },
      ],
    })
    expect(aspectOf('structuredProperties', `urn:li:schemaField:(${CLICKS},${path})`)).toMatchObject({
      properties: [{ values: [{ double: 7 }] }],
    })
  })

  test.each([
    ['{ file: click.avsc, fields: [{ id: page.ulr }] }', 'did you mean "page.url"?'],
    ['{ file: click.avsc, fields: [{ id: who, description: x }] }', '"who" may mean 3 columns'],
    ['{ file: click.avsc, fields: [{ id: at, type: long }] }', 'type of "at" has no effect here'],
    ['{ file: none.avsc }', /none\.avsc.*does not exist/],
    ['{ file: broken.avsc }', /broken\.avsc: it is not JSON/],
  ])('%s is refused', async (schema, message) => {
    const beside = { 'click.avsc': AVSC, 'broken.avsc': 'protocol Click {}' }
    await expect(runMetadata(stub.url, 'a.yaml', yaml(schema), {}, beside)).rejects.toThrow(message)
  })

  test('a description from the network reads no file of this machine', async () => {
    const reading = readDatasets(yaml('{ file: /etc/hosts }'), 'https://h/a.yaml')
    await expect(reading).rejects.toMatchObject({ code: 'DECODE', place: { path: 'schema.file' } })
  })
})

describe('schema.fields', () => {
  test('fields without types are remarks on the columns that the catalog has', async () => {
    const text = yaml('{ fields: [{ id: at, description: When, glossaryTerms: [Time] }] }')
    await runMetadata(stub.url, 'a.yaml', text)
    expect(aspectOf('schemaMetadata')).toBeUndefined()
    expect(aspectOf('editableSchemaMetadata')).toMatchObject({
      editableSchemaFieldInfo: [
        { fieldPath: 'at', description: 'When', glossaryTerms: { terms: [{ urn: 'urn:li:glossaryTerm:Time' }] } },
      ],
    })
  })

  test.each([
    ['{ fields: [{ id: a, type: int }, { id: b }] }', 'the column "b" has no type, and others have'],
    ['{ fields: [{ id: a, type: strng }] }', 'did you mean "string"?'],
    ['{ fields: [{ id: a, nullable: true }] }', 'nullable of "a" has no effect here'],
    [`{ fields: [{ urn: "urn:li:schemaField:(${aDataset('other')},a)" }] }`, 'is a column of another dataset'],
  ])('%s is refused', async (schema, message) => {
    await expect(runMetadata(stub.url, 'a.yaml', yaml(schema))).rejects.toThrow(message)
  })
})

describe('Avro', () => {
  test.each([
    [{ type: 'record', name: 'R', fields: [{ name: 'a', type: 'sting' }] }, 'a.avsc at fields.0.type', '"string"'],
    [{ type: 'record', fields: [] }, '(root)', 'needs a name'],
    [{ type: 'record', name: 'R' }, '(root)', 'list of fields'],
    [[['int'], 'string'], '(root)', 'no other union'],
    [{ type: 'array', items: 7 }, 'items', 'a name, an object or a list'],
    [
      {
        type: 'record',
        name: 'R',
        fields: [
          { name: 'a', type: 'int' },
          { name: 'a', type: 'int' },
        ],
      },
      '(root)',
      'stands twice',
    ],
  ])('%j is refused with its place', (schema, place, what) => {
    expect(() => columnsOf(schema)).toThrow(place)
    expect(() => columnsOf(schema)).toThrow(what)
  })

  test('a record that may hold another one of its kind ends there', () => {
    const node = {
      type: 'record',
      name: 'Node',
      fields: [
        { name: 'id', type: 'int' },
        { name: 'next', type: ['null', 'Node'] },
        { name: 'all', type: { type: 'map', values: 'Node' } },
      ],
    }
    expect(columnsOf(node).map(({ fieldPath, recursive }) => [fieldPath, recursive])).toEqual([
      ['[version=2.0].[type=Node].[type=int].id', false],
      ['[version=2.0].[type=Node].[type=Node].next', true],
      ['[version=2.0].[type=Node].[type=map].[type=Node].all', true],
    ])
  })

  test('native types are types, and defaults read as in the file', () => {
    const schema = {
      type: 'record',
      name: 'R',
      fields: [
        { name: 'a', type: 'boolean', default: false },
        { name: 'b', type: { type: 'array', items: ['null', { type: 'fixed', name: 'Hash', size: 4 }] }, default: [] },
      ],
    }
    expect(columnsOf(schema)).toMatchObject([
      { nativeDataType: 'boolean', description: 'Field default value: false' },
      { nativeDataType: 'array<Hash>', description: 'Field default value: []' },
    ])
  })

  test('types used within each other over and over are refused, not carried out', () => {
    const level = (n: number): object => ({
      type: 'record',
      name: `L${n}`,
      fields: [
        { name: 'a', type: n === 0 ? 'int' : level(n - 1) },
        { name: 'b', type: n === 0 ? 'int' : `L${n - 1}` },
      ],
    })
    expect(() => columnsOf(level(25))).toThrow('more than 20000 columns')
  })

  test('what is nested without end is refused', () => {
    const deep = `${'{"type":"array","items":'.repeat(5000)}"int"${'}'.repeat(5000)}`
    expect(() => parseAvroSchema(deep, 'a.avsc')).toThrow('nested too deeply')
  })
})
