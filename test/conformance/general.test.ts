import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildServer, startCatalogServer } from '../../src/http/server.ts'
import { silentLogger } from '../../src/observe/logger.ts'
import { hive, proposalOf, testCatalog, type TestCatalog } from '../support/catalog.ts'

let c: TestCatalog
beforeAll(async () => {
  c = await testCatalog()
})
afterAll(() => c[Symbol.asyncDispose]())

const ingest = (proposal: object) => c.call('POST', '/aspects?action=ingestProposal', { proposal })
const ingestBatch = (...proposals: object[]) => c.call('POST', '/aspects?action=ingestProposalBatch', { proposals })

describe('writing aspects', () => {
  test('§4.2 a proposal of an entity URN and one aspect is stored, and creates the entity', async () => {
    const urn = hive('mcp.one')
    const answer = await ingest(proposalOf(urn, 'datasetProperties', { name: 'one' }))
    expect([answer.status, answer.json]).toEqual([200, { value: 'success' }])
    expect((await c.aspect(urn, 'datasetKey')).json.aspect).toEqual({
      'com.linkedin.metadata.key.DatasetKey': { platform: 'urn:li:dataPlatform:hive', name: 'mcp.one', origin: 'PROD' },
    })
  })

  test('§4.2 read-modify-write of tags: version 0 is the newest, 1 the oldest', async () => {
    const urn = hive('mcp.two')
    await c.put(urn, { globalTags: { tags: [{ tag: 'urn:li:tag:a' }] } })
    const read = (await c.aspect(urn, 'globalTags')).json.aspect['com.linkedin.common.GlobalTags']
    await c.put(urn, { globalTags: { tags: [...read.tags, { tag: 'urn:li:tag:b' }] } })
    const tags = async (version: number) =>
      (await c.aspect(urn, 'globalTags', version)).json.aspect['com.linkedin.common.GlobalTags'].tags.length
    expect([await tags(0), await tags(1), await tags(2)]).toEqual([2, 1, 2])
    expect((await c.aspect(urn, 'globalTags', 3)).status).toBe(404)
  })

  test('what is stored already is not written again, and the answer says so', async () => {
    const urn = hive('mcp.three')
    const proposal = proposalOf(urn, 'status', { removed: false })
    expect((await ingest(proposal)).headers.get('x-headwater-written')).toBe('1')
    const again = await ingest(proposal)
    expect([again.headers.get('x-headwater-written'), again.headers.get('x-headwater-unchanged')]).toEqual(['0', '1'])
    const entity = await c.call('GET', `/entitiesV2/${encodeURIComponent(urn)}`)
    expect(entity.json.aspects.status.systemMetadata.version).toBe('1')
  })

  test('contract §4.2: one bad member refuses its batch, says which, and nothing of it is written', async () => {
    const [good, bad] = [hive('mcp.good'), hive('mcp.bad')]
    const answer = await ingestBatch(
      proposalOf(good, 'status', { removed: false }),
      proposalOf(bad, 'globalTags', { tags: [{ nope: 1 }] }),
    )
    expect([answer.status, answer.json.message]).toEqual([
      422,
      expect.stringContaining('/tags/0/tag :: field is required'),
    ])
    expect((await c.aspect(good, 'status')).status).toBe(404)
  })

  test('contract §4.1: CREATE and CREATE_ENTITY fail where something is there, or are passed over on request', async () => {
    const urn = hive('mcp.create')
    const create = (changeType: string, headers: object = {}) =>
      ingest(proposalOf(urn, 'status', { removed: true }, { changeType, headers }))
    expect((await create('CREATE')).status).toBe(200)
    expect((await create('CREATE')).json.message).toContain('Cannot perform CREATE since the aspect already exists')
    expect((await create('CREATE_ENTITY')).json.message).toContain('Cannot perform CREATE_ENTITY')
    expect((await create('CREATE', { 'If-None-Match': '*' })).headers.get('x-headwater-unchanged')).toBe('1')
  })

  test('contract §6: conditional writes compare the version; 422 on rest.li, 412 on OpenAPI', async () => {
    const urn = hive('mcp.conditional')
    const write = (removed: boolean, expected: string) =>
      ingest(proposalOf(urn, 'status', { removed }, { headers: { 'If-Version-Match': expected } }))
    expect((await write(false, '-1')).status).toBe(200)
    expect((await write(true, '1')).status).toBe(200)
    const lost = await write(false, '1')
    expect([lost.status, lost.json.message]).toEqual([422, 'Expected version 1, actual version 2'])
    const open = await c.call('POST', '/openapi/v3/entity/dataset?async=false', [
      { urn, status: { value: { removed: false }, headers: { 'If-Version-Match': '7' } } },
    ])
    expect(open.status).toBe(412)
  })

  test('contract §3.7: system metadata is kept, with the version of the aspect', async () => {
    const urn = hive('mcp.metadata')
    await ingest(
      proposalOf(
        urn,
        'status',
        { removed: false },
        { systemMetadata: { runId: 'r1', lastObserved: 5, properties: { a: 'b' } } },
      ),
    )
    const { json } = await c.call('GET', `/entitiesV2/${encodeURIComponent(urn)}?aspects=List(status)`)
    expect(json.aspects.status.systemMetadata).toMatchObject({
      runId: 'r1',
      lastObserved: 5,
      properties: { a: 'b' },
      version: '1',
    })
    expect(Object.keys(json.aspects)).toEqual(['datasetKey', 'status'])
  })

  test('contract §11: soft deletion hides from search, hard deletion removes', async () => {
    const urn = hive('mcp.hidden')
    await c.put(urn, { datasetProperties: { name: 'hidden_thing' } })
    const found = async () =>
      (await c.gql('{ searchAcrossEntities(input: {query: "hidden_thing"}) { total } }')).searchAcrossEntities.total
    expect(await found()).toBe(1)
    await c.put(urn, { status: { removed: true } })
    expect([
      await found(),
      (await c.gql('query e($u: String!) { entityExists(urn: $u) }', { u: urn })).entityExists,
    ]).toEqual([0, true])
    await c.put(urn, { status: { removed: false } })
    expect(await found()).toBe(1)
    expect((await c.call('POST', '/entities?action=delete', { urn })).json.value).toEqual({
      urn,
      rows: 4,
      timeseriesRows: 0,
    })
    expect([await found(), (await c.aspect(urn, 'datasetKey')).status]).toEqual([0, 404])
  })
})

