/**
 * A catalog that dies, stalls, forbids, loses answers or lies in each step of the chain: the state afterwards is named,
 * what is gone is only what may be gone, and a further run brings the right end. The table of outcomes stands in
 * docs/retention.md; `UPDATE_DOCS=1` writes it anew.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import retention from '../../../jobs/retention.ts'
import { CatalogClient } from '../../../src/client/catalog-client.ts'
import { assertNever } from '../../../src/model/errors.ts'
import { Resources } from '../../../src/observe/resources.ts'
import { waitForRun, type RunEnding } from '../../../src/runner/wait.ts'
import { hive, proposalOf, testCatalog, type TestCatalog } from '../../support/catalog.ts'
import { PROJECT } from '../../support/command.ts'
import { eventually } from '../../support/eventually.ts'
import { testRunner, type TestRunner } from '../../support/runner.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { FaultProxy } from '../kit/fault-proxy.ts'
import { PASS, type Fault, type SeenRequest } from '../kit/faults.ts'
import { stepReader, STEPS, type ChainStep } from './chain.ts'

const DAY_MS = 86_400_000
const URN = hive('shop.orders')
const OLD = 40
const KEPT = 20
/** What a stalled call costs. */
const STALL_MS = process.env['HEADWATER_CHAOS'] === 'long' ? 5_000 : 1_500
/** More than the tolerance of the second look. */
const MORE = 30

const FAULTS = ['dies', 'stalls', 'answers 401', 'loses an answer', 'lies'] as const
type FaultName = (typeof FAULTS)[number]

interface Bench extends AsyncDisposable {
  readonly catalog: TestCatalog
  readonly proxy: FaultProxy
  readonly runner: TestRunner
  readonly policy: string
}

/**
 * A catalog, a proxy before it, and a runner of one attempt, so that the first failure is the end.
 * @param limits.patienceMs how long a call is tried again
 * @param limits.timeoutMs how long a call may take: long, where no call is meant to, since the machine may be busy
 */
async function openBench({
  patienceMs,
  timeoutMs,
}: {
  readonly patienceMs: number
  readonly timeoutMs: number
}): Promise<Bench> {
  const resources = new Resources()
  const catalog = await testCatalog()
  resources.defer(async () => catalog[Symbol.asyncDispose]())
  const proxy = resources.use(await FaultProxy.open(catalog.url, () => PASS, { readsBodies: true }))
  const retry = { firstDelayMs: 10, maxDelayMs: 20, deadlineMs: patienceMs }
  const client = resources.use(new CatalogClient({ url: proxy.url, timeoutMs }, { retry }))
  const runner = await testRunner('postgres', [{ ...retention, queue: { ...retention.queue, attempts: 1 } }])
  resources.defer(async () => runner[Symbol.asyncDispose]())
  await runner.startWorkers({ connectionsFor: () => ({ catalog: () => client }) })
  const folder = await temporaryFolder()
  resources.defer(async () => folder[Symbol.asyncDispose]())
  const policy = join(folder.path, 'retention.yaml')
  const rule = 'aspect: datasetprofile, keepDays: 30, decide: auto, maxShare: 1, usualTimes: 1000000, archive: true'
  await writeFile(policy, `settleSeconds: 0.2\nsamples: 3\nrules:\n  - { ${rule} }\n`)
  return { catalog, proxy, runner, policy, [Symbol.asyncDispose]: () => resources.close() }
}

/** Rows so many days old and older, one a minute. */
async function writeRows(catalog: TestCatalog, count: number, youngestDays: number, name: string): Promise<void> {
  const newest = Date.now() - youngestDays * DAY_MS
  const proposals = Array.from({ length: count }, (_, n) =>
    proposalOf(URN, 'datasetProfile', { timestampMillis: newest - n * 60_000, rowCount: n, messageId: name }),
  )
  const { status, text } = await catalog.call('POST', '/aspects?action=ingestProposalBatch', { proposals })
  expect(status, text).toBe(200)
}

async function rowsNow(catalog: TestCatalog): Promise<{ readonly old: number; readonly kept: number }> {
  const [row] = await catalog.database.rows<{ old: number; kept: number }>(
    `select count(*) filter (where ts < $1) as old, count(*) filter (where ts >= $1) as kept
     from catalog.ts_dataset_datasetprofile`,
    [Date.now() - 30 * DAY_MS],
  )
  return row ?? { old: 0, kept: 0 }
}

async function runOnce({ runner, policy }: Bench): Promise<RunEnding> {
  const { id } = await runner.submit({ job: 'retention', input: { policy }, mode: 'apply' })
  return waitForRun(runner.parts, id, { signal: AbortSignal.timeout(120_000) })
}

/** The fault from the first request of a step on; a lost answer and a lie happen once. */
function faultAt(bench: Bench, step: ChainStep, fault: FaultName): (request: SeenRequest) => Promise<Fault> {
  const read = stepReader()
  let struck = false
  return async (request) => {
    const here = read(request) === step
    if (!here && !struck) return PASS
    const first = !struck
    struck = true
    switch (fault) {
      case 'dies':
        return { kind: 'reset' }
      case 'stalls':
        return { kind: 'hang' }
      case 'answers 401':
        return { kind: 'status', status: 401 }
      case 'loses an answer':
        return first ? { kind: 'lost-answer' } : PASS
      case 'lies':
        if (first) await writeRows(bench.catalog, MORE, 40, 'late')
        return PASS
      default:
        return assertNever(fault)
    }
  }
}

