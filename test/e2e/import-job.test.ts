import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { JOBS } from '../../jobs/index.ts'
import { approvePlan } from '../../src/runner/decide.ts'
import { retryRun } from '../../src/runner/submit.ts'
import { hive } from '../support/catalog.ts'
import { jobBench, type JobBench } from '../support/job-bench.ts'
import { temporaryFolder, type TemporaryFolder } from '../support/temporary-folder.ts'

let bench: JobBench
let folder: TemporaryFolder

beforeAll(async () => {
  bench = await jobBench(JOBS)
  folder = await temporaryFolder()
})

afterAll(async () => {
  await bench[Symbol.asyncDispose]()
  await folder[Symbol.asyncDispose]()
})

async function aFile(name: string, lines: readonly string[]): Promise<string> {
  const path = join(folder.path, name)
  await writeFile(path, `${lines.join('\n')}\n`)
  return path
}

const DEFINITIONS = [
  '- { id: shop.keep, type: number, entity_types: [dataset], cardinality: SINGLE }',
  '- { id: shop.team, type: string, entity_types: [dataset], allowed_values: [{ value: OPS }, { value: FIN }] }',
]

async function aDataset(name: string, columns: readonly string[]): Promise<string> {
  const urn = hive(name)
  await bench.catalog.put(urn, {
    status: { removed: false },
    schemaMetadata: {
      schemaName: name,
      platform: 'urn:li:dataPlatform:hive',
      version: 0,
      hash: '',
      platformSchema: { 'com.linkedin.schema.Schemaless': {} },
      fields: columns.map((fieldPath) => ({
        fieldPath,
        nativeDataType: 'int',
        type: { type: { 'com.linkedin.schema.NumberType': {} } },
      })),
    },
  })
  return urn
}

test('plan, apply and apply again: nothing but what was planned, then nothing', async () => {
  const [orders, people] = await Promise.all([aDataset('shop.orders', ['id', 'mail']), aDataset('shop.people', ['id'])])
  const file = await aFile('rows.csv', [
    'resource,subresource,tags,description,keep,team',
    `"${orders}",,certified|money,All orders,30,OPS`,
    `"${orders}",mail,pii,,,`,
    `"${people}",,certified,,365,FIN`,
    `"${people}",nme,pii,,,`,
    `"${orders}",,late,,,`,
    `"${people}",,certified,,365,FIN`,
    `"${people}",,,,,WEEKLY`,
  ])
  const input = {
    file: [file],
    definitions: await aFile('definitions.yaml', DEFINITIONS),
    columns: { keep: 'shop.keep', team: 'shop.team' },
  }
  const before = await bench.versions()

  const planned = await bench.run('import-csv', input, 'plan')
  expect(planned.plan).toMatchObject({ state: 'planned', counts: { create: 8, change: 0, unchanged: 0, refused: 0 } })
  expect(planned.run.lines.join('\n')).toContain('+ tags: urn:li:tag:certified')
  expect(await bench.versions()).toEqual(before)

  const { run, applied } = await bench.run('import-csv', input, 'apply')
  expect(run).toMatchObject({ state: 'partial', balance: { records: { read: 7, rejected: 2 } } })
  expect(applied).toMatchObject({
    state: 'partial',
    balance: {
      records: { read: 7, used: 4, duplicate: 1, noEffect: 0, rejected: 2 },
      proposals: { made: 8, written: 8, unchanged: 0, refused: 0, dead: 0 },
    },
  })
  const { dataset } = await bench.catalog.gql(
    'query q($urn: String!) { dataset(urn: $urn) { tags { tags { tag { urn } } } } }',
    { urn: orders },
  )
  expect(dataset.tags.tags.map((tag: { tag: { urn: string } }) => tag.tag.urn)).toEqual([
    'urn:li:tag:certified',
    'urn:li:tag:money',
    'urn:li:tag:late',
  ])
  const properties = await bench.catalog.aspect(orders, 'structuredProperties')
  expect(JSON.parse(properties.text)).toMatchObject({
    aspect: {
      'com.linkedin.structured.StructuredProperties': {
        properties: [{ values: [{ double: 30 }] }, { values: [{ string: 'OPS' }] }],
      },
    },
  })

  const after = await bench.versions()
  const again = await bench.run('import-csv', input, 'apply')
  expect(again.plan).toMatchObject({ state: 'empty', counts: { unchanged: 8 } })
  expect(again.plan?.lines.join('\n')).toContain('nothing to write')
  expect(await bench.versions()).toEqual(after)
})

