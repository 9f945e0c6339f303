import { afterAll, beforeAll, expect, test } from 'vitest'
import { hive, testCatalog, type TestCatalog } from '../support/catalog.ts'

let c: TestCatalog
beforeAll(async () => {
  c = await testCatalog()
})
afterAll(() => c[Symbol.asyncDispose]())

const path = (entity: string, urn: string, aspect: string, version = 'v2') =>
  `/openapi/${version}/entity/${entity}/${encodeURIComponent(urn)}/${aspect}`
const property = (name: string) => `urn:li:structuredProperty:${name}`

function definition(name: string, more: object = {}) {
  return {
    qualifiedName: name,
    displayName: name,
    valueType: 'urn:li:dataType:datahub.string',
    cardinality: 'SINGLE',
    entityTypes: ['urn:li:entityType:datahub.dataset'],
    ...more,
  }
}

async function define(name: string, more: object = {}) {
  return c.call('POST', path('structuredProperty', property(name), 'propertyDefinition'), definition(name, more))
}

async function dataset(name: string): Promise<string> {
  await c.put(hive(name), { datasetProperties: { name } })
  return hive(name)
}

const value = (name: string, ...values: unknown[]) => ({
  propertyUrn: property(name),
  values: values.map((one) => (typeof one === 'number' ? { double: one } : { string: one })),
})

const at = (name: string) => `/properties/${property(name)}`

const set = (urn: string, ...properties: object[]) =>
  c.call('POST', path('dataset', urn, 'structuredProperties'), { properties })

test('§4.4 POST creates a definition, GET reads it wrapped in value', async () => {
  const given = definition('io.retention', {
    description: 'how long',
    allowedValues: [{ value: { string: '30' }, description: 'a month' }, { value: { string: '90' } }],
  })
  const created = await c.call(
    'POST',
    path('structuredProperty', property('io.retention'), 'propertyDefinition'),
    given,
    {
      accept: 'application/json',
    },
  )
  expect(created.status).toBe(200)
  expect(created.json).toEqual({ urn: property('io.retention'), aspects: { propertyDefinition: { value: given } } })
  const read = await c.call('GET', path('structuredProperty', property('io.retention'), 'propertyDefinition'))
  expect(read.json).toEqual({ value: given })
})

test('§4.4 the same by version 3, whose bodies are wrapped; a second POST there is a CREATE and fails', async () => {
  const url = path('structuredProperty', property('v3.one'), 'propertyDefinition', 'v3')
  const body = { value: definition('v3.one') }
  expect((await c.call('POST', url, body)).status).toBe(200)
  const again = await c.call('POST', url, body)
  expect([again.status, again.json.message]).toEqual([400, expect.stringContaining('already exists')])
  expect((await c.call('POST', `${url}?createIfNotExists=false`, body)).status).toBe(200)
})

test('§4.4 deleting a definition is not implemented: 501 and a body that says what else there is', async () => {
  await define('io.undeletable')
  const answer = await c.call('DELETE', path('structuredProperty', property('io.undeletable'), 'propertyDefinition'))
  expect(answer.status).toBe(501)
  expect(answer.json).toMatchObject({ error: expect.stringContaining('not implemented'), remedy: expect.any(String) })
  expect(
    (await c.call('GET', path('structuredProperty', property('io.undeletable'), 'propertyDefinition'))).status,
  ).toBe(200)
})

test('§2.8 required fields, the enum of cardinality, and qualifiedName as part of the URN are checked', async () => {
  const url = path('structuredProperty', property('io.bad'), 'propertyDefinition')
  const { qualifiedName: _, ...nameless } = definition('io.bad')
  expect((await c.call('POST', url, nameless)).json.message).toContain('/qualifiedName :: field is required')
  expect((await c.call('POST', url, definition('io.bad', { cardinality: 'SOME' }))).json.message).toContain(
    '/cardinality',
  )
  expect((await c.call('POST', url, definition('io.other'))).json).toMatchObject({
    status: 400,
    error: 'Validation Error',
  })
  expect((await c.call('GET', url)).status).toBe(404)
})

test('contract §8: a second create is an upsert within the rules of compatibility', async () => {
  await define('io.evolving', { allowedValues: [{ value: { string: 'a' } }] })
  expect(
    (await define('io.evolving', { allowedValues: [{ value: { string: 'a' } }, { value: { string: 'b' } }] })).status,
  ).toBe(200)
  const restricted = await define('io.evolving', { allowedValues: [{ value: { string: 'b' } }] })
  expect([restricted.status, restricted.json.message]).toEqual([
    400,
    'Cannot restrict values that were previously allowed',
  ])
  expect((await define('io.evolving', { valueType: 'urn:li:dataType:datahub.number' })).json.message).toContain(
    'Value type cannot be changed',
  )
  expect((await define('io.evolving', { cardinality: 'MULTIPLE' })).status).toBe(200)
  expect((await define('io.evolving')).json.message).toContain('cannot be changed from MULTI to SINGLE')
  expect((await define('io.evolving', { version: '20260101000000' })).status).toBe(200)
})

