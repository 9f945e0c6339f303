/** Sentences of the interface that the files by topic do not show; docs/interface.md says where each of the others is. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { column, hive, proposalOf, testCatalog, type TestCatalog } from '../support/catalog.ts'

let c: TestCatalog
beforeAll(async () => {
  c = await testCatalog()
})
afterAll(() => c[Symbol.asyncDispose]())

const graphql = (query: string, variables: object = {}) => c.call('POST', '/api/graphql', { query, variables })
const v2 = (entity: string, urn: string, aspect: string) =>
  `/openapi/v2/entity/${entity}/${encodeURIComponent(urn)}/${aspect}`
const UPDATE = 'mutation updateLineage($input: UpdateLineageInput!) { updateLineage(input: $input) }'
const SEARCH = `query searchAcrossLineage($input: SearchAcrossLineageInput!) {
  searchAcrossLineage(input: $input) { searchResults { degree entity { urn type } } } }`

async function exist(...names: readonly string[]): Promise<string[]> {
  for (const name of names) await c.put(hive(name), { datasetProperties: { name } })
  return names.map(hive)
}

test('§2.1 URNs of all shapes are taken: dataset, tag, structured property, data type, entity type, column, actor', async () => {
  const [dataset = ''] = await exist('shapes')
  const aspects: Readonly<Record<string, Readonly<Record<string, object>>>> = {
    [dataset]: { status: { removed: false } },
    'urn:li:tag:shapes': { tagProperties: { name: 'shapes' } },
    'urn:li:dataType:neutral.string': { dataTypeInfo: { qualifiedName: 'neutral.string' } },
    'urn:li:entityType:neutral.dataset': { entityTypeInfo: { qualifiedName: 'neutral.dataset' } },
    'urn:li:structuredProperty:shapes.one': {
      propertyDefinition: {
        qualifiedName: 'shapes.one',
        displayName: 'One',
        valueType: 'urn:li:dataType:neutral.string',
        cardinality: 'SINGLE',
        entityTypes: ['urn:li:entityType:neutral.dataset'],
      },
    },
    [column(dataset, 'user_id')]: { status: { removed: false } },
    'urn:li:corpuser:shapes': { corpUserInfo: { active: true } },
  }
  for (const [urn, given] of Object.entries(aspects)) {
    await c.put(urn, given)
    const [name = ''] = Object.keys(given)
    expect((await c.aspect(urn, name)).status, urn).toBe(200)
  }
  // A definition with names of the neutral namespace holds as one with DataHub's own.
  const set = await c.call('POST', v2('dataset', dataset, 'structuredProperties'), {
    properties: [{ propertyUrn: 'urn:li:structuredProperty:shapes.one', values: [{ string: 'x' }] }],
  })
  expect(set.status).toBe(200)
})

test('§2.2 both ends of a lineage edge are required', async () => {
  for (const edge of [{ downstreamUrn: hive('e.a') }, { upstreamUrn: hive('e.a') }]) {
    const { json } = await graphql(UPDATE, { input: { edgesToAdd: [edge], edgesToRemove: [] } })
    expect([json.data, json.errors[0].message]).toEqual([
      null,
      expect.stringContaining('of required type String! was not provided'),
    ])
  }
})

test('§2.3 writing the aspect does not conflict with a DownstreamOf relationship that is there', async () => {
  const [up = '', down = ''] = await exist('conflict.up', 'conflict.down')
  await c.gql(UPDATE, { input: { edgesToAdd: [{ downstreamUrn: down, upstreamUrn: up }], edgesToRemove: [] } })
  const fine = {
    upstreamType: 'FIELD_SET',
    upstreams: [column(up, 'a')],
    downstreamType: 'FIELD',
    downstreams: [column(down, 'b')],
  }
  await c.put(down, {
    upstreamLineage: { upstreams: [{ dataset: up, type: 'TRANSFORMED' }], fineGrainedLineages: [fine] },
  })
  const of = async (urn: string) =>
    (
      await c.call(
        'GET',
        `/openapi/relationships/v1/?urn=${encodeURIComponent(urn)}&direction=OUTGOING&relationshipTypes=DownstreamOf&start=0`,
      )
    ).json.entities.map((one: { urn: string }) => one.urn)
  expect(await of(down)).toEqual([up])
  const lineage = await c.gql(SEARCH, {
    input: { query: '*', urn: column(up, 'a'), start: 0, count: 10, direction: 'DOWNSTREAM' },
  })
  expect(lineage.searchAcrossLineage.searchResults.map((hit: { entity: { urn: string } }) => hit.entity.urn)).toEqual([
    column(down, 'b'),
  ])
})

test('§2.5 a colour that is set is read back', async () => {
  await c.put('urn:li:tag:red', { tagProperties: { name: 'Red', description: 'd', colorHex: '#ff0000' } })
  expect((await c.gql('{ tag(urn: "urn:li:tag:red") { properties { name description colorHex } } }')).tag).toEqual({
    properties: { name: 'Red', description: 'd', colorHex: '#ff0000' },
  })
})

test('§4 all bodies are JSON: answers of each interface say so, refusals too', async () => {
  const [dataset = ''] = await exist('json')
  const answers = [
    await graphql('{ me { corpUser { urn } } }'),
    await graphql('{ nothing }'),
    await c.call('GET', `/openapi/v2/entity/dataset/${encodeURIComponent(dataset)}`),
    await c.call('GET', '/openapi/v2/entity/nothing/x'),
    await c.call('POST', '/gms/operations?action=getIndexSizes'),
    await c.call('POST', '/gms/operations?action=nothing'),
    await c.call('GET', '/config'),
  ]
  for (const answer of answers) {
    expect(answer.headers.get('content-type')).toMatch(/^application\/json/)
    expect(answer.json).not.toBeNull()
  }
})

test('§4.1 the request is a document and variables, which may be empty; data is keyed by the name of the operation', async () => {
  const [dataset = ''] = await exist('keyed')
  for (const variables of [{}, null, undefined]) {
    const { json } = await c.call('POST', '/api/graphql', {
      query: `{ dataset(urn: "${dataset}") { urn } }`,
      ...(variables === undefined ? {} : { variables }),
    })
    expect(json).toEqual({ data: { dataset: { urn: dataset } }, extensions: {} })
  }
})

test('§4.1 searchAcrossLineage takes the request as it is shown, and the selection as it is shown', async () => {
  const [up = '', down = ''] = await exist('shown.up', 'shown.down')
  await c.gql(UPDATE, { input: { edgesToAdd: [{ downstreamUrn: down, upstreamUrn: up }], edgesToRemove: [] } })
  const filter = { condition: 'EQUAL', negated: false, field: 'degree', values: ['1', '2', '3+'] }
  const input = { query: '*', urn: up, start: 0, count: 10, direction: 'DOWNSTREAM', orFilters: [{ and: [filter] }] }
  expect((await graphql(SEARCH, { input })).json).toEqual({
    data: { searchAcrossLineage: { searchResults: [{ degree: 1, entity: { urn: down, type: 'DATASET' } }] } },
    extensions: {},
  })
})

test('§4.1 searchAcrossLineage: text other than * searches among what is reached; a negated filter leaves out', async () => {
  const [start = '', one = '', two = ''] = await exist('text.start', 'text.customers', 'text.payments')
  const edges = [one, two].map((downstreamUrn) => ({ downstreamUrn, upstreamUrn: start }))
  await c.gql(UPDATE, { input: { edgesToAdd: edges, edgesToRemove: [] } })
  const found = async (more: object) => {
    const input = { query: '*', urn: start, start: 0, count: 10, direction: 'DOWNSTREAM', ...more }
    const { searchResults } = (await c.gql(SEARCH, { input })).searchAcrossLineage
    return searchResults.map((hit: { entity: { urn: string } }) => hit.entity.urn)
  }
  expect(await found({ query: 'customers' })).toEqual([one])
  const name = { field: 'name', condition: 'CONTAIN', negated: true, values: ['customers'] }
  expect(await found({ orFilters: [{ and: [name] }] })).toEqual([two])
})

test('§4.2 the four aspects of lineage and tags are each written by a proposal and read back', async () => {
  const [up = '', down = ''] = await exist('four.up', 'four.down')
  const aspects = {
    upstreamLineage: { upstreams: [{ dataset: up, type: 'TRANSFORMED' }] },
    globalTags: { tags: [{ tag: 'urn:li:tag:four' }] },
    editableSchemaMetadata: {
      editableSchemaFieldInfo: [{ fieldPath: 'a', globalTags: { tags: [{ tag: 'urn:li:tag:four' }] } }],
      created: { time: 1_767_225_600_000, actor: 'urn:li:corpuser:ann' },
    },
  }
  for (const [urn, name, value] of [
    ['urn:li:tag:four', 'tagProperties', { name: 'Four', description: 'd' }],
    ...Object.entries(aspects).map(([aspect, given]) => [down, aspect, given] as const),
  ] as const) {
    const answer = await c.call('POST', '/aspects?action=ingestProposal', { proposal: proposalOf(urn, name, value) })
    expect(answer.json).toEqual({ value: 'success' })
    const read = (await c.aspect(urn, name)).json.aspect
    expect(Object.values(read)).toEqual([expect.objectContaining(value)])
  }
})

test('§4.5 an entity whose type has no structuredProperties aspect takes none', async () => {
  await c.put('urn:li:dataPlatform:hive', {
    dataPlatformInfo: { name: 'hive', type: 'OTHERS', datasetNameDelimiter: '.' },
  })
  const answer = await c.call('POST', v2('dataPlatform', 'urn:li:dataPlatform:hive', 'structuredProperties'), {
    properties: [],
  })
  expect([answer.status, answer.json.message]).toEqual([
    400,
    expect.stringContaining('dataPlatform has no aspect structuredProperties'),
  ])
})

test('§5 against a local instance the OpenAPI v2 requests go without an authorization header', async () => {
  const [dataset = ''] = await exist('open')
  const answer = await fetch(`${c.url}${v2('dataset', dataset, 'datasetProperties')}`)
  expect([answer.status, await answer.json()]).toEqual([200, { value: { name: 'open' } }])
})
