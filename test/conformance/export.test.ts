/** Export and import: contract §5.5. */
import { existsSync, readFileSync } from 'node:fs'
import { appendFile, writeFile } from 'node:fs/promises'
import { createServer, request as httpRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CatalogClient } from '../../src/client/catalog-client.ts'
import { readExport } from '../../src/client/export/read-export.ts'
import { writeExport } from '../../src/client/export/write-export.ts'
import { column, hive, testCatalog, type TestCatalog } from '../support/catalog.ts'
import { temporaryFolder, type TemporaryFolder } from '../support/temporary-folder.ts'

const signal = new AbortController().signal
const PROPERTY = 'urn:li:structuredProperty:export.p'
const EVENTS = 1200

let folder: TemporaryFolder
let full: TestCatalog
beforeAll(async () => {
  folder = await temporaryFolder()
  full = await testCatalog()
  await fill(full)
})
afterAll(async () => {
  await full[Symbol.asyncDispose]()
  await folder[Symbol.asyncDispose]()
})

const operation = (time: number) => ({
  entityType: 'dataset',
  entityUrn: hive('export.z'),
  changeType: 'UPSERT',
  aspectName: 'operation',
  aspect: {
    contentType: 'application/json',
    value: JSON.stringify({ timestampMillis: time, operationType: 'INSERT', lastUpdatedTimestamp: time }),
  },
  systemMetadata: { runId: 'events' },
})

const newestVersion = async (c: TestCatalog) => {
  const { json } = await c.call('GET', `/entitiesV2/${encodeURIComponent(hive('export.a'))}`)
  return json.aspects.datasetProperties.systemMetadata.version
}

const mcpLine = (urn: string, name: string, json: object) =>
  JSON.stringify({ entityUrn: urn, aspectName: name, aspect: { json } })

/** Entities in an order that is not that of their URNs, with history, soft deletion, lineage, tags, values and events. */
async function fill(c: TestCatalog): Promise<void> {
  const upstream = { dataset: hive('export.a'), type: 'COPY' }
  await c.put(hive('export.z'), { upstreamLineage: { upstreams: [upstream] }, status: { removed: true } })
  for (let i = 0; i < 450; i++) await c.put(hive(`export.many.${(i * 7919) % 450}`), { status: { removed: false } })
  await c.put(hive('export.a'), { datasetProperties: { name: 'a' }, globalTags: { tags: [{ tag: 'urn:li:tag:ä' }] } })
  for (const name of ['b', 'c', 'd']) await c.put(hive('export.a'), { datasetProperties: { name } })
  await c.put(column(hive('export.a'), 'x'), { status: { removed: false } })
  await c.put(PROPERTY, {
    propertyDefinition: {
      qualifiedName: 'export.p',
      valueType: 'urn:li:dataType:datahub.string',
      entityTypes: ['urn:li:entityType:datahub.dataset'],
    },
  })
  const values = { properties: [{ propertyUrn: PROPERTY, values: [{ string: 'v' }] }] }
  await c.put(hive('export.a'), { structuredProperties: values })
  // What may not be written any more must come back all the same.
  await c.put(PROPERTY, { status: { removed: true } })
  const proposals = Array.from({ length: EVENTS }, (_, i) => operation((i * 37) % EVENTS))
  await c.call('POST', '/aspects?action=ingestProposalBatch', { proposals })
}

async function exportTo(c: TestCatalog, name: string, history = true) {
  const client = new CatalogClient({ url: c.url })
  try {
    const path = join(folder.path, name)
    return { path, report: await writeExport(client, path, { history, signal }) }
  } finally {
    await client.close()
  }
}

async function importFrom(c: TestCatalog, path: string, options: { readonly skipLines?: number } = {}) {
  const client = new CatalogClient({ url: c.url })
  try {
    return await readExport(client, path, { signal, ...options })
  } finally {
    await client.close()
  }
}

const linesOf = (path: string) =>
  readFileSync(path, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))

