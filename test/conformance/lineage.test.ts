import { afterAll, beforeAll, expect, test } from 'vitest'
import { column, hive, testCatalog, type TestCatalog } from '../support/catalog.ts'

let c: TestCatalog
beforeAll(async () => {
  c = await testCatalog()
})
afterAll(() => c[Symbol.asyncDispose]())

const UPDATE = 'mutation u($input: UpdateLineageInput!) { updateLineage(input: $input) }'
const SEARCH = `query s($input: SearchAcrossLineageInput!) {
  searchAcrossLineage(input: $input) { start count total searchResults { degree entity { urn type } } } }`

async function exist(...urns: string[]): Promise<void> {
  for (const urn of urns) await c.put(urn, { datasetProperties: { name: urn.split(',')[1] } })
}

const edge = (downstreamUrn: string, upstreamUrn: string) => ({ downstreamUrn, upstreamUrn })

async function search(urn: string, direction: string, degrees?: readonly string[], more: object = {}) {
  const filter = { condition: 'EQUAL', negated: false, field: 'degree', values: degrees }
  const orFilters = degrees === undefined ? [] : [{ and: [filter] }]
  const data = await c.gql(SEARCH, { input: { query: '*', urn, start: 0, count: 10, direction, orFilters, ...more } })
  return data.searchAcrossLineage
}

const hits = (page: { searchResults: { degree: number; entity: { urn: string } }[] }) =>
  Object.fromEntries(page.searchResults.map((hit) => [hit.entity.urn, hit.degree]))

test('§4.1 updateLineage adds edges and answers true; extensions is an empty object', async () => {
  const [up, down] = [hive('l1.up'), hive('l1.down')]
  await exist(up, down)
  const answer = await c.call('POST', '/api/graphql', {
    query: UPDATE,
    variables: { input: { edgesToAdd: [edge(down, up)], edgesToRemove: [] } },
  })
  expect(answer.json).toEqual({ data: { updateLineage: true }, extensions: {} })
  const stored = (await c.aspect(down, 'upstreamLineage')).json.aspect['com.linkedin.dataset.UpstreamLineage']
  expect(stored.upstreams).toMatchObject([{ dataset: up, type: 'TRANSFORMED' }])
})

test('§4.1 updateLineage takes a single object in place of a list', async () => {
  const [up, down] = [hive('l2.up'), hive('l2.down')]
  await exist(up, down)
  await c.gql(UPDATE, { input: { edgesToAdd: edge(down, up), edgesToRemove: [] } })
  expect(hits(await search(up, 'DOWNSTREAM'))).toEqual({ [down]: 1 })
})

test('§4.1 several edges with the same downstream give it several upstreams; an edge in both lists ends removed', async () => {
  const [a, b, down] = [hive('l3.a'), hive('l3.b'), hive('l3.down')]
  await exist(a, b, down)
  await c.gql(UPDATE, { input: { edgesToAdd: [edge(down, a), edge(down, b)], edgesToRemove: [] } })
  expect(hits(await search(down, 'UPSTREAM'))).toEqual({ [a]: 1, [b]: 1 })
  await c.gql(UPDATE, { input: { edgesToAdd: [], edgesToRemove: [edge(down, a)] } })
  expect(hits(await search(down, 'UPSTREAM'))).toEqual({ [b]: 1 })
})

test('§1 updateLineage fails where an end of an added edge does not exist, and nothing of the call is written', async () => {
  const [up, down, absent] = [hive('l4.up'), hive('l4.down'), hive('l4.absent')]
  await exist(up, down)
  const answer = await c.call('POST', '/api/graphql', {
    query: UPDATE,
    variables: { input: { edgesToAdd: [edge(down, up), edge(absent, up)], edgesToRemove: [] } },
  })
  expect(answer.status).toBe(200)
  expect(answer.json.errors[0]).toMatchObject({
    path: ['updateLineage'],
    extensions: { code: 400, type: 'BAD_REQUEST' },
  })
  expect(answer.json.errors[0].message).toContain(`downstream urn ${absent} doesn't exist`)
  expect((await c.aspect(down, 'upstreamLineage')).status).toBe(404)
  // A removed edge may point anywhere.
  await c.gql(UPDATE, { input: { edgesToAdd: [], edgesToRemove: [edge(down, hive('l4.nowhere'))] } })
})

