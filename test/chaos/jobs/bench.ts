import type { JsonObject } from '../../../src/model/json.ts'
import type { RunRow } from '../../../src/store/ledger/types.ts'
import { testCatalog, type TestCatalog } from '../../support/catalog.ts'
import { eventually } from '../../support/eventually.ts'
import { testRunner, type TestRunner } from '../../support/runner.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { Resources } from '../../../src/observe/resources.ts'
import { JOBS } from '../../../jobs/index.ts'
import { readPlanOfRun } from '../../../src/store/ledger/plans.ts'
import { readRun } from '../../../src/store/ledger/runs.ts'
import { isFinished } from '../../../src/store/ledger/types.ts'
import { FaultProxy } from '../kit/fault-proxy.ts'
import { startPiece, type Piece } from '../kit/piece.ts'

/** A real catalog behind a proxy, a real ledger and queue, and a worker that is killed at writes of our choice. */
export interface KillingBench extends AsyncDisposable {
  readonly catalog: TestCatalog
  readonly proxy: FaultProxy
  readonly runner: TestRunner
  /** A folder for input. */
  readonly folder: string
  /**
   * Runs a job to its end. The worker is killed when the catalog has been asked to write so many times more, once for
   * each number, and another one is started.
   */
  runKilled(job: string, input: JsonObject, writesBetweenKills: readonly number[]): Promise<RunRow>
  /** How often each aspect was written. */
  versions(): Promise<ReadonlyMap<string, number>>
}

const isWrite = (path: string): boolean => path.includes('action=ingestProposal')

export async function killingBench(): Promise<KillingBench> {
  const resources = new Resources()
  const catalog = await testCatalog()
  resources.defer(async () => catalog[Symbol.asyncDispose]())
  const proxy = resources.use(await FaultProxy.open(catalog.url))
  const runner = await testRunner('postgres', JOBS)
  resources.defer(async () => runner[Symbol.asyncDispose]())
  const folder = await temporaryFolder()
  resources.defer(async () => folder[Symbol.asyncDispose]())

  async function startWorker(): Promise<Piece> {
    const { address } = runner.queues.database
    const argument = { address, catalogUrl: proxy.url, artifactsFolder: folder.path }
    const piece = startPiece({ script: 'test/chaos/jobs/worker.ts', args: [JSON.stringify(argument)] })
    await piece.line(/^ready$/)
    return piece
  }

  return {
    catalog,
    proxy,
    runner,
    folder: folder.path,
    async runKilled(job, input, writesBetweenKills) {
      const { id } = await runner.submit({ job, input, mode: 'apply' })
      const ended = async (): Promise<boolean> => isFinished((await lastRunOf(runner, id))?.state ?? 'queued')
      let writes = 0
      for (const more of writesBetweenKills) {
        await using worker = await startWorker()
        const due = writes + more
        await eventually(async () => {
          writes = proxy.seen.filter((request) => isWrite(request.path)).length
          if (writes < due && !(await ended())) throw new Error(`${writes} of ${due} writes`)
        }, 120_000)
        await worker.kill('SIGKILL')
      }
      await using worker = await startWorker()
      await eventually(async () => {
        if (!(await ended())) throw new Error(`the run has not ended: ${worker.lines.join('\n')}`)
      }, 120_000)
      const run = await lastRunOf(runner, id)
      if (run === undefined) throw new Error('the run is gone')
      return run
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

/** The run that takes effect: the one that carries out the plan of a gated job, where there is one by now. */
async function lastRunOf({ parts: { database } }: TestRunner, id: string): Promise<RunRow | undefined> {
  const applyRunId = (await readPlanOfRun(database, id))?.applyRunId ?? undefined
  return readRun(database, applyRunId ?? id)
}
