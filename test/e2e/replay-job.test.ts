import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { JOBS } from '../../jobs/index.ts'
import { CatalogClient } from '../../src/client/catalog-client.ts'
import { Resources } from '../../src/observe/resources.ts'
import type { RunMode } from '../../src/runner/define-job.ts'
import { waitForRun } from '../../src/runner/wait.ts'
import { countDeadLetters, findDeadLetters } from '../../src/store/ledger/journal.ts'
import type { DeadLetterRow, RunRow } from '../../src/store/ledger/types.ts'
import { hive } from '../support/catalog.ts'
import { testRunner, type TestRunner } from '../support/runner.ts'
import { StubCatalog } from '../support/stub-catalog.ts'
import { temporaryFolder, type TemporaryFolder } from '../support/temporary-folder.ts'

/** A catalog that refuses what it is told to refuse. */
let stub: StubCatalog
let runner: TestRunner
let folder: TemporaryFolder
const resources = new Resources()

beforeAll(async () => {
  stub = await StubCatalog.start()
  resources.defer(() => stub.close())
  const client = resources.use(
    new CatalogClient({ url: stub.url }, { retry: { firstDelayMs: 2, maxDelayMs: 10, deadlineMs: 5000 } }),
  )
  runner = await testRunner('postgres', JOBS)
  resources.defer(async () => runner[Symbol.asyncDispose]())
  await runner.startWorkers({ connectionsFor: () => ({ catalog: () => client }) })
  folder = await temporaryFolder()
  resources.defer(async () => folder[Symbol.asyncDispose]())
}, 60_000)

afterAll(() => resources.close())

async function run(job: string, input: unknown, mode: RunMode = 'apply'): Promise<RunRow> {
  const { id } = await runner.submit({ job, input, mode })
  const { run: first, applied } = await waitForRun(runner.parts, id, { signal: AbortSignal.timeout(30_000) })
  return applied ?? first
}

async function importTags(name: string, count: number): Promise<RunRow> {
  const file = join(folder.path, `${name}.csv`)
  const rows = Array.from({ length: count }, (_, n) => `"${hive(`${name}.t${n}`)}",certified`)
  await writeFile(file, ['resource,tags', ...rows].join('\n'))
  return run('import-csv', { file: [file], missing: 'create' })
}

function lettersOf(runId: string): Promise<readonly DeadLetterRow[]> {
  return findDeadLetters(runner.parts.database, { runId, open: true }, { after: 0, limit: 100 })
}

describe('replay', () => {
  test('what was refused is written once the catalog takes it, and is settled', async () => {
    stub.poisoned = ({ entityUrn }) => /again\.t(3|7)\b/.test(entityUrn)
    const first = await importTags('again', 20)
    expect(first).toMatchObject({ state: 'partial', balance: { proposals: { written: 18, refused: 2 } } })
    expect(await lettersOf(first.id)).toHaveLength(2)

    const still = await run('replay', { run: first.id })
    expect(still).toMatchObject({ state: 'partial', balance: { proposals: { made: 2, written: 0, refused: 2 } } })
    expect(await lettersOf(first.id)).toHaveLength(2)

    stub.poisoned = ({ entityUrn }) => /again\.t7\b/.test(entityUrn)
    await run('replay', { run: first.id })
    expect((await lettersOf(first.id)).map((letter) => letter.entityUrn)).toEqual([hive('again.t7')])
    stub.poisoned = () => false
    expect(await run('replay', { run: first.id })).toMatchObject({ state: 'succeeded' })
    expect(await lettersOf(first.id)).toEqual([])
    expect(stub.aspect(hive('again.t7'), 'globalTags')?.value).toEqual({ tags: [{ tag: 'urn:li:tag:certified' }] })
    expect(await countDeadLetters(runner.parts.database, { runId: first.id, open: false })).toMatchObject([
      { outcome: 'refused', code: 'PROPOSAL_REFUSED', count: 2, sendable: 2 },
    ])
  })

  test('an aspect that somebody wrote in between is left alone', async () => {
    stub.poisoned = ({ entityUrn }) => entityUrn === hive('between.t1')
    const first = await importTags('between', 3)
    stub.poisoned = () => false
    stub.put(hive('between.t1'), 'globalTags', { tags: [{ tag: 'urn:li:tag:mine' }] })
    const again = await run('replay', { run: first.id })
    expect(again).toMatchObject({ state: 'partial', balance: { proposals: { written: 0, refused: 1 } } })
    expect(await lettersOf(again.id)).toMatchObject([{ code: 'CHANGED_SINCE_LETTER', base: null }])
    expect(stub.aspect(hive('between.t1'), 'globalTags')?.value).toEqual({ tags: [{ tag: 'urn:li:tag:mine' }] })
    // Nor is there anything in the new letter that could be sent.
    expect(await run('replay', { run: again.id })).toMatchObject({ report: { sent: 0, withoutAspect: 1 } })
  })

  test('letters of a run on another catalog are refused', async () => {
    const { id } = await runner.submit({ job: 'replay', input: { run: 'run-nobody' }, mode: 'apply' })
    const { run: ended } = await waitForRun(runner.parts, id, { signal: AbortSignal.timeout(30_000) })
    expect(ended).toMatchObject({ state: 'failed', error: { code: 'RUN_NOT_FOUND' } })
    const elsewhere = await runner.submit({
      job: 'replay',
      input: { run: id },
      target: 'http://elsewhere',
      mode: 'apply',
    })
    const { run: other } = await waitForRun(runner.parts, elsewhere.id, { signal: AbortSignal.timeout(30_000) })
    expect(other).toMatchObject({ state: 'failed', error: { code: 'OTHER_CATALOG', badInput: true } })
  })
})
