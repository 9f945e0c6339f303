import { afterAll, beforeAll, expect, test } from 'vitest'
import { hive, testCatalog, type TestCatalog } from '../support/catalog.ts'

let c: TestCatalog
beforeAll(async () => {
  c = await testCatalog()
  for (const [name, more] of Object.entries(TABLES)) {
    await c.put(hive(`sort.${name}`), { datasetProperties: { name, ...more }, globalTags: { tags: [] } })
  }
  await c.put(hive('sort.last'), { status: { removed: false } })
})
afterAll(() => c[Symbol.asyncDispose]())

/** In the order in which they are written; the display names sort as b, c, last, Z, and z as a small letter. */
const TABLES: Readonly<Record<string, object>> = {
  Zebra: { customProperties: { size: '10' } },
  b: { customProperties: { size: '9' } },
  c: {},
}

const names = (urns: readonly string[]) => urns.map((urn) => /sort\.(\w+)/.exec(urn)?.[1])
const urnsOf = (page: { searchResults: { entity: { urn: string } }[] }) =>
  page.searchResults.map((hit) => hit.entity.urn)
const within = { orFilters: [{ and: [{ field: 'urn', condition: 'CONTAIN', values: ['sort.'] }] }], types: ['DATASET'] }
const by = (field: string, sortOrder = 'ASCENDING') => ({ sortCriteria: [{ field, sortOrder }] })

const downstreamOf = (...urns: (string | undefined)[]) => ({
  upstreamLineage: { upstreams: urns.map((dataset) => ({ dataset, type: 'TRANSFORMED' })) },
})

async function found(sortInput: object | undefined, more: object = {}): Promise<readonly (string | undefined)[]> {
  const input = { query: '*', count: 10, ...within, ...more, ...(sortInput === undefined ? {} : { sortInput }) }
  const data = await c.gql(
    'query s($input: SearchAcrossEntitiesInput!) { searchAcrossEntities(input: $input) { searchResults { entity { urn } } } }',
    { input },
  )
  return names(urnsOf(data.searchAcrossEntities))
}

async function scrolled(sortInput: object, count: number): Promise<readonly (string | undefined)[]> {
  const all: string[] = []
  for (let scrollId: string | null = null; ;) {
    const { scrollAcrossEntities: page } = await c.gql(
      `query s($input: ScrollAcrossEntitiesInput!) {
        scrollAcrossEntities(input: $input) { nextScrollId searchResults { entity { urn } } } }`,
      { input: { query: '*', count, scrollId, sortInput, ...within } },
    )
    all.push(...urnsOf(page))
    scrollId = page.nextScrollId
    if (scrollId === null) return names(all)
  }
}

test('contract §9.5: results come in the order in which they were first written, or as sortInput says', async () => {
  expect(await found(undefined)).toEqual(['Zebra', 'b', 'c', 'last'])
  expect(await found(by('name'))).toEqual(['b', 'c', 'last', 'Zebra'])
  expect(await found(by('_entityName', 'DESCENDING'))).toEqual(['Zebra', 'last', 'c', 'b'])
  expect(await found(by('urn'))).toEqual(['Zebra', 'b', 'c', 'last'])
  expect(await found(by('createdAt', 'DESCENDING'))).toEqual(['last', 'c', 'b', 'Zebra'])
  expect(await found({ sortCriterion: { field: 'urn', sortOrder: 'DESCENDING' } })).toEqual(['last', 'c', 'b', 'Zebra'])
})

test('contract §9.5: a change moves an entity to the end of what is sorted by lastModifiedAt', async () => {
  await c.put(hive('sort.b'), { status: { removed: false } })
  expect((await found(by('lastModifiedAt'))).at(-1)).toBe('b')
  expect((await found(by('lastModifiedAt', 'DESCENDING')))[0]).toBe('b')
})

test('contract §9.5: what lacks the field comes last both ways, and numbers are compared as numbers', async () => {
  const property = 'urn:li:structuredProperty:sort.size'
  const definition = { qualifiedName: 'sort.size', valueType: 'urn:li:dataType:datahub.number', cardinality: 'SINGLE' }
  await c.put(property, { propertyDefinition: { ...definition, entityTypes: ['urn:li:entityType:datahub.dataset'] } })
  for (const [name, size] of [
    ['Zebra', 10],
    ['b', 9],
  ] as const) {
    const values = { properties: [{ propertyUrn: property, values: [{ double: size }] }] }
    await c.put(hive(`sort.${name}`), { structuredProperties: values })
  }
  const field = 'structuredProperties.sort.size'
  expect((await found(by(field))).slice(0, 2)).toEqual(['b', 'Zebra'])
  expect((await found(by(field, 'DESCENDING'))).slice(0, 2)).toEqual(['Zebra', 'b'])
  for (const order of ['ASCENDING', 'DESCENDING']) {
    expect(await scrolled(by(field, order), 1)).toEqual(await found(by(field, order)))
  }
})

