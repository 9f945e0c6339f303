import { cp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { JOBS } from '../../jobs/index.ts'
import { CatalogClient } from '../../src/client/catalog-client.ts'
import { objectsAt, textAt } from '../../src/model/json.ts'
import { asUrn, datasetUrn, schemaFieldParts } from '../../src/model/urn.ts'
import type { RunRow } from '../../src/store/ledger/types.ts'
import { PROJECT } from '../support/command.ts'
import { jobBench, type JobBench } from '../support/job-bench.ts'
import { temporaryFolder, type TemporaryFolder } from '../support/temporary-folder.ts'

const WAREHOUSE = join(PROJECT, 'examples/warehouse')

let bench: JobBench
let folder: TemporaryFolder
let client: CatalogClient

beforeAll(async () => {
  bench = await jobBench(JOBS)
  folder = await temporaryFolder()
  client = new CatalogClient({ url: bench.catalog.url })
})

afterAll(async () => {
  await client.close()
  await bench[Symbol.asyncDispose]()
  await folder[Symbol.asyncDispose]()
})

/** The end of a harvest: the run that carried its plan out, or that found nothing to do. */
async function carriedOut(input: object): Promise<RunRow> {
  const { run, applied } = await bench.run('harvest-lineage', input)
  return applied ?? run
}

/** `platform:database.schema.table` as its URN. */
function tableUrn(name: string): string {
  const [platform = '', table = ''] = name.split(':')
  return datasetUrn({ platform, name: table })
}

/** Names of the datasets that a dataset's stored lineage comes from. */
async function upstreamsOf(dataset: string): Promise<readonly string[]> {
  const aspect = await client.getAspect({ urn: asUrn(dataset), aspectName: 'upstreamLineage' })
  return objectsAt(aspect?.value, 'upstreams').map((edge) => textAt(edge, 'dataset') ?? '')
}

/** Columns that a column's stored lineage comes from, one hop, as `dataset urn.column`. */
async function sourcesOf(dataset: string, column: string): Promise<readonly string[]> {
  const aspect = await client.getAspect({ urn: asUrn(dataset), aspectName: 'upstreamLineage' })
  const edges = objectsAt(aspect?.value, 'fineGrainedLineages').filter((edge) => {
    const [downstream = ''] = edge['downstreams'] as readonly string[]
    return schemaFieldParts(downstream).fieldPath === column
  })
  const urns = edges.flatMap((edge) => edge['upstreams'] as readonly string[])
  return urns.map((urn) => {
    const { parent, fieldPath } = schemaFieldParts(urn)
    return `${parent}.${fieldPath}`
  })
}

function ofColumn(name: string): { readonly dataset: string; readonly column: string } {
  const at = name.lastIndexOf('.')
  return { dataset: tableUrn(name.slice(0, at)), column: name.slice(at + 1) }
}

describe('the example warehouse', () => {
  test('plans without writing, writes, and finds nothing to write the second time', async () => {
    const planned = await bench.run('harvest-lineage', { source: WAREHOUSE }, 'plan')
    expect(planned.plan).toMatchObject({ state: 'planned', counts: { change: 0, unchanged: 0, refused: 0 } })
    expect((await bench.versions()).size).toBe(0)

    const first = await carriedOut({ source: WAREHOUSE })
    expect(first).toMatchObject({
      state: 'succeeded',
      balance: { proposals: { unchanged: 0, refused: 0, dead: 0 } },
    })
    expect(first.balance.proposals.written).toBe(planned.plan?.counts['create'])

    const before = await bench.versions()
    const second = await carriedOut({ source: WAREHOUSE })
    expect(second.balance.proposals).toMatchObject({ written: 0, unchanged: first.balance.proposals.written })
    expect(second.lines.join('\n')).toContain('nothing to write')
    expect(await bench.versions()).toEqual(before)
  })

  test('every column that is known by reading comes from exactly the columns that are known', async () => {
    const truth = parse(await readFile(join(WAREHOUSE, 'truth.yaml'), 'utf8')) as Record<string, readonly string[]>
    const found: Record<string, readonly string[]> = {}
    const expected: Record<string, readonly string[]> = {}
    for (const [name, sources] of Object.entries(truth)) {
      const { dataset, column } = ofColumn(name)
      found[name] = [...(await sourcesOf(dataset, column))].toSorted()
      expected[name] = sources
        .map((source) => ofColumn(source))
        .map((source) => `${source.dataset}.${source.column}`)
        .toSorted()
    }
    expect(found).toEqual(expected)
  })

  test('the query log adds its own, and leaves what the files said', async () => {
    const before = await upstreamsOf(tableUrn('snowflake:commerce.mart.consignment_margin'))
    const run = await carriedOut({ source: join(WAREHOUSE, 'query-log.ndjson') })
    const { read, used, duplicate, noEffect, rejected } = run.balance.records
    expect(read).toBeGreaterThan(2000)
    expect(used + duplicate + noEffect + rejected).toBe(read)
    expect(await upstreamsOf(tableUrn('snowflake:commerce.mart.consignment_margin'))).toEqual(
      expect.arrayContaining([...before]),
    )
  })
})

const input = () => ({ source: join(folder.path, 'sql'), platform: 'hive', origin: 'changing' })
const hiveTable = (name: string) => tableUrn(`hive:${name}`)

describe('a source that changes', () => {
  beforeAll(async () => {
    await cp(join(PROJECT, 'test/e2e/fixtures/changing-sql'), join(folder.path, 'sql'), { recursive: true })
  })

  test('a file that is gone takes exactly its edges along; a manual one on the same dataset stays', async () => {
    await bench.run('harvest-lineage', input())
    expect(await upstreamsOf(hiveTable('mart.daily'))).toEqual([hiveTable('raw.orders'), hiveTable('raw.returns')])
    await bench.catalog.gql('mutation m($input: UpdateLineageInput!) { updateLineage(input: $input) }', {
      input: {
        edgesToAdd: [{ downstreamUrn: hiveTable('mart.daily'), upstreamUrn: hiveTable('raw.people') }],
        edgesToRemove: [],
      },
    })
    const before = await bench.versions()

    await rm(join(folder.path, 'sql/returns.sql'))
    await rm(join(folder.path, 'sql/people.sql'))
    const run = await carriedOut(input())
    expect(run.state).toBe('succeeded')
    expect(await upstreamsOf(hiveTable('mart.daily'))).toEqual([hiveTable('raw.people'), hiveTable('raw.orders')])
    expect(await upstreamsOf(hiveTable('mart.people'))).toEqual([])
    const changed = [...(await bench.versions())].filter(([key, version]) => before.get(key) !== version)
    expect(changed.map(([key]) => key).toSorted()).toEqual([
      `upstreamLineage ${hiveTable('mart.daily')}`,
      `upstreamLineage ${hiveTable('mart.people')}`,
    ])
  })

  test('a dataset that was deleted stays so', async () => {
    await bench.catalog.put(hiveTable('raw.orders'), { status: { removed: true } })
    await bench.run('harvest-lineage', input())
    const status = await client.getAspect({ urn: asUrn(hiveTable('raw.orders')), aspectName: 'status' })
    expect(status?.value).toEqual({ removed: true })
  })

  test('a statement that cannot be read is listed with its place, and the rest goes on', async () => {
    await writeFile(
      join(folder.path, 'sql/zz.sql'),
      'create table mart.ok as select id from raw.orders;\n\nflurb the glorp;\n',
    )
    const run = await carriedOut(input())
    expect(run).toMatchObject({ state: 'partial', rejectedByCode: { UNKNOWN_STATEMENT: 1 } })
    expect(await upstreamsOf(hiveTable('mart.ok'))).toEqual([hiveTable('raw.orders')])
  })
})

test('a folder without SQL, and a source without a platform, are refused with what to do', async () => {
  await using empty = await temporaryFolder()
  const none = await bench.run('harvest-lineage', { source: empty.path, platform: 'hive' })
  expect(none.run).toMatchObject({ state: 'failed', error: { code: 'NO_SQL_FOUND' } })
  await writeFile(join(empty.path, 'a.sql'), 'select 1')
  const nameless = await bench.run('harvest-lineage', { source: empty.path })
  expect(nameless.run).toMatchObject({ state: 'failed', error: { code: 'PLATFORM_UNKNOWN' } })
})
