import { afterAll, beforeAll, expect, test } from 'vitest'
import { hive, testCatalog, type TestCatalog } from '../support/catalog.ts'

let c: TestCatalog
beforeAll(async () => {
  c = await testCatalog()
})
afterAll(() => c[Symbol.asyncDispose]())

const DATASET =
  'query d($urn: String!) { dataset(urn: $urn) { exists tags { tags { tag { name urn properties { description colorHex } } } } } }'
const ADD = 'mutation a($input: AddTagsInput!) { addTags(input: $input) }'
const REMOVE = 'mutation r($input: TagAssociationInput!) { removeTag(input: $input) }'

const column = (subResource: string) => ({ subResourceType: 'DATASET_FIELD', subResource })

async function tag(id: string): Promise<string> {
  const data = await c.gql('mutation t($input: CreateTagInput!) { createTag(input: $input) }', {
    input: { name: id.toUpperCase(), id, description: `what ${id} means` },
  })
  return data.createTag
}

async function dataset(name: string, fields: readonly string[] = []): Promise<string> {
  const urn = hive(name)
  await c.put(urn, { datasetProperties: { name }, ...(fields.length === 0 ? {} : { schemaMetadata: schema(fields) }) })
  return urn
}

function schema(fields: readonly string[]) {
  return {
    schemaName: 's',
    platform: 'urn:li:dataPlatform:hive',
    version: 0,
    hash: '',
    platformSchema: { 'com.linkedin.schema.OtherSchema': { rawSchema: '' } },
    fields: fields.map((fieldPath) => ({
      fieldPath,
      nativeDataType: 'INT',
      type: { type: { 'com.linkedin.schema.NumberType': {} } },
    })),
  }
}

async function tagsOf(urn: string): Promise<readonly string[]> {
  const data = await c.gql(DATASET, { urn })
  return (data.dataset.tags?.tags ?? []).map((one: { tag: { urn: string } }) => one.tag.urn)
}

async function columnTags(urn: string): Promise<Record<string, readonly string[]>> {
  const { json } = await c.aspect(urn, 'editableSchemaMetadata')
  const fields = json.aspect?.['com.linkedin.schema.EditableSchemaMetadata'].editableSchemaFieldInfo ?? []
  return Object.fromEntries(
    fields.map((field: { fieldPath: string; globalTags: { tags: { tag: string }[] } }) => [
      field.fieldPath,
      field.globalTags.tags.map((one) => one.tag),
    ]),
  )
}

async function refused(query: string, input: object): Promise<string> {
  const { status, json } = await c.call('POST', '/api/graphql', { query, variables: { input } })
  expect(status).toBe(200)
  expect(json.errors[0].extensions).toMatchObject({ code: 400, type: 'BAD_REQUEST' })
  expect(json.extensions).toEqual({})
  return json.errors[0].message
}

test('§4.1 createTag makes the tag and answers its URN; id becomes the identifier part', async () => {
  expect(await tag('t1')).toBe('urn:li:tag:t1')
  const { json } = await c.aspect('urn:li:tag:t1', 'tagProperties')
  expect(json.aspect['com.linkedin.tag.TagProperties']).toEqual({ name: 'T1', description: 'what t1 means' })
})

test('contract §9.3: createTag refuses an id that exists', async () => {
  await tag('t2')
  const message = await refused('mutation t($input: CreateTagInput!) { createTag(input: $input) }', {
    name: 'x',
    id: 't2',
  })
  expect(message).toContain('This Tag already exists!')
})

test('§2.5, §4.1 the dataset query gives each tag with name, urn, description, and colorHex null when unset', async () => {
  const [urn, pii] = [await dataset('tags.one'), await tag('t3')]
  expect(await c.gql(ADD, { input: { tagUrns: [pii], resourceUrn: urn } })).toEqual({ addTags: true })
  const data = await c.gql(DATASET, { urn })
  expect(data.dataset.tags.tags).toEqual([
    { tag: { name: 't3', urn: pii, properties: { description: 'what t3 means', colorHex: null } } },
  ])
})