describe('addresses, errors, versions', () => {
  test('§2.1 a URN in a path is one percent-encoded segment, whatever it holds', async () => {
    for (const name of ['a/b c', 'ünï', 'x%28y%29', 'q?r#s&t', 'long_'.repeat(60)]) {
      const urn = hive(name)
      await c.put(urn, { status: { removed: false } })
      expect((await c.aspect(urn, 'status')).status).toBe(200)
    }
    expect((await ingest(proposalOf(hive('x'.repeat(500)), 'status', {}))).json.message).toContain(
      'longer than 512 bytes',
    )
    expect((await c.call('GET', '/aspects/%zz?aspect=status&version=0')).status).toBe(400)
  })

  test('§7 errors carry a status, a message and what to do; rest.li, OpenAPI and GraphQL each in their form', async () => {
    const restli = await c.call('POST', '/aspects?action=nothing', {})
    expect(restli.json).toMatchObject({
      status: 400,
      exceptionClass: expect.any(String),
      message: expect.stringContaining('ingestProposal'),
    })
    expect(restli.headers.get('x-restli-error-response')).toBe('true')
    expect((await c.call('GET', '/openapi/v2/entity/nothing/urn%3Ali%3Atag%3Aa')).json.error).toContain(
      'no entity type',
    )
    expect((await c.call('GET', '/nowhere')).json).toEqual({ error: 'No endpoint GET /nowhere', status: 404 })
    const syntax = await c.call('POST', '/api/graphql', { query: '{ dataset(' })
    expect([syntax.status, syntax.json.errors[0].extensions.classification]).toEqual([200, 'InvalidSyntax'])
    for (const body of [{ nope: 1 }, undefined, 'not json']) {
      const wrong = await c.call('POST', '/api/graphql', body)
      expect([wrong.status, wrong.json]).toEqual([400, expect.objectContaining({ code: 'DECODE' })])
    }
    expect((await c.call('POST', '/aspects?action=ingestProposal', 'not json')).status).toBe(400)
  })

  test('contract §1: what is too large is refused with 413, which names the limit', async () => {
    const big = JSON.stringify({ query: 'x'.repeat(1_000_001) })
    const graphql = await c.call('POST', '/api/graphql', big)
    expect([graphql.status, graphql.json.message]).toEqual([413, 'The body is too large: at most 1,000,000 bytes'])
    const body = await c.call('POST', '/aspects?action=ingestProposal', `"${'x'.repeat(16_000_000)}"`)
    expect([body.status, body.json.message]).toEqual([413, 'The body is too large: at most 16,000,000 bytes'])
    const many = await ingestBatch(...Array.from({ length: 10_001 }, () => ({})))
    expect([many.status, many.json.message]).toEqual([413, expect.stringContaining('at most 10,000 a call')])
    const items = Array.from({ length: 10_001 }, () => ({}))
    expect((await c.call('POST', '/openapi/v3/entity/dataset', items)).json.error).toContain('at most 10,000 a call')
  })

  test('a service that closes does not wait for a request that never comes whole', async () => {
    const options = { catalog: c.catalog, host: '127.0.0.1', port: 0, logger: silentLogger(), closeWithinMs: 50 }
    const server = await startCatalogServer(options)
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
    socket.on('error', () => undefined)
    const cut = new Promise((resolve) => socket.on('close', resolve))
    socket.write('POST /aspects?action=ingestProposal HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 100\r\n\r\n{')
    await fetch(`${server.url}/health`)
    await server.close()
    await cut
    await expect(fetch(server.url)).rejects.toThrow('fetch failed')
  })

  test('unknown entity types and aspects are refused with the nearest name', async () => {
    expect((await ingest(proposalOf(hive('x'), 'globalTag', {}))).json.message).toContain('did you mean "globalTags"?')
    const proposal = { ...proposalOf('urn:li:datset:x', 'status', {}), entityType: 'datset' }
    expect((await ingest(proposal)).json.message).toContain('did you mean "dataset"?')
  })

  test('§9 the REST interface is versioned in its path', async () => {
    const urn = hive('version.one')
    await c.put(urn, { status: { removed: false } })
    const read = (version: string) => c.call('GET', `/openapi/${version}/entity/dataset/${encodeURIComponent(urn)}`)
    expect(Object.keys((await read('v2')).json)).toEqual(['urn', 'aspects'])
    expect(Object.keys((await read('v3')).json)).toContain('status')
    expect((await c.call('GET', `/openapi/v3/entity/dataset/${encodeURIComponent(hive('none'))}`)).status).toBe(404)
  })

  test('contract §1.1: /config satisfies the clients', async () => {
    expect((await c.call('GET', '/config')).json).toMatchObject({
      noCode: 'true',
      patchCapable: true,
      statefulIngestionCapable: true,
    })
  })
})

