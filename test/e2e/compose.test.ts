import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, type TestContext } from 'vitest'
import { parse } from 'yaml'
import { PROJECT, headwater, runCommand } from '../support/command.ts'
import { testDatabase } from '../support/embedded.ts'
import { hasRedis, NO_REDIS, startRedis } from '../support/redis.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { startPiece, type Piece } from '../chaos/kit/piece.ts'
import { Wire } from '../chaos/kit/wire.ts'

interface Service {
  readonly image?: string
  readonly build?: string
  readonly command: readonly string[]
  readonly environment: Readonly<Record<string, string>>
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>
  readonly healthcheck: { readonly test: readonly string[]; readonly interval: string; readonly retries: number }
  readonly volumes?: readonly string[]
  readonly restart: string
}

interface Compose {
  readonly services: Readonly<Record<string, Service>>
  readonly volumes: Readonly<Record<string, unknown>>
}

const TEXT = readFileSync(join(PROJECT, 'docker-compose.yml'), 'utf8')
const compose: Compose = parse(TEXT, { merge: true })
const OURS = ['catalog', 'scheduler', 'worker']

function service(name: string): Service {
  const found = compose.services[name]
  if (found === undefined) throw new Error(`no service ${name} in docker-compose.yml`)
  return found
}

/** `--a b` or `-c a=b` pairs of a command line as a map. */
function settings(command: readonly string[]): ReadonlyMap<string, string> {
  return new Map(command.map((word, index) => [word.replace(/^--/, ''), command[index + 1] ?? '']))
}

test('every service has a health check, comes back after a crash, and waits for what it needs', () => {
  expect(Object.keys(compose.services).toSorted()).toEqual([...OURS, 'postgres', 'redis'].toSorted())
  for (const [name, { healthcheck, restart }] of Object.entries(compose.services)) {
    expect(healthcheck.test[0], name).toBe('CMD')
    for (const word of healthcheck.test) expect(word, name).toBeTypeOf('string')
    expect(healthcheck.retries, name).toBeGreaterThan(0)
    expect(restart, name).toBe('unless-stopped')
  }
  for (const name of OURS) {
    expect(service(name).depends_on, name).toEqual({
      postgres: { condition: 'service_healthy' },
      redis: { condition: 'service_healthy' },
    })
  }
})

test('Redis never evicts a job and keeps an append-only file on a volume', () => {
  const redis = settings(service('redis').command)
  expect(redis.get('maxmemory-policy')).toBe('noeviction')
  expect(redis.get('appendonly')).toBe('yes')
  expect(service('redis').volumes).toEqual(['redis:/data'])
})

test('named volumes are declared, and passwords come from the environment only', () => {
  const named = Object.values(compose.services)
    .flatMap(({ volumes = [] }) => volumes)
    .map((volume) => volume.split(':')[0] ?? '')
    .filter((source) => !source.startsWith('.'))
  expect(named.toSorted()).toEqual(Object.keys(compose.volumes).toSorted())
  expect(TEXT).toMatch(/HEADWATER_TOKEN: \$\{HEADWATER_TOKEN:\?/)
  for (const secret of TEXT.matchAll(/(PASSWORD|TOKEN): (.*)/g)) expect(secret[2]).toMatch(/^\$\{\w+:[?-]/)
})

test.each(OURS)('the command of %s exists, with each flag that it is given', async (name) => {
  const words = service(name).command
  const flags = words.filter((word) => word.startsWith('--'))
  const path = words.slice(0, flags.length === 0 ? undefined : words.indexOf(flags[0] ?? ''))
  const { code, stdout } = await headwater([...path, '--help'])
  expect(code).toBe(0)
  expect(stdout).toContain(`Usage: headwater ${path.join(' ')}`)
  for (const flag of flags) expect(stdout).toContain(flag)
})

test('the pieces run by hand with the environment of the compose file, and their health checks hold', async (context: TestContext) => {
  context.skip(!hasRedis, NO_REDIS)
  await using folder = await temporaryFolder()
  await using database = await testDatabase()
  await using redis = await startRedis({ appendonly: 'yes' })
  const { folder: sockets, port, user, database: databaseName } = database.address
  await using wire = await Wire.to({ path: `${sockets}/.s.PGSQL.${port}` })
  const here: Readonly<Record<string, string>> = {
    DATABASE_URL: `postgres://${user}@127.0.0.1:${wire.port}/${databaseName}`,
    QUEUE_URL: redis.url,
    HEADWATER_TOKEN: 'a token',
    DATAHUB_GMS_TOKEN: '',
  }
  const environmentOf = (name: string) => ({
    ...Object.fromEntries(Object.keys(service(name).environment).map((variable) => [variable, here[variable]])),
    HEADWATER_HOME: join(folder.path, name),
  })
  const start = (name: string, args: readonly string[]): Piece =>
    startPiece({ script: 'headwater', args, env: environmentOf(name), cwd: folder.path })

  await using catalog = start('catalog', [...service('catalog').command.slice(0, -1), '0'])
  await using scheduler = start('scheduler', service('scheduler').command)
  await using worker = start('worker', service('worker').command)
  const [, address = ''] = await catalog.line(/listening on http:\/\/([\d.:]+)/)
  await scheduler.line(/^scheduler ready/)
  await worker.line(/^worker ready/)

  const [, , flag = '', script = ''] = service('catalog').healthcheck.test
  const catalogPort = address.split(':').at(-1) ?? ''
  const probe = await runCommand(process.execPath, [flag, script.replace('8080', catalogPort)])
  expect(probe).toMatchObject({ code: 0 })
  for (const name of ['scheduler', 'worker']) {
    const [, program, ...args] = service(name).healthcheck.test
    expect(program).toBe('headwater')
    const health = await headwater(args, {
      cwd: folder.path,
      env: { ...here, HEADWATER_HOME: join(folder.path, name) },
    })
    expect(health.stdout).not.toMatch(/^fail/m)
    expect(health.code).toBe(0)
  }
  for (const piece of [worker, scheduler, catalog]) expect(await piece.kill('SIGTERM')).toMatchObject({ code: 0 })
})

const DOCKERFILE = readFileSync(join(PROJECT, 'Dockerfile'), 'utf8')

test('the image is Debian, runs as nobody in particular, and starts headwater', () => {
  const bases = [...DOCKERFILE.matchAll(/^FROM (\S+)/gm)].map((match) => match[1])
  expect(bases.length).toBeGreaterThan(0)
  for (const base of bases) expect(base).toMatch(/^node:24\S*-bookworm/)
  expect(DOCKERFILE).toMatch(/^USER (?!root)\w+$/m)
  expect(DOCKERFILE).toMatch(/^ENTRYPOINT \["headwater"\]$/m)
})

test('all that the image copies is there, and sent to the builder', () => {
  const allowed = readFileSync(join(PROJECT, '.dockerignore'), 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('!'))
    .map((line) => line.slice(1))
  const copied = [...DOCKERFILE.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap((match) => (match[1] ?? '').split(' '))
  expect(copied.length).toBeGreaterThan(0)
  for (const source of copied) {
    expect(existsSync(join(PROJECT, source)), source).toBe(true)
    expect(allowed).toContain(source.replace('./', ''))
  }
})
