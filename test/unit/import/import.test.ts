import * as fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { aDataset, runImport, type ImportResult } from '../../support/import-run.ts'
import { StubCatalog } from '../../support/stub-catalog.ts'

let stub: StubCatalog

beforeEach(async () => {
  stub = await StubCatalog.start()
})

afterEach(async () => {
  await stub.close()
})

const ORDERS = aDataset('shop.orders')
const q = (text: string) => `"${text}"`

/** Makes a dataset exist, with a schema if columns are given. */
function exists(urn: string, ...columns: readonly string[]): void {
  stub.put(urn, 'datasetKey', { name: urn })
  if (columns.length > 0) stub.put(urn, 'schemaMetadata', { fields: columns.map((fieldPath) => ({ fieldPath })) })
}

function define(id: string, definition: object): void {
  stub.put(`urn:li:structuredProperty:${id}`, 'propertyDefinition', {
    valueType: 'urn:li:dataType:datahub.string',
    entityTypes: ['urn:li:entityType:datahub.dataset'],
    ...definition,
  })
}

function expectBalanced({ records, proposals }: ImportResult): void {
  expect(records.used + records.duplicate + records.noEffect + records.rejected).toBe(records.read)
  const { written, unchanged, refused, dead } = proposals.counts
  expect(written + unchanged + refused + dead).toBe(proposals.made)
}

const propertiesOf = (urn: string) => stub.aspect(urn, 'structuredProperties')?.value
const tagsOf = (urn: string) => stub.aspect(urn, 'globalTags')?.value

describe('tags', () => {
  test('rows of one dataset far apart lose nothing', async () => {
    exists(ORDERS)
    // One after the other, five apart, a batch apart, a thousand apart.
    const places = [0, 1, 2, 7, 12, 70, 130, 330, 1330, 2330]
    const rows = Array.from({ length: 2331 }, (_, n) => {
      const at = places.indexOf(n)
      if (at >= 0) return `${q(ORDERS)},tag${at}`
      exists(aDataset(`t${n}`))
      return `${q(aDataset(`t${n}`))},x`
    })
    const result = await runImport(stub.url, ['resource,tags', ...rows].join('\n'))
    expectBalanced(result)
    expect(tagsOf(ORDERS)).toEqual({ tags: Array.from({ length: 10 }, (_, n) => ({ tag: `urn:li:tag:tag${n}` })) })
    expect(stub.aspect(ORDERS, 'globalTags')?.version).toBe(1)
  })

  test('a soft-deleted dataset stays so', async () => {
    exists(ORDERS)
    stub.put(ORDERS, 'status', { removed: true })
    await runImport(stub.url, `resource,tags\n${q(ORDERS)},pii\n`)
    expect(stub.aspect(ORDERS, 'status')).toEqual({ value: { removed: true }, version: 1 })
  })

  test('a second run writes nothing', async () => {
    exists(ORDERS, 'id', 'mail')
    const csv = `resource,subresource,tags,description\n${q(ORDERS)},,a|b,All orders\n${q(ORDERS)},mail,pii,Address\n`
    expect((await runImport(stub.url, csv)).proposals.counts.written).toBe(3)
    const second = await runImport(stub.url, csv)
    expect(second.proposals.counts).toEqual({ written: 0, unchanged: 3, refused: 0, dead: 0 })
    expect(stub.writes).toHaveLength(1)
  })

  test.each([
    ['patch', 'a|b', ['old', 'kept', 'a', 'b']],
    ['patch', '+a|-old', ['kept', 'a']],
    ['patch', '=a|kept', ['kept', 'a']],
    ['patch', '=', []],
    ['patch', '', ['old', 'kept']],
    ['patch', '[a|b]', ['old', 'kept', 'a', 'b']],
    ['patch', '\\-odd', ['old', 'kept', '-odd']],
    ['override', 'a|kept', ['kept', 'a']],
    ['override', '+a', ['old', 'kept', 'a']],
    ['override', '', ['old', 'kept']],
  ] as const)('in mode %s the cell %j leaves %j', async (mode, cell, expected) => {
    exists(ORDERS)
    stub.put(ORDERS, 'globalTags', { tags: [{ tag: 'urn:li:tag:old' }, { tag: 'urn:li:tag:kept', context: 'theirs' }] })
    expectBalanced(await runImport(stub.url, `resource,tags,description\n${q(ORDERS)},${cell},x\n`, { mode }))
    const { tags } = tagsOf(ORDERS) as { tags: readonly { tag: string; context?: string }[] }
    expect(tags.map((item) => item.tag.replace('urn:li:tag:', ''))).toEqual(expected)
    expect(tags.filter((item) => item.context !== undefined)).toHaveLength(expected.includes('kept' as never) ? 1 : 0)
  })
})