test('§4.1 addTags takes several tags, and adding one that is there changes nothing', async () => {
  const [urn, a, b] = [await dataset('tags.two'), await tag('t4a'), await tag('t4b')]
  await c.gql(ADD, { input: { tagUrns: [a, b], resourceUrn: urn } })
  await c.gql(ADD, { input: { tagUrns: [a], resourceUrn: urn } })
  expect(await tagsOf(urn)).toEqual([a, b])
  const answer = await c.call(
    'GET',
    `/openapi/v3/entity/dataset/${encodeURIComponent(urn)}/globalTags?systemMetadata=true`,
  )
  expect(answer.json.systemMetadata.version).toBe('1')
})

test('§4.1 with DATASET_FIELD and subResource the tag goes to the column, not to the dataset', async () => {
  const [urn, pii] = [await dataset('tags.three', ['id', 'email']), await tag('t5')]
  await c.gql(ADD, { input: { tagUrns: [pii], resourceUrn: urn, ...column('email') } })
  expect(await columnTags(urn)).toEqual({ email: [pii] })
  expect(await tagsOf(urn)).toEqual([])
})

test('§2.7 a simple column name finds the versioned path of the schema', async () => {
  const path = '[version=2.0].[type=struct].[type=string].email'
  const [urn, pii] = [await dataset('tags.four', [path]), await tag('t6')]
  await c.gql(ADD, { input: { tagUrns: [pii], resourceUrn: urn, ...column('email') } })
  expect(await columnTags(urn)).toEqual({ [path]: [pii] })
  await c.gql(REMOVE, { input: { tagUrn: pii, resourceUrn: urn, ...column('email') } })
  expect(await columnTags(urn)).toEqual({ [path]: [] })
})

test('§2.7 the aspect of column tags carries audit stamps with time and actor', async () => {
  const [urn, pii] = [await dataset('tags.five'), await tag('t7')]
  await c.gql(ADD, { input: { tagUrns: [pii], resourceUrn: urn, ...column('anything') } })
  const { json } = await c.aspect(urn, 'editableSchemaMetadata')
  const value = json.aspect['com.linkedin.schema.EditableSchemaMetadata']
  expect(value.created).toEqual({ time: expect.any(Number), actor: expect.stringMatching(/^urn:li:corpuser:/) })
})

test('§4.1 removeTag removes from the dataset only, or from the column only, and leaves an empty list', async () => {
  const [urn, pii] = [await dataset('tags.six', ['id']), await tag('t8')]
  await c.gql(ADD, { input: { tagUrns: [pii], resourceUrn: urn } })
  await c.gql(ADD, { input: { tagUrns: [pii], resourceUrn: urn, ...column('id') } })
  expect(await c.gql(REMOVE, { input: { tagUrn: pii, resourceUrn: urn } })).toEqual({ removeTag: true })
  expect(await tagsOf(urn)).toEqual([])
  expect(await columnTags(urn)).toEqual({ id: [pii] })
  expect((await c.aspect(urn, 'globalTags')).json.aspect['com.linkedin.common.GlobalTags']).toEqual({ tags: [] })
  await c.gql(REMOVE, { input: { tagUrn: pii, resourceUrn: urn, ...column('id') } })
  expect(await columnTags(urn)).toEqual({ id: [] })
  expect(await c.gql(REMOVE, { input: { tagUrn: pii, resourceUrn: urn } })).toEqual({ removeTag: true })
})

