/** Guards of a harvest as an operator meets them: stopped before the first write, told to a webhook, asked about, approved. */
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import harvest from '../../jobs/harvest-lineage.ts'
import { exitCodeOfEnding } from '../../src/cli/run/ending.ts'
import { Secret } from '../../src/model/secret.ts'
import { approvePlan } from '../../src/runner/decide.ts'
import { tellNews, type NoticeSettings } from '../../src/runner/notices/notices.ts'
import type { RunEnding } from '../../src/runner/wait.ts'
import { jobBench, type JobBench } from '../support/job-bench.ts'
import { webhookReceiver, type WebhookReceiver } from '../support/receiver.ts'
import { temporaryFolder, type TemporaryFolder } from '../support/temporary-folder.ts'

let bench: JobBench
let folder: TemporaryFolder
let receiver: WebhookReceiver

const tables = Array.from({ length: 24 }, (_, at) => at)

beforeAll(async () => {
  bench = await jobBench([harvest])
  folder = await temporaryFolder()
  receiver = await webhookReceiver()
  await tell()
  for (const at of tables) await writeFile(fileOf(at), `create table mart.t${at} as select id, v from raw.s${at};\n`)
  await harvested()
})

afterAll(async () => {
  await bench[Symbol.asyncDispose]()
  await folder[Symbol.asyncDispose]()
  await receiver[Symbol.asyncDispose]()
})

function fileOf(at: number): string {
  return join(folder.path, `t${at}.sql`)
}

function harvested(input: object = {}): Promise<RunEnding> {
  return bench.run('harvest-lineage', { source: folder.path, origin: 'guarded', platform: 'postgres', ...input })
}

/** What the scheduling process does now and then. */
function tell(): Promise<void> {
  const settings: NoticeSettings = {
    receivers: [
      {
        name: 'on-call',
        url: new Secret(receiver.url),
        secret: undefined,
        on: ['alarm', 'plan-waiting'],
        lateMs: 900_000,
        foldMs: 0,
      },
    ],
    secrets: [],
    intervalMs: 1,
    firstRetryMs: 1_000,
    maxAttempts: 3,
    chance: () => 1,
  }
  return tellNews(bench.runner.parts, settings)
}

/** The alarm about a run; those of one pass arrive in any order. */
async function told({ run }: RunEnding): Promise<unknown> {
  await tell()
  const alarms = receiver.deliveries.map(({ body }) => body).filter(({ kind }) => kind === 'alarm')
  return alarms.find((alarm) => JSON.stringify(alarm['run']).includes(run.id))
}

test('beyond its limits nothing is written: exit code 3, figures, limit and remedy, and a notice', async () => {
  const before = await bench.versions()
  for (const at of tables.slice(0, 16)) await rm(fileOf(at))
  const ending = await harvested()
  expect(exitCodeOfEnding(harvest, ending)).toBe(3)
  const reason = '16 of 24 edges of this origin would vanish (66.7 %; maxVanish lets 50.0 % pass)'
  expect(ending.plan).toMatchObject({ state: 'rejected', decidedBy: 'policy', reasons: [reason] })
  expect(ending.plan?.lines.join('\n')).toContain('--on-guard ask, then headwater approve')
  expect(await bench.versions()).toEqual(before)
  expect(await told(ending)).toMatchObject({ alarms: [reason], text: expect.stringContaining(reason) })
})

test('a person who is asked approves, and then it is carried out', async () => {
  const ending = await harvested({ onGuard: 'ask' })
  expect(exitCodeOfEnding(harvest, ending)).toBe(3)
  expect(ending.plan?.state).toBe('awaiting')
  const gone = `upstreamLineage urn:li:dataset:(urn:li:dataPlatform:postgres,mart.t0,PROD)`
  const before = (await bench.versions()).get(gone) ?? 0
  const { run } = await approvePlan(bench.runner.parts, ending.plan?.id ?? '', 'mia')
  expect(await bench.runner.end(run.id)).toMatchObject({ run: { state: 'succeeded' } })
  expect((await bench.versions()).get(gone)).toBe(before + 1)
  // The limit was for once: what is left is harvested as ever.
  const next = await harvested()
  expect(exitCodeOfEnding(harvest, next)).toBe(0)
  expect(next.plan?.reasons).toEqual([])
})

test('failures and a fall of coverage stop it, too; a smaller fall is told and written', async () => {
  for (const at of tables) await writeFile(fileOf(at), `create table mart.t${at} as select id, v from raw.s${at};\n`)
  await harvested()
  for (const at of tables.slice(0, 3)) await writeFile(fileOf(at), `insert into mart.x${at} (a) select ((( from;\n`)
  const small = await harvested({ maxVanish: 1 })
  expect(exitCodeOfEnding(harvest, small)).toBe(2)
  expect(await told(small)).toMatchObject({ alarms: [expect.stringContaining('coverage of statements falls')] })
  for (const at of tables.slice(3, 21)) await writeFile(fileOf(at), `insert into mart.x${at} (a) select ((( from;\n`)
  const large = await harvested({ maxVanish: 1 })
  expect(exitCodeOfEnding(harvest, large)).toBe(3)
  expect(large.plan?.reasons).toEqual([
    '21 of 24 statements were not understood (87.5 %; maxFailures lets 80.0 % pass)',
    'coverage of statements falls from 87.5 % to 12.5 % (maxCoverageFall lets 30.0 % pass)',
  ])
})

test("two folders of one name do not take away each other's edges; one that moved is the same", async () => {
  const [first, second, moved] = ['a', 'b', 'c'].map((name) => join(folder.path, name, 'sql')) as [
    string,
    string,
    string,
  ]
  for (const [at, place] of [first, second].entries()) {
    await mkdir(place, { recursive: true })
    await writeFile(join(place, 'one.sql'), `create table two.t${at} as select id from raw.s${at};\n`)
  }
  const input = { platform: 'postgres', origin: undefined }
  expect(exitCodeOfEnding(harvest, await harvested({ ...input, source: first }))).toBe(0)
  const other = await harvested({ ...input, source: second })
  expect(exitCodeOfEnding(harvest, other)).toBe(3)
  expect(other.plan?.reasons).toEqual([
    `1 edge would vanish that were found in ${first}: two sources have one name (origin tells them apart)`,
  ])
  expect(exitCodeOfEnding(harvest, await harvested({ ...input, source: second, origin: 'second' }))).toBe(0)
  await mkdir(join(folder.path, 'c'))
  await rename(first, moved)
  await writeFile(join(moved, 'one.sql'), 'create table two.t2 as select id from raw.s2;\n')
  const again = await harvested({ ...input, source: moved })
  expect(exitCodeOfEnding(harvest, again)).toBe(0)
  expect(again.plan?.body).toMatchObject({ report: { edges: { added: 1, removed: 1 } } })
})
