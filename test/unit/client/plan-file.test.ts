import { join } from 'node:path'
import { expect, test } from 'vitest'
import { CatalogClient } from '../../../src/client/catalog-client.ts'
import { replaceAspect, type AspectChange, type Comparison } from '../../../src/client/change.ts'
import { compareChanges, emit } from '../../../src/client/emitter.ts'
import { MemoryJournal } from '../../../src/client/journal.ts'
import { bindToPlan, writePlanFile } from '../../../src/client/plan-file.ts'
import { asUrn } from '../../../src/model/urn.ts'
import { storedErrorOf } from '../../../src/runner/errors.ts'
import { StubCatalog } from '../../support/stub-catalog.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

function aTag(id: string, name: string): AspectChange {
  return { urn: asUrn(`urn:li:tag:${id}`), aspectName: 'tagProperties', intent: { name }, merge: replaceAspect }
}

const CHANGES = [aTag('a', 'A'), aTag('b', 'B'), aTag('c', 'C')]

async function planned(versions = true): Promise<{
  readonly stub: StubCatalog
  readonly client: CatalogClient
  readonly file: string
  readonly summary: Awaited<ReturnType<typeof writePlanFile>>
  close(): Promise<void>
}> {
  const folder = await temporaryFolder()
  const stub = await StubCatalog.start()
  stub.versions = versions
  const client = new CatalogClient({ url: stub.url })
  stub.put('urn:li:tag:b', 'tagProperties', { name: 'old' })
  stub.put('urn:li:tag:c', 'tagProperties', { name: 'C' })
  const file = join(folder.path, 'plan.ndjson')
  const summary = await writePlanFile(file, compareChanges(CHANGES, client))
  return {
    stub,
    client,
    file,
    summary,
    async close() {
      await client.close()
      await stub.close()
      await folder[Symbol.asyncDispose]()
    },
  }
}

test('a plan says what would change and changes nothing', async () => {
  const plan = await planned()
  expect(plan.summary.counts).toEqual({ change: 1, create: 1, unchanged: 1, refused: 0 })
  expect(plan.summary.lines).toEqual([
    'urn:li:tag:a tagProperties',
    '  + name: A',
    'urn:li:tag:b tagProperties',
    '  ~ name: old → B',
  ])
  expect(plan.stub.writes).toHaveLength(0)
  await plan.close()
})

test('carried out, it does what it said, and leaves alone what changed since', async () => {
  const plan = await planned()
  plan.stub.put('urn:li:tag:b', 'tagProperties', { name: 'somebody was here' })
  const journal = new MemoryJournal()
  const report = await emit(bindToPlan(CHANGES, plan.file), { sink: plan.client, journal, runId: 'r' })
  expect(report.counts).toEqual({ written: 1, unchanged: 1, refused: 1, dead: 0 })
  expect(journal.deadLetters).toMatchObject([{ code: 'CHANGED_SINCE_PLAN' }])
  expect(plan.stub.aspect('urn:li:tag:b', 'tagProperties')?.value).toEqual({ name: 'somebody was here' })
  await plan.close()
})

test.each([true, false])(
  'with a catalog that checks versions (%s), what changes before the write is a conflict',
  async (checks) => {
    const plan = await planned(checks)
    let meddled = false
    plan.stub.fault = (request) => {
      // Where versions are checked somebody may come even between our reading and our writing.
      const now = checks ? request.members.length > 0 : request.path.includes('batchGet')
      if (now && !meddled) {
        meddled = true
        plan.stub.put('urn:li:tag:b', 'tagProperties', { name: 'somebody was here' })
      }
      return undefined
    }
    const journal = new MemoryJournal()
    const report = await emit(bindToPlan(CHANGES, plan.file), { sink: plan.client, journal, runId: 'r' })
    expect(meddled).toBe(true)
    expect(report.counts).toEqual({ written: 1, unchanged: 1, refused: 1, dead: 0 })
    expect(report.conditions).toEqual(checks ? { checked: 1, reread: 0 } : { checked: 0, reread: 1 })
    expect(journal.deadLetters).toMatchObject([{ code: 'CHANGED_SINCE_PLAN' }])
    expect(plan.stub.aspect('urn:li:tag:b', 'tagProperties')?.value).toEqual({ name: 'somebody was here' })
    await plan.close()
  },
)

test.each([
  ['asks for something else', [aTag('a', 'other'), aTag('b', 'B'), aTag('c', 'C')]],
  ['asks for less', CHANGES.slice(0, 2)],
  ['asks for more', [...CHANGES, aTag('d', 'D')]],
])('input that %s than it did makes the plan stale', async (_, changes) => {
  const plan = await planned()
  const run = emit(bindToPlan(changes, plan.file), { sink: plan.client, journal: new MemoryJournal(), runId: 'r' })
  await expect(run).rejects.toMatchObject({ code: 'PLAN_STALE' })
  await plan.close()
})

/** More than fits into what is held before it is written. */
async function* manyComparisons(): AsyncGenerator<Comparison> {
  for (let n = 0; n < 2000; n++) {
    const change = { urn: asUrn(`urn:li:tag:t${n}`), aspectName: 'tagProperties', intent: { name: 'x'.repeat(200) } }
    await Promise.resolve()
    yield { kind: 'same', change: { ...change, merge: replaceAspect }, before: undefined }
  }
}

test('a disk that is full fails the plan with what the system says, and nothing else', async () => {
  const failure = await writePlanFile('/dev/full', manyComparisons()).catch((error: unknown) => error)
  expect(failure).toMatchObject({ code: 'ENOSPC' })
  expect(storedErrorOf(failure)).toMatchObject({ code: 'DISK_FULL', retryable: true, remedy: expect.any(String) })
})