test('an approved plan writes what it showed, and leaves alone what changed since', async () => {
  const [a, b] = await Promise.all([aDataset('shop.a', ['id']), aDataset('shop.b', ['id'])])
  const file = await aFile('plan.csv', ['resource,tags', `"${a}",x`, `"${b}",x`])
  const { plan } = await bench.run('import-csv', { file: [file] }, 'plan')
  await bench.catalog.put(b, { globalTags: { tags: [{ tag: 'urn:li:tag:theirs' }] } })
  const { run } = await approvePlan(bench.runner.parts, plan?.id ?? '', 'test')
  const { run: applied } = await bench.runner.end(run.id)
  expect(applied.balance.proposals).toEqual({ made: 2, written: 1, unchanged: 0, refused: 1, dead: 0 })
  await expect(retryRun(bench.runner.parts, applied.id, 'test')).rejects.toMatchObject({
    code: 'RUN_STATE',
    remedy: expect.stringContaining(`headwater runs retry ${plan?.runId}; what this run wrote already`) as string,
  })
  expect((await bench.catalog.aspect(b, 'globalTags')).text).not.toContain('urn:li:tag:x')
  expect(applied.lines.join('\n')).toContain('1 writes named the version that they were made for')
  // The row of the conflict stands in the errors file, ready to be imported again.
  const errors = await readFile(/\S+errors\.csv/.exec(applied.lines.join('\n'))?.[0] ?? '', 'utf8')
  expect(errors.split('\n')[0]).toBe('error_code,error_message,error_column,error_place,resource,tags')
  expect(errors).toMatch(new RegExp(`^CHANGED_SINCE_PLAN,.*plan\\.csv:3,"${b.replaceAll(/[().]/g, '\\$&')}",x$`, 'm'))
  expect(errors).not.toContain(a)
})

test('rejected rows and refused ones stand in the one errors file that was asked for', async () => {
  const [a, b] = await Promise.all([aDataset('shop.e', ['id']), aDataset('shop.f', ['id'])])
  const file = await aFile('both.csv', ['resource,tags', `"${a}",x`, `"${b}",x`, 'nonsense,x'])
  const errors = join(folder.path, 'both-errors.csv')
  const { plan } = await bench.run('import-csv', { file: [file], errors }, 'plan')
  await bench.catalog.put(b, { globalTags: { tags: [{ tag: 'urn:li:tag:theirs' }] } })
  const { run } = await approvePlan(bench.runner.parts, plan?.id ?? '', 'test')
  await bench.runner.end(run.id)
  const codes = (await readFile(errors, 'utf8')).split('\n').map((line) => line.split(',')[0])
  expect(codes).toEqual(['error_code', 'INVALID_URN', 'CHANGED_SINCE_PLAN', ''])
})

test('a file that is not there fails the run with a code and a remedy', async () => {
  const { run } = await bench.run('import-csv', { file: [join(folder.path, 'gone.csv')] }, 'apply')
  expect(run).toMatchObject({ state: 'failed', error: { code: 'SOURCE_UNREADABLE' } })
})

test('taking much away waits for a person, and nothing is written before', async () => {
  const urns = await Promise.all(Array.from({ length: 30 }, (_, n) => aDataset(`gate.t${n}`, ['id'])))
  for (const urn of urns) {
    await bench.catalog.put(urn, { globalTags: { tags: [{ tag: 'urn:li:tag:kept' }, { tag: 'urn:li:tag:old' }] } })
  }
  const file = await aFile('gate.csv', ['resource,tags', ...urns.map((urn) => `"${urn}",-old`)])
  const before = await bench.versions()
  const { plan } = await bench.run('import-csv', { file: [file] }, 'apply')
  expect(plan).toMatchObject({ state: 'awaiting', counts: { change: 30, removed: 30 } })
  expect(plan?.reasons.join()).toContain('30 of 60 items (50 %)')
  expect(await bench.versions()).toEqual(before)

  const { run } = await approvePlan(bench.runner.parts, plan?.id ?? '', 'test')
  const { run: applied } = await bench.runner.end(run.id)
  expect(applied.balance.proposals).toMatchObject({ made: 30, written: 30 })

  const few = await aFile('few.csv', ['resource,tags', `"${urns[0]}",-kept`])
  expect((await bench.run('import-csv', { file: [few] }, 'apply')).applied).toMatchObject({ state: 'succeeded' })
})

