import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemClock } from '../../src/observe/clock.ts'
import { eventually } from '../support/eventually.ts'
import { hive, testCatalog, type TestCatalog } from '../support/catalog.ts'

let c: TestCatalog
/** How far the service's clock is ahead. */
let aheadMs = 0
beforeAll(async () => {
  c = await testCatalog({ clock: { ...systemClock, monotonic: () => systemClock.monotonic() + aheadMs } })
})
afterAll(() => c[Symbol.asyncDispose]())

const T0 = 1_767_225_600_000
const OPERATIONS = '/operations?action='

async function usage(urn: string, times: readonly number[]): Promise<void> {
  const proposals = times.map((timestampMillis) => ({
    entityType: 'dataset',
    entityUrn: urn,
    changeType: 'UPSERT',
    aspectName: 'datasetUsageStatistics',
    aspect: { contentType: 'application/json', value: JSON.stringify({ timestampMillis, totalSqlQueries: 1 }) },
  }))
  expect((await c.call('POST', '/aspects?action=ingestProposalBatch', { proposals })).status).toBe(200)
}

async function empty(): Promise<void> {
  await c.database.execute(
    'do $$ begin if to_regclass($a$catalog.ts_dataset_datasetusagestatistics$a$) is not null then truncate catalog.ts_dataset_datasetusagestatistics; end if; end $$',
  )
}

const truncate = (body: object, prefix = '') =>
  c.call('POST', `${prefix}${OPERATIONS}truncateTimeseriesAspect`, {
    entityType: 'dataset',
    aspect: 'datasetusagestatistics',
    ...body,
  })

const status = (body: object) => c.call('POST', `${OPERATIONS}getEsTaskStatus`, body)

async function finished(id: string) {
  for (;;) {
    const { json } = await status({ task: id })
    const task = JSON.parse(json.value)
    if (task.completed) return { ...task, status: JSON.parse(task.status) }
  }
}

test('§4.3 a dry run, which is the default, answers one sentence under the key value and deletes nothing', async () => {
  await empty()
  await usage(hive('op.a'), [T0, T0 + 1, T0 + 2, T0 + 3])
  const answer = await truncate({ endTimeMillis: T0 + 1 })
  expect(answer.json).toEqual({
    value:
      'Delete 1 out of 4 rows (25.00%). Reindexing the aspect without the deleted records. This was a dry run. Run with dryRun = false to execute.',
  })
  await truncate({ endTimeMillis: T0 + 4, dryRun: true })
  expect((await truncate({ endTimeMillis: T0 + 4 })).json.value).toContain('Delete 4 out of 4 rows (100.00%)')
})

test('§4.3 entries older than endTimeMillis go, the one at it stays; the answer identifies a task to follow', async () => {
  await empty()
  const urn = hive('op.b')
  await usage(urn, [T0, T0 + 1, T0 + 2, T0 + 3])
  const started = await truncate({ endTimeMillis: T0 + 2, dryRun: false, batchSize: 1 })
  expect(started.json.value).toMatch(/^[a-zA-Z0-9-_]+:[1-9]\d*$/)
  const task = await finished(started.json.value)
  expect(task).toMatchObject({ completed: true, taskId: started.json.value, status: { total: 2, deleted: 2 } })
  const { json } = await c.call('POST', '/aspects?action=getTimeseriesAspectValues', {
    urn,
    entity: 'dataset',
    aspect: 'datasetUsageStatistics',
  })
  const times = json.value.values.map(
    (one: { aspect: { value: string } }) => JSON.parse(one.aspect.value).timestampMillis,
  )
  expect(times).toEqual([T0 + 3, T0 + 2])
})