test('§2.4, §4.1 searchAcrossLineage walks any number of hops and filters by degree 1, 2, 3+', async () => {
  const chain = Array.from({ length: 6 }, (_, i) => hive(`l5.t${i}`))
  await exist(...chain)
  await c.gql(UPDATE, {
    input: { edgesToAdd: chain.slice(1).map((urn, i) => edge(urn, chain[i] ?? '')), edgesToRemove: [] },
  })
  const [start = '', one, two, three, four, five] = chain
  const all = await search(start, 'DOWNSTREAM')
  expect(all.total).toBe(5)
  expect(all.searchResults[0].entity.type).toBe('DATASET')
  expect(hits(all)).toEqual({ [one!]: 1, [two!]: 2, [three!]: 3, [four!]: 4, [five!]: 5 })
  expect(hits(await search(start, 'DOWNSTREAM', ['1']))).toEqual({ [one!]: 1 })
  expect(hits(await search(start, 'DOWNSTREAM', ['2']))).toEqual({ [two!]: 2 })
  expect(hits(await search(start, 'DOWNSTREAM', ['3+']))).toEqual({ [three!]: 3, [four!]: 4, [five!]: 5 })
  expect(hits(await search(five!, 'UPSTREAM', ['1', '2']))).toEqual({ [four!]: 1, [three!]: 2 })
})

test('§8 start and count page through the results', async () => {
  const [up, ...downs] = Array.from({ length: 6 }, (_, i) => hive(`l6.t${i}`))
  await exist(up!, ...downs)
  await c.gql(UPDATE, { input: { edgesToAdd: downs.map((down) => edge(down, up!)), edgesToRemove: [] } })
  const first = await search(up!, 'DOWNSTREAM', ['1'], { start: 0, count: 3 })
  const second = await search(up!, 'DOWNSTREAM', ['1'], { start: 3, count: 3 })
  expect([first.total, first.count, second.start]).toEqual([5, 3, 3])
  expect([...Object.keys(hits(first)), ...Object.keys(hits(second))].toSorted()).toEqual(downs.toSorted())
})

test('§4.1 other search filters can stand in the same list as degree', async () => {
  const up = hive('l7.up')
  const snow = 'urn:li:dataset:(urn:li:dataPlatform:snowflake,l7.down,PROD)'
  const down = hive('l7.down')
  await exist(up, snow, down)
  await c.gql(UPDATE, { input: { edgesToAdd: [edge(down, up), edge(snow, up)], edgesToRemove: [] } })
  const platform = { field: 'platform', condition: 'EQUAL', negated: false, values: ['urn:li:dataPlatform:snowflake'] }
  const degree = { field: 'degree', condition: 'EQUAL', negated: false, values: ['1', '2', '3+'] }
  const page = await search(up, 'DOWNSTREAM', undefined, { orFilters: [{ and: [degree, platform] }] })
  expect(hits(page)).toEqual({ [snow]: 1 })
})

test('§2.3 dataset and column lineage are written together in one aspect, and both can be walked', async () => {
  const [up, down] = [hive('l8.up'), hive('l8.down')]
  await exist(up)
  await c.put(down, {
    upstreamLineage: {
      upstreams: [{ dataset: up, type: 'TRANSFORMED' }],
      fineGrainedLineages: [
        {
          upstreamType: 'FIELD_SET',
          upstreams: [column(up, 'a'), column(up, 'b')],
          downstreamType: 'FIELD',
          downstreams: [column(down, 'c')],
        },
      ],
    },
  })
  expect(hits(await search(up, 'DOWNSTREAM'))).toEqual({ [down]: 1 })
  const columns = await search(column(down, 'c'), 'UPSTREAM')
  expect(hits(columns)).toEqual({ [column(up, 'a')]: 1, [column(up, 'b')]: 1 })
  expect(columns.searchResults[0].entity.type).toBe('SCHEMA_FIELD')
})