const BEFORE_THE_EFFECT: ReadonlySet<ChainStep> = new Set(STEPS.slice(0, STEPS.indexOf('truncate')))
const CODES: Readonly<Record<Exclude<FaultName, 'lies'>, string>> = {
  dies: 'CATALOG_AWAY',
  stalls: 'CATALOG_TIMEOUT',
  'answers 401': 'UNAUTHORIZED',
  'loses an answer': 'CATALOG_AWAY',
}

/** What must be so after the run that met the fault: how it ends, and how many old rows are left. */
function expected(step: ChainStep, fault: FaultName): { readonly end: string; readonly oldLeft: number } {
  if (fault === 'lies') return whenItLies(step)
  // Reading is tried again within the call; asking for a truncation is not.
  if (fault === 'loses an answer' && step !== 'truncate' && step !== 'archive' && step !== 'samples') {
    return { end: 'applied', oldLeft: 0 }
  }
  const end = `failed: ${CODES[fault]}`
  if (BEFORE_THE_EFFECT.has(step)) return { end, oldLeft: OLD }
  const asked = step !== 'truncate' || fault === 'loses an answer'
  return { end, oldLeft: asked ? 0 : OLD }
}

function whenItLies(step: ChainStep): { readonly end: string; readonly oldLeft: number } {
  switch (step) {
    case 'second look':
      return { end: 'failed: PLAN_DRIFTED', oldLeft: OLD + MORE }
    case 'count':
    case 'samples':
    case 'archive':
    case 'last count':
      return { end: 'failed: TRUNCATION_FAILED', oldLeft: OLD + MORE }
    // Planned with them, or deleted with them: they are older than what was approved to go.
    case 'sizes':
    case 'dry run':
    case 'truncate':
      return { end: 'applied', oldLeft: 0 }
    // They came after the deletion: the next run takes them.
    case 'task':
    case 'count again':
    case 'samples again':
    case 'sizes again':
      return { end: 'applied', oldLeft: MORE }
    default:
      return assertNever(step)
  }
}

const outcomes = new Map<string, string>()

test.concurrent.each(FAULTS)(
  'a catalog that %s, in each step: the end is named, and a further run is safe',
  { timeout: 600_000 },
  async (fault) => {
    expect.hasAssertions()
    await using bench = await openBench({
      patienceMs: fault === 'loses an answer' ? 30_000 : 60,
      timeoutMs: fault === 'stalls' ? STALL_MS : 20_000,
    })
    for (const step of STEPS) await meet(bench, step, fault)
  },
)

async function meet(bench: Bench, step: ChainStep, fault: FaultName): Promise<void> {
  const { catalog, proxy } = bench
  await writeRows(catalog, OLD, 40, 'old')
  await writeRows(catalog, KEPT, 1, 'kept')
  const before = await rowsNow(catalog)
  proxy.plan = faultAt(bench, step, fault)
  const { run, plan, applied } = await runOnce(bench)
  proxy.plan = () => PASS
  const last = applied ?? run
  const end = last.state === 'succeeded' ? (plan?.state ?? 'no plan') : `${last.state}: ${last.error?.code}`
  const wanted = expected(step, fault)
  const what = `${fault} in ${step}: ${last.error?.message ?? ''}`
  expect(end, what).toBe(wanted.end)
  expect(plan?.state === 'failed', what).toBe(applied?.state === 'failed')
  // What was begun goes on in the catalog, whatever became of us.
  await eventually(async () => expect(await rowsNow(catalog), what).toEqual({ old: wanted.oldLeft, kept: before.kept }))
  const left = wanted.oldLeft === 0 ? 'all old rows gone' : wanted.oldLeft < OLD ? 'late rows left' : 'nothing deleted'
  outcomes.set(`${step} ${fault}`, `${end.replace(/([A-Z_]{5,})/, '`$1`')}; ${left}`)

  const again = await runOnce(bench)
  const ended = again.applied?.state ?? again.plan?.state
  expect(ended, `${what}; again: ${(again.applied ?? again.run).error?.message}`).toMatch(/^(succeeded|empty)$/)
  expect(await rowsNow(catalog), what).toEqual({ old: 0, kept: before.kept })
}

test('docs/retention.md shows what became of each', async () => {
  expect(outcomes.size).toBe(STEPS.length * FAULTS.length)
  const page = join(PROJECT, 'docs/retention.md')
  const text = await readFile(page, 'utf8')
  const table = [
    cells(['step', ...FAULTS.map((fault) => `the catalog ${fault}`)]),
    cells(['---', ...FAULTS.map(() => '---')]),
    ...STEPS.map((step) => cells([step, ...FAULTS.map((fault) => outcomes.get(`${step} ${fault}`) ?? '?')])),
  ].join('\n')
  const [before = '', rest = ''] = text.split('<!-- steps and faults -->\n')
  const after = rest.slice(rest.indexOf('<!-- end -->'))
  const wanted = `${before}<!-- steps and faults -->\n\n${table}\n\n${after}`
  if (process.env['UPDATE_DOCS'] === '1') await writeFile(page, wanted)
  expect(bare(await readFile(page, 'utf8'))).toBe(bare(wanted))
})

function cells(row: readonly string[]): string {
  return `| ${row.join(' | ')} |`
}

/** Without what the formatter pads a table with. */
function bare(markdown: string): string {
  return markdown.replaceAll(/ +/g, ' ').replaceAll(/-{3,}/g, '---')
}
