import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { hive, testCatalog } from '../../support/catalog.ts'
import { testRunner } from '../../support/runner.ts'
import { JOBS } from '../../../jobs/index.ts'
import { CatalogClient } from '../../../src/client/catalog-client.ts'
import { waitForRun } from '../../../src/runner/wait.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { byChance, onlyFor, PASS, type Fault, type FaultPlan } from '../kit/faults.ts'
import { FaultProxy } from '../kit/fault-proxy.ts'

const ROWS = 20_000
const isWrite = ({ path }: { readonly path: string }): boolean => path.includes('action=ingestProposalBatch')

/** Everything that a catalog does on its worst day, for a third of its requests. */
const BAD: readonly Fault[] = [
  { kind: 'status', status: 429, retryAfter: 0 },
  { kind: 'status', status: 429 },
  { kind: 'status', status: 503 },
  { kind: 'status', status: 503, retryAfter: 0 },
  { kind: 'status', status: 502, body: '<html>Bad Gateway</html>' },
  { kind: 'reset' },
  { kind: 'lost-answer' },
  { kind: 'half-answer' },
]
const BAD_WRITES: readonly Fault[] = [
  ...BAD,
  { kind: 'half-applied', status: 422 },
  { kind: 'half-applied', status: 500 },
  { kind: 'half-applied', status: 503 },
]

function worstDay(seed: number): FaultPlan {
  const writes = onlyFor(isWrite, byChance(seed, 0.3, ...BAD_WRITES))
  const reads = onlyFor((request) => !isWrite(request), byChance(seed + 1, 0.15, ...BAD))
  let hangs = 0
  return (request) => {
    // A hang costs its whole timeout, so there are a few only.
    if (isWrite(request) && ++hangs % 25 === 0) return { kind: 'hang' }
    const fault = writes(request)
    return fault === PASS ? reads(request) : fault
  }
}

test(`a catalog on its worst day: ${ROWS} rows, nothing lost, nothing doubled`, { timeout: 400_000 }, async () => {
  await using catalog = await testCatalog()
  await using runner = await testRunner('postgres', JOBS)
  await using folder = await temporaryFolder()
  await using proxy = await FaultProxy.open(catalog.url, worstDay(3))
  const file = join(folder.path, 'rows.csv')
  const rows = Array.from({ length: ROWS }, (_, n) => `"${hive(`bad.t${n}`)}",t${n % 7}`)
  await writeFile(file, ['resource,tags', ...rows].join('\n'))
  const client = new CatalogClient(
    { url: proxy.url, timeoutMs: 1_500 },
    { retry: { firstDelayMs: 5, maxDelayMs: 50, deadlineMs: 60_000 }, limits: { deadlineMs: 60_000 } },
  )
  await using closing = new AsyncDisposableStack()
  closing.defer(() => client.close())
  await runner.startWorkers({
    connectionsFor: () => ({ catalog: () => client }),
    leaseMs: 30_000,
    lockDurationMs: 30_000,
  })

  const { id } = await runner.submit({
    job: 'import-csv',
    input: { file: [file], missing: 'create' },
    mode: 'apply',
  })
  const ending = await waitForRun(runner.parts, id, { signal: AbortSignal.timeout(300_000) })
  const run = ending.applied ?? ending.run
  expect(run, run.error?.message).toMatchObject({
    state: 'succeeded',
    balance: {
      records: { read: ROWS, used: ROWS, rejected: 0 },
      proposals: { made: ROWS, written: ROWS, unchanged: 0, refused: 0, dead: 0 },
    },
  })
  const [stored] = await catalog.database.rows(
    'select count(*) as aspects, max(version) as versions from catalog.aspect where name = $1',
    ['globalTags'],
  )
  expect(stored).toEqual({ aspects: ROWS, versions: 1 })
  for (const kind of ['status', 'reset', 'lost-answer', 'half-answer', 'half-applied', 'hang'] as const) {
    expect(proxy.counts[kind], kind).toBeGreaterThan(2)
  }
})
