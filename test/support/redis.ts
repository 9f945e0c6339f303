import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { temporaryFolder } from './temporary-folder.ts'

/** Whether this machine has a Redis to test with; the tests that need one say so when they skip. */
export const hasRedis = spawnSync('redis-server', ['--version']).status === 0
export const NO_REDIS = 'there is no redis-server on this machine (apt-get install redis-server)'

export interface TestRedis extends AsyncDisposable {
  readonly url: string
  readonly pid: number
  /** Sends a signal to the server, for example SIGSTOP to make it hang. */
  signal(signal: NodeJS.Signals): void
  /** Kills the server with SIGKILL and starts another in its place; what it keeps depends on its settings. */
  restart(): Promise<void>
}

/** Certificate and key of a server, PEM files. */
export interface TlsFiles {
  readonly certificate: string
  readonly key: string
}

/** A Redis server of a test's own on a free port, in memory; by TLS alone where it is given a certificate. */
export async function startRedis(settings: Readonly<Record<string, string>> = {}, tls?: TlsFiles): Promise<TestRedis> {
  const folder = await temporaryFolder()
  const port = await freePort()
  const listening =
    tls === undefined
      ? { port: String(port) }
      : {
          port: '0',
          'tls-port': String(port),
          'tls-cert-file': tls.certificate,
          'tls-key-file': tls.key,
          'tls-auth-clients': 'no',
        }
  const wanted = {
    ...listening,
    bind: '127.0.0.1',
    dir: folder.path,
    save: '',
    'maxmemory-policy': 'noeviction',
    ...settings,
  }
  const flags = Object.entries(wanted).flatMap(([key, value]) => [`--${key}`, value])
  const start = async () => {
    const started = spawn('redis-server', flags, { stdio: ['ignore', 'pipe', 'inherit'] })
    await untilReady(started.stdout.setEncoding('utf8'))
    started.stdout.resume()
    return started
  }
  let server = await start()
  const kill = async () => {
    const gone = once(server, 'exit')
    server.kill('SIGKILL')
    await gone
  }
  return {
    url: `${tls === undefined ? 'redis' : 'rediss'}://127.0.0.1:${port}`,
    get pid() {
      return server.pid ?? 0
    },
    signal: (signal) => server.kill(signal),
    async restart() {
      await kill()
      server = await start()
    },
    async [Symbol.asyncDispose]() {
      await kill()
      await folder[Symbol.asyncDispose]()
    },
  }
}

async function untilReady(output: AsyncIterable<string>): Promise<void> {
  let text = ''
  for await (const chunk of output) {
    text += chunk
    if (text.includes('Ready to accept connections')) return
  }
  throw new Error(`redis-server did not start: ${text}`)
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
