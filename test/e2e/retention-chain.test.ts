/** What the retention chain does to the rows of our own catalog. */
import { appendFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { JOBS } from '../../jobs/index.ts'
import { cancelRun } from '../../src/runner/cancel.ts'
import { openGauges } from '../../src/console/gauges.ts'
import { objectsOf, textAt } from '../../src/model/json.ts'
import { createMetrics } from '../../src/observe/metrics.ts'
import { approvePlan } from '../../src/runner/decide.ts'
import type { RunEnding } from '../../src/runner/wait.ts'
import { readPlanOfRun } from '../../src/store/ledger/plans.ts'
import { hive, proposalOf } from '../support/catalog.ts'
import { eventually } from '../support/eventually.ts'
import { jobBench, type JobBench } from '../support/job-bench.ts'
import { temporaryFolder, type TemporaryFolder } from '../support/temporary-folder.ts'

const DAY_MS = 86_400_000
const URN = hive('shop.orders')

let bench: JobBench
let folder: TemporaryFolder
beforeAll(async () => {
  bench = await jobBench(JOBS)
  folder = await temporaryFolder()
  // Both tables are there from the start, so that they can be emptied before each test.
  await write([1])
  await write([1], 'operation')
})
beforeEach(async () => {
  await bench.catalog.database.execute(
    'truncate catalog.ts_dataset_datasetprofile, catalog.ts_dataset_operation, catalog.task',
  )
  await bench.runner.parts.database.execute('truncate ledger.measurement')
})
afterAll(async () => {
  await bench[Symbol.asyncDispose]()
  await folder[Symbol.asyncDispose]()
})

async function write(moments: readonly number[], aspect = 'datasetProfile', urn = URN): Promise<void> {
  const value = (timestampMillis: number) =>
    aspect === 'operation'
      ? { timestampMillis, operationType: 'INSERT', lastUpdatedTimestamp: timestampMillis }
      : { timestampMillis, rowCount: 1 }
  const proposals = moments.map((at) => proposalOf(urn, aspect, value(at)))
  const answer = await bench.catalog.call('POST', '/aspects?action=ingestProposalBatch', { proposals })
  expect(answer.status, answer.text).toBe(200)
}

async function times(urn = URN): Promise<readonly number[]> {
  const { json } = await bench.catalog.call('POST', '/aspects?action=getTimeseriesAspectValues', {
    urn,
    entity: 'dataset',
    aspect: 'datasetProfile',
    limit: 10_000,
  })
  const values = json.value.values as readonly { readonly aspect: { readonly value: string } }[]
  return values.map(({ aspect }) => JSON.parse(aspect.value).timestampMillis as number).toSorted((a, b) => a - b)
}

const days = (count: number, from = 1): readonly number[] =>
  Array.from({ length: count }, (_, n) => Date.now() - (from + n) * DAY_MS)

async function policyOf(rule: string, head = ''): Promise<string> {
  const path = join(folder.path, `${Math.random()}.yaml`)
  await writeFile(path, `settleSeconds: 0.5\n${head}\nrules:\n  - { aspect: datasetprofile, ${rule} }\n`)
  return path
}

const retain = async (rule: string, head = ''): Promise<RunEnding> =>
  bench.run('retention', { policy: await policyOf(rule, head) }, 'apply')

/** The run that carries the plan out, once the catalog deletes. */
async function eventuallyBegun(id: string): Promise<string> {
  let applyRunId: string | null = null
  await eventually(async () => {
    applyRunId = (await readPlanOfRun(bench.runner.parts.database, id))?.applyRunId ?? null
    const [task] = await bench.catalog.database.rows<{ deleted: number }>('select deleted from catalog.task')
    if (applyRunId === null || task === undefined || task.deleted === 0) throw new Error('nothing is deleted yet')
  }, 30_000)
  return applyRunId ?? ''
}

/** Path of the archive that a run wrote. */
function archiveOf({ applied }: RunEnding): string {
  const [result] = objectsOf(applied?.report?.['truncated'])
  return textAt(result, 'archive') ?? ''
}

describe('deleting is exact', () => {
  test.each(['delete', 'rebuild'])(
    'by %s: a millisecond before the cut-off goes, at it and after it stays',
    async (method) => {
      const cutoff = Math.floor(Date.now() / 1000) * 1000 - 40 * DAY_MS
      await write([cutoff - DAY_MS, cutoff - 1, cutoff, cutoff + 1, Date.now()])
      const policy = await policyOf(`keepDays: 30, method: ${method}`)
      const { plan } = await bench.run('retention', { policy, before: new Date(cutoff).toISOString() }, 'apply')
      const { run } = await approvePlan(bench.runner.parts, plan?.id ?? '', 'ada')
      expect((await bench.runner.end(run.id)).run).toMatchObject({ state: 'succeeded' })
      expect((await times()).slice(0, 2)).toEqual([cutoff, cutoff + 1])
      expect(await times()).toHaveLength(3)
    },
  )

  test.each(['delete', 'rebuild'])('by %s: rows written while it runs are kept', async (method) => {
    for (let n = 0; n < 4; n++) await write(days(1000, 40 + n / 10).map((at, m) => at - m * 60_000))
    const policy = await policyOf(`keepDays: 30, decide: auto, maxShare: 1, method: ${method}, batchSize: 50`)
    const { id } = await bench.runner.submit({ job: 'retention', input: { policy }, mode: 'apply' })
    const written: number[] = []
    const ended = new AbortController()
    const end = bench.runner.end(id).finally(() => ended.abort())
    while (!ended.signal.aborted) {
      const at = Date.now() - written.length * 1000
      await write([at], 'datasetProfile', hive('busy'))
      written.push(at)
    }
    const { applied } = await end
    expect(applied).toMatchObject({ state: 'succeeded', balance: { records: { used: 4000 } } })
    expect(await times(hive('busy'))).toEqual(written.toSorted((a, b) => a - b))
    expect(await times()).toEqual([])
  })
})

describe('what changes between plan and effect stops it', () => {
  test('the policy keeps more by now', async () => {
    await write(days(100))
    const policy = await policyOf('keepDays: 30, decide: ask')
    const { plan } = await bench.run('retention', { policy }, 'apply')
    await writeFile(policy, 'rules: [{ aspect: datasetprofile, keepDays: 60, decide: ask }]')
    const approved = await approvePlan(bench.runner.parts, plan?.id ?? '', 'ada')
    const { run } = await bench.runner.end(approved.run.id)
    expect(run).toMatchObject({ state: 'failed', error: { code: 'PLAN_DRIFTED' } })
    expect(run.error?.message).toContain('its cut-off moved: 60 days are to be kept now')
    expect(await times()).toHaveLength(100)
  })

  test('a person cancels: the task ends with the run', async () => {
    for (let n = 0; n < 8; n++) await write(days(1000, 40 + n / 10).map((at, m) => at - m * 60_000))
    const policy = await policyOf(
      'keepDays: 30, decide: auto, maxShare: 1, method: delete, batchSize: 1, minRowsKept: 0',
    )
    const { id } = await bench.runner.submit({ job: 'retention', input: { policy }, mode: 'apply' })
    const applying = await eventuallyBegun(id)
    await cancelRun(bench.runner.parts, applying, 'ada')
    const { run } = await bench.runner.end(applying)
    expect(run.state).toBe('cancelled')
    const tasks = await bench.catalog.database.rows<{ state: string }>('select state from catalog.task')
    expect(tasks).toEqual([{ state: 'cancelled' }])
    expect((await times()).length).toBeGreaterThan(0)
  })
})

describe('budgets', () => {
  test('of an index: the oldest rows go until the rest fits, after a rebuild', async () => {
    await write(days(100))
    const { json } = await bench.catalog.call('POST', '/operations?action=getIndexSizes')
    const megabytes = json.value.indexSizes[0].sizeInMb as number
    const { plan, applied } = await retain(`maxGb: ${(megabytes * 0.25) / 1000}, decide: auto, maxShare: 1`)
    expect(plan?.lines.join()).toContain('beyond the budget of the index')
    expect(plan?.counts).toMatchObject({ rows: 75 })
    expect(applied?.state).toBe('succeeded')
    expect(await times()).toHaveLength(25)
    const [task] = await bench.catalog.database.rows<{ subject: object }>('select subject from catalog.task')
    expect(task).toBeDefined()
  })

  test('of all together: one cut-off for the indexes that have a rule', async () => {
    await write(days(100))
    await write(days(100), 'operation')
    const { json } = await bench.catalog.call('POST', '/operations?action=getIndexSizes')
    const sizes = json.value.indexSizes as readonly { readonly sizeInMb: number }[]
    const megabytes = sizes.reduce((sum, { sizeInMb }) => sum + sizeInMb, 0)
    const path = join(folder.path, 'all.yaml')
    await writeFile(path, `totalMaxGb: ${megabytes / 2 / 1000}\nrules: [{ aspect: '*', decide: ask }]`)
    const { plan } = await bench.run('retention', { policy: path })
    expect(plan?.counts).toMatchObject({ truncate: 2, rows: 100 })
    const cutoffs = objectsOf(plan?.body['steps']).map((step) => step['cutoffMs'])
    expect(new Set(cutoffs).size).toBe(1)
  })
})

test('sizes, growth and the days until a budget are metrics', async () => {
  await write(days(20))
  await bench.run('retention', { policy: await policyOf('maxGb: 1, decide: ask') })
  const { registry } = createMetrics()
  await openGauges(registry, bench.runner.parts, undefined).refresh()
  const text = await registry.metrics()
  const index = 'catalog="own",index="dataset_datasetprofileaspect_v1"'
  expect(text).toMatch(new RegExp(`headwater_index_bytes\\{${index}\\} [1-9]`))
  expect(text).toMatch(new RegExp(`headwater_index_growth_bytes_per_day\\{${index}\\} [1-9]`))
  expect(text).toMatch(new RegExp(`headwater_index_budget_days\\{${index}\\} [1-9]`))
})

describe('archives', () => {
  test('hold what went, and put it back as it was, as often as one likes', async () => {
    await write(days(100))
    const before = await times()
    const ending = await retain('keepDays: 30, decide: auto, maxShare: 1, archive: true')
    expect(ending.applied?.lines.join('\n')).toContain('archived in')
    expect(await times()).toHaveLength(29)
    const file = archiveOf(ending)
    for (let n = 0; n < 2; n++) {
      const { run } = await bench.run('restore-archive', { file })
      expect(run).toMatchObject({ state: 'succeeded', report: { rows: 71, verified: 71 } })
      expect(await times()).toEqual(before)
    }
  })

  test.each([
    ['damaged', (file: string) => appendFile(file, 'x'), 'its checksum is not the one in its manifest'],
    ['without its manifest', (file: string) => rm(`${file}.json`), 'there is no manifest'],
    ['gone', (file: string) => rm(file), 'it cannot be read'],
    ['with a broken manifest', (file: string) => writeFile(`${file}.json`, '{'), 'its manifest cannot be read'],
  ])('that are %s put nothing back', async (_, spoil, message) => {
    await write(days(100))
    const file = archiveOf(await retain('keepDays: 30, decide: auto, maxShare: 1, archive: true'))
    await spoil(file)
    const { run } = await bench.run('restore-archive', { file })
    expect(run).toMatchObject({ state: 'failed', error: { code: 'ARCHIVE_BROKEN', badInput: true } })
    expect(run.error?.message).toContain(message)
    expect(await times()).toHaveLength(29)
  })
})

test('what every night took is what a night is held against', async () => {
  // Four truncations with cut-offs a day apart, by hand, then a night that would take far more.
  await write([
    ...days(60, 30),
    ...days(5),
    ...Array.from({ length: 500 }, (_, n) => Date.now() - 25 * DAY_MS - n * 1000),
  ])
  const policy = await policyOf('keepDays: 20, decide: auto, maxShare: 1')
  for (const keep of ['60d', '59d', '58d', '57d']) {
    const { plan, applied } = await bench.run('retention', { policy, keep }, 'apply')
    expect(applied?.state, plan?.reasons.join()).toBe('succeeded')
  }
  const { plan } = await bench.run('retention', { policy }, 'apply')
  expect(plan).toMatchObject({ state: 'awaiting' })
  expect(plan?.reasons.join()).toMatch(/rows would go, by the truncations before \d+ to \d+ are expected/)
  const points = await bench.runner.parts.database.rows<{ series: string }>('select series from ledger.measurement')
  expect(points.filter(({ series }) => series.startsWith('truncation/'))).toHaveLength(4)
  expect(points.filter(({ series }) => series.startsWith('index-size/')).length).toBeGreaterThan(0)
})

test.each([
  [{ keep: '3 months' }, 'cannot read "3 months"'],
  [{ keep: '2d' }, 'the policy keeps at least 7 days'],
  [{ before: '2026-01-01T06:00' }, 'cannot read "2026-01-01T06:00"'],
  [{ before: '2026-13-01' }, 'cannot read "2026-13-01"'],
  [{ before: '2999-01-01' }, 'the policy keeps at least 7 days'],
  [{ keep: '30d', before: '2026-01-01' }, 'exclude each other'],
])('by hand, %j is bad input', async (input, message) => {
  const { run } = await bench.run('retention', { policy: await policyOf('keepDays: 30'), ...input }, 'apply')
  expect(run).toMatchObject({ state: 'failed', error: { code: 'DECODE', badInput: true } })
  expect(run.error?.message).toContain(message)
})
