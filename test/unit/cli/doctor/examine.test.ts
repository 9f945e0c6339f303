import { chmod, mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test, type TestContext } from 'vitest'
import type { CheckResult } from '../../../../src/cli/doctor/check.ts'
import { CHECKS, examine } from '../../../../src/cli/doctor/examine.ts'
import { loadConfig } from '../../../../src/config/load.ts'
import { openEmbeddedPostgres } from '../../../../src/embedded/embedded-postgres.ts'
import { systemClock, type Clock } from '../../../../src/observe/clock.ts'
import { silentLogger } from '../../../../src/observe/logger.ts'
import { openDatabase } from '../../../../src/store/database.ts'
import { migrate } from '../../../../src/store/migrate.ts'
import { FaultProxy } from '../../../chaos/kit/fault-proxy.ts'
import { always } from '../../../chaos/kit/faults.ts'
import { headwater } from '../../../support/command.ts'
import { testDatabase } from '../../../support/embedded.ts'
import { hasRedis, NO_REDIS, startRedis } from '../../../support/redis.ts'
import { temporaryFolder } from '../../../support/temporary-folder.ts'

type Environment = Readonly<Record<string, string>>

async function examined(folder: string, environment: Environment = {}, clock: Clock = systemClock) {
  const config = loadConfig({ workingFolder: folder, environment, flags: {} })
  const results = await examine({ config, clock, logger: silentLogger(), environment })
  return Object.fromEntries(results.map((result): [string, CheckResult] => [result.name, result]))
}

test('on a fresh folder all is well, and nothing is made', async () => {
  await using folder = await temporaryFolder()
  const results = await examined(folder.path)
  expect(Object.keys(results)).toEqual(CHECKS.map(({ name }) => name))
  expect(results).toMatchObject({
    node: { status: 'ok' },
    versions: { status: 'ok', found: expect.stringContaining('schema 0 of') },
    rights: { status: 'ok' },
    database: { status: 'ok', found: expect.stringMatching(/PostgreSQL 18 can run, under uid \d+/) },
    queue: { status: 'ok', found: expect.stringContaining('in the database') },
    catalog: { status: 'ok', found: expect.stringContaining('does not run') },
  })
  expect(await readdir(folder.path)).toEqual([])
})

test('an embedded database that is there is asked, and left as it was', async () => {
  await using folder = await temporaryFolder()
  const dataDir = join(folder.path, '.headwater/postgres')
  const options = { dataDir, logger: silentLogger(), clock: systemClock }
  {
    await using server = await openEmbeddedPostgres(options)
    const database = openDatabase(server.address, { max: 1, applicationName: 'test', logger: silentLogger() })
    await migrate(database)
    await database.close()
  }
  const results = await examined(folder.path)
  expect(results['database']).toMatchObject({ status: 'ok', found: expect.stringMatching(/embedded: PostgreSQL 18/) })
  expect(results['versions']).toMatchObject({ status: 'ok', found: expect.stringMatching(/schema (\d+) of \1$/) })
  await expect(readdir(dataDir)).resolves.not.toContain('postmaster.pid')
})

test('a data folder of another major version is a failure with its remedy', async () => {
  await using folder = await temporaryFolder()
  await mkdir(join(folder.path, '.headwater/postgres'), { recursive: true })
  await writeFile(join(folder.path, '.headwater/postgres/PG_VERSION'), '16\n')
  expect((await examined(folder.path))['database']).toMatchObject({
    status: 'fail',
    found: expect.stringContaining('PostgreSQL 16'),
    remedy: expect.stringContaining('DATABASE_URL'),
  })
})

test('a database by URL that is away is a failure, and no password is told', async () => {
  await using folder = await temporaryFolder()
  const results = await examined(folder.path, { DATABASE_URL: 'postgres://me:hunter2@127.0.0.1:1/db' })
  expect(results['database']).toMatchObject({ status: 'fail', remedy: expect.stringContaining('DATABASE_URL') })
  expect(results['clock']).toMatchObject({ status: 'fail' })
  expect(JSON.stringify(results)).not.toContain('hunter2')
})

test('a clock that is apart from the one of the database is seen', async () => {
  await using folder = await temporaryFolder()
  await using db = await testDatabase()
  const { folder: host, port, user, database } = db.address
  const url = `postgres://${user}@/${database}?host=${encodeURIComponent(host)}&port=${port}`
  const late: Clock = { ...systemClock, now: () => systemClock.now() - 90_000 }
  const results = await examined(folder.path, { DATABASE_URL: url }, late)
  expect(results['database']).toMatchObject({ status: 'ok' })
  expect(results['clock']).toMatchObject({ status: 'fail', remedy: expect.stringContaining('NTP') })
})

test('a Redis is asked for version, eviction and append-only file', async (context: TestContext) => {
  context.skip(!hasRedis, NO_REDIS)
  await using folder = await temporaryFolder()
  await using evicting = await startRedis({ 'maxmemory-policy': 'allkeys-lru', appendonly: 'yes' })
  expect((await examined(folder.path, { QUEUE_URL: evicting.url }))['queue']).toMatchObject({
    status: 'fail',
    remedy: expect.stringContaining('noeviction'),
  })
  await using forgetful = await startRedis({ appendonly: 'no' })
  expect((await examined(folder.path, { QUEUE_URL: forgetful.url }))['queue']).toMatchObject({
    status: 'warn',
    remedy: expect.stringContaining('appendonly yes'),
  })
})

test('a Redis that is away is a failure, and no password is told', async () => {
  await using folder = await temporaryFolder()
  const results = await examined(folder.path, { QUEUE_URL: 'redis://:hunter2@127.0.0.1:1' })
  expect(results['queue']).toMatchObject({ status: 'fail', found: expect.stringContaining('ECONNREFUSED') })
  expect(JSON.stringify(results)).not.toContain('hunter2')
})

test('each connection of the configuration is tried', async () => {
  await using folder = await temporaryFolder()
  await using proxy = await FaultProxy.open('http://127.0.0.1:1', always({ kind: 'status', status: 401 }))
  await mkdir(join(folder.path, 'config'))
  const yaml = `connections:\n  strict:\n    url: ${proxy.url}\n  away:\n    url: http://127.0.0.1:1\n`
  await writeFile(join(folder.path, 'config/headwater.yaml'), yaml)
  const { catalog } = await examined(folder.path)
  expect(catalog).toMatchObject({
    status: 'fail',
    found: expect.stringMatching(/strict: .*401.*; away: /),
    remedy: expect.stringContaining('DATAHUB_GMS_TOKEN'),
  })
})

test('a data folder that others may write into is a warning', async () => {
  await using folder = await temporaryFolder()
  await mkdir(join(folder.path, '.headwater'))
  await chmod(join(folder.path, '.headwater'), 0o777)
  expect((await examined(folder.path))['rights']).toMatchObject({ status: 'warn' })
})

test('the command prints a line for each check with its remedy, and exits with 1 where one fails', async () => {
  await using folder = await temporaryFolder()
  const well = await headwater(['doctor', '--json'], { cwd: folder.path })
  expect(well.code).toBe(0)
  expect(JSON.parse(well.stdout).checks).toHaveLength(CHECKS.length)
  const ill = await headwater(['doctor'], { cwd: folder.path, env: { QUEUE_URL: 'redis://127.0.0.1:1' } })
  expect(ill.code).toBe(1)
  expect(ill.stdout).toMatch(/^ok {4}node +Node \d+/m)
  expect(ill.stdout).toMatch(/^fail {2}queue .*\n +→ start it/m)
})
