/** Sentences of the contract that no other file of this folder is about; each test is titled with its section. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { hive, testCatalog, type TestCatalog } from '../support/catalog.ts'

let c: TestCatalog
beforeAll(async () => {
  c = await testCatalog()
})
afterAll(() => c[Symbol.asyncDispose]())

const assigned = (propertyUrn: string) => ({ propertyUrn, values: [{ string: 'a' }] })

const definition = (qualifiedName: string) => ({
  value: {
    qualifiedName,
    valueType: 'urn:li:dataType:datahub.string',
    entityTypes: ['urn:li:entityType:datahub.dataset'],
  },
})

/** A day in which two people asked. */
const usage = (timestampMillis: number, ann: number, bob: number) => ({
  timestampMillis,
  eventGranularity: { unit: 'DAY', multiple: 1 },
  uniqueUserCount: 2,
  totalSqlQueries: ann + bob,
  topSqlQueries: ['select 1'],
  userCounts: [
    { user: 'urn:li:corpuser:ann', count: ann, userEmail: 'ann@example.org' },
    { user: 'urn:li:corpuser:bob', count: bob },
  ],
  fieldCounts: [{ fieldPath: 'qty', count: ann }],
})

const v3 = (type: string, urn: string, rest = '') => `/openapi/v3/entity/${type}/${encodeURIComponent(urn)}${rest}`

test('contract §11: the data types and the names of entity types exist without having been written', async () => {
  const string = 'urn:li:dataType:datahub.string'
  expect((await c.aspect(string, 'dataTypeKey')).json.aspect).toEqual({
    'com.linkedin.datatype.DataTypeKey': { id: 'datahub.string' },
  })
  expect((await c.call('GET', v3('dataType', string))).json.dataTypeInfo.value).toEqual({
    qualifiedName: 'datahub.string',
    displayName: 'String',
  })
  expect((await c.call('HEAD', v3('entityType', 'urn:li:entityType:datahub.dataset'))).status).toBe(204)
  expect(await c.gql('{ entityExists(urn: "urn:li:entityType:datahub.mlModel") }')).toEqual({ entityExists: true })
  expect((await c.aspect('urn:li:dataType:datahub.nonsense', 'dataTypeKey')).status).toBe(404)
  // One that is written over keeps what was written, and can be taken away again.
  await c.put(string, { dataTypeInfo: { qualifiedName: 'datahub.string', displayName: 'Text' } })
  expect((await c.call('GET', v3('dataType', string))).json.dataTypeInfo.value.displayName).toBe('Text')
  await c.call('DELETE', v3('dataType', string))
  expect((await c.call('GET', v3('dataType', string))).json.dataTypeInfo.value.displayName).toBe('String')
})

test('contract §8: values of a soft-deleted property are hidden on every interface, and come back with it', async () => {
  const urn = hive('hidden')
  const [gone, stays] = ['urn:li:structuredProperty:gone', 'urn:li:structuredProperty:stays'] as const
  for (const property of [gone, stays]) {
    await c.put(property, {
      propertyDefinition: {
        qualifiedName: property.split(':')[3],
        valueType: 'urn:li:dataType:datahub.string',
        entityTypes: ['urn:li:entityType:datahub.dataset'],
      },
    })
  }
  await c.put(urn, { structuredProperties: { properties: [assigned(gone), assigned(stays)] } })
  const seen = async () => {
    const rest = await c.call('GET', v3('dataset', urn, '/structuredProperties'))
    const restli = await c.aspect(urn, 'structuredProperties')
    const { dataset } = await c.gql(
      'query d($urn: String!) { dataset(urn: $urn) { structuredProperties { properties { structuredProperty { urn } } } } }',
      { urn },
    )
    return [
      rest.json.value.properties.map((one: { propertyUrn: string }) => one.propertyUrn),
      restli.json.aspect['com.linkedin.structured.StructuredProperties'].properties.map(
        (one: { propertyUrn: string }) => one.propertyUrn,
      ),
      dataset.structuredProperties.properties.map(
        (one: { structuredProperty: { urn: string } }) => one.structuredProperty.urn,
      ),
    ]
  }
  expect(await seen()).toEqual([
    [gone, stays],
    [gone, stays],
    [gone, stays],
  ])
  await c.put(gone, { status: { removed: true } })
  expect(await seen()).toEqual([[stays], [stays], [stays]])
  await c.put(gone, { status: { removed: false } })
  expect(await seen()).toEqual([
    [gone, stays],
    [gone, stays],
    [gone, stays],
  ])
})

test('contract §5.2: a header If-Version-Match of batchGet picks the version of that aspect', async () => {
  const urn = hive('versions')
  for (const description of ['first', 'second']) await c.put(urn, { datasetProperties: { description } })
  const described = async (member: object) => {
    const { json } = await c.call('POST', '/openapi/v3/entity/dataset/batchGet', [{ urn, datasetProperties: member }])
    return json[0]?.datasetProperties?.value.description
  }
  expect(await described({})).toBe('second')
  expect(await described({ headers: { 'If-Version-Match': '1' } })).toBe('first')
  expect(await described({ headers: { 'If-Version-Match': '2' } })).toBe('second')
  expect(await described({ headers: { 'If-Version-Match': '9' } })).toBeUndefined()
})