describe('an export', () => {
  test('read into an empty catalog gives the same export, byte by byte, with versions and events', async () => {
    const { path, report } = await exportTo(full, 'all.ndjson')
    expect(report.proposals).toBe(linesOf(path).length)
    await using empty = await testCatalog()
    const imported = await importFrom(empty, path)
    expect(imported).toMatchObject({ read: report.proposals, sent: report.proposals, rejected: 0, present: 0 })
    const again = await exportTo(empty, 'again.ndjson')
    expect(readFileSync(again.path, 'utf8')).toBe(readFileSync(path, 'utf8'))
    expect([await newestVersion(full), await newestVersion(empty)]).toEqual(['4', '4'])
    const oldest = await empty.aspect(hive('export.a'), 'datasetProperties', 1)
    expect(oldest.json.aspect['com.linkedin.dataset.DatasetProperties'].name).toBe('a')

    // Once more, and once more from the middle: nothing is doubled.
    expect(await importFrom(empty, path)).toMatchObject({ rejected: 0, present: 3 })
    await importFrom(empty, path, { skipLines: 400 })
    const third = await exportTo(empty, 'third.ndjson')
    expect(readFileSync(third.path, 'utf8')).toBe(readFileSync(path, 'utf8'))
  })

  test('has definitions before what uses them, and MCPs as the file source of the neighbours reads them', async () => {
    const lines = linesOf((await exportTo(full, 'order.ndjson')).path)
    expect(lines[0]).toEqual({
      entityType: 'structuredProperty',
      entityUrn: PROPERTY,
      changeType: 'UPSERT',
      aspectName: 'structuredPropertyKey',
      aspect: { json: { id: 'export.p' } },
    })
    const urns = lines.map((line) => line.entityUrn)
    const rest = urns.filter((urn) => urn !== PROPERTY)
    expect(rest).toEqual(rest.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0)))
    expect(lines.filter((line) => line.aspectName === 'operation')).toHaveLength(EVENTS)
    expect(lines.find((line) => line.aspectName === 'operation').systemMetadata).toEqual({ runId: 'events' })
  })

  test('leaves earlier versions out when asked to', async () => {
    const { path } = await exportTo(full, 'newest.ndjson', false)
    const names = linesOf(path).filter((line) => line.aspectName === 'datasetProperties')
    expect(names.map((line) => [line.aspect.json.name, line.headers])).toEqual([['d', undefined]])
  })

  test('is packed by its name', async () => {
    const [plain, packed] = [await exportTo(full, 'plain.ndjson'), await exportTo(full, 'packed.ndjson.gz')]
    expect(gunzipSync(readFileSync(packed.path)).toString()).toBe(readFileSync(plain.path, 'utf8'))
    expect(packed.report.bytes).toBeLessThan(plain.report.bytes / 5)
    await using empty = await testCatalog()
    expect(await importFrom(empty, packed.path)).toMatchObject({ sent: packed.report.proposals, rejected: 0 })
  })

  test('of an empty catalog is an empty file, packed too', async () => {
    await using empty = await testCatalog()
    const packed = await exportTo(empty, 'empty.ndjson.gz')
    expect(gunzipSync(readFileSync(packed.path)).toString()).toBe('')
    expect(await importFrom(empty, packed.path)).toMatchObject({ read: 0, sent: 0, rejected: 0 })
  })

  test('does not overwrite', async () => {
    await exportTo(full, 'once.ndjson')
    await expect(exportTo(full, 'once.ndjson')).rejects.toMatchObject({ code: 'FILE_EXISTS' })
  })

  test.each(['broken.ndjson', 'broken.ndjson.gz'])('that breaks off goes on where it was: %s', async (name) => {
    const whole = await exportTo(full, `whole.${name}`)
    const path = join(folder.path, name)
    const text = (file: string) =>
      (name.endsWith('.gz') ? gunzipSync(readFileSync(file)) : readFileSync(file)).toString()
    await using cut = await cuttingProxy(full.url, text(whole.path).length * 0.7)
    const client = new CatalogClient({ url: cut.url })
    await expect(writeExport(client, path, { history: true, signal })).rejects.toMatchObject({ code: 'CATALOG_AWAY' })
    await client.close()
    expect(existsSync(path)).toBe(false)
    // As a process that was killed while writing leaves it.
    await appendFile(`${path}.partial`, 'half a li')
    const { report } = await exportTo(full, name)
    expect(report.resumedAfter).toBeGreaterThan(100)
    expect(report.proposals).toBe(whole.report.proposals)
    expect(text(path) === text(whole.path)).toBe(true)
    expect([existsSync(`${path}.partial`), existsSync(`${path}.partial.json`)]).toEqual([false, false])
  })
})

describe('an import', () => {
  test('refuses single lines, says which and why, and sends the rest', async () => {
    const path = join(folder.path, 'bad.ndjson')
    const lines = [
      mcpLine(hive('ok.1'), 'status', { removed: false }),
      'no json',
      mcpLine('urn:li:nothing:x', 'status', {}),
      '',
      mcpLine(hive('bad'), 'globalTags', { tags: [{ nope: 1 }] }),
      mcpLine(hive('ok.2'), 'status', { removed: false }),
      '{"entityUrn": "urn:li:tag:x"}',
      mcpLine(hive('bad'), 'status', { removed: 'maybe' }),
    ]
    await writeFile(path, lines.join('\r\n'))
    await using c = await testCatalog()
    const report = await importFrom(c, path)
    expect(report).toMatchObject({ read: 7, sent: 2, rejected: 5 })
    expect(report.samples.toSorted((a, b) => a.line - b.line)).toEqual([
      { line: 2, reason: expect.stringContaining('bad.ndjson:2: not JSON') },
      { line: 3, reason: expect.stringContaining('nothing') },
      { line: 5, reason: expect.stringContaining('/tags/0/tag') },
      { line: 7, reason: expect.stringContaining('aspectName') },
      { line: 8, reason: expect.stringContaining('/removed') },
    ])
    expect((await c.aspect(hive('ok.2'), 'status')).status).toBe(200)
  })

  test('tells up to which line all is done, never beyond', async () => {
    const { path } = await exportTo(full, 'marks.ndjson')
    await using empty = await testCatalog()
    const client = new CatalogClient({ url: empty.url })
    const marks: number[] = []
    await readExport(client, path, { signal, onDone: async (lines) => void marks.push(lines) })
    await client.close()
    expect(marks).toEqual(marks.toSorted((a, b) => a - b))
    expect(marks.at(-1)).toBe(linesOf(path).length)
  })
})

/** Hands requests on, and breaks an export off after so many bytes. */
async function cuttingProxy(target: string, bytes: number): Promise<AsyncDisposable & { readonly url: string }> {
  const server = createServer((incoming, outgoing) => {
    const onward = httpRequest(
      target + incoming.url,
      { method: incoming.method, headers: incoming.headers },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 500, answer.headers)
        let left = incoming.url?.includes('/export') === true ? bytes : Infinity
        answer.on('data', (chunk: Buffer) => {
          left -= chunk.length
          if (left < 0) {
            outgoing.destroy()
            answer.destroy()
          } else outgoing.write(chunk)
        })
        answer.on('end', () => outgoing.end())
      },
    )
    incoming.pipe(onward)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
