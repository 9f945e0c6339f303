import * as fc from 'fast-check'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildServer } from '../../../src/http/server.ts'
import { silentLogger } from '../../../src/observe/logger.ts'
import { hive, proposalOf, testCatalog, type TestCatalog } from '../../support/catalog.ts'

/** Whatever is sent: never a 5xx but 501, never a stack in an answer. A failure prints the seed and the smallest request. */
const RUNS = Number(process.env['HEADWATER_FUZZ_RUNS'] ?? 150)

let c: TestCatalog
let app: FastifyInstance
const routes: { readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'; readonly url: string }[] = []

beforeAll(async () => {
  c = await testCatalog()
  await c.put(hive('fuzz'), { status: { removed: false } })
  app = buildServer({ catalog: c.catalog, logger: silentLogger() })
  app.addHook('onRoute', ({ method, url }) => {
    for (const one of [method].flat()) if (one !== 'HEAD') routes.push({ method: one as 'GET', url })
  })
  await app.ready()
})
afterAll(async () => {
  await app.close()
  await c[Symbol.asyncDispose]()
})

async function fault(
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
  url: string,
  payload?: string,
): Promise<string | undefined> {
  const headers = { host: 'localhost', 'content-type': 'application/json' }
  const answer = await app.inject({ method, url, headers, ...(payload === undefined ? {} : { payload }) })
  const bad =
    (answer.statusCode >= 500 && answer.statusCode !== 501) || /\n\s+at |node_modules|"code":500/.test(answer.body)
  return bad
    ? `${method} ${url} ${payload?.slice(0, 500)}: ${answer.statusCode} ${answer.body.slice(0, 500)}`
    : undefined
}

const nasty = fc.oneof(
  fc.constantFrom(
    '\u0000',
    '__proto__',
    'constructor',
    '%',
    '%zz',
    '\ud800',
    '␟',
    '../..',
    'urn:li:dataset:(',
    'NaN',
    '-1',
    '1e400',
    '',
  ),
  fc.string({ unit: 'binary', maxLength: 12 }),
)
const word = fc.constantFrom(
  'urn',
  'aspect',
  'value',
  'entityType',
  'entityUrn',
  'proposal',
  'proposals',
  'patch',
  'op',
  'path',
  'tags',
  'tag',
  'filter',
  'or',
  'and',
  'field',
  'values',
  'condition',
  'limit',
  'start',
  'count',
  'dryRun',
  'endTimeMillis',
  'query',
  'variables',
)
const scalar = fc.oneof(
  nasty,
  fc.constantFrom(
    hive('fuzz'),
    'urn:li:tag:a',
    'dataset',
    'globalTags',
    'operation',
    'UPSERT',
    'PATCH',
    'add',
    '/tags/x',
    '*',
  ),
  fc.double(),
  fc.maxSafeInteger(),
  fc.boolean(),
  fc.constant(null),
)
const { json } = fc.letrec<{ json: unknown }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 4 },
    scalar,
    fc.array(tie('json'), { maxLength: 4 }),
    fc.dictionary(fc.oneof(word, nasty), tie('json'), { maxKeys: 5 }),
  ),
}))
const segment = fc.oneof(
  fc.constantFrom('dataset', 'tag', 'structuredProperties', 'globalTags', 'status', encodeURIComponent(hive('fuzz'))),
  nasty.map((text) => (text.isWellFormed() ? encodeURIComponent(text) : '%ED%A0%80')),
  fc.constantFrom('%', '%zz', '%00', '%u0041'),
)
const query = fc.dictionary(
  fc.constantFrom(
    'action',
    'aspect',
    'version',
    'aspects',
    'ids',
    'count',
    'scrollId',
    'systemMetadata',
    'start',
    'urn',
    'query',
  ),
  fc.oneof(
    nasty.filter((text) => text.isWellFormed()),
    fc.constantFrom('ingestProposal', 'ingestProposalBatch', 'search', 'delete', 'List(a,b)', 'true', '1'),
  ),
)

test('random requests to every route', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.nat(),
      fc.array(segment, { minLength: 3, maxLength: 3 }),
      query,
      json,
      async (pick, segments, params, body) => {
        const route = routes[pick % routes.length]!
        let at = 0
        const path = route.url.replaceAll(/:\w+/g, () => segments[at++ % segments.length] ?? 'x')
        const payload = route.method === 'GET' ? undefined : JSON.stringify(body)
        expect(await fault(route.method, `${path}?${new URLSearchParams(params).toString()}`, payload)).toBeUndefined()
      },
    ),
    { numRuns: RUNS * 4 },
  )
})

test('random bodies for each action of rest.li', async () => {
  const actions = [
    ...['ingestProposal', 'ingestProposalBatch', 'getTimeseriesAspectValues', 'getCount'].map(
      (name) => `/aspects?action=${name}`,
    ),
    ...['delete', 'deleteReferences', 'listUrns', 'search', 'exists', 'ingest', 'batchIngest'].map(
      (name) => `/entities?action=${name}`,
    ),
    ...['truncateTimeseriesAspect', 'getIndexSizes', 'getEsTaskStatus', 'cancelTask'].map(
      (name) => `/operations?action=${name}`,
    ),
    ...['list', 'describe', 'rollback'].map((name) => `/runs?action=${name}`),
  ]
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...actions), fc.dictionary(word, json, { maxKeys: 8 }), async (url, body) => {
      expect(await fault('POST', url, JSON.stringify(body))).toBeUndefined()
    }),
    { numRuns: RUNS * 2 },
  )
})