test('§4.5 POST replaces all structured properties of the entity by the list given', async () => {
  const urn = await dataset('sp.one')
  await define('io.a')
  await define('io.b')
  const first = await set(urn, value('io.a', '1'), value('io.b', '2'))
  expect(first.json).toEqual({
    urn,
    aspects: { structuredProperties: { value: { properties: [value('io.a', '1'), value('io.b', '2')] } } },
  })
  const second = await set(urn, value('io.b', '3'))
  expect(second.json.aspects.structuredProperties.value.properties).toEqual([value('io.b', '3')])
})

test('§4.5 PATCH removes and adds single properties; remove then add puts the entry last; others stay', async () => {
  const urn = await dataset('sp.two')
  for (const name of ['io.c', 'io.d', 'io.e']) await define(name)
  await set(urn, value('io.c', '1'), value('io.d', '2'))
  const patch = async (...operations: object[]) => {
    const body = { patch: operations, arrayPrimaryKeys: { properties: ['propertyUrn'] } }
    const headers = { 'content-type': 'application/json-patch+json' }
    const answer = await c.call('PATCH', path('dataset', urn, 'structuredProperties'), body, headers)
    expect([answer.status, answer.json.urn]).toEqual([200, urn])
    return answer.json.aspects.structuredProperties.value.properties
  }
  expect(await patch({ op: 'remove', path: at('io.c') })).toEqual([value('io.d', '2')])
  expect(await patch({ op: 'add', path: at('io.c'), value: value('io.c', '3') })).toEqual([
    value('io.d', '2'),
    value('io.c', '3'),
  ])
  expect(
    await patch({ op: 'remove', path: at('io.d') }, { op: 'add', path: at('io.d'), value: value('io.d', '4') }),
  ).toEqual([value('io.c', '3'), value('io.d', '4')])
  expect(await patch({ op: 'add', path: at('io.c'), value: value('io.c', '5') })).toEqual([
    value('io.c', '5'),
    value('io.d', '4'),
  ])
  expect(await patch({ op: 'remove', path: at('io.e') })).toEqual([value('io.c', '5'), value('io.d', '4')])
})

test('§1, §7.1 setting or patching values of an entity that does not exist is 404 and creates nothing', async () => {
  await define('io.f')
  const near = await dataset('sp.present')
  const answer = await set(hive('sp.presemt'), value('io.f', '1'))
  expect([answer.status, answer.json.error]).toEqual([404, expect.stringContaining(near)])
  const patch = { patch: [{ op: 'add', path: `/properties/${property('io.f')}`, value: value('io.f', '1') }] }
  expect((await c.call('PATCH', path('dataset', hive('sp.absent'), 'structuredProperties'), patch)).status).toBe(404)
  expect((await c.aspect(hive('sp.absent'), 'datasetKey')).status).toBe(404)
})

test('§2.9 at most one entry per property', async () => {
  const urn = await dataset('sp.three')
  await define('io.g')
  const answer = await set(urn, value('io.g', '1'), value('io.g', '2'))
  expect([answer.status, answer.json.message]).toEqual([400, expect.stringContaining('has multiple entries')])
})

test('contract §8: definition, type, cardinality, allowed values, entity types and immutability are checked', async () => {
  const urn = await dataset('sp.four')
  await define('io.number', { valueType: 'urn:li:dataType:datahub.number' })
  await define('io.date', { valueType: 'urn:li:dataType:datahub.date' })
  await define('io.urn', {
    valueType: 'urn:li:dataType:datahub.urn',
    typeQualifier: { allowedTypes: ['urn:li:entityType:datahub.dataset'] },
  })
  await define('io.allowed', { allowedValues: [{ value: { string: 'x' } }] })
  await define('io.tagsOnly', { entityTypes: ['urn:li:entityType:datahub.tag'] })
  await define('io.fixed', { immutable: true })
  const refused = async (...properties: object[]) => {
    const answer = await set(urn, ...properties)
    expect(answer.status).toBe(400)
    return answer.json.message
  }
  expect(await refused(value('io.none', '1'))).toContain('Structured Property Definition')
  expect(await refused(value('io.number', 'abc'))).toContain('should be a number')
  expect(await refused(value('io.number', 1, 2))).toContain('cardinality 1')
  expect(await refused(value('io.date', '2026-02-30'))).toContain('format YYYY-MM-DD')
  expect(await refused(value('io.urn', 'urn:li:tag:x'))).toContain('supported urn types')
  expect(await refused(value('io.urn', 'no urn'))).toContain('should be an urn')
  expect(await refused(value('io.allowed', 'y'))).toContain('should be one of')
  const elsewhere = await set(urn, value('io.tagsOnly', 'x'))
  expect([elsewhere.status, elsewhere.json.message]).toEqual([
    422,
    expect.stringContaining('may be applied to [tag], not to dataset'),
  ])
  expect((await set(urn, value('io.fixed', 'a'), value('io.number', 1))).status).toBe(200)
  expect(await refused(value('io.fixed', 'b'))).toContain('Cannot mutate an immutable property')
  expect(await refused(value('io.number', 1))).toContain('Cannot delete an immutable property')
})

