/** Access tokens: contract §10. */
import { PassThrough } from 'node:stream'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { asUrn } from '../../src/model/urn.ts'
import { createLogger } from '../../src/observe/logger.ts'
import { hive, proposalOf, testCatalog, type TestCatalog } from '../support/catalog.ts'

const BOOTSTRAP = 'the-service-token'
const HOUR_MS = 3_600_000
const clock = { nowMs: Date.parse('2026-11-21T00:00:00Z'), now: () => clock.nowMs, monotonic: () => clock.nowMs }

let c: TestCatalog
let logged = ''
beforeAll(async () => {
  const destination = new PassThrough()
  destination.on('data', (chunk: Buffer) => (logged += chunk.toString()))
  c = await testCatalog({ token: BOOTSTRAP, clock, logger: createLogger({ level: 'trace', destination }) })
})
afterAll(() => c[Symbol.asyncDispose]())

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

async function graphql(query: string, variables: object = {}, token = BOOTSTRAP) {
  return (await c.call('POST', '/api/graphql', { query, variables }, bearer(token))).json
}

async function created(input: object = {}, token = BOOTSTRAP) {
  const answer = await graphql(
    `
      mutation t($input: CreateAccessTokenInput!) {
        createAccessToken(input: $input) {
          accessToken
          metadata {
            urn
            type
            id
            name
            description
            actorUrn
            ownerUrn
            createdAt
            expiresAt
            scopes
            lastUsedAt
          }
        }
      }
    `,
    { input: { type: 'PERSONAL', actorUrn: 'urn:li:corpuser:ann', duration: 'ONE_HOUR', name: 'test', ...input } },
    token,
  )
  return answer.data?.createAccessToken ?? answer
}

const list = (token = BOOTSTRAP, filters: object[] = []) =>
  graphql(
    `
      query l($filters: [FacetFilterInput!]) {
        listAccessTokens(input: { start: 0, count: 50, filters: $filters }) {
          start
          count
          total
          tokens {
            id
            name
            expiresAt
            lastUsedAt
          }
        }
      }
    `,
    { filters },
    token,
  )

/** Statuses of a read, a write and an operation. */
async function statuses(token: string): Promise<readonly number[]> {
  const tag = encodeURIComponent('urn:li:tag:none')
  const calls = [
    c.call('GET', `/entitiesV2/${tag}`, undefined, bearer(token)),
    c.call('POST', '/aspects?action=ingestProposal', { proposal: proposalOf(hive('t'), 'status', {}) }, bearer(token)),
    c.call('POST', '/operations?action=getIndexSizes', {}, bearer(token)),
  ]
  return (await Promise.all(calls)).map((answer) => answer.status)
}