test('§2.3 an upstream type that is not one of the enum is refused', async () => {
  const proposal = {
    entityType: 'dataset',
    entityUrn: hive('l9.down'),
    changeType: 'UPSERT',
    aspectName: 'upstreamLineage',
    aspect: {
      contentType: 'application/json',
      value: JSON.stringify({ upstreams: [{ dataset: hive('l9.up'), type: 'GUESSED' }] }),
    },
  }
  const answer = await c.call('POST', '/aspects?action=ingestProposal', { proposal })
  expect(answer.status).toBe(422)
  expect(answer.json.message).toContain('/upstreams/0/type')
})

test('contract §9.2: facets count all that is found, whatever the page: degree first, then types, environments, platforms, tags', async () => {
  const [start, ...chain] = Array.from({ length: 5 }, (_, i) => hive(`l11.t${i}`))
  const snow = 'urn:li:dataset:(urn:li:dataPlatform:snowflake,l11.s,DEV)'
  await exist(start!, ...chain, snow)
  const edges = [...chain.map((down, i) => edge(down, [start!, ...chain][i]!)), edge(snow, start!)]
  await c.gql(UPDATE, { input: { edgesToAdd: edges, edgesToRemove: [] } })
  for (const [urn, tags] of [
    [snow, ['a', 'b']],
    [chain[0]!, ['a']],
  ] as const) {
    await c.put(urn, { globalTags: { tags: tags.map((tag) => ({ tag: `urn:li:tag:l11${tag}` })) } })
  }
  const facets = async (input: object) => {
    const document = `query f($input: SearchAcrossLineageInput!) { searchAcrossLineage(input: $input) {
      total facets { field aggregations { value count } } } }`
    const { total, facets: all } = (
      await c.gql(document, {
        input: { query: '*', urn: start, direction: 'DOWNSTREAM', start: 0, count: 1, ...input },
      })
    ).searchAcrossLineage
    const counts = all.map((facet: { field: string; aggregations: { value: string; count: number }[] }) => [
      facet.field,
      Object.fromEntries(facet.aggregations.map((one) => [one.value, one.count])),
    ])
    expect(counts[0][0]).toBe('degree')
    return { total, ...Object.fromEntries(counts) }
  }
  expect(await facets({})).toEqual({
    total: 5,
    degree: { 1: 2, 2: 1, '3+': 2 },
    _entityType: { dataset: 5 },
    origin: { PROD: 4, DEV: 1 },
    platform: { 'urn:li:dataPlatform:hive': 4, 'urn:li:dataPlatform:snowflake': 1 },
    tags: { 'urn:li:tag:l11a': 2, 'urn:li:tag:l11b': 1 },
  })
  const tagged = { field: 'tags', condition: 'EQUAL', negated: false, values: ['urn:li:tag:l11a'] }
  expect(await facets({ orFilters: [{ and: [tagged] }] })).toMatchObject({
    total: 2,
    degree: { 1: 2, 2: 0, '3+': 0 },
    origin: { PROD: 1, DEV: 1 },
    tags: { 'urn:li:tag:l11a': 2, 'urn:li:tag:l11b': 1 },
  })
})

test('contract §9.2: URNs that nobody wrote are walked through and not returned', async () => {
  const [start, ghost, end] = [hive('l10.start'), hive('l10.ghost'), hive('l10.end')]
  await exist(start, end)
  await c.put(end, { upstreamLineage: { upstreams: [{ dataset: ghost, type: 'COPY' }] } })
  expect(hits(await search(end, 'UPSTREAM'))).toEqual({})
  await c.put(ghost, { upstreamLineage: { upstreams: [{ dataset: start, type: 'COPY' }] } })
  expect(hits(await search(start, 'DOWNSTREAM'))).toEqual({ [ghost]: 1, [end]: 2 })
  await c.put(ghost, { status: { removed: true } })
  expect(hits(await search(start, 'DOWNSTREAM'))).toEqual({ [end]: 2 })
})