test('§2.9 values are typed objects: string and double, and nothing else', async () => {
  const urn = await dataset('sp.five')
  await define('io.h', { valueType: 'urn:li:dataType:datahub.number', cardinality: 'MULTIPLE' })
  const stored = await set(urn, value('io.h', 1, 2.5))
  expect(stored.json.aspects.structuredProperties.value.properties[0].values).toEqual([{ double: 1 }, { double: 2.5 }])
  expect((await set(urn, { propertyUrn: property('io.h'), values: [{ int: 1 }] })).status).toBe(400)
})

test.each([
  ['v3 of the entity', 'DELETE', (urn: string) => `/openapi/v3/entity/structuredProperty/${urn}`, undefined],
  [
    'v3 of the definition',
    'DELETE',
    (urn: string) => `/openapi/v3/entity/structuredProperty/${urn}/propertyDefinition`,
    undefined,
  ],
  ['rest.li', 'POST', () => '/entities?action=delete', (urn: string) => ({ urn })],
] as const)(
  'contract §5.3: values go with their property, deleted by %s; what carried them can be patched',
  async (how, method, url, body) => {
    const [gone, stays] = [`gone.${how.replaceAll(/\W/g, '_')}`, `stays.${how.replaceAll(/\W/g, '_')}`]
    await define(gone)
    await define(stays)
    const urn = await dataset(`values.${gone}`)
    await set(urn, value(gone, 'x'), value(stays, 'y'))
    expect((await c.call(method, url(property(gone)), body?.(property(gone)))).status).toBe(200)
    const read = await c.call('GET', path('dataset', urn, 'structuredProperties'))
    expect(read.json).toEqual({ value: { properties: [value(stays, 'y')] } })
    const patched = await c.call('PATCH', path('dataset', urn, 'structuredProperties'), {
      patch: [{ op: 'add', path: at(stays), value: value(stays, 'z') }],
      arrayPrimaryKeys: { properties: ['propertyUrn'] },
    })
    expect(patched.json.aspects.structuredProperties.value).toEqual({ properties: [value(stays, 'z')] })
  },
)

test('contract §9.6: definitions and values by GraphQL', async () => {
  const urn = await dataset('sp.six')
  const { createStructuredProperty } = await c.gql(
    `mutation c($input: CreateStructuredPropertyInput!) { createStructuredProperty(input: $input) {
      urn definition { qualifiedName cardinality immutable valueType { urn } entityTypes { urn } allowedValues { value { ... on NumberValue { numberValue } } } } } }`,
    {
      input: {
        id: 'gql.days',
        valueType: 'urn:li:dataType:datahub.number',
        entityTypes: ['urn:li:entityType:datahub.dataset'],
        allowedValues: [{ numberValue: 30 }],
      },
    },
  )
  expect(createStructuredProperty).toMatchObject({
    urn: property('gql.days'),
    definition: { qualifiedName: 'gql.days', cardinality: 'SINGLE', allowedValues: [{ value: { numberValue: 30 } }] },
  })
  const upsert = `mutation u($input: UpsertStructuredPropertiesInput!) { upsertStructuredProperties(input: $input) {
    properties { structuredProperty { urn } values { ... on NumberValue { numberValue } } associatedUrn } } }`
  const assign = (assetUrn: string) => ({
    input: {
      assetUrn,
      structuredPropertyInputParams: [{ structuredPropertyUrn: property('gql.days'), values: [{ numberValue: 30 }] }],
    },
  })
  expect((await c.gql(upsert, assign(urn))).upsertStructuredProperties.properties).toEqual([
    { structuredProperty: { urn: property('gql.days') }, values: [{ numberValue: 30 }], associatedUrn: urn },
  ])
  const absent = await c.call('POST', '/api/graphql', { query: upsert, variables: assign(hive('sp.sixx')) })
  expect(absent.json.errors[0].message).toContain('does not exist')
  const removed = await c.gql(
    'mutation r($input: RemoveStructuredPropertiesInput!) { removeStructuredProperties(input: $input) { properties { associatedUrn } } }',
    { input: { assetUrn: urn, structuredPropertyUrns: [property('gql.days')] } },
  )
  expect(removed.removeStructuredProperties.properties).toEqual([])
})
