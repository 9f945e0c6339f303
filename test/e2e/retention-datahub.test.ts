/** Retention of a real DataHub, as far as the contract says what one answers. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import retention from '../../jobs/retention.ts'
import { CatalogClient } from '../../src/client/catalog-client.ts'
import { approvePlan } from '../../src/runner/decide.ts'
import { waitForRun, type RunEnding } from '../../src/runner/wait.ts'
import { readRecipe } from '../../src/recipe/recipe.ts'
import { hive } from '../support/catalog.ts'
import { testRunner, type TestRunner } from '../support/runner.ts'
import { StubDataHub, type StubRow } from '../support/stub-datahub.ts'
import { temporaryFolder, type TemporaryFolder } from '../support/temporary-folder.ts'

const DAY_MS = 86_400_000
const INDEX = 'dataset_operationaspect_v1'

let runner: TestRunner
let folder: TemporaryFolder
let datahub: StubDataHub
let client: CatalogClient

beforeAll(async () => {
  runner = await testRunner('postgres', [retention])
  folder = await temporaryFolder()
  await runner.startWorkers({ connectionsFor: () => ({ catalog: () => client }) })
})
beforeEach(async () => {
  datahub = await StubDataHub.start()
  const retry = { firstDelayMs: 10, maxDelayMs: 20, deadlineMs: 100 }
  client = new CatalogClient({ url: datahub.url, timeoutMs: 2_000, token: 'secret' }, { retry })
  return async () => {
    await client.close()
    await datahub[Symbol.asyncDispose]()
  }
})
afterAll(async () => {
  await runner[Symbol.asyncDispose]()
  await folder[Symbol.asyncDispose]()
})

/** One row a day, some milliseconds from midday, the newest a day old. */
const rows = (count: number): readonly StubRow[] =>
  Array.from({ length: count }, (_, n) => ({ urn: hive(`t${n}`), timestampMillis: Date.now() - (n + 1) * DAY_MS }))

async function retain(rule: string, mode: 'plan' | 'apply' = 'apply', head = ''): Promise<RunEnding> {
  const policy = join(folder.path, `${Math.random()}.yaml`)
  await writeFile(
    policy,
    `settleSeconds: 0.5\n${head}\nrules: [{ aspect: OPERATION, keepDays: 30, usualTimes: 1000000, ${rule} }]\n`,
  )
  const { id } = await runner.submit({ job: 'retention', input: { policy }, mode })
  return waitForRun(runner.parts, id, { signal: AbortSignal.timeout(20_000) })
}

test('the row at the cut-off stays, although this catalog deletes what is at the time it is told', async () => {
  datahub.add('dataset', 'operation', rows(100))
  const cutoff = Math.floor(Date.now() / 1000) * 1000 - 40 * DAY_MS
  const border = [cutoff - 1, cutoff, cutoff + 1].map((timestampMillis) => ({ urn: hive('border'), timestampMillis }))
  datahub.add('dataset', 'operation', border)
  const input = { policy: join(folder.path, 'none.yaml'), aspect: 'operation', before: new Date(cutoff).toISOString() }
  const { id } = await runner.submit({ job: 'retention', input, mode: 'apply' })
  const { plan } = await waitForRun(runner.parts, id, { signal: AbortSignal.timeout(20_000) })
  expect(plan).toMatchObject({ state: 'awaiting' })
  const { run } = await approvePlan(runner.parts, plan?.id ?? '', 'ada')
  expect((await runner.end(run.id)).run.state).toBe('succeeded')
  const left = datahub.rows('dataset', 'operation').filter(({ urn }) => urn === hive('border'))
  expect(left.map(({ timestampMillis }) => timestampMillis)).toEqual([cutoff, cutoff + 1])
  expect(datahub.effects).toMatchObject([{ endTimeMillis: cutoff - 1 }])
})

test.each([
  ['by query, when less than half goes', 40, 'delete by query', 100, 70],
  ['by reindexing, when more goes', 100, 'Reindexing', 100, 70],
])('both sentences are understood: %s', async (_, count) => {
  datahub.add('dataset', 'operation', rows(count))
  const { applied, plan } = await retain('decide: auto, maxShare: 1')
  expect(plan).toMatchObject({ state: 'applied', counts: { rows: count - 29 } })
  expect(applied).toMatchObject({ state: 'succeeded', balance: { records: { used: count - 29 } } })
  expect(datahub.rows('dataset', 'operation')).toHaveLength(29)
  expect(datahub.effects).toHaveLength(1)
  expect(datahub.actions).toContain('getEsTaskStatus')
})

test.each([
  ['delete', { forceDeleteByQuery: true, batchSize: 500, timeoutSeconds: 7200 }],
  ['rebuild', { forceReindex: true, batchSize: 500 }],
  ['auto', { batchSize: 500 }],
])('the method travels as its flag: %s', async (method, flags) => {
  datahub.add('dataset', 'operation', rows(50))
  await retain(`decide: auto, maxShare: 1, method: ${method}, batchSize: 500`)
  const [{ endTimeMillis, ...call } = { endTimeMillis: 0 }] = datahub.effects
  expect(call).toEqual({ entityType: 'dataset', aspect: 'operation', dryRun: false, ...flags })
  expect(endTimeMillis).toBeGreaterThan(0)
  // Planned, looked at again, carried out and verified with one and the same cut-off.
  const cutoffs = new Set(datahub.truncations.map((each) => each.endTimeMillis))
  expect(cutoffs.size - (cutoffs.has(endTimeMillis) ? 1 : 0)).toBeLessThanOrEqual(1)
})

