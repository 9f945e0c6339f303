import * as fc from 'fast-check'
import { createMetrics } from '../../src/observe/metrics.ts'
import { expect, test } from 'vitest'
import { randomIds } from '../../src/observe/ids.ts'
import { silentLogger } from '../../src/observe/logger.ts'
import { Resources } from '../../src/observe/resources.ts'
import type { QueueKit } from '../../src/queue/queue-kit.ts'
import { defineJob, Type } from '../../src/runner/define-job.ts'
import type { RunnerParts } from '../../src/runner/parts.ts'
import { createJobRegistry } from '../../src/runner/registry.ts'
import { openDatabase } from '../../src/store/database.ts'
import { migrate } from '../../src/store/migrate.ts'
import { testDatabase } from '../support/embedded.ts'
import { anyCommands, type Model } from './ledger-commands.ts'

test('the ledger does what its model does, whatever the order', { timeout: 120_000 }, async () => {
  await using db = await testDatabase()
  await using resources = new Resources()
  const logger = silentLogger()
  const database = resources.use(openDatabase(db.address, { max: 4, applicationName: 'model', logger }))
  await migrate(database)
  await fc.assert(
    fc.asyncProperty(anyCommands(), async (sequence) => {
      await database.execute('truncate ledger.run, ledger.plan cascade')
      const clock = { at: 1_000_000 }
      const parts: RunnerParts = {
        database,
        queues: noQueue,
        jobs: createJobRegistry([JOB]),
        clock: { now: () => clock.at, monotonic: () => clock.at },
        ids: randomIds,
        logger,
        metrics: createMetrics(),
      }
      const model: Model = { runs: new Map(), plans: new Map(), nowMs: clock.at }
      await expect(
        fc.asyncModelRun(() => ({ model, real: { parts, ids: new Map(), planIds: new Map(), clock } }), sequence),
      ).resolves.toBeUndefined()
    }),
    { numRuns: 100 },
  )
})

const JOB = defineJob({
  name: 'job',
  summary: 'Never carried out here',
  byHand: 'apply',
  input: Type.Object({}),
  run: () => Promise.reject(new Error('not here')),
})

/** The ledger is asked here, not the queue: it stays away, as it may. */
const noQueue = {
  kind: 'postgres',
  add: () => Promise.reject(new Error('away')),
  remove: () => Promise.reject(new Error('away')),
} as unknown as QueueKit