test('contract §5.2: DELETE of a timeseries aspect takes its latest event only', async () => {
  const urn = hive('events')
  for (const timestampMillis of [1, 2, 3]) await c.put(urn, { datasetProfile: { timestampMillis } })
  const times = async () => {
    const body = { urn, entity: 'dataset', aspect: 'datasetProfile' }
    const { json } = await c.call('POST', '/aspects?action=getTimeseriesAspectValues', body)
    return json.value.values.map((one: { aspect: { value: string } }) => JSON.parse(one.aspect.value).timestampMillis)
  }
  expect((await c.call('DELETE', v3('dataset', urn, '/datasetProfile'))).status).toBe(200)
  expect(await times()).toEqual([2, 1])
  expect((await c.call('DELETE', v3('dataset', urn, '?aspects=datasetProfile'))).status).toBe(200)
  expect(await times()).toEqual([1])
  for (let i = 0; i < 2; i++) await c.call('DELETE', v3('dataset', urn, '/datasetProfile'))
  expect(await times()).toEqual([])
})

test('contract §7.4: restoring indexes by OpenAPI, which has nothing to do', async () => {
  for (const method of ['GET', 'POST']) {
    const { status, json } = await c.call(method, '/openapi/operations/elasticSearch/restoreIndices')
    expect([status, json.result]).toEqual([200, 'Indexes are kept with every write; nothing to restore.'])
  }
})

test('contract §8: a new name for a defined property is told from a wrong one', async () => {
  const property = 'urn:li:structuredProperty:named'
  const path = v3('structuredProperty', property, '/propertyDefinition?createIfNotExists=false')
  expect((await c.call('POST', path, definition('other'))).json.message).toContain('is not the name in the URN')
  expect((await c.call('POST', path, definition('named'))).status).toBe(200)
  expect((await c.call('POST', path, definition('other'))).json.message).toBe(
    'Cannot change the fully qualified name of a Structured Property',
  )
})

test('contract §9.5: lowercasedUrn is a field to filter by, and an association says who made it', async () => {
  const urn = hive('Sales.ORDERS')
  const attribution = {
    time: 5,
    actor: 'urn:li:corpuser:ann',
    source: 'urn:li:dataPlatform:hive',
    sourceDetail: { a: 'b' },
  }
  await c.put(urn, { globalTags: { tags: [{ tag: 'urn:li:tag:x', attribution }, { tag: 'urn:li:tag:y' }] } })
  const found = await c.gql(
    `query s($input: SearchAcrossEntitiesInput!) { searchAcrossEntities(input: $input) { searchResults { entity { urn
      ... on Dataset { tags { tags { attribution { time actor { urn } source { urn } sourceDetail { key value } } } } } } } } }`,
    { input: { query: '*', orFilters: [{ and: [{ field: 'lowercasedUrn', values: [urn.toLowerCase()] }] }] } },
  )
  expect(found.searchAcrossEntities.searchResults).toEqual([
    {
      entity: {
        urn,
        tags: {
          tags: [
            {
              attribution: {
                time: 5,
                actor: { urn: 'urn:li:corpuser:ann' },
                source: { urn: 'urn:li:dataPlatform:hive' },
                sourceDetail: [{ key: 'a', value: 'b' }],
              },
            },
            { attribution: null },
          ],
        },
      },
    },
  ])
})

test('contract §9.3: updateName and updateDescription write where each kind of entity keeps its texts', async () => {
  const table = hive('texts')
  const schema = {
    schemaName: 's',
    platform: 'urn:li:dataPlatform:hive',
    version: 0,
    hash: '',
    platformSchema: { 'com.linkedin.schema.OtherSchema': { rawSchema: '' } },
    fields: [{ fieldPath: 'qty', nativeDataType: 'INT', type: { type: { 'com.linkedin.schema.NumberType': {} } } }],
  }
  await c.put(table, { schemaMetadata: schema })
  await c.put('urn:li:tag:texts', { tagProperties: { name: 'before', colorHex: '#fff' } })
  await c.put('urn:li:glossaryTerm:texts', { status: { removed: false } })
  const rename = (urn: string, name: string) =>
    c.gql('mutation n($input: UpdateNameInput!) { updateName(input: $input) }', { input: { urn, name } })
  const describe = (resourceUrn: string, description: string, more: object = {}) =>
    c.gql('mutation d($input: DescriptionUpdateInput!) { updateDescription(input: $input) }', {
      input: { resourceUrn, description, ...more },
    })
  expect(await rename('urn:li:tag:texts', 'after')).toEqual({ updateName: true })
  expect(await describe('urn:li:tag:texts', 'what it means')).toEqual({ updateDescription: true })
  await rename('urn:li:glossaryTerm:texts', 'Term')
  await describe('urn:li:glossaryTerm:texts', 'its definition')
  await describe(table, 'a table')
  await describe(table, 'how many', { subResourceType: 'DATASET_FIELD', subResource: 'qty' })
  const stored = async (urn: string, aspect: string) => Object.values((await c.aspect(urn, aspect)).json.aspect)[0]
  expect(await stored('urn:li:tag:texts', 'tagProperties')).toEqual({
    name: 'after',
    colorHex: '#fff',
    description: 'what it means',
  })
  expect(await stored('urn:li:glossaryTerm:texts', 'glossaryTermInfo')).toEqual({
    name: 'Term',
    definition: 'its definition',
    termSource: 'INTERNAL',
  })
  expect(await stored(table, 'editableDatasetProperties')).toEqual({ description: 'a table' })
  expect(await stored(table, 'editableSchemaMetadata')).toMatchObject({
    editableSchemaFieldInfo: [{ fieldPath: 'qty', description: 'how many' }],
  })
  await expect(describe(table, 'x', { subResourceType: 'DATASET_FIELD', subResource: 'nope' })).rejects.toThrow(
    'does not exist in the datasets schema',
  )
  await expect(rename(hive('nowhere'), 'x')).rejects.toThrow('does not exist')
  await expect(rename('urn:li:corpuser:ann', 'x')).rejects.toThrow('Unsupported resource type corpuser')
})

