import { mkdir, readdir, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { pruneJob } from '../../src/main/prune-job.ts'
import { defineJob, Type } from '../../src/runner/define-job.ts'
import { removeForgottenFolders, removeOldInputs } from '../../src/runner/upkeep/run-folders.ts'
import { listPlans } from '../../src/store/ledger/plans.ts'
import { listRuns } from '../../src/store/ledger/runs.ts'
import { testRunner, type TestRunner } from '../support/runner.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const DAY_MS = 24 * 3_600_000
const KEEP = {
  cron: '40 3 * * *',
  timeZone: 'UTC',
  runDays: 90,
  runCount: 1_000,
  journalDays: 30,
  deadLetterDays: 60,
  deadLetterCount: 1_000,
  historyDays: 365,
  historyVersions: 2,
}

const works = defineJob({
  name: 'works',
  summary: 'Leaves a trace of every kind',
  byHand: 'apply',
  input: Type.Object({}),
  async run({ journal, rejects, balance, checkpoints }) {
    balance.records({ read: 2, used: 1 })
    await rejects.add({ code: 'BAD', message: 'bad', place: { line: 2 } })
    balance.proposals({ made: 1, written: 1 })
    await journal.sent({ key: 'batch-1', members: 1, unchanged: 0 })
    await journal.answered('batch-1', { written: 1, unchanged: 0, refused: 0, dead: 0 }, [])
    await checkpoints.save('step', 1)
    return { report: {}, lines: [] }
  },
})

const asks = defineJob({
  name: 'asks',
  summary: 'Waits for a person',
  byHand: 'plan',
  input: Type.Object({}),
  plan: ({ clock }) =>
    Promise.resolve({
      counts: {},
      lines: [],
      body: {},
      expiresAtMs: clock.now() + 1_000 * DAY_MS,
      nothingToDo: false,
    }),
  check: () => ({ decision: 'ask', reasons: [] }),
  run: () => Promise.resolve({ report: {}, lines: [] }),
})

/** A runner whose clock can be turned, with the job that forgets. */
async function onStage(keep: Partial<typeof KEEP>, work: (runner: TestRunner, clock: { at: number }) => Promise<void>) {
  const clock = { at: Date.UTC(2026, 0, 1) }
  const now = { now: () => clock.at, monotonic: () => performance.now() }
  // The job holds on to the runner's own database, which there is only after the runner.
  const jobs = [works, asks, pruneJob({} as never, { ...KEEP, ...keep })]
  await using runner = await testRunner('postgres', jobs, { clock: now })
  jobs[2] = Object.assign(jobs[2]!, pruneJob(runner.parts.database, { ...KEEP, ...keep }))
  await runner.startWorkers()
  await work(runner, clock)
}

const rowsOf = async ({ parts }: TestRunner, table: string) => {
  const [row] = await parts.database.rows<{ count: number }>(`select count(*) as count from ${table}`)
  return row?.count
}

async function runOf(runner: TestRunner, job: string) {
  const { id } = await runner.submit({ job, input: {} })
  return (await runner.end(id)).run
}

test('what has ended goes by its age, each kind at its own; what has not ended stays, however old', () =>
  onStage({}, async (runner, clock) => {
    const old = await runOf(runner, 'works')
    const waiting = await runOf(runner, 'asks')
    const open = await runner.submit({ job: 'works', input: {} })
    await runner.end(open.id)
    await runner.parts.database.execute(
      `update ledger.run set state = 'running', finished_ms = null, heartbeat_ms = $2 where id = $1`,
      [open.id, 4e12],
    )
    expect(await rowsOf(runner, 'ledger.batch')).toBe(2)

    clock.at += 31 * DAY_MS
    expect((await runOf(runner, 'prune')).report).toMatchObject({ pruned: { runs: 0, journal: 1, deadLetters: 0 } })
    clock.at += 30 * DAY_MS
    expect((await runOf(runner, 'prune')).report).toMatchObject({ pruned: { runs: 0, deadLetters: 1 } })
    clock.at += 30 * DAY_MS
    const planned = await runner.submit({ job: 'prune', input: {}, mode: 'plan' })
    expect((await runner.end(planned.id)).plan).toMatchObject({ counts: { runs: 1 } })
    const forgotten = await runOf(runner, 'prune')
    expect(forgotten).toMatchObject({
      report: { pruned: { runs: 1 } },
      balance: { records: { read: 1, used: 1 } },
    })
    const left = (await listRuns(runner.parts.database, { limit: 50 })).map(({ id }) => id)
    expect(left).not.toContain(old.id)
    expect(left).toEqual(expect.arrayContaining([waiting.id, open.id]))
    expect(await listPlans(runner.parts.database, { states: ['awaiting'], limit: 5 })).toHaveLength(1)
    // The run under way keeps its journal and its letters.
    expect(await rowsOf(runner, 'ledger.batch')).toBe(1)
    expect(await rowsOf(runner, 'ledger.dead_letter')).toBe(1)
  }))

test('beyond its count the oldest goes, however young', () =>
  onStage({ runCount: 3, deadLetterCount: 2 }, async (runner, clock) => {
    const ids: string[] = []
    for (let n = 0; n < 6; n++) {
      clock.at += 1_000
      ids.push((await runOf(runner, 'works')).id)
    }
    await runOf(runner, 'prune')
    const left = (await listRuns(runner.parts.database, { job: 'works', limit: 50 })).map(({ id }) => id)
    expect(left.toSorted()).toEqual(ids.slice(-3).toSorted())
    expect(await rowsOf(runner, 'ledger.dead_letter')).toBe(2)
  }))

test('of an aspect the newest versions stay, and the young ones', () =>
  onStage({}, async (runner, clock) => {
    const { database } = runner.parts
    await database.execute(
      `insert into catalog.aspect (urn_id, name, version, body, written_ms, written_by, created_ms)
        values (1, 'status', 6, '{}', $1, 'x', $1)`,
      [clock.at],
    )
    for (const [version, age] of [1000, 900, 800, 10, 5].entries()) {
      await database.execute(
        `insert into catalog.aspect_history (urn_id, name, version, body, written_ms, written_by)
          values (1, 'status', $1, '{}', $2, 'x')`,
        [version + 1, clock.at - age * DAY_MS],
      )
    }
    expect((await runOf(runner, 'prune')).report).toMatchObject({ pruned: { history: 3 } })
    clock.at += 400 * DAY_MS
    expect((await runOf(runner, 'prune')).report).toMatchObject({ pruned: { history: 1 } })
    const rows = await database.rows('select version from catalog.aspect_history')
    expect(rows).toEqual([{ version: 5 }])
  }))

test('folders of runs that are forgotten go; young ones and those of known runs stay', async () => {
  await using runner = await testRunner('postgres', [works])
  await using folder = await temporaryFolder()
  const { id } = await runner.submit({ job: 'works', input: {} })
  for (const name of [id, 'run-forgotten', 'run-young']) await mkdir(join(folder.path, name))
  const hoursAgo = new Date(Date.now() - 3 * 3_600_000)
  for (const name of [id, 'run-forgotten']) await utimes(join(folder.path, name), hoursAgo, hoursAgo)
  expect(await removeForgottenFolders(runner.parts.database, folder.path, Date.now())).toBe(1)
  expect((await readdir(folder.path)).toSorted()).toEqual([id, 'run-young'].toSorted())
  expect(await removeForgottenFolders(runner.parts.database, join(folder.path, 'nothing'), Date.now())).toBe(0)
})

test('inputs that were kept for a run go when no run is left that is as old', async () => {
  await using folder = await temporaryFolder()
  const now = Date.now()
  for (const [name, days] of [
    ['kept-old', 91],
    ['kept-young', 89],
  ] as const) {
    await mkdir(join(folder.path, name))
    await utimes(join(folder.path, name), (now - days * DAY_MS) / 1000, (now - days * DAY_MS) / 1000)
  }
  expect(await removeOldInputs(folder.path, now - 90 * DAY_MS)).toBe(1)
  expect(await readdir(folder.path)).toEqual(['kept-young'])
  expect(await removeOldInputs(join(folder.path, 'nothing'), now)).toBe(0)
})