test('column rows become one aspect, and find an entry whatever the form of its path', async () => {
  const versioned = '[version=2.0].[type=string].mail'
  exists(ORDERS, 'id', versioned)
  stub.put(ORDERS, 'editableSchemaMetadata', {
    editableSchemaFieldInfo: [{ fieldPath: versioned, globalTags: { tags: [{ tag: 'urn:li:tag:old' }] } }],
  })
  const csv = `resource,subresource,tags,glossary_terms,description\n${q(ORDERS)},mail,pii,Contact,\n${q(ORDERS)},id,,,Key\n`
  const result = await runImport(stub.url, csv)
  expect(result.proposals.counts.written).toBe(1)
  expect(stub.aspect(ORDERS, 'editableSchemaMetadata')?.value).toMatchObject({
    editableSchemaFieldInfo: [
      {
        fieldPath: versioned,
        globalTags: { tags: [{ tag: 'urn:li:tag:old' }, { tag: 'urn:li:tag:pii' }] },
        glossaryTerms: { terms: [{ urn: 'urn:li:glossaryTerm:Contact' }] },
      },
      { fieldPath: 'id', description: 'Key' },
    ],
  })
})

test('owners, domain and description of a dataset', async () => {
  exists(ORDERS)
  const csv = `resource,owners,ownership_type,domain,description\n${q(ORDERS)},ada|urn:li:corpGroup:ops,DATA_STEWARD,sales,Orders\n`
  await runImport(stub.url, csv)
  expect(stub.aspect(ORDERS, 'ownership')?.value).toMatchObject({
    owners: [
      { owner: 'urn:li:corpuser:ada', type: 'DATA_STEWARD' },
      { owner: 'urn:li:corpGroup:ops', type: 'DATA_STEWARD' },
    ],
  })
  expect(stub.aspect(ORDERS, 'domains')?.value).toEqual({ domains: ['urn:li:domain:sales'] })
  expect(stub.aspect(ORDERS, 'editableDatasetProperties')?.value).toMatchObject({ description: 'Orders' })
})

describe('structured properties', () => {
  beforeEach(() => {
    exists(ORDERS)
    define('keep', { valueType: 'urn:li:dataType:datahub.number' })
    define('team', { allowedValues: [{ value: { string: 'OPS' } }, { value: { string: 'FIN' } }] })
    define('day', { valueType: 'urn:li:dataType:datahub.date' })
    define('labels', { cardinality: 'MULTIPLE' })
  })

  test('numbers stay numbers, dates are texts, lists add up', async () => {
    const csv = `resource,sp.keep,sp__team,urn:li:structuredProperty:day,marks\n${q(ORDERS)},-30.5,OPS,2026-02-28,a|b\n`
    const result = await runImport(stub.url, csv, { columns: { marks: 'labels' } })
    expect(result.rejects).toEqual([])
    expect(propertiesOf(ORDERS)).toMatchObject({
      properties: [
        { propertyUrn: 'urn:li:structuredProperty:keep', values: [{ double: -30.5 }] },
        { propertyUrn: 'urn:li:structuredProperty:team', values: [{ string: 'OPS' }] },
        { propertyUrn: 'urn:li:structuredProperty:day', values: [{ string: '2026-02-28' }] },
        { propertyUrn: 'urn:li:structuredProperty:labels', values: [{ string: 'a' }, { string: 'b' }] },
      ],
    })
    expect((await runImport(stub.url, csv, { columns: { marks: 'labels' } })).proposals.counts.written).toBe(0)
  })

  test('a list of numbers is replaced by a leading =, and takes no signs', async () => {
    define('sizes', { valueType: 'urn:li:dataType:datahub.number', cardinality: 'MULTIPLE' })
    await runImport(stub.url, `resource,sp.sizes\n${q(ORDERS)},1|-5|+7\n`)
    await runImport(stub.url, `resource,sp.sizes\n${q(ORDERS)},8\n`)
    expect(propertiesOf(ORDERS)).toMatchObject({
      properties: [{ values: [1, -5, 7, 8].map((double) => ({ double })) }],
    })
    await runImport(stub.url, `resource,sp.sizes\n${q(ORDERS)},= 2 | 3\n`)
    expect(propertiesOf(ORDERS)).toMatchObject({ properties: [{ values: [{ double: 2 }, { double: 3 }] }] })
  })

  test('a property of one value is set, others stay', async () => {
    stub.put(ORDERS, 'structuredProperties', {
      properties: [
        { propertyUrn: 'urn:li:structuredProperty:other', values: [{ string: 'x' }] },
        { propertyUrn: 'urn:li:structuredProperty:team', values: [{ string: 'FIN' }] },
      ],
    })
    await runImport(stub.url, `resource,sp.team\n${q(ORDERS)},OPS\n`)
    expect(propertiesOf(ORDERS)).toMatchObject({
      properties: [{ values: [{ string: 'x' }] }, { values: [{ string: 'OPS' }] }],
    })
    await runImport(stub.url, `resource,sp.team\n${q(ORDERS)},=\n`)
    expect(propertiesOf(ORDERS)).toEqual({
      properties: [{ propertyUrn: 'urn:li:structuredProperty:other', values: [{ string: 'x' }] }],
    })
  })

  test.each([
    ['sp.keep', '12a', 'INVALID_VALUE', 'is not a number'],
    ['sp.keep', '0x10', 'INVALID_VALUE', 'is not a number'],
    ['sp.keep', '"1.234,5"', 'INVALID_VALUE', 'decimals follow a point (1234.5)'],
    ['sp.keep', "1'000", 'INVALID_VALUE', 'digits are not grouped'],
    ['sp.day', '2026-02-30', 'INVALID_VALUE', 'YYYY-MM-DD'],
    ['sp.team', 'OPPS', 'INVALID_VALUE', 'did you mean "OPS"?'],
  ])('%s does not take %j', async (column, cell, code, text) => {
    const { rejects, records } = await runImport(stub.url, `resource,${column}\n${q(ORDERS)},${cell}\n`)
    expect(rejects).toMatchObject([{ code, place: { line: 2, column: 2 } }])
    expect(rejects[0]?.message).toContain(text)
    expect(records).toMatchObject({ read: 1, rejected: 1 })
  })
})

