/**
 * The pieces as processes of their own, each with a data folder of its own, as on several machines: one PostgreSQL and one
 * Redis, reached by URL, the latter by TLS.
 */
import { spawnSync } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { silentLogger } from '../../src/observe/logger.ts'
import { openDatabase } from '../../src/store/database.ts'
import { headwater } from '../support/command.ts'
import { testDatabase, urlOf } from '../support/embedded.ts'
import { eventually } from '../support/eventually.ts'
import { hasRedis, NO_REDIS, startRedis } from '../support/redis.ts'
import { startServer } from '../support/server-process.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const hasOpenssl = spawnSync('openssl', ['version']).status === 0
const skipped = !hasRedis || !hasOpenssl
const reason = hasRedis ? 'there is no openssl on this machine' : NO_REDIS

const CONSOLE = /console listening on (http:\/\/\S+)/

const SCHEDULES = (file: string) => `schedules:
  - id: often
    cron: '*/2 * * * * *'
    job: import-csv
    input: { file: ['${file}'], missing: create }
    apply: true
    catchUp: all
    overlap: allow
`

/** A certificate of 127.0.0.1 that vouches for itself. */
function certificate(folder: string) {
  const files = { certificate: join(folder, 'redis.crt'), key: join(folder, 'redis.key') }
  const args = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=127.0.0.1']
  const names = ['-addext', 'subjectAltName=IP:127.0.0.1', '-keyout', files.key, '-out', files.certificate]
  const made = spawnSync('openssl', [...args, ...names])
  if (made.status !== 0) throw new Error(String(made.stderr))
  return files
}

test.skipIf(skipped)(
  `catalog, workers and scheduler apart share one ledger, also when a worker is killed ${skipped ? `(${reason})` : ''}`,
  { timeout: 240_000 },
  async () => {
    await using folder = await temporaryFolder()
    await using server = await testDatabase()
    const tls = certificate(folder.path)
    await using redis = await startRedis({}, tls)
    const env = { DATABASE_URL: urlOf(server), QUEUE_URL: redis.url, NODE_EXTRA_CA_CERTS: tls.certificate }
    const csv = join(folder.path, 'tags.csv')
    await writeFile(csv, 'resource,tags\n"urn:li:dataset:(urn:li:dataPlatform:hive,a,PROD)",urn:li:tag:pii\n')
    await mkdir(join(folder.path, 'config'))
    await writeFile(join(folder.path, 'config/schedules.yaml'), SCHEDULES(csv))
    const options = (name: string) => ({ cwd: folder.path, env: { ...env, HEADWATER_HOME: join(folder.path, name) } })

    const untrusting = { ...env, NODE_EXTRA_CA_CERTS: '', HEADWATER_HOME: join(folder.path, 'other') }
    const refused = await headwater(['worker'], { cwd: folder.path, env: untrusting })
    expect(refused).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/QUEUE_UNAVAILABLE .* self-signed certificate/),
    })
    expect(refused.stderr).toContain('NODE_EXTRA_CA_CERTS')

    await using catalog = startServer(['catalog', 'serve', '--port', '0'], options('a'))
    await using first = startServer(['worker', '--console-port', '0'], options('b'))
    await using second = startServer(['worker', '--console-port', '0'], options('c'))
    await using scheduler = startServer(['scheduler', '--console-port', '0'], options('d'))
    await catalog.waitFor(/catalog listening on/)
    const consoles = await Promise.all([first, second, scheduler].map((piece) => piece.waitFor(CONSOLE)))
    const [, , ticking = ''] = consoles.map(([, url = '']) => url)
    const succeeded = async (): Promise<number> => {
      const answer = await fetch(`${ticking}/api/runs?schedule=often&limit=1000`)
      const { runs } = (await answer.json()) as { runs: { state: string; error: unknown }[] }
      expect(runs.filter(({ error }) => error !== null)).toEqual([])
      return runs.filter(({ state }) => state === 'succeeded').length
    }
    await eventually(async () => expect(await succeeded()).toBeGreaterThan(1), 90_000)
    for (const [, url = ''] of consoles) expect((await fetch(`${url}/health/ready`)).status, url).toBe(200)

    expect(await first.stop('SIGKILL')).toMatchObject({ signal: 'SIGKILL' })
    const before = await succeeded()
    await eventually(async () => expect(await succeeded()).toBeGreaterThan(before + 2), 90_000)

    // A newer version migrates, and leaves no room for this one.
    const database = openDatabase(server.address, { max: 1, applicationName: 'test', logger: silentLogger() })
    await database.execute(`insert into headwater.migration (version, name) values (9999, 'of a later version')`)
    await database.close()
    await second.waitFor(/DATABASE_TOO_NEW/)
    await scheduler.waitFor(/DATABASE_TOO_NEW/)
    // They end by themselves: SIGCONT does nothing to them.
    expect(await second.stop('SIGCONT')).toEqual({ code: 1, signal: null })
    expect(await scheduler.stop('SIGCONT')).toEqual({ code: 1, signal: null })
  },
)