test('contract §9.5: pages of a scroll go on where the last one ended, in any order', async () => {
  for (const field of ['name', 'urn', 'createdAt', 'lastModifiedAt', 'platform', 'nothing', '_score']) {
    for (const order of ['ASCENDING', 'DESCENDING']) {
      expect(await scrolled(by(field, order), 1), `${field} ${order}`).toEqual(await found(by(field, order)))
    }
  }
  const { scrollAcrossEntities } = await c.gql(
    'query s($input: ScrollAcrossEntitiesInput!) { scrollAcrossEntities(input: $input) { nextScrollId } }',
    { input: { query: '*', count: 1, ...within, sortInput: by('name') } },
  )
  const foreign = await c.call('POST', '/api/graphql', {
    query: 'query s($input: ScrollAcrossEntitiesInput!) { scrollAcrossEntities(input: $input) { count } }',
    variables: { input: { query: '*', scrollId: scrollAcrossEntities.nextScrollId } },
  })
  expect(foreign.json.errors[0]).toMatchObject({ extensions: { code: 400 } })
})

test('contract §9.5: words without an order find the best names first', async () => {
  await c.put(hive('rank.of_orders_by_day'), { datasetProperties: { name: 'by day', description: 'of orders' } })
  await c.put(hive('rank.my orders'), { status: { removed: false } })
  await c.put(hive('rank.orders_daily'), { status: { removed: false } })
  await c.put(hive('rank.orders'), { status: { removed: false } })
  const { searchAcrossEntities: page } = await c.gql(
    '{ searchAcrossEntities(input: {query: "orders", types: [DATASET]}) { searchResults { entity { urn } } } }',
  )
  expect(urnsOf(page)).toEqual([
    hive('rank.orders'),
    hive('rank.orders_daily'),
    hive('rank.my orders'),
    hive('rank.of_orders_by_day'),
  ])
})

test('contract §9.2: lineage comes nearest first, or as sortInput says', async () => {
  const [start, a, b, far] = ['start', 'a', 'b', 'far'].map((name) => hive(`lin.${name}`)) as [string, ...string[]]
  await c.put(start, { datasetProperties: { name: 'start' } })
  await c.put(b as string, { ...downstreamOf(start), datasetProperties: { name: 'b' } })
  await c.put(a as string, { ...downstreamOf(start), datasetProperties: { name: 'a' } })
  await c.put(far as string, { ...downstreamOf(a), datasetProperties: { name: 'A first' } })
  const search = async (sortInput?: object) => {
    const input = { urn: start, direction: 'DOWNSTREAM', query: '*', ...(sortInput === undefined ? {} : { sortInput }) }
    const data = await c.gql(
      'query s($input: SearchAcrossLineageInput!) { searchAcrossLineage(input: $input) { searchResults { degree entity { urn } } } }',
      { input },
    )
    return data.searchAcrossLineage.searchResults.map(
      (hit: { degree: number; entity: { urn: string } }) =>
        `${hit.entity.urn.split('lin.')[1]?.split(',')[0]} ${hit.degree}`,
    )
  }
  expect(await search()).toEqual(['b 1', 'a 1', 'far 2'])
  expect(await search(by('name'))).toEqual(['a 1', 'far 2', 'b 1'])
  expect(await search(by('degree', 'DESCENDING'))).toEqual(['far 2', 'b 1', 'a 1'])
  const criteria = [
    { field: 'degree', sortOrder: 'ASCENDING' },
    { field: 'urn', sortOrder: 'ASCENDING' },
  ]
  expect(await search({ sortCriteria: criteria })).toEqual(['a 1', 'b 1', 'far 2'])
  const { scrollAcrossLineage } = await c.gql(
    'query s($input: ScrollAcrossLineageInput!) { scrollAcrossLineage(input: $input) { searchResults { entity { urn } } } }',
    { input: { urn: start, direction: 'DOWNSTREAM', query: '*', count: 1, sortInput: by('urn') } },
  )
  expect(urnsOf(scrollAcrossLineage)).toEqual([a])
})

test('contract §5.2, §4.4: OpenAPI and rest.li sort as they are told', async () => {
  const filter = { and: [{ criteria: [{ field: 'urn', condition: 'CONTAIN', values: ['sort.'] }] }] }
  const body = { entities: ['dataset'], filter, sortCriteria: [{ field: 'name', order: 'DESCENDING' }] }
  const page = await c.call('POST', '/openapi/v3/entity/scroll?count=2', body)
  expect(names(page.json.entities.map((entity: { urn: string }) => entity.urn))).toEqual(['Zebra', 'last'])
  const next = await c.call('POST', `/openapi/v3/entity/scroll?count=2&scrollId=${page.json.scrollId}`, body)
  expect(names(next.json.entities.map((entity: { urn: string }) => entity.urn))).toEqual(['c', 'b'])

  const listed = await c.call('GET', '/openapi/v3/entity/dataset?query=sort&sort=urn&sortOrder=DESCENDING&count=1')
  expect(names(listed.json.entities.map((entity: { urn: string }) => entity.urn))).toEqual(['last'])
  expect((await c.call('GET', '/openapi/v3/entity/dataset?sort=urn&sortOrder=UP')).status).toBe(400)

  const request = { input: 'sort', entity: 'dataset', start: 0, count: 10, sort: { field: 'urn', order: 'DESCENDING' } }
  const { json } = await c.call('POST', '/entities?action=search', request)
  expect(names(json.value.entities.map((one: { entity: string }) => one.entity))).toEqual(['last', 'c', 'b', 'Zebra'])
})