test('a dataset that is not there is named with the nearest one that is', async () => {
  await aDataset('near.customers', ['id'])
  const file = await aFile('near.csv', ['resource,tags', `"${hive('near.custmoers')}",a`, `"${hive('nowhere')}",a`])
  const { run } = await bench.run('import-csv', { file: [file] }, 'plan')
  expect(run.rejectedByCode).toEqual({ ENTITY_NOT_FOUND: 2 })
  const errors = await readFile(/\S+errors\.csv/.exec(run.lines.join('\n'))?.[0] ?? '', 'utf8')
  expect(errors).toContain('did you mean ""near.customers""?')
})

test('metadata files of every kind are planned in one go and carried out without them', async () => {
  const orders = await aDataset('meta.orders', ['id'])
  await bench.catalog.put(orders, {
    domains: { domains: ['urn:li:domain:old'] },
    globalTags: { tags: [{ tag: 'urn:li:tag:kept' }] },
  })
  const mcp = (aspectName: string, changeType: string, json?: unknown, entityUrn = orders): string =>
    JSON.stringify({ entityUrn, aspectName, changeType, ...(json === undefined ? {} : { aspect: { json } }) })
  const files = await Promise.all([
    aFile('defined.yaml', ['- { id: meta.keep, type: number, entity_types: [dataset, schemaField] }']),
    aFile('datasets.yaml', [
      `- urn: "${hive('meta.clicks')}"`,
      '  structured_properties: { meta.keep: 30 }',
      '  tags: [pii]',
      `  downstreams: ["${orders}"]`,
      '  schema: { file: click.avsc, fields: [{ id: at, structured_properties: { meta.keep: 7 } }] }',
    ]),
    aFile('mcps.ndjson', [
      mcp('datasetProperties', 'UPSERT', { name: 'Orders', customProperties: {} }),
      mcp('status', 'CREATE', { removed: true }),
      mcp('domains', 'DELETE'),
      mcp('globalTags', 'PATCH', [{ op: 'add', path: '/tags/urn:li:tag:more', value: { tag: 'urn:li:tag:more' } }]),
      mcp('subTypes', 'UPSERT', { typeNames: ['Table'] }, 'nonsense'),
    ]),
  ])
  const avro = await aFile('click.avsc', ['{"type":"record","name":"Click","fields":[{"name":"at","type":"long"}]}'])
  const before = await bench.versions()
  const { plan, run } = await bench.run('import-metadata', { file: files }, 'plan')
  expect(run).toMatchObject({ rejectedByCode: { INVALID_URN: 1 } })
  expect(plan).toMatchObject({ state: 'planned', counts: { remove: 1, refused: 1 } })
  expect(await bench.versions()).toEqual(before)

  for (const file of [...files, avro]) await rm(file)
  const approved = await approvePlan(bench.runner.parts, plan?.id ?? '', 'test')
  const { run: applied } = await bench.runner.end(approved.run.id)
  expect(applied).toMatchObject({
    state: 'partial',
    balance: {
      records: { read: 7, used: 6, rejected: 1 },
      // Definition, tags, schema, values of both, upstream; properties, domain, patch; what stands already is refused.
      proposals: { made: 10, written: 9, unchanged: 0, refused: 1, dead: 0 },
    },
  })
  const read = async (urn: string, aspect: string) => (await bench.catalog.aspect(urn, aspect)).text
  expect(await read(hive('meta.clicks'), 'schemaMetadata')).toContain('[version=2.0].[type=Click].[type=long].at')
  expect(await read(hive('meta.clicks'), 'structuredProperties')).toContain('"double":30')
  expect(await read(orders, 'upstreamLineage')).toContain('"type":"COPY"')
  expect(await read(orders, 'globalTags')).toMatch(/kept.*more/)
  expect(await read(orders, 'status')).toContain('false')
  expect((await bench.catalog.aspect(orders, 'domains')).status).toBe(404)
})
