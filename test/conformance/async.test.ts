/** Asynchronous writes and their traces, and deletions inside of a batch: contract §4.1, §5.1. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createCatalog } from '../../src/catalog/catalog.ts'
import { systemClock } from '../../src/observe/clock.ts'
import { randomIds } from '../../src/observe/ids.ts'
import { silentLogger } from '../../src/observe/logger.ts'
import { LOCK } from '../../src/store/locks.ts'
import { hive, proposalOf, testCatalog, type Answer, type TestCatalog } from '../support/catalog.ts'
import { eventually } from '../support/eventually.ts'

let c: TestCatalog
beforeAll(async () => {
  c = await testCatalog()
})
afterAll(() => c[Symbol.asyncDispose]())

const STATUS = { status: { value: { removed: false } } }
const traceOf = ({ headers }: Answer) => headers.get('traceparent')?.split('-')[1] ?? ''

async function state(answer: Answer, urn: string, aspect: string, query = '') {
  const trace = await c.call('POST', `/openapi/v1/trace/write/${traceOf(answer)}${query}`, { [urn]: [aspect] })
  return trace.json[urn][aspect]
}

const ended = (answer: Answer, urn: string, aspect: string) =>
  eventually(async () => expect((await state(answer, urn, aspect)).primaryStorage.writeStatus).not.toBe('PENDING'))

/** Holds what carries out accepted writes, as another process does that is busy with them. */
async function busyElsewhere(): Promise<AsyncDisposable> {
  const client = await c.database.connect()
  await client.query('select pg_advisory_lock($1)', [LOCK.accepted])
  return {
    async [Symbol.asyncDispose]() {
      await client.query('select pg_advisory_unlock($1)', [LOCK.accepted])
      client.release()
    },
  }
}

test('OpenAPI collections are asynchronous unless told otherwise: 202, the items as proposed, a trace', async () => {
  const urn = hive('async.one')
  let answer: Answer
  {
    await using _busy = await busyElsewhere()
    answer = await c.call('POST', '/openapi/v3/entity/dataset', [{ urn, ...STATUS }])
    expect([answer.status, answer.json]).toEqual([202, [{ urn, ...STATUS }]])
    expect(answer.headers.get('traceparent')).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/)
    expect(await state(answer, urn, 'status')).toEqual({
      success: true,
      primaryStorage: { writeStatus: 'PENDING' },
      searchStorage: { writeStatus: 'PENDING' },
    })
  }
  await ended(answer, urn, 'status')
  expect((await state(answer, urn, 'status')).primaryStorage.writeStatus).toBe('ACTIVE_STATE')
  expect((await c.aspect(urn, 'status')).status).toBe(200)

  const same = await c.call('POST', '/openapi/v3/entity/dataset', [{ urn, ...STATUS }])
  await ended(same, urn, 'status')
  expect((await state(same, urn, 'status')).primaryStorage.writeStatus).toBe('NO_OP')
  await c.put(urn, { status: { removed: true } })
  expect((await state(answer, urn, 'status')).primaryStorage.writeStatus).toBe('HISTORIC_STATE')
})

test('rest.li is asynchronous on request; a read that follows sees what was accepted', async () => {
  const urn = hive('async.restli')
  for (const [mode, removed] of [
    ['true', true],
    [true, false],
  ] as const) {
    const body = { proposals: [proposalOf(urn, 'status', { removed })], async: mode }
    const answer = await c.call('POST', '/aspects?action=ingestProposalBatch', body)
    expect([answer.status, answer.json, answer.headers.get('x-headwater-written')]).toEqual([
      200,
      { value: 'success' },
      null,
    ])
    const read = await c.aspect(urn, 'status')
    expect(read.json.aspect['com.linkedin.common.Status'].removed).toBe(removed)
  }
})

test('what a proposal alone shows to be wrong is refused at once', async () => {
  const answer = await c.call('POST', '/openapi/v3/entity/dataset', [
    { urn: hive('async.never'), ...STATUS },
    { urn: hive('async.bad'), globalTags: { value: { tags: [{ nope: 1 }] } } },
  ])
  expect(answer.status).toBeGreaterThanOrEqual(400)
  expect((await c.aspect(hive('async.never'), 'status')).status).toBe(404)
})

test('rules of structured properties hold at acceptance; a definition that waits counts for the values behind it', async () => {
  const property = 'urn:li:structuredProperty:async.days'
  const [good, bad] = [hive('async.values'), hive('async.values.bad')]
  const values = (urn: string, value: object) =>
    proposalOf(urn, 'structuredProperties', { properties: [{ propertyUrn: property, values: [value] }] })
  const accept = (...proposals: object[]) =>
    c.call('POST', '/aspects?action=ingestProposalBatch', { proposals, async: 'true' })
  const definition = proposalOf(property, 'propertyDefinition', {
    qualifiedName: 'async.days',
    valueType: 'urn:li:dataType:datahub.number',
    entityTypes: ['urn:li:entityType:datahub.dataset'],
  })
  expect((await accept(definition)).status).toBe(200)
  expect((await accept(values(good, { double: 3 }))).status).toBe(200)
  const refused = await accept(proposalOf(bad, 'status', { removed: false }), values(bad, { string: 'x' }))
  expect([refused.status, refused.json.message]).toEqual([422, expect.stringContaining('should be a number')])
  expect([(await c.aspect(good, 'structuredProperties')).status, (await c.aspect(bad, 'status')).status]).toEqual([
    200, 404,
  ])
})

