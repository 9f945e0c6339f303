import { createServer } from 'node:http'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openLineageEvent } from '../../../src/harvest/output/openlineage-event.ts'
import { eventFile, eventReceiver, OpenLineageSink } from '../../../src/harvest/output/openlineage-sink.ts'
import { datasetUrn, schemaFieldUrn } from '../../../src/model/urn.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const RAW = datasetUrn({ platform: 'postgres', name: 'shop.raw.orders' })
const MART = datasetUrn({ platform: 'snowflake', name: 'dwh.mart.sales' })
const LINEAGE = {
  upstreams: [{ dataset: RAW, type: 'TRANSFORMED' }],
  fineGrainedLineages: [
    {
      upstreamType: 'FIELD_SET',
      upstreams: [schemaFieldUrn(RAW, 'net'), schemaFieldUrn(RAW, 'tax')],
      downstreamType: 'FIELD',
      downstreams: [schemaFieldUrn(MART, 'total')],
      transformOperation: 'net + tax',
    },
    {
      upstreamType: 'FIELD_SET',
      upstreams: [schemaFieldUrn(RAW, 'id')],
      downstreamType: 'FIELD',
      downstreams: [schemaFieldUrn(MART, 'id')],
      transformOperation: 'COPY',
    },
  ],
}
const OPTIONS = { jobNamespace: 'warehouse', producer: 'https://example.org/headwater', timeMs: 1_700_000_000_000 }
const PROPOSAL = {
  entityType: 'dataset',
  entityUrn: MART,
  changeType: 'UPSERT',
  aspectName: 'upstreamLineage',
} as const

function field(name: string, subtype: string, description: string): object {
  return {
    namespace: 'postgres',
    name: 'shop.raw.orders',
    field: name,
    transformations: [{ type: 'DIRECT', subtype, description, masking: false }],
  }
}

function idOf(lineage: object): string {
  return (openLineageEvent(MART, { ...lineage }, OPTIONS)['run'] as { runId: string }).runId
}

test('a dataset becomes the run of a job with its inputs, its output and the lineage of its columns', () => {
  const event = openLineageEvent(MART, LINEAGE, OPTIONS)
  expect(event).toMatchObject({
    eventType: 'COMPLETE',
    eventTime: '2023-11-14T22:13:20.000Z',
    job: { namespace: 'warehouse', name: 'dwh.mart.sales' },
    inputs: [{ namespace: 'postgres', name: 'shop.raw.orders' }],
    outputs: [{ namespace: 'snowflake', name: 'dwh.mart.sales' }],
  })
  const [output] = event['outputs'] as unknown as { facets: { columnLineage: { fields: object } } }[]
  expect(output?.facets.columnLineage.fields).toEqual({
    total: {
      inputFields: [field('net', 'TRANSFORMATION', 'net + tax'), field('tax', 'TRANSFORMATION', 'net + tax')],
    },
    id: { inputFields: [field('id', 'IDENTITY', '')] },
  })
})

test('the run id is a UUID that follows from what is said', () => {
  expect(idOf(LINEAGE)).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  expect(idOf(LINEAGE)).toBe(idOf(LINEAGE))
  expect(idOf({ ...LINEAGE, upstreams: [] })).not.toBe(idOf(LINEAGE))
  const [edge] = LINEAGE.upstreams
  const later = { ...edge, auditStamp: { time: 2, actor: 'urn:li:corpuser:x' }, properties: { 'headwater.o': 'run-2' } }
  expect(idOf({ ...LINEAGE, upstreams: [later] })).toBe(idOf(LINEAGE))
})

test('a file gets one event a line; aspects without an event are left out', async () => {
  await using folder = await temporaryFolder()
  const path = join(folder.path, 'events.ndjson')
  const sink = new OpenLineageSink(eventFile(path), OPTIONS)
  await sink.write([
    { ...PROPOSAL, aspectName: 'status', aspect: { removed: false } },
    { ...PROPOSAL, aspect: LINEAGE },
    { ...PROPOSAL, aspect: { upstreams: [] } },
  ])
  await sink.close()
  const lines = (await readFile(path, 'utf8')).trim().split('\n')
  expect(lines.map((line) => JSON.parse(line) as object)).toEqual([
    openLineageEvent(MART, LINEAGE, OPTIONS),
    openLineageEvent(MART, { upstreams: [] }, OPTIONS),
  ])
})

test('a file that cannot be written fails the run, not the process', async () => {
  await using folder = await temporaryFolder()
  const sink = new OpenLineageSink(eventFile(join(folder.path, 'none', 'events.ndjson')), OPTIONS)
  const told = async (): Promise<void> => {
    await sink.write([{ ...PROPOSAL, aspect: LINEAGE }])
    await sink.close()
  }
  await expect(told()).rejects.toThrow('ENOENT')
})

test('a receiver gets one POST an event with the token; a refusal is an error with its status', async () => {
  const got: { path: string | undefined; token: string | undefined; body: unknown }[] = []
  let status = 201
  const server = createServer((request, response) => {
    const pieces: Buffer[] = []
    request.on('data', (piece: Buffer) => pieces.push(piece))
    request.on('end', () => {
      const body = JSON.parse(Buffer.concat(pieces).toString()) as unknown
      got.push({ path: request.url, token: request.headers.authorization, body })
      response.writeHead(status).end()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const target = eventReceiver({ url: `http://127.0.0.1:${port}/api/v1/lineage`, token: 'secret' })
  const sink = new OpenLineageSink(target, OPTIONS)
  try {
    await sink.write([{ ...PROPOSAL, aspect: LINEAGE }])
    expect(got).toEqual([
      { path: '/api/v1/lineage', token: 'Bearer secret', body: openLineageEvent(MART, LINEAGE, OPTIONS) },
    ])
    status = 422
    await expect(sink.write([{ ...PROPOSAL, aspect: LINEAGE }])).rejects.toMatchObject({
      code: 'OPENLINEAGE_RECEIVER',
      retryable: false,
      cause: { status: 422 },
    })
  } finally {
    await sink.close()
    server.close()
  }
})

test('a receiver that is away for a moment gets the same event again; one that stays away is named as what it is', async () => {
  const got: string[] = []
  const statuses = [503, 503, 201]
  const server = createServer((request, response) => {
    const pieces: Buffer[] = []
    request.on('data', (piece: Buffer) => pieces.push(piece))
    request.on('end', () => {
      got.push(Buffer.concat(pieces).toString())
      response.writeHead(statuses[got.length - 1] ?? 500).end()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const connection = { url: `http://127.0.0.1:${port}/api/v1/lineage` }
  const policy = { firstDelayMs: 1, maxDelayMs: 2, deadlineMs: 20_000 }
  const sink = new OpenLineageSink(eventReceiver(connection, policy), OPTIONS)
  await sink.write([{ ...PROPOSAL, aspect: LINEAGE }])
  expect(got).toHaveLength(3)
  expect(new Set(got).size).toBe(1)
  await sink.close()
  server.close()
  const away = new OpenLineageSink(eventReceiver(connection, { ...policy, deadlineMs: 0 }), OPTIONS)
  await expect(away.write([{ ...PROPOSAL, aspect: LINEAGE }])).rejects.toMatchObject({
    code: 'OPENLINEAGE_RECEIVER',
    retryable: true,
    message: expect.stringContaining(`no answer from the receiver at ${connection.url}`) as string,
  })
  await away.close()
})
