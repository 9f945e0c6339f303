/** A worker that is killed in each step of the chain, one after the other: the run ends as if nothing had been. */
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import retention from '../../../jobs/retention.ts'
import { waitForRun } from '../../../src/runner/wait.ts'
import { hive, proposalOf, testCatalog } from '../../support/catalog.ts'
import { testRunner } from '../../support/runner.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { FaultProxy } from '../kit/fault-proxy.ts'
import { PASS, type Fault } from '../kit/faults.ts'
import { startPiece } from '../kit/piece.ts'
import { stepReader, STEPS, type ChainStep } from './chain.ts'

const DAY_MS = 86_400_000
/** Steps after which the runner remembers that the rows were counted, and that it truncated. */
const after = (step: ChainStep, done: ChainStep): boolean => STEPS.indexOf(step) > STEPS.indexOf(done)

/** Each kill costs some ten seconds, until others take the run over: `npm run chaos:retention` kills in every step. */
const KILLED_IN: readonly ChainStep[] =
  process.env['HEADWATER_CHAOS'] === 'long' ? STEPS : ['dry run', 'archive', 'truncate', 'task']

test('killed in each step of the chain, a truncation happens once and whole', { timeout: 900_000 }, async () => {
  expect.hasAssertions()
  await runKilled(KILLED_IN, { kind: 'hang' })
})

test('killed while the catalog was asked and had begun, it does not ask again', { timeout: 300_000 }, async () => {
  expect.hasAssertions()
  await runKilled(['truncate'], { kind: 'lost-answer' })
})

/** Kills the worker when it has sent the first request of each step, and lets the last worker finish. */
async function runKilled(steps: readonly ChainStep[], fault: Fault): Promise<void> {
  await using catalog = await testCatalog()
  await using proxy = await FaultProxy.open(catalog.url, () => PASS, { readsBodies: true })
  await using runner = await testRunner('postgres', [retention])
  await using folder = await temporaryFolder()
  const rows = Array.from({ length: 100 }, (_, n) =>
    proposalOf(hive('shop.orders'), 'datasetProfile', { timestampMillis: Date.now() - n * DAY_MS - 1000, rowCount: n }),
  )
  await catalog.call('POST', '/aspects?action=ingestProposalBatch', { proposals: rows })
  const policy = join(folder.path, 'retention.yaml')
  const rule = 'aspect: datasetProfile, keepDays: 30, decide: auto, maxShare: 1, archive: true'
  await writeFile(policy, `settleSeconds: 0.3\nrules:\n  - { ${rule} }\n`)

  const argument = {
    address: runner.queues.database.address,
    catalogUrl: proxy.url,
    artifactsFolder: folder.path,
  }
  const startWorker = async () => {
    const worker = startPiece({ script: 'test/chaos/jobs/worker.ts', args: [JSON.stringify(argument)] })
    await worker.line(/^ready$/)
    return worker
  }
  const { id } = await runner.submit({ job: 'retention', input: { policy }, mode: 'apply' })
  for (const step of steps) {
    // Alone in its list, a step is met by the first worker.
    const read = stepReader({
      planned: after(step, 'second look') && steps.length > 1,
      counted: after(step, 'archive') && steps.length > 1,
      truncated: after(step, 'task') && steps.length > 1,
    })
    const reached = new Promise<void>((resolve, reject) => {
      AbortSignal.timeout(120_000).addEventListener('abort', () => reject(new Error(`never came to the step: ${step}`)))
      proxy.plan = (request) => {
        if (read(request) !== step) return PASS
        resolve()
        return fault
      }
    })
    await using worker = await startWorker()
    await reached
    await worker.kill('SIGKILL')
  }
  proxy.plan = () => PASS
  await using worker = await startWorker()
  const { run, plan, applied } = await waitForRun(runner.parts, id, { signal: AbortSignal.timeout(120_000) })
  expect(run.state, worker.lines.join('\n')).toBe('succeeded')
  expect(plan).toMatchObject({ state: 'applied', decidedBy: 'policy' })
  expect(applied).toMatchObject({ state: 'succeeded', balance: { records: { read: 70, used: 70 } } })
  const [left] = await catalog.database.rows<{ rows: number }>(
    'select count(*) as rows from catalog.ts_dataset_datasetprofile',
  )
  expect(left?.rows).toBe(30)
  const archives = (await readdir(folder.path, { recursive: true })).filter((name) => name.endsWith('.ndjson.gz'))
  expect(archives).toHaveLength(1)
  // Once: what was asked for and not answered was not asked for again, since nothing was left.
  const tasks = await catalog.database.rows('select id from catalog.task')
  expect(tasks).toHaveLength(1)
}