test('contract §7.1: an empty index counts NaN percent; forceDeleteByQuery speaks of a delete by query; both flags are refused', async () => {
  await empty()
  await usage(hive('op.c'), [T0])
  await empty()
  expect((await truncate({ endTimeMillis: T0 })).json.value).toBe(
    'Delete 0 out of 0 rows (NaN%). Reindexing the aspect without the deleted records. This was a dry run. Run with dryRun = false to execute.',
  )
  expect((await truncate({ endTimeMillis: T0, forceDeleteByQuery: true })).json.value).toContain(
    'Issuing a delete by query request. ',
  )
  expect((await truncate({ endTimeMillis: T0, forceDeleteByQuery: true, forceReindex: true })).json.value).toBe(
    'please only set forceReindex OR forceDeleteByQuery flags',
  )
})

test('§4.3 required fields: what is missing, unknown or of a wrong type is 400 and says so', async () => {
  expect(
    (await c.call('POST', `${OPERATIONS}truncateTimeseriesAspect`, { entityType: 'dataset', aspect: 'operation' })).json
      .message,
  ).toContain('endTimeMillis')
  expect((await truncate({ endTimeMillis: 'soon' })).status).toBe(400)
  expect((await truncate({ endTimeMillis: T0, aspect: 'globalTags' })).status).toBe(400)
  expect((await truncate({ endTimeMillis: T0, entityType: 'nothing' })).status).toBe(400)
})

async function refusal(body: object): Promise<string> {
  const answer = await truncate({ endTimeMillis: T0, ...body })
  expect(answer.status).toBe(400)
  return answer.json.message
}

test('contract §7.1: a misspelt parameter, entity type or aspect is refused with the nearest name', async () => {
  expect(await refusal({ dryrun: false })).toContain('there is no parameter dryrun, did you mean "dryRun"?')
  expect(await refusal({ entityType: 'datset' })).toContain('there is no entity type datset, did you mean "dataset"?')
  expect(await refusal({ aspect: 'datasetusagestatistic' })).toContain('did you mean "datasetUsageStatistics"?')
  // An aspect of the entity type, but no timeseries: none of those is near.
  expect(await refusal({ aspect: 'globalTags' })).toBe('dataset has no timeseries aspect globalTags')
})

test('§4.3 the operations answer under /gms, /api, /api/gms and without a prefix', async () => {
  for (const prefix of ['/gms', '/api', '/api/gms', '']) {
    expect((await truncate({ endTimeMillis: 1 }, prefix)).json.value).toContain('This was a dry run.')
  }
})

test('§4.3 getIndexSizes lists entity type, aspect and true size of each index, the largest first', async () => {
  await usage(
    hive('op.d'),
    Array.from({ length: 500 }, (_, i) => T0 + i),
  )
  const { json } = await c.call('POST', `${OPERATIONS}getIndexSizes`)
  const [first] = json.value.indexSizes
  expect(first).toMatchObject({
    entityName: 'dataset',
    aspectName: 'datasetusagestatistics',
    indexName: 'dataset_datasetusagestatisticsaspect_v1',
    rows: 500,
    oldestMillis: T0,
    newestMillis: T0 + 499,
  })
  const [row] = await c.database.rows<{ bytes: number }>(
    `select pg_total_relation_size('catalog.ts_dataset_datasetusagestatistics') as bytes`,
  )
  expect([first.sizeInMb, first.sizeMb]).toEqual([row!.bytes / 1_000_000, row!.bytes / 1_000_000])
})

test('contract §7.3: an unknown task answers 200 with an error inside; a malformed one is 400', async () => {
  expect(JSON.parse((await status({ task: 'headwater:999999' })).json.value)).toEqual({
    error: 'Could not get task status for headwater:999999',
  })
  expect((await status({ nodeId: 'other', taskId: 7 })).status).toBe(200)
  for (const body of [{}, { task: 'x' }, { task: 'a:0' }, { nodeId: 'a' }, { task: 'a:1', nodeId: 'a', taskId: 2 }]) {
    expect((await status(body)).status).toBe(400)
  }
})