test('columns without a name, as spreadsheets leave them, may hold nothing', async () => {
  exists(ORDERS)
  const { rejects, records } = await runImport(
    stub.url,
    `resource;tags;;\n${q(ORDERS)};pii;;\n${q(ORDERS)};late;; \n${q(ORDERS)};more;;x\n`,
  )
  expect(rejects).toMatchObject([
    { code: 'CELL_COUNT', message: '"x" stands in column 4, which the header gives no name' },
  ])
  expect(records).toMatchObject({ read: 3, used: 2, rejected: 1 })
})

describe('rows that cannot be used', () => {
  test.each([
    ['MISSING_RESOURCE', ',,pii,', 1],
    ['INVALID_URN', 'urn:li:dataset:(x,,pii,', 1],
    ['INVALID_URN', '"urn:li:dataset:(urn:li:dataPlatform:pg,a,NOWHERE)",,pii,', 1],
    ['INVALID_URN', 'urn:li:foo:x,,pii,', 1],
    ['INVALID_URN', '"urn:li:dataFlow:(a,b)",,pii,', 1],
    ['INVALID_URN', `${q(ORDERS)},,urn:li:corpuser:x,`, 3],
    ['CELL_COUNT', `${q(ORDERS)},,pii`, undefined],
    ['ENTITY_NOT_FOUND', `${q(aDataset('gone'))},,pii,`, 1],
    ['UNKNOWN_COLUMN', `${q(ORDERS)},mial,pii,`, 2],
    ['NOT_APPLICABLE', `${q(ORDERS)},mail,,ada`, 4],
    ['BROKEN_QUOTE', `"${ORDERS}"x,,pii,`, ORDERS.length + 3],
  ])('%s: %s', async (code, row, column) => {
    exists(ORDERS, 'id', 'mail')
    const good = `${q(ORDERS)},mail,good,`
    const result = await runImport(stub.url, `resource,subresource,tags,owners\n${row}\n${good}\n`)
    expectBalanced(result)
    expect(result.rejects).toMatchObject([{ code, place: { line: 2 }, record: row }])
    expect(result.rejects[0]?.place.column).toBe(column)
    expect(result.records).toMatchObject({ read: 2, used: 1, rejected: 1 })
    expect(stub.aspect(ORDERS, 'editableSchemaMetadata')).toBeDefined()
  })

  test('a URN without quotes is named where its commas make cells', async () => {
    exists(ORDERS)
    const list = `${q(ORDERS)},,[urn:li:tag:a,urn:li:tag:b],`
    const { rejects } = await runImport(stub.url, `resource,subresource,tags,owners\n${ORDERS},,pii,\n${list}\n`)
    expect(rejects.map(({ code, message }) => [code, message])).toEqual([
      ['CELL_COUNT', expect.stringContaining('what begins with urn:li:dataset:(urn:li:dataPlatform:') as string],
      ['CELL_COUNT', expect.stringContaining('put it in quotes ("[urn:li:tag:a,…")') as string],
    ])
  })

  test('rows that contradict an earlier one are rejected, equal ones are duplicates', async () => {
    exists(ORDERS)
    const rows = ['a', 'b', 'a', ''].map((description) => `${q(ORDERS)},${description}`)
    const result = await runImport(stub.url, ['resource,description', ...rows, ',', ''].join('\n'))
    expectBalanced(result)
    expect(result.rejects).toMatchObject([{ code: 'CONTRADICTING_ROWS', place: { line: 3 } }])
    expect(result.records).toEqual({ read: 5, used: 1, duplicate: 1, noEffect: 2, rejected: 1 })
  })

  test('missing entities can be passed over or created', async () => {
    const csv = `resource,tags\n${q(aDataset('new'))},pii\n`
    expect((await runImport(stub.url, csv, { missing: 'skip' })).records).toMatchObject({ read: 1, noEffect: 1 })
    expect((await runImport(stub.url, csv, { missing: 'create' })).proposals.counts.written).toBe(1)
  })
})

