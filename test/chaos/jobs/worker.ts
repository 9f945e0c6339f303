/**
 * A worker of the three jobs in a process of its own, to be killed. Its one argument is JSON: where the database and the
 * catalog are. Says `ready` when it works, and ends on a SIGTERM.
 */
import { createMetrics } from '../../../src/observe/metrics.ts'
import { once } from 'node:events'
import { JOBS } from '../../../jobs/index.ts'
import { CatalogClient } from '../../../src/client/catalog-client.ts'
import type { DatabaseAddress } from '../../../src/model/database-address.ts'
import { systemClock } from '../../../src/observe/clock.ts'
import { randomIds } from '../../../src/observe/ids.ts'
import { createLogger } from '../../../src/observe/logger.ts'
import { Resources } from '../../../src/observe/resources.ts'
import { openQueues } from '../../../src/queue/open-queues.ts'
import { createJobRegistry } from '../../../src/runner/registry.ts'
import { openSweeper } from '../../../src/runner/sweeper.ts'
import { openWorkers } from '../../../src/runner/workers.ts'
import { openDatabase } from '../../../src/store/database.ts'

export interface WorkerArguments {
  readonly address: DatabaseAddress
  readonly catalogUrl: string
  readonly artifactsFolder: string
  /** Queue elsewhere than in the database. */
  readonly queueUrl?: string
}

/** Times short enough for a test, long enough for a busy machine. */
const TIMES = { heartbeatMs: 200, leaseMs: 1_500, lockDurationMs: 2_000, graceMs: 2_000, maxStalls: 1_000 }

const { address, catalogUrl, artifactsFolder, queueUrl } = JSON.parse(process.argv[2] ?? '{}') as WorkerArguments
const logger = createLogger({ level: 'error' })
const resources = new Resources()
const database = resources.use(openDatabase(address, { max: 8, applicationName: 'worker', logger }))
const queues = resources.use(
  await openQueues({ url: queueUrl, databaseAddress: address, logger, clock: systemClock, maxConnections: 12 }),
)
const retry = { firstDelayMs: 20, maxDelayMs: 200, deadlineMs: 60_000 }
const client = resources.use(new CatalogClient({ url: catalogUrl, timeoutMs: 2_000 }, { retry }))
const parts = {
  database,
  queues,
  jobs: createJobRegistry(JOBS),
  clock: systemClock,
  ids: randomIds,
  logger,
  metrics: createMetrics(),
}
resources.use(
  await openWorkers(parts, {
    ...TIMES,
    worker: `worker.${process.pid}`,
    concurrency: 2,
    connectionsFor: () => ({ catalog: () => client }),
    artifactsFolder,
    chance: Math.random,
  }),
)
resources.use(openSweeper(parts, { ...TIMES, intervalMs: 400, overdueMs: 1_500, keepEndedMs: 60_000 }))
process.stdout.write('ready\n')
await once(process, 'SIGTERM')
await resources.close()
