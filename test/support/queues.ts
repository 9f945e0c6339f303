import { openQueues } from '../../src/queue/open-queues.ts'
import type { QueueKit } from '../../src/queue/queue-kit.ts'
import { systemClock } from '../../src/observe/clock.ts'
import { silentLogger } from '../../src/observe/logger.ts'
import { Resources } from '../../src/observe/resources.ts'
import { testDatabase, type TestDatabase } from './embedded.ts'
import { hasRedis, NO_REDIS, startRedis } from './redis.ts'

/** Both stores of the queue; everything that runs jobs is tested on each. */
export const QUEUE_BACKENDS = [
  { backend: 'postgres', skipped: false, reason: '' },
  { backend: 'redis', skipped: !hasRedis, reason: NO_REDIS },
] as const

export type QueueBackendName = (typeof QUEUE_BACKENDS)[number]['backend']

export interface TestQueues extends AsyncDisposable {
  readonly kit: QueueKit
  readonly database: TestDatabase
  /** QUEUE_URL of other processes; absent where the queue is in the database. */
  readonly queueUrl: string | undefined
  /** A second kit on the same store, as another process would have. */
  another(): Promise<QueueKit>
}

/** A database and a queue of a test's own. */
export async function testQueues(backend: QueueBackendName): Promise<TestQueues> {
  const resources = new Resources()
  const database = await testDatabase()
  resources.defer(() => database.close())
  let queueUrl: string | undefined
  if (backend === 'redis') {
    const redis = await startRedis()
    resources.defer(async () => redis[Symbol.asyncDispose]())
    queueUrl = redis.url
  }
  const open = async () =>
    resources.use(
      await openQueues({
        url: queueUrl,
        databaseAddress: database.address,
        logger: silentLogger(),
        clock: systemClock,
      }),
    )
  return {
    kit: await open(),
    database,
    queueUrl,
    another: open,
    [Symbol.asyncDispose]: () => resources.close(),
  }
}