test('contract §9.5: usageStats gives the windows of a range and their sums', async () => {
  const urn = hive('used')
  const now = Date.parse('2020-03-01T00:00:00Z')
  const day = 24 * 60 * 60 * 1000
  await c.put(urn, { datasetUsageStatistics: usage(now, 1, 5) })
  await c.put(urn, { datasetUsageStatistics: usage(now - 400 * day, 2, 3) })
  const { dataset } = await c.gql(
    `query u($urn: String!) { dataset(urn: $urn) { all: usageStats { ...stats } none: usageStats(range: DAY) { ...stats } } }
     fragment stats on UsageQueryResult {
       buckets { bucket duration resource metrics { uniqueUserCount totalSqlQueries topSqlQueries
         users { user { urn } count userEmail } fields { fieldName count } } }
       aggregations { uniqueUserCount totalSqlQueries users { user { username } count } fields { fieldName count } } }`,
    { urn },
  )
  expect(dataset.all.buckets.map((one: { bucket: number }) => one.bucket)).toEqual([now - 400 * day, now])
  expect(dataset.all.buckets[1]).toEqual({
    bucket: now,
    duration: 'DAY',
    resource: urn,
    metrics: {
      uniqueUserCount: 2,
      totalSqlQueries: 6,
      topSqlQueries: ['select 1'],
      users: [
        { user: { urn: 'urn:li:corpuser:ann' }, count: 1, userEmail: 'ann@example.org' },
        { user: { urn: 'urn:li:corpuser:bob' }, count: 5, userEmail: null },
      ],
      fields: [{ fieldName: 'qty', count: 1 }],
    },
  })
  expect(dataset.all.aggregations).toEqual({
    uniqueUserCount: 2,
    totalSqlQueries: 11,
    users: [
      { user: { username: 'bob' }, count: 8 },
      { user: { username: 'ann' }, count: 3 },
    ],
    fields: [{ fieldName: 'qty', count: 3 }],
  })
  expect(dataset.none.aggregations).toMatchObject({ uniqueUserCount: 0, totalSqlQueries: 0 })
})

test('contract §9.3: a form is assigned to entities, once each, and keeps the filter that it is meant for', async () => {
  const form = 'urn:li:form:yearly'
  const urn = hive('asked')
  await c.put(form, {
    formInfo: { name: 'Yearly', type: 'COMPLETION', prompts: [{ id: 'p1', title: 'P', type: 'DOMAIN' }] },
  })
  await c.put(urn, { status: { removed: false } })
  const assign = (entityUrns: readonly string[], formUrn = form) =>
    c.gql('mutation f($input: BatchAssignFormInput!) { batchAssignForm(input: $input) }', {
      input: { formUrn, entityUrns },
    })
  for (let i = 0; i < 2; i++) expect(await assign([urn])).toEqual({ batchAssignForm: true })
  const { json } = await c.aspect(urn, 'forms')
  expect(json.aspect['com.linkedin.common.Forms']).toMatchObject({
    incompleteForms: [{ urn: form, incompletePrompts: [{ id: 'p1' }], completedPrompts: [] }],
    completedForms: [],
  })
  await expect(assign([hive('nobody')])).rejects.toThrow('does not exist')
  await expect(assign([urn], 'urn:li:form:none')).rejects.toThrow('does not exist')
  await expect(assign(['urn:li:tag:x'])).rejects.toThrow('has no forms')
  await c.gql(
    `mutation { createDynamicFormAssignment(input: { formUrn: "${form}",
      orFilters: [{ and: [{ field: "platform", values: ["urn:li:dataPlatform:hive"], condition: EQUAL, negated: false }] }] }) }`,
  )
  const kept = await c.aspect(form, 'dynamicFormAssignment')
  expect(kept.json.aspect['com.linkedin.form.DynamicFormAssignment'].filter.or[0].and[0]).toMatchObject({
    field: 'platform',
    condition: 'EQUAL',
    values: ['urn:li:dataPlatform:hive'],
  })
})
