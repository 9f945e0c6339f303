import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { openSource } from '../../../src/client/source-file.ts'
import { HTTP_LIMITS, readHttp } from '../../../src/client/source-http.ts'
import { runImport } from '../../support/import-run.ts'
import { StubCatalog } from '../../support/stub-catalog.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

let server: Server | undefined

afterEach(async () => {
  server?.closeAllConnections()
  await new Promise((resolve) => (server === undefined ? resolve(undefined) : server.close(resolve)))
  server = undefined
})

async function serve(listener: RequestListener): Promise<string> {
  const started = createServer(listener)
  server = started
  await new Promise<void>((resolve) => started.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(started.address() as AddressInfo).port}`
}

async function textOf(bytes: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = []
  for await (const chunk of bytes) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

test('redirects are followed, so far', async () => {
  const url = await serve((request, response) => {
    const left = Number(/\d+/.exec(request.url ?? '')?.[0])
    if (left === 0) response.end('here')
    else response.writeHead(302, { location: `/${left - 1}` }).end()
  })
  expect(await textOf(openSource(`${url}/5`))).toBe('here')
  await expect(textOf(openSource(`${url}/6`))).rejects.toMatchObject({
    code: 'SOURCE_UNREADABLE',
    message: expect.stringContaining('more than 5 redirects'),
  })
})

test('variables of an address are filled in where it is read, but only those that are meant for it', async () => {
  const url = await serve((request, response) => {
    if (request.url?.startsWith('/secret') === true) response.writeHead(403).end()
    else response.end(request.url)
  })
  process.env['HEADWATER_SOURCE_SIG'] = 's3cr3t'
  try {
    expect(await textOf(openSource(`${url}/a?sig=\${HEADWATER_SOURCE_SIG}&home=\${HOME}`))).toBe(
      '/a?sig=s3cr3t&home=${HOME}',
    )
    const refused = textOf(openSource(`${url}/secret/\${HEADWATER_SOURCE_SIG}`))
    await expect(refused).rejects.toThrow(/answers 403/)
    await expect(refused).rejects.not.toThrow(/s3cr3t/)
  } finally {
    delete process.env['HEADWATER_SOURCE_SIG']
  }
  await expect(textOf(openSource(`${url}/\${HEADWATER_SOURCE_SIG}`))).rejects.toThrow('has no HEADWATER_SOURCE_SIG')
})

test('a redirect does not lead to another scheme', async () => {
  const url = await serve((_, response) => response.writeHead(301, { location: 'file:///etc/passwd' }).end())
  await expect(textOf(openSource(url))).rejects.toThrow('redirects to file:')
})

test('what is longer, slower or more silent than allowed is given up', async () => {
  const url = await serve((request, response) => {
    response.write('some')
    if (request.url === '/long') response.end('x'.repeat(100))
  })
  const limits = { ...HTTP_LIMITS, maxBytes: 50 }
  await expect(textOf(readHttp(`${url}/long`, undefined, limits))).rejects.toThrow('longer than 50 bytes')
  await expect(textOf(readHttp(url, undefined, { ...limits, wholeMs: 50 }))).rejects.toThrow('longer than 0.05 s')
  await expect(textOf(readHttp(url, undefined, { ...limits, silenceMs: 50 }))).rejects.toMatchObject({
    code: 'SOURCE_UNREADABLE',
  })
})

test('an answer that is not a file, and a server that is not there, are named without what is secret in the address', async () => {
  const url = await serve((_, response) => response.writeHead(403).end('no'))
  await expect(textOf(openSource(`${url}/x.csv`))).rejects.toThrow('the server answers 403')
  const away = textOf(openSource('http://me:hunter2@127.0.0.1:9/x.csv'))
  await expect(away).rejects.toMatchObject({
    code: 'SOURCE_UNREADABLE',
    message: expect.not.stringContaining('hunter2'),
  })
})

test('what is packed is unpacked, whatever its name says', async () => {
  await using folder = await temporaryFolder()
  const packed = gzipSync('resource,tags\n')
  const url = await serve((_, response) => {
    response.write(packed.subarray(0, 1))
    response.end(packed.subarray(1))
  })
  await writeFile(join(folder.path, 'a.csv'), packed)
  await writeFile(join(folder.path, 'b.csv.gz'), packed)
  await writeFile(join(folder.path, 'broken.csv.gz'), packed.subarray(0, 15))
  await writeFile(join(folder.path, 'one'), 'x')
  for (const location of [url, join(folder.path, 'a.csv'), join(folder.path, 'b.csv.gz')]) {
    expect(await textOf(openSource(location))).toBe('resource,tags\n')
  }
  expect(await textOf(openSource(join(folder.path, 'one')))).toBe('x')
  await expect(textOf(openSource(join(folder.path, 'broken.csv.gz')))).rejects.toMatchObject({
    code: 'SOURCE_UNREADABLE',
  })
})

test('what unpacks to more than may come is given up', async () => {
  await using folder = await temporaryFolder()
  const path = join(folder.path, 'bomb.csv.gz')
  await writeFile(path, gzipSync('a'.repeat(1_000_000)))
  await expect(textOf(openSource(path, undefined, 0, 100_000))).rejects.toMatchObject({
    code: 'SOURCE_UNREADABLE',
    message: expect.stringContaining('longer than 100000 bytes'),
  })
  expect((await textOf(openSource(path, undefined, 0, 1_000_000))).length).toBe(1_000_000)
})

test('an object in a store is no file, and the way to it is said', async () => {
  await expect(textOf(openSource('s3://bucket/tags.csv'))).rejects.toMatchObject({
    code: 'SOURCE_UNREADABLE',
    remedy: expect.stringContaining('aws s3 cp'),
  })
})

test('what an import tells of a signed address carries none of its secrets', async () => {
  await using catalog = Object.assign(await StubCatalog.start(), {
    async [Symbol.asyncDispose](this: StubCatalog) {
      await this.close()
    },
  })
  const url = await serve((_, response) => response.end('resource,tags\n"urn:li:dataset:(x",pii\n'))
  const { rejects } = await runImport(catalog.url, [], { files: [`${url}/a.csv?sig=s3cret`] })
  expect(rejects).toMatchObject([{ code: 'INVALID_URN', place: { file: `${url}/a.csv?sig=***`, line: 2 } }])
})