test('contract §7.4: sizes and task status by OpenAPI are plain objects', async () => {
  await empty()
  await usage(hive('op.twins'), [T0, T0 + 1])
  const { json } = await c.call('GET', '/openapi/operations/elasticSearch/getIndexSizes')
  expect(json.sizes).toContainEqual({
    aspectName: 'datasetusagestatistics',
    entityName: 'dataset',
    indexName: 'dataset_datasetusagestatisticsaspect_v1',
    sizeMb: expect.any(Number),
  })
  const task = (await truncate({ endTimeMillis: T0 + 1, dryRun: false })).json.value
  const { status: inner } = await finished(task)
  const plain = await c.call('GET', `/openapi/operations/elasticSearch/getTaskStatus?task=${task}`)
  expect(plain.json).toMatchObject({ completed: true, taskId: task, status: inner })
  expect((await c.call('GET', '/openapi/operations/elasticSearch/getTaskStatus?task=headwater:999999')).json).toEqual({
    error: 'Could not get task status for headwater:999999',
  })
  expect((await c.call('GET', '/openapi/operations/elasticSearch/getTaskStatus')).status).toBe(400)
})

test('contract §3.6: an event of the same time replaces the earlier one; another granularity or message id stands beside it', async () => {
  await empty()
  const urn = hive('op.e')
  const put = (value: object) => c.put(urn, { datasetUsageStatistics: { timestampMillis: T0, ...value } })
  await put({ totalSqlQueries: 1 })
  await put({ totalSqlQueries: 2 })
  await put({ totalSqlQueries: 3, eventGranularity: { unit: 'DAY', multiple: 1 } })
  await put({ totalSqlQueries: 4, messageId: 'm' })
  expect((await truncate({ endTimeMillis: T0 + 1 })).json.value).toContain('out of 3 rows')
})

test('§4.3 when more goes than stays the table is rebuilt: the disk is given back, and writers meanwhile lose nothing', async () => {
  await empty()
  const urn = hive('op.f')
  const count = 20_000
  await c.database.execute(
    `insert into catalog.ts_dataset_datasetusagestatistics (urn_id, ts, key, body)
     select 1, $1::bigint + i, '', json_build_object('timestampMillis', $1::bigint + i)::text from generate_series(1, ${count}) as i`,
    [T0],
  )
  const size = async () => (await c.call('POST', `${OPERATIONS}getIndexSizes`)).json.value.indexSizes[0].sizeInMb
  const before = await size()
  const cutoff = T0 + count * 0.9
  const started = truncate({ endTimeMillis: cutoff, dryRun: false })
  const late = Array.from({ length: 40 }, (_, i) => T0 + count + 1 + i)
  for (const time of late) await usage(urn, [time])
  const task = await finished((await started).json.value)
  expect(task.status.deleted).toBe(count * 0.9 - 1)
  expect((await truncate({ endTimeMillis: cutoff })).json.value).toContain(
    `Delete 0 out of ${count * 0.1 + 1 + late.length} rows`,
  )
  expect(await size()).toBeLessThan(before / 3)
})

test('§4.3 timeoutSeconds ends the delete operation: what was deleted by then stays deleted, and the task says so', async () => {
  await empty()
  await usage(
    hive('op.timeout'),
    Array.from({ length: 300 }, (_, i) => T0 + i),
  )
  const started = await truncate({ endTimeMillis: T0 + 300, dryRun: false, batchSize: 1, timeoutSeconds: 3600 })
  const deleted = async () =>
    JSON.parse(JSON.parse((await status({ task: started.json.value })).json.value).status).deleted
  await eventually(async () => expect(await deleted()).toBeGreaterThan(0))
  aheadMs += 3_601_000
  const task = await finished(started.json.value)
  expect(task.status.failures).toEqual([{ reason: 'timed out after 3600 s', state: 'failed' }])
  expect(task.status.deleted).toBeLessThan(300)
  expect((await truncate({ endTimeMillis: T0 })).json.value).toContain(`out of ${300 - task.status.deleted} rows`)
})

