import type { CatalogClient } from '../../src/client/catalog-client.ts'
import { randomIds } from '../../src/observe/ids.ts'
import { systemClock, type Clock } from '../../src/observe/clock.ts'
import { silentLogger } from '../../src/observe/logger.ts'
import { createMetrics } from '../../src/observe/metrics.ts'
import { Resources } from '../../src/observe/resources.ts'
import type { QueueKit } from '../../src/queue/queue-kit.ts'
import type { JobDefinition } from '../../src/runner/define-job.ts'
import type { RunnerParts } from '../../src/runner/parts.ts'
import { createJobRegistry } from '../../src/runner/registry.ts'
import { submitRun, type RunRequest } from '../../src/runner/submit.ts'
import { sweep, type SweepReport, type SweepSettings } from '../../src/runner/sweeper.ts'
import { waitForRun, type RunEnding } from '../../src/runner/wait.ts'
import { openWorkers, type Workers, type WorkersOptions } from '../../src/runner/workers.ts'
import { openDatabase } from '../../src/store/database.ts'
import { migrate } from '../../src/store/migrate.ts'
import type { RunRow } from '../../src/store/ledger/types.ts'
import { testQueues, type QueueBackendName, type TestQueues } from './queues.ts'
import { temporaryFolder } from './temporary-folder.ts'

/** Short times, so that tests of crashes need not wait long. */
const SHORT = { heartbeatMs: 100, leaseMs: 1_000, lockDurationMs: 1_000, graceMs: 3_000, maxStalls: 3 } as const

const SWEEP_NOW: SweepSettings = { ...SHORT, intervalMs: 200, overdueMs: -1, keepEndedMs: 0 }

export interface TestRunner extends AsyncDisposable {
  readonly parts: RunnerParts
  readonly queues: TestQueues
  /** Below it each run has its folder. */
  readonly artifacts: string
  /** Workers as a further process would have them. */
  startWorkers(options?: Partial<WorkersOptions>): Promise<Workers>
  submit(request: RunRequest): Promise<RunRow>
  /** Waits for the end, at most 20 s. */
  end(id: string): Promise<RunEnding>
  sweepNow(settings?: Partial<SweepSettings>): Promise<SweepReport>
}

/** A ledger, a queue and the given jobs; no worker runs until it is started. */
export async function testRunner(
  backend: QueueBackendName,
  jobs: readonly JobDefinition[],
  { clock = systemClock }: { readonly clock?: Clock } = {},
): Promise<TestRunner> {
  const resources = new Resources()
  const queues = await testQueues(backend)
  resources.defer(async () => queues[Symbol.asyncDispose]())
  const folder = await temporaryFolder()
  resources.defer(async () => folder[Symbol.asyncDispose]())
  const database = resources.use(
    openDatabase(queues.database.address, { max: 8, applicationName: 'test', logger: silentLogger() }),
  )
  await migrate(database)
  const partsOn = (kit: QueueKit): RunnerParts => ({
    database,
    queues: kit,
    jobs: createJobRegistry(jobs),
    clock,
    ids: randomIds,
    logger: silentLogger(),
    metrics: createMetrics(),
  })
  const parts = partsOn(queues.kit)
  let started = 0
  return {
    parts,
    queues,
    artifacts: folder.path,
    startWorkers: async (options = {}) => {
      const workers = await openWorkers(partsOn(await queues.another()), {
        ...SHORT,
        worker: `worker-${++started}`,
        concurrency: 4,
        connectionsFor: () => ({ catalog: () => noCatalog() }),
        artifactsFolder: folder.path,
        chance: () => 0,
        ...options,
      })
      return resources.use(workers)
    },
    submit: (request) => submitRun(parts, request),
    end: (id) => waitForRun(parts, id, { signal: AbortSignal.timeout(20_000) }),
    sweepNow: (settings) => sweep(parts, { ...SWEEP_NOW, ...settings }),
    [Symbol.asyncDispose]: () => resources.close(),
  }
}

function noCatalog(): CatalogClient {
  throw new Error('this test has no catalog')
}