describe('a token', () => {
  test('is made by GraphQL in the shape that DataHub has, and works at once', async () => {
    const { accessToken, metadata } = await created({ description: 'why' })
    expect(metadata).toEqual({
      urn: `urn:li:dataHubAccessToken:${metadata.id}`,
      type: 'ACCESS_TOKEN',
      id: expect.any(String),
      name: 'test',
      description: 'why',
      actorUrn: 'urn:li:corpuser:ann',
      ownerUrn: 'urn:li:corpuser:datahub',
      createdAt: clock.nowMs,
      expiresAt: clock.nowMs + HOUR_MS,
      scopes: ['READ', 'WRITE', 'OPERATE'],
      lastUsedAt: null,
    })
    expect(await statuses(accessToken)).toEqual([200, 200, 200])
  })

  test('acts as its user, in audit stamps too', async () => {
    const { accessToken } = await created()
    const urn = hive('by.ann')
    const body = { proposal: proposalOf(urn, 'status', { removed: false }) }
    await c.call('POST', '/aspects?action=ingestProposal', body, bearer(accessToken))
    const { json } = await c.call('GET', `/entitiesV2/${encodeURIComponent(urn)}`, undefined, bearer(accessToken))
    expect(json.aspects.status.created.actor).toBe('urn:li:corpuser:ann')
    const me = await graphql('{ me { corpUser { urn } } }', {}, accessToken)
    expect(me.data.me.corpUser.urn).toBe('urn:li:corpuser:ann')
  })

  test('is stored as a digest only, and is in no log line', async () => {
    const { accessToken, metadata } = await created()
    await statuses(accessToken)
    await c.call('GET', '/nowhere', undefined, bearer(accessToken))
    await c.call('POST', '/aspects?action=ingestProposal', { proposal: 1 }, bearer(accessToken))
    const rows = await c.database.rows<object>('select * from catalog.access_token where id = $1', [metadata.id])
    expect(JSON.stringify(rows)).not.toContain(accessToken)
    expect(JSON.stringify(rows)).toMatch(/"digest":"[0-9a-f]{64}"/)
    expect(logged).toContain('catalog listening')
    expect(logged).not.toContain(accessToken)
    expect(logged).not.toContain(BOOTSTRAP)
  })

  test('ends when it expires, at that very millisecond', async () => {
    const { accessToken, metadata } = await created()
    clock.nowMs = metadata.expiresAt - 1
    expect(await statuses(accessToken)).toEqual([200, 200, 200])
    clock.nowMs = metadata.expiresAt
    const answer = await c.call('POST', '/api/graphql', { query: '{ __typename }' }, bearer(accessToken))
    expect([answer.status, answer.json]).toEqual([
      401,
      { message: 'Unauthorized to perform this action. The token has expired.', status: 401 },
    ])
    expect((await created({ duration: 'NO_EXPIRY' })).metadata.expiresAt).toBeNull()
  })

  test('ends when it is revoked; an unknown one cannot be revoked', async () => {
    const { accessToken, metadata } = await created()
    const revoke = () => graphql('mutation r($id: String!) { revokeAccessToken(tokenId: $id) }', { id: metadata.id })
    expect(await statuses(accessToken)).toEqual([200, 200, 200])
    expect((await revoke()).data.revokeAccessToken).toBe(true)
    expect(await statuses(accessToken)).toEqual([401, 401, 401])
    expect((await revoke()).errors[0].extensions).toMatchObject({ code: 400, remedy: expect.stringContaining('list') })
  })

  test('that another process revoked holds for less than a second', async () => {
    const { accessToken, metadata } = await created()
    expect(await statuses(accessToken)).toEqual([200, 200, 200])
    await c.database.execute('delete from catalog.access_token where id = $1', [metadata.id])
    clock.nowMs += 1000
    expect(await statuses(accessToken)).toEqual([401, 401, 401])
  })

  test('is listed with its last use, kept to the minute; the list is filtered by actor and owner', async () => {
    const { accessToken, metadata } = await created({ actorUrn: 'urn:li:corpuser:lists' })
    const mine = async () => {
      const filters = [{ field: 'actorUrn', values: ['urn:li:corpuser:lists'] }]
      return (await list(BOOTSTRAP, filters)).data.listAccessTokens
    }
    expect(await mine()).toMatchObject({ total: 1, count: 1, tokens: [{ id: metadata.id, lastUsedAt: null }] })
    await statuses(accessToken)
    const firstUse = clock.nowMs
    clock.nowMs += 30_000
    await statuses(accessToken)
    expect((await mine()).tokens[0].lastUsedAt).toBe(firstUse)
    clock.nowMs += 40_000
    await statuses(accessToken)
    expect((await mine()).tokens[0].lastUsedAt).toBe(clock.nowMs)
    expect((await list(BOOTSTRAP, [{ field: 'name', values: ['x'] }])).errors[0].message).toContain('actorUrn')
    expect((await list()).data.listAccessTokens.total).toBeGreaterThan(1)
  })

  test('whatever stands in the header: what is no token of ours is 401', async () => {
    for (const wrong of ['x', `hw_${'a'.repeat(43)}`, `hw_${'a'.repeat(4000)}`, "hw_'; drop table catalog.urn; --"]) {
      expect((await c.call('GET', '/entitiesV2/urn%3Ali%3Atag%3Aa', undefined, bearer(wrong))).status).toBe(401)
    }
  })
})

