import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { JOBS } from '../../jobs/index.ts'
import { createTokens } from '../../src/catalog/tokens/tokens.ts'
import { startConsole } from '../../src/console/console.ts'
import { createAuthentication } from '../../src/http/access.ts'
import { asUrn } from '../../src/model/urn.ts'
import { approvePlan } from '../../src/runner/decide.ts'
import { readPlan } from '../../src/store/ledger/plans.ts'
import { hive, proposalOf } from '../support/catalog.ts'
import { jobBench, type JobBench } from '../support/job-bench.ts'
import { temporaryFolder, type TemporaryFolder } from '../support/temporary-folder.ts'

const DAY_MS = 86_400_000
const DATASET = hive('shop.orders')

let bench: JobBench
let folder: TemporaryFolder

beforeAll(async () => {
  bench = await jobBench(JOBS)
  folder = await temporaryFolder()
})

afterAll(async () => {
  await bench[Symbol.asyncDispose]()
  await folder[Symbol.asyncDispose]()
})

async function aPolicy(name: string, rule: string): Promise<string> {
  const path = join(folder.path, name)
  await writeFile(path, `rules:\n  - { aspect: datasetProfile, ${rule} }\n`)
  return path
}

/** One profile a day, the newest `newestDays` old. */
async function profiles(count: number, newestDays: number): Promise<void> {
  const now = Date.now()
  const proposals = Array.from({ length: count }, (_, n) =>
    proposalOf(DATASET, 'datasetProfile', { timestampMillis: now - (newestDays + n) * DAY_MS, rowCount: n }),
  )
  const answer = await bench.catalog.call('POST', '/aspects?action=ingestProposalBatch', { proposals })
  expect(answer.status, answer.text).toBe(200)
}

async function rowsLeft(): Promise<number> {
  const { json } = await bench.catalog.call('POST', '/operations?action=getIndexSizes')
  const sizes = json.value.indexSizes as readonly { aspectName: string; rows: number }[]
  return sizes.find((size) => size.aspectName === 'datasetprofile')?.rows ?? 0
}

test('ask waits for a person, and what was approved is what goes', async () => {
  await profiles(100, 0.5)
  const policy = await aPolicy('ask.yaml', 'keepDays: 30, decide: ask')
  const { run, plan } = await bench.run('retention', { policy }, 'apply')
  expect(run.state).toBe('succeeded')
  expect(plan).toMatchObject({ state: 'awaiting', counts: { truncate: 1, rows: 70 } })
  expect(plan?.reasons).toEqual([
    'dataset_datasetprofileaspect_v1: the policy says ask',
    expect.stringContaining('70.0 %'),
  ])
  expect(await rowsLeft()).toBe(100)

  const approved = await approvePlan(bench.runner.parts, plan?.id ?? '', 'ada')
  const { run: applied } = await bench.runner.end(approved.run.id)
  expect(applied).toMatchObject({ state: 'succeeded', balance: { records: { read: 70, used: 70 } } })
  expect(applied.lines.join()).toContain('70 rows deleted, 30 kept')
  expect(await rowsLeft()).toBe(30)
})

test('a second run finds nothing old and says so', async () => {
  const policy = await aPolicy('again.yaml', 'keepDays: 30, decide: auto, maxShare: 1')
  const { plan, run } = await bench.run('retention', { policy }, 'apply')
  expect(plan?.state).toBe('empty')
  expect(run.lines.join()).toContain('nothing is older')
})

test('auto truncates within the limits of the policy, without a person', async () => {
  const policy = await aPolicy('auto.yaml', 'keepDays: 25, decide: auto')
  const { plan, applied } = await bench.run('retention', { policy }, 'apply')
  expect(plan).toMatchObject({ state: 'applied', decidedBy: 'policy' })
  expect(applied).toMatchObject({ state: 'succeeded', balance: { records: { read: 5, used: 5 } } })
  expect(await rowsLeft()).toBe(25)
})

test('by hand it only plans', async () => {
  const policy = await aPolicy('hand.yaml', 'keepDays: 10, decide: auto, maxShare: 1')
  const { plan } = await bench.run('retention', { policy })
  expect(plan?.state).toBe('planned')
  expect(await rowsLeft()).toBe(25)
})

test('an index of which nothing would stay is left alone, whoever approves', async () => {
  const policy = await aPolicy('all.yaml', 'keepDays: 10, decide: auto, minRowsKept: 20')
  const { plan } = await bench.run('retention', { policy }, 'apply')
  expect(plan).toMatchObject({ state: 'rejected', reasons: [expect.stringContaining('left alone')] })
  expect(await rowsLeft()).toBe(25)
})

