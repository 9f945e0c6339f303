/**
 * One process of a runner, to be killed: workers and sweeper, and a scheduler where it is asked for. Its one argument is
 * JSON: where the database and the queue are. Says `ready` when it works, and ends on a SIGTERM.
 */
import { once } from 'node:events'
import { systemClock } from '../../../src/observe/clock.ts'
import { randomIds } from '../../../src/observe/ids.ts'
import { createLogger } from '../../../src/observe/logger.ts'
import { createMetrics } from '../../../src/observe/metrics.ts'
import { Resources } from '../../../src/observe/resources.ts'
import { openQueues } from '../../../src/queue/open-queues.ts'
import { createJobRegistry } from '../../../src/runner/registry.ts'
import { openScheduler } from '../../../src/runner/scheduler.ts'
import { openSweeper } from '../../../src/runner/sweeper.ts'
import { openWorkers } from '../../../src/runner/workers.ts'
import { openDatabase } from '../../../src/store/database.ts'
import type { DatabaseAddress } from '../../../src/model/database-address.ts'
import { chaosJobs } from './chaos-jobs.ts'
import { plant, type PlantedBug } from './planted-bugs.ts'

export interface ReplicaArguments {
  readonly address: DatabaseAddress
  readonly queueUrl?: string | undefined
  readonly scheduler: boolean
  /** Below it each run has its folder; whoever kills the replica takes it away. */
  readonly folder: string
  /** A fault that the tests must find. */
  readonly bug?: PlantedBug
}

/** Times short enough for a test, long enough for a busy machine. */
const TIMES = { heartbeatMs: 200, leaseMs: 1_500, lockDurationMs: 2_000, graceMs: 2_000, maxStalls: 1_000 }

const { address, queueUrl, scheduler, folder, bug } = JSON.parse(process.argv[2] ?? '{}') as ReplicaArguments
const logger = createLogger({ level: 'warn' })
const resources = new Resources()
const database = resources.use(openDatabase(address, { max: 8, applicationName: 'replica', logger }))
const queues = resources.use(
  await openQueues({ url: queueUrl, databaseAddress: address, logger, clock: systemClock, maxConnections: 12 }),
)
const jobs = createJobRegistry(chaosJobs(database))
const parts = { database, queues, jobs, clock: systemClock, ids: randomIds, logger, metrics: createMetrics() }
resources.use(
  await openWorkers(parts, {
    ...TIMES,
    worker: `replica.${process.pid}`,
    concurrency: 4,
    connectionsFor: () => ({
      catalog: () => {
        throw new Error('there is no catalog here')
      },
    }),
    artifactsFolder: folder,
    chance: Math.random,
  }),
)
resources.use(openSweeper(parts, { ...TIMES, intervalMs: 400, overdueMs: 1_500, keepEndedMs: 60_000 }))
if (bug !== undefined) resources.use(await plant(bug, parts))
if (scheduler) resources.use(openScheduler(parts))
process.stdout.write('ready\n')
await once(process, 'SIGTERM')
await resources.close()