describe('§5 authentication', () => {
  const TOKEN = 'a-token-for-this-test'

  test('with a token set, every route but /health and /config answers 401 without it', async () => {
    const app = buildServer({ catalog: c.catalog, token: TOKEN, logger: silentLogger() })
    const routes: { method: string; url: string; open: boolean }[] = []
    app.addHook('onRoute', (route) => {
      for (const method of [route.method].flat())
        routes.push({ method, url: route.url, open: route.config?.needs === 'nothing' })
    })
    await app.ready()
    expect(routes.length).toBeGreaterThan(30)
    for (const { method, url, open } of routes) {
      const path = url.replaceAll(/:\w+/g, 'x')
      const answer = await app.inject({
        method: method as 'GET',
        url: path,
        headers: { authorization: 'Bearer wrong' },
      })
      expect([path, answer.statusCode === 401]).toEqual([path, !open])
    }
    expect(
      routes
        .filter((route) => route.open)
        .map((route) => route.url)
        .toSorted(),
    ).toEqual(['/config', '/health'])
    await app.close()
  })

  test('GraphQL and operations take Authorization: Bearer <ACCESS_TOKEN>', async () => {
    await using closed = await testCatalog({ token: TOKEN })
    const call = (headers: Record<string, string>) =>
      closed.call('POST', '/api/graphql', { query: '{ me { corpUser { urn } } }' }, headers)
    const refused = await call({})
    expect([refused.status, refused.json]).toEqual([
      401,
      { message: 'Unauthorized to perform this action.', status: 401 },
    ])
    expect((await call({ authorization: `Bearer ${TOKEN}` })).json.data.me.corpUser.urn).toMatch(/^urn:li:corpuser:/)
  })

  test('an open service refuses to listen beyond loopback, and answers only to its own names', async () => {
    const options = { catalog: c.catalog, port: 0, logger: silentLogger() }
    await expect(startCatalogServer({ ...options, host: '0.0.0.0' })).rejects.toMatchObject({
      code: 'OPEN_BEYOND_LOOPBACK',
    })
    const app = buildServer(options)
    const answer = await app.inject({
      method: 'GET',
      url: '/entitiesV2/urn%3Ali%3Atag%3Aa',
      headers: { host: 'evil.example' },
    })
    expect(answer.statusCode).toBe(403)
    await app.close()
  })
})

test('contract §4.2: a member of a batch that is no object is refused with its place, and nothing of the batch is written', async () => {
  const urn = hive('mcp.beside')
  const good = proposalOf(urn, 'datasetProperties', { name: 'beside' })
  const answers = [
    await c.call('POST', '/aspects?action=ingestProposalBatch', { proposals: [good, 7] }),
    await c.call('POST', '/aspects?action=ingestProposal', { proposal: 7 }),
  ]
  expect(answers.map(({ status, json }) => [status, json.message])).toEqual([
    [400, 'proposals[1]: proposal: must be object'],
    [400, 'proposal: must be object'],
  ])
  expect((await c.aspect(urn, 'datasetProperties')).status).toBe(404)
})

test('contract §5.4: an entity that comes without an aspect is refused, by its URN', async () => {
  const urn = hive('no.aspect')
  for (const [version, item] of [
    [3, { urn }],
    [2, { urn, aspects: {} }],
  ] as const) {
    const answer = await c.call('POST', `/openapi/v${version}/entity/dataset?async=false`, [item])
    expect(answer).toMatchObject({ status: 400, json: { code: 'DECODE' } })
    expect(answer.json.message).toContain(`${urn} comes without an aspect`)
  }
})