test('what is refused later is an error in the trace, and does not hinder its neighbours', async () => {
  const [there, other] = [hive('async.there'), hive('async.other')]
  await c.put(there, { status: { removed: false } })
  const answer = await c.call('POST', '/openapi/v3/entity/dataset', [
    { urn: there, status: { value: { removed: true }, headers: { 'If-Version-Match': '7' } } },
    { urn: other, ...STATUS },
  ])
  expect(answer.status).toBe(202)
  await ended(answer, other, 'status')
  expect((await state(answer, other, 'status')).success).toBe(true)
  expect(await state(answer, there, 'status')).toEqual({
    success: false,
    primaryStorage: { writeStatus: 'ERROR', writeExceptions: [{ message: 'Expected version 7, actual version 1' }] },
    searchStorage: { writeStatus: 'ERROR' },
  })
  const errors = await c.call('POST', `/openapi/v1/trace/write/${traceOf(answer)}?onlyIncludeErrors=true`, {
    [there]: ['status'],
    [other]: ['status'],
  })
  expect([Object.keys(errors.json[there]), Object.keys(errors.json[other])]).toEqual([['status'], []])
})

test('the order of acceptance is kept, and a write that is carried out at once comes after', async () => {
  const urn = hive('async.order')
  for (let i = 0; i < 30; i++) {
    await c.call('POST', '/openapi/v3/entity/dataset', [{ urn, datasetProperties: { value: { name: `${i}` } } }])
  }
  await c.put(urn, { datasetProperties: { name: 'last' } })
  const names = []
  for (let version = 1; version <= 31; version++) {
    const { json } = await c.aspect(urn, 'datasetProperties', version)
    names.push(json.aspect['com.linkedin.dataset.DatasetProperties'].name)
  }
  expect(names).toEqual([...Array.from({ length: 30 }, (_, i) => `${i}`), 'last'])
})

test('what a process accepted and did not carry out, the next one does', async () => {
  const urn = hive('async.orphan')
  const trace = 'f'.repeat(32)
  const waiting = [{ entityType: 'dataset', entityUrn: urn, changeType: 'UPSERT', aspectName: 'status', aspect: {} }]
  await c.database.execute(
    'insert into catalog.accepted_write (trace, actor, proposals, accepted_ms) values ($1, $2, $3, 0)',
    [trace, 'urn:li:corpuser:gone', JSON.stringify(waiting)],
  )
  const next = createCatalog({
    database: c.database,
    clock: systemClock,
    ids: randomIds,
    logger: silentLogger(),
  })
  await eventually(async () => expect((await c.aspect(urn, 'status')).status).toBe(200), 30_000)
  await next.close()
  const outcomes = await c.catalog.accepting.outcomes(trace)
  expect(outcomes).toEqual([{ urn, aspect: 'status', state: 'written', version: 1 }])
})

test('when a thousand writes wait, the next is 429 with Retry-After; once they are carried out it is taken', async () => {
  const urn = hive('async.busy')
  const write = () => c.call('POST', '/openapi/v3/entity/dataset', [{ urn, ...STATUS }])
  const answers: Answer[] = []
  {
    await using _busy = await busyElsewhere()
    while (answers.length < 1000) answers.push(...(await Promise.all(Array.from({ length: 50 }, write))))
    expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([202]))
    const refused = await write()
    expect([refused.status, refused.headers.get('retry-after'), refused.json]).toEqual([
      429,
      '1',
      expect.objectContaining({ code: 'BUSY', message: '1000 asynchronous writes wait already' }),
    ])
    // What is carried out at once is no part of the queue, but comes after what waits for the same entity.
    expect(
      (await c.call('POST', '/openapi/v3/entity/dataset?async=false', [{ urn: hive('async.other'), ...STATUS }]))
        .status,
    ).toBe(200)
  }
  await eventually(async () => expect((await write()).status).toBe(202), 60_000)
  expect((await c.aspect(urn, 'status')).json.systemMetadata.version).toBe('1')
})

test('an unknown trace tells of what is stored', async () => {
  const urn = hive('async.unknown')
  await c.put(urn, { status: { removed: false } })
  const trace = await c.call('POST', `/openapi/v1/trace/write/${'0'.repeat(32)}`, { [urn]: ['status', 'globalTags'] })
  const states = Object.values<{ primaryStorage: { writeStatus: string } }>(trace.json[urn])
  expect(states.map((one) => one.primaryStorage.writeStatus)).toEqual(['ACTIVE_STATE', 'UNKNOWN'])
})

test('a DELETE in a batch is carried out in its place, and all is checked before', async () => {
  const urn = hive('async.delete')
  await c.put(urn, { status: { removed: true }, datasetProperties: { name: 'old' } })
  const remove = { ...proposalOf(urn, 'datasetKey', {}), changeType: 'DELETE' }
  const again = proposalOf(urn, 'datasetProperties', { name: 'new' })
  const ingest = (...proposals: object[]) => c.call('POST', '/aspects?action=ingestProposalBatch', { proposals })
  expect((await ingest(remove, proposalOf(urn, 'globalTags', { tags: [{ nope: 1 }] }))).status).toBe(422)
  expect((await c.aspect(urn, 'status')).status).toBe(200)
  expect((await ingest(remove, again)).status).toBe(200)
  expect((await c.aspect(urn, 'status')).status).toBe(404)
  const { json } = await c.aspect(urn, 'datasetProperties')
  expect(json.aspect['com.linkedin.dataset.DatasetProperties'].name).toBe('new')
  expect((await c.aspect(urn, 'datasetProperties', 2)).status).toBe(404)
  expect((await ingest(again, remove)).status).toBe(200)
  expect((await c.aspect(urn, 'datasetProperties')).status).toBe(404)
})
