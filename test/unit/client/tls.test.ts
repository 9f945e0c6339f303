/**
 * The way to a catalog behind certificates and proxies: a server with a certificate of an authority that only the
 * connection names, one that demands a certificate of the client, and a proxy through which all of it goes.
 */
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer as createHttpServer, type Server } from 'node:http'
import { createServer, type Server as TlsServer } from 'node:https'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { CatalogClient } from '../../../src/client/catalog-client.ts'
import type { CatalogConnection } from '../../../src/client/transport.ts'
import { loadConfig } from '../../../src/config/load.ts'
import { CatalogClients } from '../../../src/main/connections.ts'
import { temporaryFolder, type TemporaryFolder } from '../../support/temporary-folder.ts'

const HOST = 'catalog.test'
const IMPATIENT = { retry: { firstDelayMs: 1, maxDelayMs: 1, deadlineMs: 0 } }

let folder: TemporaryFolder
let server: TlsServer
let url: string
let throughProxy: string
let proxy: Server
/** What the proxy was asked to connect to. */
const tunnels: string[] = []
const sockets = new Set<Socket>()

const pem = (name: string): string => readFileSync(join(folder.path, name), 'utf8')

function openssl(...args: readonly string[]): void {
  execFileSync('openssl', args, { cwd: folder.path, stdio: 'pipe' })
}

/** A certificate that the authority `ca` has signed. */
function certify(name: string, more: string): void {
  writeFileSync(join(folder.path, `${name}.ext`), more)
  openssl(
    'req',
    '-newkey',
    'rsa:2048',
    '-nodes',
    '-keyout',
    `${name}.key`,
    '-subj',
    `/CN=${name}`,
    '-out',
    `${name}.csr`,
  )
  const signing = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial', '-days', '1', '-extfile', `${name}.ext`]
  openssl('x509', '-req', '-in', `${name}.csr`, ...signing, '-out', `${name}.pem`)
}

beforeAll(async () => {
  folder = await temporaryFolder()
  openssl(
    'req',
    '-x509',
    '-newkey',
    'rsa:2048',
    '-nodes',
    '-keyout',
    'ca.key',
    '-subj',
    '/CN=ca',
    '-days',
    '1',
    '-out',
    'ca.pem',
  )
  certify('server', `subjectAltName=DNS:localhost,DNS:${HOST}`)
  certify('client', 'extendedKeyUsage=clientAuth')
  server = createServer(
    { cert: pem('server.pem'), key: pem('server.key'), ca: pem('ca.pem'), requestCert: true, rejectUnauthorized: true },
    (request, response) => {
      request.resume()
      response.setHeader('content-type', 'application/json').end('{"noCode":"true"}')
    },
  ).listen(0, 'localhost')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  url = `https://localhost:${port}`
  throughProxy = `https://${HOST}:${port}`
  proxy = createHttpServer()
  proxy.on('connect', (request, client: Socket) => {
    tunnels.push(request.url ?? '')
    const there = connect(port, 'localhost', () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n')
      there.pipe(client).pipe(there)
    })
    for (const socket of [client, there]) {
      sockets.add(socket)
      socket.on('error', () => {}).on('close', () => sockets.delete(socket))
    }
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
})

afterEach(() => {
  vi.unstubAllEnvs()
  tunnels.length = 0
})

afterAll(async () => {
  for (const socket of sockets) socket.destroy()
  server.closeAllConnections()
  for (const one of [server, proxy]) await new Promise((closed) => one.close(closed))
  await folder[Symbol.asyncDispose]()
})

async function isCatalog(connection: CatalogConnection): Promise<boolean> {
  const client = new CatalogClient(connection, IMPATIENT)
  try {
    await client.config()
    return true
  } finally {
    await client.close()
  }
}

const whole = () => ({ ca: pem('ca.pem'), cert: pem('client.pem'), key: pem('client.key') })

test('with the authority and a certificate of its own a client is let in', async () => {
  expect(await isCatalog({ url, tls: whole() })).toBe(true)
})

test('a certificate of an unknown authority is named as such, with what to do', async () => {
  const { cert, key } = whole()
  await expect(isCatalog({ url, tls: { cert, key } })).rejects.toMatchObject({
    code: 'CATALOG_UNTRUSTED',
    retryable: false,
    remedy: expect.stringContaining('caFile'),
  })
})

test('without a certificate of its own a client is not let in', async () => {
  // This server breaks off; others send an alert, which is then CATALOG_UNTRUSTED.
  await expect(isCatalog({ url, tls: { ca: pem('ca.pem') } })).rejects.toMatchObject({ code: 'CATALOG_AWAY' })
})

test('a connection of the configuration names the files', async () => {
  writeFileSync(join(folder.path, 'both.pem'), pem('client.pem') + pem('client.key'))
  const at = (name: string): string => join(folder.path, name)
  const connections: Readonly<Record<string, object>> = {
    apart: { url, caFile: at('ca.pem'), certFile: at('client.pem'), keyFile: at('client.key') },
    together: { url, caFile: at('ca.pem'), certFile: at('both.pem') },
    alone: { url, keyFile: at('client.key') },
    gone: { url, certFile: at('gone.pem') },
  }
  writeFileSync(at('headwater.yaml'), JSON.stringify({ connections }))
  const config = loadConfig({ workingFolder: folder.path, environment: {}, flags: { config: folder.path } })
  const clients = new CatalogClients(config, { url, token: undefined }, {}, IMPATIENT)
  for (const name of ['apart', 'together']) {
    expect(await clients.client(name).config()).toMatchObject({ patchCapable: false })
  }
  expect(() => clients.client('alone')).toThrow('keyFile is of no use without certFile')
  expect(() => clients.client('gone')).toThrow('connections.gone.certFile')
  await clients.close()
})

test('what is not PEM is no certificate', async () => {
  await expect(isCatalog({ url, tls: { ...whole(), cert: 'nonsense' } })).rejects.toMatchObject({
    code: 'CATALOG_UNTRUSTED',
  })
})

test('HTTPS_PROXY is gone through, certificates of both sides checked behind it', async () => {
  vi.stubEnv('HTTPS_PROXY', `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`)
  vi.stubEnv('NO_PROXY', '')
  expect(await isCatalog({ url: throughProxy, tls: whole() })).toBe(true)
  expect(tunnels).toEqual([throughProxy.slice('https://'.length)])
  await expect(isCatalog({ url: throughProxy })).rejects.toMatchObject({ code: 'CATALOG_UNTRUSTED' })
})

test('NO_PROXY leaves the proxy out, and so does loopback', async () => {
  vi.stubEnv('HTTPS_PROXY', `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`)
  vi.stubEnv('NO_PROXY', HOST)
  // Nobody but the proxy knows where that host is.
  await expect(isCatalog({ url: throughProxy, tls: whole() })).rejects.toMatchObject({ code: 'CATALOG_AWAY' })
  vi.stubEnv('NO_PROXY', '')
  expect(await isCatalog({ url, tls: whole() })).toBe(true)
  expect(tunnels).toEqual([])
})
