/**
 * Harvests into a DataHub that keeps neither the properties of edges nor versions of aspects: our own catalog behind a
 * server that takes both out of what passes. Whose an edge is only our ledger knows then.
 */
import { rm, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { JOBS } from '../../jobs/index.ts'
import { CatalogClient } from '../../src/client/catalog-client.ts'
import { isJsonObject, objectsAt, textAt, type JsonObject, type JsonValue } from '../../src/model/json.ts'
import { asUrn, datasetUrn } from '../../src/model/urn.ts'
import type { RunRow } from '../../src/store/ledger/types.ts'
import { jobBench, type JobBench } from '../support/job-bench.ts'
import { temporaryFolder, type TemporaryFolder } from '../support/temporary-folder.ts'

/** Conditions that were asked of it: a plain DataHub knows none, so none may come. */
const conditions: string[] = []
const proxies: Server[] = []

let bench: JobBench
let folder: TemporaryFolder
let client: CatalogClient

beforeAll(async () => {
  let behind = ''
  const plain = createServer((request, response) => void pass(request, response, behind))
  proxies.push(plain)
  await new Promise<void>((resolve) => plain.listen(0, '127.0.0.1', resolve))
  const { port } = plain.address() as AddressInfo
  bench = await jobBench(JOBS, (url) => {
    behind = url
    return new CatalogClient({ url: `http://127.0.0.1:${port}` })
  })
  folder = await temporaryFolder()
  client = new CatalogClient({ url: bench.catalog.url })
}, 120_000)

afterAll(async () => {
  await client.close()
  await bench[Symbol.asyncDispose]()
  await folder[Symbol.asyncDispose]()
  for (const proxy of proxies) {
    proxy.closeAllConnections()
    await new Promise((resolve) => proxy.close(resolve))
  }
})

async function pass(request: IncomingMessage, response: ServerResponse, behind: string): Promise<void> {
  const chunks: Uint8Array[] = []
  for await (const chunk of request) chunks.push(chunk as Uint8Array)
  const asked = Buffer.concat(chunks).toString('utf8')
  const { method = 'GET', url = '/' } = request
  const answer = await fetch(behind + url, {
    method,
    headers: { 'content-type': 'application/json' },
    ...(asked === '' ? {} : { body: withoutProperties(asked) }),
  })
  response.writeHead(answer.status, { 'content-type': 'application/json' })
  response.end(withoutVersions(await answer.text()))
}

function withoutProperties(body: string): string {
  const asked = JSON.parse(body) as JsonValue
  if (!isJsonObject(asked)) return body
  const proposals = objectsAt(asked, 'proposals').map((proposal): JsonObject => {
    const version = textAt(proposal['headers'], 'If-Version-Match')
    if (version !== undefined) conditions.push(version)
    if (textAt(proposal, 'aspectName') !== 'upstreamLineage') return proposal
    const aspect = JSON.parse(textAt(proposal['aspect'], 'value') ?? '{}') as JsonObject
    const upstreams = objectsAt(aspect, 'upstreams').map((edge) => without(edge, ['properties', 'query']))
    return {
      ...proposal,
      aspect: { contentType: 'application/json', value: JSON.stringify({ ...aspect, upstreams }) },
    }
  })
  return proposals.length === 0 ? body : JSON.stringify({ ...asked, proposals })
}

function without(value: JsonObject, keys: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(value).filter(([key]) => !keys.includes(key)))
}

/** An answer to batchGet without what a catalog tells of versions, and `/config` without our own abilities. */
function withoutVersions(body: string): string {
  return JSON.stringify(stripped(JSON.parse(body === '' ? 'null' : body) as JsonValue))
}

function stripped(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map((item: JsonValue) => stripped(item))
  if (!isJsonObject(value)) return value
  const rest = without(value, ['version', 'headwater'])
  return Object.fromEntries(Object.entries(rest).map(([key, item]) => [key, stripped(item ?? null)]))
}

const urnOf = (name: string) => asUrn(datasetUrn({ platform: 'postgres', name }))

async function upstreamsOf(name: string): Promise<readonly string[]> {
  const aspect = await client.getAspect({ urn: urnOf(name), aspectName: 'upstreamLineage' })
  return objectsAt(aspect?.value, 'upstreams')
    .map((edge) => /postgres,([^,]+),/.exec(textAt(edge, 'dataset') ?? '')?.[1] ?? '')
    .toSorted()
}

function sql(name: string): string {
  return join(folder.path, name)
}

async function harvest(): Promise<RunRow> {
  const { run, applied } = await bench.run('harvest-lineage', { source: folder.path, platform: 'postgres' })
  return applied ?? run
}

async function drawByHand(downstream: string, upstreams: readonly string[]): Promise<void> {
  const stamp = { time: 1, actor: 'urn:li:corpuser:someone' }
  await client.write([
    {
      entityType: 'dataset',
      entityUrn: urnOf(downstream),
      changeType: 'UPSERT',
      aspectName: 'upstreamLineage',
      aspect: {
        upstreams: upstreams.map((name) => ({ dataset: urnOf(name), type: 'TRANSFORMED', auditStamp: stamp })),
      },
    },
  ])
}

test('a second harvest writes nothing; what is gone goes; what people drew stays', { timeout: 240_000 }, async () => {
  // By hand: one edge that no file has, and one that a file has, too.
  await drawByHand('mart.daily', ['raw.manual', 'raw.shared'])
  await writeFile(
    sql('a.sql'),
    'insert into mart.daily (x) select o.x from raw.orders o join raw.shared s on s.id = o.id',
  )
  await writeFile(sql('b.sql'), 'insert into mart.daily (y) select y from raw.items')
  await writeFile(sql('c.sql'), 'create view mart.top as select x from mart.daily')

  expect(await harvest()).toMatchObject({ state: 'succeeded' })
  expect(await upstreamsOf('mart.daily')).toEqual(['raw.items', 'raw.manual', 'raw.orders', 'raw.shared'])
  expect(await upstreamsOf('mart.top')).toEqual(['mart.daily'])

  const before = await bench.versions()
  const again = await harvest()
  expect(again.report).toMatchObject({ edges: { added: 0, removed: 0 } })
  expect(await bench.versions()).toEqual(before)

  await rm(sql('b.sql'))
  await rm(sql('c.sql'))
  const third = await harvest()
  expect(third.report).toMatchObject({ edges: { added: 0, removed: 2 } })
  expect(await upstreamsOf('mart.daily')).toEqual(['raw.manual', 'raw.orders', 'raw.shared'])
  expect(await upstreamsOf('mart.top')).toEqual([])

  await rm(sql('a.sql'))
  await writeFile(sql('d.sql'), 'create view mart.other as select 1 as one')
  await harvest()
  expect(await upstreamsOf('mart.daily')).toEqual(['raw.manual', 'raw.shared'])
  expect(conditions).toEqual([])
})