const statusesWith = async (...scopes: string[]) => statuses((await created({ scopes })).accessToken)

describe('scopes', () => {
  test('read, write and operate allow just that', async () => {
    expect(await statusesWith('READ')).toEqual([200, 403, 403])
    expect(await statusesWith('WRITE')).toEqual([403, 200, 403])
    expect(await statusesWith('OPERATE')).toEqual([403, 403, 200])
    expect(await statusesWith('READ', 'WRITE')).toEqual([200, 200, 403])
  })

  test('a lacking scope is 403 in the form of each interface; GraphQL says it in the field, with status 200', async () => {
    const { accessToken } = await created({ scopes: ['READ'] })
    const restli = await c.call(
      'POST',
      '/aspects?action=ingestProposalBatch',
      { proposals: [proposalOf(hive('t'), 'status', {})] },
      bearer(accessToken),
    )
    expect([restli.status, restli.json]).toEqual([
      403,
      {
        exceptionClass: 'com.linkedin.restli.server.RestLiServiceException',
        status: 403,
        message:
          'urn:li:corpuser:ann is unauthorized to ingestProposalBatch on /aspects: the token has the scopes read',
        code: 'FORBIDDEN',
        remedy: 'use a token with the scope write',
      },
    ])
    const openapi = await c.call('POST', '/openapi/v3/entity/dataset', [], bearer(accessToken))
    expect([openapi.status, openapi.json.error]).toEqual([
      403,
      'urn:li:corpuser:ann is unauthorized to POST /openapi/v3/entity/:entity: the token has the scopes read',
    ])
    const mutation = await graphql('mutation { createTag(input: {name: "x"}) }', {}, accessToken)
    expect(mutation).toMatchObject({
      data: { createTag: null },
      errors: [
        {
          message: 'Unauthorized to perform this action. Please contact your DataHub administrator.',
          path: ['createTag'],
          extensions: { code: 403, type: 'UNAUTHORIZED', remedy: 'use a token with the scope write' },
        },
      ],
    })
    expect((await graphql('{ tag(urn: "urn:li:tag:x") { exists } }', {}, accessToken)).errors).toBeUndefined()
  })

  test('a token that may not read may still look at the schema; tokens are managed by whoever may operate', async () => {
    const writer = (await created({ scopes: ['WRITE'] })).accessToken
    expect((await graphql('{ tag(urn: "urn:li:tag:x") { exists } }', {}, writer)).errors[0].extensions.code).toBe(403)
    expect((await graphql('{ __schema { queryType { name } } }', {}, writer)).data.__schema.queryType.name).toBe(
      'Query',
    )
    expect((await list(writer)).errors[0].extensions.code).toBe(403)
    expect((await created({}, writer)).errors[0].extensions.code).toBe(403)
  })

  test('a token hands on no more than it has', async () => {
    const operator = (await created({ scopes: ['OPERATE'] })).accessToken
    expect((await created({ scopes: ['READ', 'OPERATE'] }, operator)).errors[0].extensions.code).toBe(403)
    const handedOn = await created({}, operator)
    expect(handedOn.metadata).toMatchObject({ scopes: ['OPERATE'], ownerUrn: 'urn:li:corpuser:ann' })
  })

  test('a token stands for a user and has a name and a scope', async () => {
    for (const input of [{ name: ' ' }, { actorUrn: 'urn:li:tag:x' }, { scopes: [] }]) {
      expect((await created(input)).errors[0].extensions.code).toBe(400)
    }
  })
})

test('tokens of the catalog are no entities: neither export nor search shows them', async () => {
  await c.catalog.tokens.create({
    name: 'hidden',
    actor: asUrn('urn:li:corpuser:ann'),
    owner: asUrn('urn:li:corpuser:ann'),
    scopes: ['read'],
  })
  const { text } = await c.call('GET', '/openapi/operations/export', undefined, bearer(BOOTSTRAP))
  expect(text).not.toContain('ccessToken')
})