describe('the header', () => {
  test.each([
    ['resource,tgas\n', 'CSV_HEADER', 'did you mean "tags"?'],
    ['tags,owners\n', 'CSV_HEADER', 'no column "resource"'],
    ['resource,tags,Tags\n', 'CSV_HEADER', 'stands twice'],
    ['', 'CSV_HEADER', 'the file is empty'],
    ['resource,sp.unknown\n', 'UNKNOWN_PROPERTY', 'urn:li:structuredProperty:unknown'],
  ])('%j is refused', async (csv, code, text) => {
    await expect(runImport(stub.url, csv)).rejects.toMatchObject({ code })
    await expect(runImport(stub.url, csv)).rejects.toThrow(text)
  })

  test('names may be mapped or ignored, in any case and any delimiter', async () => {
    exists(ORDERS)
    const csv = `\ufeffURN;Labels;note\r\n${ORDERS};pii;whatever\r\n`
    const columns = { URN: 'resource', Labels: 'tags', note: 'ignore' }
    expect((await runImport(stub.url, csv, { columns })).records).toMatchObject({ read: 1, used: 1 })
    expect(tagsOf(ORDERS)).toEqual({ tags: [{ tag: 'urn:li:tag:pii' }] })
  })
})

test('a hundred thousand rejected rows of one piece are no more trouble than one', async () => {
  const { records, rejects } = await runImport(stub.url, `resource,tags\n${'x,\n'.repeat(100_000)}`)
  expect(records).toMatchObject({ read: 100_000, rejected: 100_000 })
  expect(rejects.at(-1)).toMatchObject({ code: 'INVALID_URN', place: { line: 100_001 } })
})

test('a cell of some megabytes is a cell', async () => {
  exists(ORDERS)
  const text = 'lorem "ipsum"\n'.repeat(200_000).trimEnd()
  const result = await runImport(stub.url, `resource,description\n${q(ORDERS)},"${text.replaceAll('"', '""')}"\n`)
  expect(result.records).toMatchObject({ read: 1, used: 1 })
  expect(stub.aspect(ORDERS, 'editableDatasetProperties')?.value).toMatchObject({ description: text })
})

test('every row of any CSV is accounted for', async () => {
  exists(ORDERS, 'id')
  exists(aDataset('b'))
  const cell = fc.constantFrom('', 'pii', '+a|-b', '=', '"x', 'x"y', '"a""b"', ',', '\n', ' ', 'é', 'id')
  const resource = fc.constantFrom(q(ORDERS), q(aDataset('b')), q(aDataset('gone')), '', 'nonsense', ORDERS)
  const row = fc.tuple(resource, cell, cell, cell).map((cells) => cells.join(','))
  await fc.assert(
    fc.asyncProperty(fc.array(row, { maxLength: 20 }), async (rows) => {
      const result = await runImport(stub.url, ['resource,subresource,tags,description', ...rows].join('\n'))
      expectBalanced(result)
      expect(result.rejects).toHaveLength(result.records.rejected)
    }),
    { numRuns: 100 },
  )
})