test('sizes of an older server, told as text, are read; counts that lag are waited for', async () => {
  datahub.oldSizes = true
  datahub.laggingCounts = 3
  datahub.add('dataset', 'operation', rows(100))
  const { applied } = await retain('decide: auto, maxShare: 1')
  expect(applied).toMatchObject({
    state: 'succeeded',
    report: { truncated: [{ indexName: INDEX, sizeMbBefore: 0.1, sizeMbAfter: 0.029, samplesChecked: 20 }] },
  })
})

test('a budget of all together, where one size is told for all indexes', async () => {
  datahub.add('dataset', 'operation', rows(100))
  datahub.add('dataset', 'datasetProfile', rows(300))
  datahub.oneSize = true
  const policy = join(folder.path, 'one-size.yaml')
  // 400 rows of 1 kB; 150 of them may stay, the youngest 75 of each.
  const rules = ['operation', 'datasetProfile'].map(
    (aspect) => `  - { entityType: dataset, aspect: ${aspect}, decide: auto, maxShare: 1 }`,
  )
  await writeFile(policy, ['settleSeconds: 0.5', 'totalMaxGb: 0.00015', 'rules:', ...rules].join('\n'))
  const { id } = await runner.submit({ job: 'retention', input: { policy }, mode: 'apply' })
  const { run, plan } = await waitForRun(runner.parts, id, { signal: AbortSignal.timeout(30_000) })
  expect(run.lines.join('\n')).toContain('the catalog tells one size for all indexes')
  expect(plan).toMatchObject({ state: 'applied', counts: { truncate: 2 } })
  const kept = [datahub.rows('dataset', 'operation').length, datahub.rows('dataset', 'datasetProfile').length]
  expect(kept).toEqual([75, 75])
  expect(datahub.effects.map(({ forceReindex }) => forceReindex)).toEqual([true, true])
})