const rebuild = (aspect: string, before: number) =>
  truncate({ aspect, endTimeMillis: T0 + before, dryRun: false, forceReindex: true })
const left = async (aspect: string) => (await truncate({ aspect, endTimeMillis: T0 + 15_001 })).json.value

test('two rebuilds of one index take turns, those of different indexes go side by side; neither loses a row', async () => {
  await empty()
  await c.put(hive('op.two'), {
    operation: { timestampMillis: T0, operationType: 'INSERT', lastUpdatedTimestamp: T0 },
  })
  for (const table of ['datasetusagestatistics', 'operation']) {
    await c.database.execute(
      `insert into catalog.ts_dataset_${table} (urn_id, ts, key, body)
       select 1, $1::bigint + i, '', '{}' from generate_series(1, 20000) as i`,
      [T0],
    )
  }
  const started = await Promise.all([
    rebuild('datasetusagestatistics', 5001),
    rebuild('datasetusagestatistics', 10_001),
    rebuild('operation', 10_001),
    rebuild('datasetusagestatistics', 15_001),
  ])
  const tasks = await Promise.all(started.map(({ json }) => finished(json.value)))
  expect(tasks.map((task) => task.status.failures)).toEqual([undefined, undefined, undefined, undefined])
  expect(await left('datasetusagestatistics')).toContain('Delete 0 out of 5000 rows')
  expect(await left('operation')).toContain('Delete 5000 out of 10000 rows')
})

test('a range of an index can be read line by line, for archives', async () => {
  await empty()
  await usage(hive('op.g'), [T0, T0 + 1])
  await usage(hive('op.h'), [T0 + 1, T0 + 2])
  const answer = await c.call(
    'GET',
    `/openapi/operations/timeseries/dataset/datasetusagestatistics?startTimeMillis=${T0}&endTimeMillis=${T0 + 2}`,
  )
  const lines = answer.text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(lines.map((line) => [line.urn, line.aspect.timestampMillis])).toEqual([
    [hive('op.g'), T0],
    [hive('op.g'), T0 + 1],
    [hive('op.h'), T0 + 1],
  ])
})

test('a running truncation can be cancelled, and its task says so', async () => {
  await empty()
  await usage(
    hive('op.i'),
    Array.from({ length: 200 }, (_, i) => T0 + i),
  )
  const started = await truncate({ endTimeMillis: T0 + 200, dryRun: false, batchSize: 1, forceDeleteByQuery: true })
  const cancelled = await c.call('POST', `${OPERATIONS}cancelTask`, { task: started.json.value })
  const task = await finished(started.json.value)
  expect([cancelled.json.value, task.status.failures]).toEqual([true, [{ reason: 'cancelled', state: 'cancelled' }]])
  expect(task.status.deleted).toBeLessThan(200)
})

test('a truncation is cancelled between two batches: what its task tells from then on is what went', async () => {
  await empty()
  await usage(
    hive('op.j'),
    Array.from({ length: 50 }, (_, i) => T0 + i),
  )
  const waiting = async () => {
    const [row] = await c.database.rows<{ count: number }>(
      `select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    )
    return row?.count ?? 0
  }
  const holder = await c.database.connect()
  await holder.query('begin')
  await holder.query('select 1 from catalog.ts_dataset_datasetusagestatistics for update')
  const started = await truncate({ endTimeMillis: T0 + 50, dryRun: false, batchSize: 1, forceDeleteByQuery: true })
  await eventually(async () => expect(await waiting()).toBe(1))
  const cancelling = c.call('POST', `${OPERATIONS}cancelTask`, { task: started.json.value })
  await eventually(async () => expect(await waiting()).toBe(2))
  await holder.query('commit')
  holder.release()
  expect((await cancelling).json.value).toBe(true)
  const { status: told } = await finished(started.json.value)
  expect(told.deleted).toBeGreaterThan(0)
  expect((await truncate({ endTimeMillis: T0 + 50 })).json.value).toContain(`out of ${50 - told.deleted} rows`)
})
