import { CatalogClient } from '../../src/client/catalog-client.ts'
import { Resources } from '../../src/observe/resources.ts'
import type { JobDefinition, RunMode } from '../../src/runner/define-job.ts'
import { waitForRun, type RunEnding } from '../../src/runner/wait.ts'
import { testCatalog, type TestCatalog } from './catalog.ts'
import type { QueueBackendName } from './queues.ts'
import { testRunner, type TestRunner } from './runner.ts'

/** Jobs on the real queue and ledger, against our real catalog over HTTP. */
export interface JobBench extends AsyncDisposable {
  readonly catalog: TestCatalog
  readonly runner: TestRunner
  /** Submits a run and waits for its end. */
  run(job: string, input: unknown, mode?: RunMode): Promise<RunEnding>
  /** How often each aspect was written, key aspects left out: `<aspect> <urn>` to its version. */
  versions(): Promise<ReadonlyMap<string, number>>
}

/** @param clientTo what the jobs speak to the catalog by */
export async function jobBench(
  jobs: readonly JobDefinition[],
  clientTo: (url: string) => CatalogClient = (url) => new CatalogClient({ url }),
): Promise<JobBench> {
  const resources = new Resources()
  const catalog = await testCatalog()
  resources.defer(async () => catalog[Symbol.asyncDispose]())
  const client = resources.use(clientTo(catalog.url))
  const runner = await testRunner(jobBackend(), jobs)
  resources.defer(async () => runner[Symbol.asyncDispose]())
  await runner.startWorkers({ connectionsFor: () => ({ catalog: () => client }) })
  return {
    catalog,
    runner,
    async run(job, input, mode) {
      const { id } = await runner.submit({ job, input, mode })
      return waitForRun(runner.parts, id, { signal: AbortSignal.timeout(50_000) })
    },
    async versions() {
      const rows = await catalog.database.rows<{ urn: string; name: string; version: number }>(
        'select u.urn, a.name, a.version from catalog.aspect a join catalog.urn u on u.id = a.urn_id',
      )
      return new Map(rows.map(({ urn, name, version }) => [`${name} ${urn}`, version]))
    },
    [Symbol.asyncDispose]: () => resources.close(),
  }
}

/** Which store the queue of the job tests has; `test/e2e/jobs-on-redis.test.ts` asks for the other one. */
function jobBackend(): QueueBackendName {
  return process.env['HEADWATER_TEST_QUEUE'] === 'redis' ? 'redis' : 'postgres'
}