describe('what goes wrong is named, and nothing is asked for twice', () => {
  beforeEach(() => datahub.add('dataset', 'operation', rows(100)))

  test('an archive that is wanted and cannot be had makes a person decide', async () => {
    const { plan } = await retain('decide: auto, maxShare: 1, archive: true')
    expect(plan).toMatchObject({ state: 'awaiting', reasons: [expect.stringContaining('cannot hand out the rows')] })
  })

  test('a rule of one platform leaves an index alone that can only be truncated whole', async () => {
    const { plan } = await retain('decide: auto, maxShare: 1, platform: hive')
    expect(plan).toMatchObject({
      state: 'rejected',
      reasons: [expect.stringContaining('its rules differ by platform, and this catalog truncates whole indexes only')],
    })
  })

  test.each([
    ['the contradiction of its flags', 'please only set forceReindex OR forceDeleteByQuery flags'],
    [
      'a sentence nearly right',
      'Delete 5 out of 100 rows (5.00%). Removing. This was a dry run. Run with dryRun = false to execute.',
    ],
    [
      'a sentence with more after it',
      'Delete 5 out of 100 rows (5.00%). Issuing a delete by query request. This was a dry run. Run with dryRun = false to execute. Done.',
    ],
    ['no sentence', 42],
  ])('a dry run that answers %s stops it', async (_, value) => {
    datahub.truncateAnswer = () => ({ value })
    const { run } = await retain('decide: auto, maxShare: 1')
    expect(run).toMatchObject({ state: 'failed', error: { code: 'NOT_A_CATALOG' } })
    expect(datahub.effects).toHaveLength(0)
  })

  test.each([
    [401, 'UNAUTHORIZED', 1],
    [403, 'FORBIDDEN', 1],
    [500, 'CATALOG_FAILED', 3],
  ])('a truncation answered with %i is never asked for by another method', async (status, code, asked) => {
    datahub.truncateAnswer = ({ dryRun }) => (dryRun === false ? { status, value: null } : undefined)
    const { applied, plan } = await retain('decide: auto, maxShare: 1')
    expect(applied).toMatchObject({ state: 'failed', error: { code } })
    expect(plan?.state).toBe('failed')
    // A failure that may pass is followed by another attempt, once the counts stand still.
    expect(datahub.effects).toHaveLength(asked)
    expect(datahub.effects.filter((call) => call.forceDeleteByQuery !== undefined)).toEqual([])
    expect(datahub.rows('dataset', 'operation')).toHaveLength(100)
  })

  test('an answer that is no task id is not taken for a beginning', async () => {
    datahub.truncateAnswer = ({ dryRun }) => (dryRun === false ? { value: 'ok' } : undefined)
    const { applied } = await retain('decide: auto, maxShare: 1')
    expect(applied).toMatchObject({ state: 'failed', error: { code: 'NOT_A_CATALOG' } })
  })

  test('a task that the catalog forgot is not taken for done: the counts decide', async () => {
    datahub.forgetsTasks = true
    const { applied } = await retain('decide: auto, maxShare: 1')
    expect(applied?.state).toBe('succeeded')
    expect(datahub.effects).toHaveLength(1)
  })

  test('a task that does not end meets its deadline', async () => {
    datahub.pollsPerTask = Infinity
    const { applied } = await retain('decide: auto, maxShare: 1, timeoutMinutes: 0.005')
    expect(applied).toMatchObject({ state: 'failed', error: { code: 'TRUNCATION_FAILED' } })
    expect(applied?.error?.message).toMatch(/did not end within 0.005 minutes; this catalog cannot cancel it/)
    const report = await readFile(join(runner.artifacts, applied?.id ?? '', 'report.md'), 'utf8')
    expect(report).toContain('# Retention of')
    expect(report).toContain(': failed')
  })

  test('a task that was lost sight of is waited for by the next run, and not asked for again', async () => {
    datahub.token = 'secret'
    datahub.pollsPerTask = 4
    datahub.truncateAnswer = ({ dryRun }) => {
      if (dryRun === false) setImmediate(() => (datahub.token = 'another'))
      return undefined
    }
    const { applied } = await retain('decide: auto, maxShare: 1')
    expect(applied).toMatchObject({ state: 'failed', error: { code: 'UNAUTHORIZED' } })
    datahub.token = 'secret'
    const again = await retain('decide: auto, maxShare: 1')
    expect(again.applied?.state).toBe('succeeded')
    expect(datahub.effects).toHaveLength(1)
    expect(datahub.rows('dataset', 'operation')).toHaveLength(29)
  })

  test('a task that is still under way keeps the next run from asking', async () => {
    datahub.pollsPerTask = Infinity
    const first = await retain('decide: auto, maxShare: 1, timeoutMinutes: 0.005')
    expect(first.applied?.error?.message).toContain('did not end within')
    const { applied } = await retain('decide: auto, maxShare: 1, timeoutMinutes: 0.005')
    expect(applied?.error?.message).toMatch(/not begun: task \S+ of an earlier run is still under way/)
    expect(datahub.effects).toHaveLength(1)
  })

  test('a catalog that deletes more than it said is found out', async () => {
    datahub.truncateAnswer = ({ dryRun }) => {
      if (dryRun !== false) return undefined
      datahub.truncateAnswer = undefined
      datahub.clear('dataset', 'operation')
      return { value: 'node:77' }
    }
    const { applied } = await retain('decide: auto, maxShare: 1')
    expect(applied).toMatchObject({ state: 'failed', error: { code: 'TRUNCATION_FAILED' } })
    expect(applied?.error?.message).toContain('29 rows should stay, only 0 are there')
  })

  test('a name that fits nothing is a warning with near ones', async () => {
    const { plan, run } = await retain('decide: auto', 'plan', '')
    expect(plan?.counts).toMatchObject({ truncate: 1 })
    expect(run.state).toBe('succeeded')
    const input = { policy: join(folder.path, 'none.yaml'), aspect: 'Opperation', keep: '30d' }
    const { id } = await runner.submit({ job: 'retention', input, mode: 'apply' })
    const ending = await waitForRun(runner.parts, id, { signal: AbortSignal.timeout(20_000) })
    expect(ending.run.lines.join('\n')).toContain('no index fits Opperation, did you mean "operation"?')
    expect(ending.plan?.state).toBe('empty')
  })
})

const recipe = (dryRun: boolean): string =>
  `source: { type: datahub-gc, config: { dry_run: ${dryRun}, truncate_indices: true } }`

test('a datahub-gc recipe: one plan, one cut-off for all, a person, one call an index', async () => {
  datahub.add('dataset', 'operation', rows(100))
  datahub.add('dataset', 'datasetUsageStatistics', rows(50))
  datahub.add('dashboard', 'dashboardUsageStatistics', [])
  const dry = readRecipe(recipe(true), 'gc.yaml', {})
  const planned = await runner.submit({ job: dry.job, input: dry.input, mode: dry.mode ?? 'apply' })
  await waitForRun(runner.parts, planned.id, { signal: AbortSignal.timeout(20_000) })
  expect(datahub.effects).toEqual([])

  const wet = readRecipe(recipe(false), 'gc.yaml', {})
  const { id } = await runner.submit({ job: wet.job, input: wet.input, mode: wet.mode ?? 'apply' })
  const { plan } = await waitForRun(runner.parts, id, { signal: AbortSignal.timeout(20_000) })
  expect(plan).toMatchObject({ state: 'awaiting', counts: { truncate: 2 } })
  expect(datahub.effects).toEqual([])
  const { run } = await approvePlan(runner.parts, plan?.id ?? '', 'ada')
  expect((await runner.end(run.id)).run.state).toBe('succeeded')
  expect(datahub.effects.map(({ aspect }) => aspect)).toEqual(['operation', 'datasetusagestatistics'])
  expect(new Set(datahub.effects.map(({ endTimeMillis }) => endTimeMillis)).size).toBe(1)
})
