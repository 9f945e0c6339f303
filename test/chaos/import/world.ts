/**
 * Everything that an import needs, each in a process of its own that can be killed: a worker, a catalog, PostgreSQL, and
 * Redis as the queue where this machine has one. Whatever is killed is started again at once.
 */
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { JOBS } from '../../../jobs/index.ts'
import { openEmbeddedPostgres } from '../../../src/embedded/embedded-postgres.ts'
import { systemClock } from '../../../src/observe/clock.ts'
import { randomIds } from '../../../src/observe/ids.ts'
import { createMetrics } from '../../../src/observe/metrics.ts'
import { silentLogger } from '../../../src/observe/logger.ts'
import { Resources } from '../../../src/observe/resources.ts'
import { openQueues } from '../../../src/queue/open-queues.ts'
import type { RunnerParts } from '../../../src/runner/parts.ts'
import { createJobRegistry } from '../../../src/runner/registry.ts'
import { openDatabase, type Database } from '../../../src/store/database.ts'
import { migrate } from '../../../src/store/migrate.ts'
import { evenIfAway } from '../../../src/store/patience.ts'
import { hasRedis, startRedis } from '../../support/redis.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { startPiece, type Piece } from '../kit/piece.ts'

export const VICTIMS = hasRedis
  ? (['worker', 'catalog', 'postgres', 'redis'] as const)
  : (['worker', 'catalog', 'postgres'] as const)
export type Victim = 'worker' | 'catalog' | 'postgres' | 'redis'

export interface World extends AsyncDisposable {
  readonly parts: RunnerParts
  readonly catalogUrl: string
  /** For input. */
  readonly folder: string
  /** Kills it with SIGKILL and starts another; resolves when that one works. */
  kill(victim: Victim): Promise<void>
  /** What the worker said, for messages. */
  said(): string
}

/** @param throughUrl where the worker finds the catalog, for a proxy in between; the catalog itself when absent */
export async function openWorld(throughUrl?: (catalogUrl: string) => Promise<string>): Promise<World> {
  const resources = new Resources()
  try {
    return await compose(resources, throughUrl)
  } catch (error) {
    await resources.close()
    throw error
  }
}

async function compose(
  resources: Resources,
  throughUrl: ((catalogUrl: string) => Promise<string>) | undefined,
): Promise<World> {
  const logger = silentLogger()
  const folder = await temporaryFolder()
  resources.defer(async () => folder[Symbol.asyncDispose]())
  const dataDir = join(folder.path, 'postgres')
  const postgres = resources.use(await openEmbeddedPostgres({ dataDir, logger, clock: systemClock, database: 'chaos' }))
  const { address } = postgres
  const database = resources.use(openDatabase(address, { max: 4, applicationName: 'chaos', logger }))
  await migrate(database)
  const redis = hasRedis ? await startRedis({ appendonly: 'yes', appendfsync: 'always' }) : undefined
  if (redis !== undefined) resources.defer(async () => redis[Symbol.asyncDispose]())
  const queues = resources.use(
    await openQueues({ url: redis?.url, databaseAddress: address, logger, clock: systemClock }),
  )

  const port = await freePort()
  const catalogUrl = `http://127.0.0.1:${port}`
  const startCatalog = (): Promise<Piece> => start('test/chaos/import/catalog.ts', { address, port })
  let catalog = await startCatalog()
  resources.defer(async () => catalog[Symbol.asyncDispose]())

  const url = throughUrl === undefined ? catalogUrl : await throughUrl(catalogUrl)
  const settings = { address, catalogUrl: url, artifactsFolder: join(folder.path, 'runs'), queueUrl: redis?.url }
  const startWorker = (): Promise<Piece> => start('test/chaos/jobs/worker.ts', settings)
  let worker = await startWorker()
  resources.defer(async () => worker[Symbol.asyncDispose]())

  const ways: Readonly<Record<Victim, () => Promise<void>>> = {
    async worker() {
      await worker.kill('SIGKILL')
      worker = await startWorker()
    },
    async catalog() {
      await catalog.kill('SIGKILL')
      catalog = await startCatalog()
    },
    async postgres() {
      process.kill(Number.parseInt(readFileSync(join(dataDir, 'postmaster.pid'), 'utf8'), 10), 'SIGKILL')
      await untilBack(database)
    },
    redis: async () => redis?.restart(),
  }
  return {
    parts: {
      database,
      queues,
      jobs: createJobRegistry(JOBS),
      clock: systemClock,
      ids: randomIds,
      logger,
      metrics: createMetrics(),
    },
    catalogUrl,
    folder: folder.path,
    kill: (victim) => ways[victim](),
    said: () => worker.lines.slice(-40).join('\n'),
    [Symbol.asyncDispose]: () => resources.close(),
  }
}

async function start(script: string, settings: object): Promise<Piece> {
  const piece = startPiece({ script, args: [JSON.stringify(settings)] })
  await piece.line(/^ready$/)
  return piece
}

/** The supervisor starts it again. */
async function untilBack(database: Database): Promise<void> {
  await evenIfAway(() => database.rows('select 1'))
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