test('§1, §7.1 tag mutations fail where the dataset, the tag or the column does not exist, and name what is near', async () => {
  const [urn, pii] = [await dataset('tags.seven', ['customer_id']), await tag('t9')]
  expect(await refused(ADD, { tagUrns: [pii], resourceUrn: hive('tags.sevem') })).toContain(urn)
  expect(await refused(ADD, { tagUrns: ['urn:li:tag:t9x'], resourceUrn: urn })).toContain('Urn does not exist')
  expect(await refused(ADD, { tagUrns: [urn], resourceUrn: urn })).toContain('does not match entity type tag')
  expect(await refused(ADD, { tagUrns: [pii], resourceUrn: urn, ...column('customer_idd') })).toContain(
    'did you mean "customer_id"?',
  )
  expect(await refused(ADD, { tagUrns: [pii], resourceUrn: urn, subResource: 'customer_id' })).toContain(
    'without a subResourceType',
  )
  expect(await refused(ADD, { tagUrns: [pii], resourceUrn: urn, subResourceType: 'DATASET_FIELD' })).toContain(
    'without a subResource',
  )
  expect(await refused(REMOVE, { tagUrn: pii, resourceUrn: hive('tags.none') })).toContain('Entity does not exist')
  expect(await tagsOf(urn)).toEqual([])
})

test('§7.1 near names are near: a wrong letter, another environment, another platform, and nothing where nothing is like it', async () => {
  const pii = await tag('near')
  const [orders] = [await dataset('near_names.orders', ['id']), await dataset('near_names.x', ['id'])]
  const message = (resourceUrn: string) => refused(ADD, { tagUrns: [pii], resourceUrn })
  expect(await message(hive('near_names.ordres'))).toContain(`Did you mean ${orders}?`)
  expect(await message(orders.replace('PROD', 'DEV'))).toContain(`Did you mean ${orders}?`)
  expect(await message(orders.replace(':hive,', ':hvie,'))).toContain(`Did you mean ${orders}?`)
  expect(await message(hive('nothing_alike'))).not.toContain('Did you mean')
})

test('contract §9.3: batchAddTags and batchRemoveTags change several resources, all or none', async () => {
  const [one, two, pii] = [await dataset('tags.eight'), await dataset('tags.nine'), await tag('t10')]
  const batch = 'mutation b($input: BatchAddTagsInput!) { batchAddTags(input: $input) }'
  await refused(batch, { tagUrns: [pii], resources: [{ resourceUrn: one }, { resourceUrn: hive('tags.absent') }] })
  expect(await tagsOf(one)).toEqual([])
  await c.gql(batch, { input: { tagUrns: [pii], resources: [{ resourceUrn: one }, { resourceUrn: two }] } })
  expect([await tagsOf(one), await tagsOf(two)]).toEqual([[pii], [pii]])
  await c.gql('mutation b($input: BatchRemoveTagsInput!) { batchRemoveTags(input: $input) }', {
    input: { tagUrns: [pii], resources: [{ resourceUrn: one }, { resourceUrn: two }] },
  })
  expect([await tagsOf(one), await tagsOf(two)]).toEqual([[], []])
})

test('contract §9.3: updateTag, setTagColor and deleteTag; a deleted tag is gone from what carried it', async () => {
  const [urn, pii] = [await dataset('tags.ten'), await tag('t11')]
  await c.gql(ADD, { input: { tagUrns: [pii], resourceUrn: urn } })
  await c.gql('mutation c($urn: String!) { setTagColor(urn: $urn, colorHex: "#ff0000") }', { urn: pii })
  const updated = await c.gql(
    'mutation u($urn: String!, $input: TagUpdateInput!) { updateTag(urn: $urn, input: $input) { properties { name description colorHex } } }',
    { urn: pii, input: { description: 'new' } },
  )
  expect(updated.updateTag.properties).toEqual({ name: 'T11', description: 'new', colorHex: '#ff0000' })
  expect(await c.gql('mutation d($urn: String!) { deleteTag(urn: $urn) }', { urn: pii })).toEqual({ deleteTag: true })
  expect(await tagsOf(urn)).toEqual([])
  expect((await c.aspect(pii, 'tagKey')).status).toBe(404)
})

test('§2.6 globalTags written by a proposal takes an empty list', async () => {
  const urn = await dataset('tags.eleven')
  await c.put(urn, { globalTags: { tags: [] } })
  expect((await c.gql(DATASET, { urn })).dataset.tags).toEqual({ tags: [] })
})

test('contract §9.5: dataset of an unknown URN answers exists: false', async () => {
  expect((await c.gql(DATASET, { urn: hive('tags.unknown') })).dataset).toEqual({ exists: false, tags: null })
})
