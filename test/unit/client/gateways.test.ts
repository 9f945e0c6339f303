/** What stands between us and a catalog: gateways that pack, redirect, cut, close and answer in HTML. */
import { createServer, request as httpRequest, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { CatalogClient } from '../../../src/client/catalog-client.ts'
import { replaceAspect, type AspectChange } from '../../../src/client/change.ts'
import { emit, type EmitReport } from '../../../src/client/emitter.ts'
import { MemoryJournal } from '../../../src/client/journal.ts'
import { asUrn } from '../../../src/model/urn.ts'
import { StubCatalog } from '../../support/stub-catalog.ts'

const QUICK = { firstDelayMs: 2, maxDelayMs: 10, deadlineMs: 5000 }
const HTML = '<html><head><title>Sign in</title></head><body>Please sign in</body></html>'

/** Answers itself, or lets the request through: then it may still change the answer. */
type Gateway = (request: IncomingMessage, body: Buffer, response: ServerResponse) => boolean
type Passing = (response: ServerResponse, status: number, body: Buffer) => void

let stub: StubCatalog
let server: Server
let client: CatalogClient
let journal: MemoryJournal
let gateway: Gateway
let pass: Passing

beforeEach(async () => {
  stub = await StubCatalog.start()
  gateway = () => false
  pass = (response, status, body) => void response.writeHead(status, { 'content-type': 'application/json' }).end(body)
  server = createServer((request, response) => void handle(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  client = clientWith()
  journal = new MemoryJournal()
})

afterEach(async () => {
  await client.close()
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
  await stub.close()
})

const urlOf = (): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`
const clientWith = (token?: string): CatalogClient => {
  return new CatalogClient({ url: urlOf(), timeoutMs: 5000, token, maxAnswerBytes: 1_000_000 }, { retry: QUICK })
}

async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await bytesOf(request)
  if (gateway(request, body, response)) return
  const { method, headers, url: path } = request
  const onward = httpRequest(new URL(path ?? '', stub.url), { method, headers: { ...headers, host: 'stub' } })
  onward.end(body)
  const answer = await new Promise<IncomingMessage>((resolve) => onward.on('response', resolve))
  pass(response, answer.statusCode ?? 0, await bytesOf(answer))
}

async function bytesOf(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of message) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

function tags(count: number): readonly AspectChange[] {
  return Array.from({ length: count }, (_, n) => ({
    urn: asUrn(`urn:li:tag:t${n}`),
    aspectName: 'tagProperties',
    intent: { name: `Tag ${n}` },
    merge: replaceAspect,
  }))
}

function run(changes: readonly AspectChange[], sink = client): Promise<EmitReport> {
  return emit(changes, { sink, journal, runId: 'run-1', policy: QUICK, maxBatch: 20 })
}

const isWrite = (request: IncomingMessage): boolean => request.url?.includes('ingestProposalBatch') === true

function html(response: ServerResponse, status: number): true {
  response.writeHead(status, { 'content-type': 'text/html' }).end(HTML)
  return true
}

test.each([
  ['gzip', gzipSync],
  ['deflate', deflateSync],
  ['br', brotliCompressSync],
  ['zstd', zstdCompressSync],
])('answers packed by %s, though nobody asked for it', async (encoding, packed) => {
  pass = (response, status, body) => void response.writeHead(status, { 'content-encoding': encoding }).end(packed(body))
  expect((await run(tags(50))).counts.written).toBe(50)
  expect((await emit(tags(50), { sink: client, journal: new MemoryJournal(), runId: 'run-2' })).counts.unchanged).toBe(
    50,
  )
})

test('an error in a packed answer is read, too, and what unpacks to too much is not', async () => {
  pass = (response) =>
    void response.writeHead(422, { 'content-encoding': 'gzip' }).end(gzipSync('{"message":"no such thing"}'))
  await expect(client.health()).rejects.toMatchObject({
    code: 'PROPOSAL_REFUSED',
    message: expect.stringContaining('no such thing') as string,
  })
  pass = (response) => void response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(' '.repeat(2_000_000)))
  await expect(client.config()).rejects.toMatchObject({ code: 'ANSWER_TOO_LARGE' })
})

test('a login page with status 200 is not taken for a write', async () => {
  gateway = (request, _body, response) => isWrite(request) && html(response, 200)
  await expect(run(tags(5))).rejects.toMatchObject({ code: 'NOT_A_CATALOG' })
  expect(stub.aspects.size).toBe(0)
})

test('a redirect is not followed, and said with where it leads', async () => {
  gateway = (_request, _body, response) => {
    response.writeHead(301, { location: 'https://user:pass@datahub.example/api/gms/config?token=x' }).end()
    return true
  }
  await expect(client.config()).rejects.toMatchObject({
    code: 'NOT_A_CATALOG',
    message: expect.stringMatching(
      /redirects \(301\) to https:\/\/user:\*\*\*@datahub\.example\/api\/gms\/config$/,
    ) as string,
  })
})

test('error pages of a gateway are waited for, and what it lets through then is written once', async () => {
  let pages = 6
  gateway = (request, _body, response) => isWrite(request) && pages-- > 0 && html(response, pages % 2 === 0 ? 502 : 503)
  expect((await run(tags(30))).counts).toEqual({ written: 30, unchanged: 0, refused: 0, dead: 0 })
  expect([...stub.aspects.values()].every(({ version }) => version === 1)).toBe(true)
})

test('what a gateway takes for too large is sent in pieces, down to the one that is', async () => {
  const changes = [
    ...tags(40),
    { ...tags(1)[0], urn: asUrn('urn:li:tag:big'), intent: { name: 'x'.repeat(9000) } } as AspectChange,
  ]
  gateway = (request, body, response) => isWrite(request) && body.length > 4000 && html(response, 413)
  expect((await run(changes)).counts).toEqual({ written: 40, unchanged: 0, refused: 1, dead: 0 })
  expect(journal.deadLetters).toMatchObject([{ code: 'PAYLOAD_TOO_LARGE', proposal: { entityUrn: 'urn:li:tag:big' } }])
})

test('a server that closes after each answer costs connections, nothing else', async () => {
  pass = (response, status, body) => void response.writeHead(status, { connection: 'close' }).end(body)
  expect((await run(tags(100))).counts.written).toBe(100)
})

test('a token that ends in the middle ends the run, which goes on with a new one where it was', async () => {
  let writes = 0
  gateway = (request, _body, response) => {
    if (request.headers.authorization === 'Bearer new') return false
    if (isWrite(request)) writes++
    if (writes <= 2) return false
    response.writeHead(401).end('{"message":"Unauthorized to perform this action."}')
    return true
  }
  const old = clientWith('old')
  await expect(run(tags(200), old)).rejects.toMatchObject({ code: 'UNAUTHORIZED', retryable: false })
  await old.close()
  const arrived = stub.aspects.size
  expect(arrived).toBeGreaterThan(0)
  expect(arrived).toBeLessThan(200)

  const renewed = clientWith('new')
  expect((await run(tags(200), renewed)).counts).toEqual({ written: 200, unchanged: 0, refused: 0, dead: 0 })
  await renewed.close()
  expect(stub.aspects.size).toBe(200)
  expect([...stub.aspects.values()].every(({ version }) => version === 1)).toBe(true)
})