test('more rows than were approved stop it at the second look', async () => {
  const policy = await aPolicy('drift.yaml', 'keepDays: 20, decide: ask')
  const { plan } = await bench.run('retention', { policy }, 'apply')
  expect(plan).toMatchObject({ state: 'awaiting', counts: { rows: 5 } })
  await profiles(100, 100)
  const approved = await approvePlan(bench.runner.parts, plan?.id ?? '', 'ada')
  const { run } = await bench.runner.end(approved.run.id)
  expect(run).toMatchObject({ state: 'failed', error: { code: 'PLAN_DRIFTED' } })
  expect(await rowsLeft()).toBe(125)
})

test('rules of platforms: each takes the rows of its own, and no others', async () => {
  const now = Date.now()
  const platforms = { hive: 40, snowflake: 60, kafka: 30 }
  const proposals = Object.entries(platforms).flatMap(([platform, days]) =>
    Array.from({ length: days }, (_, n) => {
      const urn = `urn:li:dataset:(urn:li:dataPlatform:${platform},shop.sales,PROD)`
      return proposalOf(urn, 'operation', {
        timestampMillis: now - (n + 0.5) * DAY_MS,
        operationType: 'INSERT',
        lastUpdatedTimestamp: now,
      })
    }),
  )
  const answer = await bench.catalog.call('POST', '/aspects?action=ingestProposalBatch', { proposals })
  expect(answer.status, answer.text).toBe(200)
  const policy = join(folder.path, 'platforms.yaml')
  await writeFile(
    policy,
    `samples: 6
rules:
  - { aspect: operation, platform: snowflake, keepDays: 20, decide: auto, maxShare: 1, archive: true }
  - { aspect: operation, platform: kafka, keepDays: 20, decide: never }
  - { aspect: operation, keepDays: 30, decide: auto, maxShare: 1, method: rebuild }
`,
  )
  const { plan, applied } = await bench.run('retention', { policy, aspect: 'operation' }, 'apply')
  expect(plan).toMatchObject({ state: 'applied', counts: { truncate: 2, rows: 40 + 10 } })
  expect(applied?.state).toBe('succeeded')
  expect(applied?.lines.join('\n')).toMatch(/operationaspect_v1\.snowflake: 40 rows deleted, 20 kept/)
  expect(applied?.lines.join('\n')).toMatch(/operationaspect_v1\.others: 10 rows deleted, 30 kept/)
  const range = { fromMs: 0, beforeMs: now + DAY_MS }
  const left = await Promise.all(
    Object.keys(platforms).map(async (platform) => {
      const stream = await bench.catalog.call(
        'GET',
        `/openapi/operations/timeseries/dataset/operation?startTimeMillis=${range.fromMs}&endTimeMillis=${range.beforeMs}&platform=${platform}`,
      )
      return stream.text.trim().split('\n').length
    }),
  )
  expect(left).toEqual([30, 20, 30])
})

test('a plan is approved over HTTP: whose token it was, and when, stand in plan and report', async () => {
  const parts = bench.runner.parts
  const console = await startConsole({
    parts,
    metrics: parts.metrics,
    host: '127.0.0.1',
    port: 0,
    closed: true,
    authenticate: createAuthentication('the-service-token', createTokens(parts)),
    runsFolder: bench.runner.artifacts,
    completeInput: (input) => Promise.resolve(input),
  })
  try {
    const ada = asUrn('urn:li:corpuser:ada')
    const tokenOf = async (name: string, scopes: readonly ('read' | 'operate')[]) =>
      (await createTokens(parts).create({ actor: ada, owner: ada, name, scopes: [...scopes] })).text
    const [looks, decides] = [await tokenOf('looks', ['read']), await tokenOf('decides', ['read', 'operate'])]
    const policy = await aPolicy('http.yaml', 'keepDays: 15, decide: ask')
    const { plan } = await bench.run('retention', { policy }, 'apply')
    expect(plan?.state).toBe('awaiting')
    const approve = (token: string) =>
      fetch(`${console.url}/api/plans/${plan?.id}/approve`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ by: 'somebody else', hash: plan?.hash }),
      })
    expect((await approve('wrong')).status).toBe(401)
    expect((await approve(looks)).status).toBe(403)
    const before = Date.now()
    const approved = await approve(decides)
    expect(approved.status, await approved.text()).toBe(200)
    const { run } = await bench.runner.end(`apply-${plan?.id}`)
    expect(run.state).toBe('succeeded')
    const kept = await readPlan(parts.database, plan?.id ?? '')
    expect(kept).toMatchObject({ state: 'applied', decidedBy: 'ada' })
    expect(kept?.decidedMs).toBeGreaterThanOrEqual(before)
    expect(await readFile(join(bench.runner.artifacts, run.id, 'report.md'), 'utf8')).toContain('approved by ada')
  } finally {
    await console.close()
  }
})