test('random values of aspects, and patches of them', async () => {
  const aspects = [
    'globalTags',
    'upstreamLineage',
    'datasetProperties',
    'structuredProperties',
    'editableSchemaMetadata',
    'operation',
    'ownership',
    'browsePathsV2',
  ]
  const value = fc.oneof(
    json,
    fc.record({
      patch: fc.array(
        fc.record({
          op: fc.constantFrom('add', 'remove', 'replace'),
          path: fc.oneof(
            nasty,
            fc.constantFrom('/tags/a', '/upstreams', '/customProperties/x', '/fineGrainedLineages/a/b/c/d'),
          ),
          value: json,
        }),
      ),
      arrayPrimaryKeys: json,
    }),
  )
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...aspects),
      fc.constantFrom('UPSERT', 'PATCH', 'CREATE', 'RESTATE'),
      value,
      async (aspect, changeType, body) => {
        const proposal = {
          ...proposalOf(hive('fuzzed'), aspect, {}, { changeType }),
          aspect: { contentType: 'application/json', value: JSON.stringify(body) },
        }
        expect(await fault('POST', '/aspects?action=ingestProposal', JSON.stringify({ proposal }))).toBeUndefined()
      },
    ),
    { numRuns: RUNS * 2 },
  )
})

test('random variables for GraphQL operations', async () => {
  const documents = [
    'query q($v: SearchAcrossLineageInput!) { searchAcrossLineage(input: $v) { total searchResults { entity { urn type } paths { path { urn } } } facets { field aggregations { value count } } } }',
    'query q($v: SearchAcrossEntitiesInput!) { searchAcrossEntities(input: $v) { total searchResults { entity { urn ... on Dataset { name tags { tags { tag { name } } } } } } } }',
    'mutation m($v: AddTagsInput!) { addTags(input: $v) }',
    'mutation m($v: UpdateLineageInput!) { updateLineage(input: $v) }',
    'query q($v: String!) { entity(urn: $v) { urn type ... on Dataset { platform { name } schemaMetadata { fields { fieldPath } } } ... on Tag { name } } }',
  ]
  const filter = fc.record({
    field: fc.oneof(fc.constantFrom('platform', 'degree', 'removed', 'name', 'urn', '_entityType'), nasty),
    values: fc.array(nasty),
    negated: fc.boolean(),
    condition: fc.constantFrom('EQUAL', 'CONTAIN', 'GREATER_THAN', 'EXISTS', 'START_WITH'),
  })
  const input = fc.oneof(
    json,
    fc.record({
      urn: fc.constantFrom(hive('fuzz'), 'urn:li:tag:a', 'x'),
      direction: fc.constantFrom('UPSTREAM', 'DOWNSTREAM'),
      query: nasty,
      start: fc.integer(),
      count: fc.integer(),
      orFilters: fc.array(fc.record({ and: fc.array(filter) })),
    }),
  )
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...documents), input, async (document, v) => {
      expect(await fault('POST', '/api/graphql', JSON.stringify({ query: document, variables: { v } }))).toBeUndefined()
    }),
    { numRuns: RUNS * 2 },
  )
})

test('bombs: depth, aliases, tokens, deep JSON, huge numbers, prototype keys, broken percent signs', async () => {
  const deep = '['.repeat(50_000) + ']'.repeat(50_000)
  const bombs = [
    `{ ${Array.from({ length: 500 }, (_, i) => `a${i}: me { corpUser { urn } }`).join(' ')} }`,
    `{ entity(urn: "urn:li:tag:a") ${'{ ... on Dataset { container '.repeat(40)}{ urn }${' } }'.repeat(40)} }`,
    `{ ${'me { corpUser { urn } } '.repeat(20_000)} }`,
    'fragment f on Query { ...f } { ...f }',
  ]
  const answers = [
    ...bombs.map((document) => fault('POST', '/api/graphql', JSON.stringify({ query: document }))),
    fault('POST', '/aspects?action=ingestProposal', deep),
    fault(
      'POST',
      '/aspects?action=ingestProposal',
      JSON.stringify({ proposal: proposalOf(hive('x'), 'globalTags', {}, { aspect: { value: deep } }) }),
    ),
    fault(
      'POST',
      '/operations?action=truncateTimeseriesAspect',
      '{"entityType":"dataset","aspect":"operation","endTimeMillis":1e400}',
    ),
    fault(
      'POST',
      '/operations?action=truncateTimeseriesAspect',
      '{"entityType":"dataset","aspect":"operation","endTimeMillis":99999999999999999999}',
    ),
    fault('POST', '/aspects?action=ingestProposal', '{"__proto__":{"proposal":1}}'),
    fault('GET', '/entitiesV2/%E0%A4%A'),
    fault('GET', `/aspects/${'a'.repeat(9000)}?aspect=status&version=0`),
    fault(
      'POST',
      '/aspects?action=ingestProposal',
      JSON.stringify({
        proposal: proposalOf(hive('nul'), 'datasetProperties', { name: 'a\u0000b', description: '\ud800' }),
      }),
    ),
    fault(
      'POST',
      '/aspects?action=ingestProposal',
      JSON.stringify({
        proposal: proposalOf(hive('time'), 'operation', {
          timestampMillis: 1e300,
          operationType: 'INSERT',
          lastUpdatedTimestamp: 1,
        }),
      }),
    ),
  ]
  expect(await Promise.all(answers)).toEqual(answers.map(() => undefined))
  expect(
    (
      await app.inject({
        method: 'POST',
        url: '/aspects?action=ingestProposal',
        headers: { host: 'localhost', 'content-type': 'application/json' },
        payload: JSON.stringify({ x: 'y'.repeat(16_000_001) }),
      })
    ).statusCode,
  ).toBe(413)
})
