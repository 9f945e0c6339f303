import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { JOBS } from '../../jobs/index.ts'
import { findDeadLetters } from '../../src/store/ledger/journal.ts'
import { hive } from '../support/catalog.ts'
import { jobBench, type JobBench } from '../support/job-bench.ts'
import { temporaryFolder, type TemporaryFolder } from '../support/temporary-folder.ts'

let bench: JobBench
let folder: TemporaryFolder

beforeAll(async () => {
  bench = await jobBench(JOBS)
  folder = await temporaryFolder()
}, 60_000)

afterAll(async () => {
  await bench[Symbol.asyncDispose]()
  await folder[Symbol.asyncDispose]()
})

/** Every aspect but stamps of the entities whose URNs hold a text, as JSON by aspect and URN. */
async function world(part: string): Promise<Readonly<Record<string, unknown>>> {
  const rows = await bench.catalog.database.rows<{ urn: string; name: string; body: string }>(
    `select u.urn, a.name, a.body from catalog.aspect a join catalog.urn u on u.id = a.urn_id
     where strpos(u.urn, $1) > 0 order by u.urn, a.name`,
    [part],
  )
  return Object.fromEntries(rows.map(({ urn, name, body }) => [`${name} ${urn}`, JSON.parse(body)]))
}

async function importRows(name: string, rows: readonly string[]): Promise<string> {
  const file = join(folder.path, `${name}.csv`)
  await writeFile(file, ['resource,subresource,tags,description', ...rows].join('\n'))
  const { run } = await bench.run('import-csv', { file: [file], missing: 'create' }, 'apply')
  expect(run.state).toBe('succeeded')
  return run.id
}

const tags = (...names: string[]) => ({ tags: names.map((name) => ({ tag: `urn:li:tag:${name}` })) })

describe('undo', () => {
  test('an import is taken back: what it overwrote is there again, what it made is gone', async () => {
    await bench.catalog.put(hive('back.a'), { globalTags: tags('old'), datasetProperties: { name: 'A' } })
    await bench.catalog.put(hive('back.b'), { editableDatasetProperties: { description: 'written by hand' } })
    const before = await world('back.')
    const rows = ['a', 'b', 'c'].flatMap((name) => [
      `"${hive(`back.${name}`)}",,new,text`,
      `"${hive(`back.${name}`)}",c1,pii,`,
    ])
    const id = await importRows('back', rows)
    const after = await world('back.')
    expect(after).not.toEqual(before)

    const planned = await bench.run('undo', { run: id }, 'plan')
    expect(planned.plan).toMatchObject({ state: 'planned', counts: { change: 2, remove: 7, refused: 0 } })
    expect(planned.plan?.lines.join('\n')).toContain('images that the ledger kept')
    expect(await world('back.')).toEqual(after)

    const { run } = await bench.run('undo', { run: id }, 'apply')
    expect(run).toMatchObject({ state: 'succeeded', balance: { proposals: { made: 9, written: 9 } } })
    expect(await world('back.')).toEqual(before)

    const again = await bench.run('undo', { run: id }, 'apply')
    expect(again.run.balance.proposals).toMatchObject({ written: 0, unchanged: 9, refused: 0 })

    // What was undone can be undone itself.
    await bench.run('undo', { run: run.id }, 'apply')
    expect(await world('back.')).toEqual(after)
  })

  test('what somebody wrote since stays, and is listed', async () => {
    await bench.catalog.put(hive('since.a'), { globalTags: tags('old') })
    const id = await importRows('since', [`"${hive('since.a')}",,new,`, `"${hive('since.b')}",,new,`])
    await bench.catalog.put(hive('since.a'), { globalTags: tags('old', 'new', 'mine') })

    const planned = await bench.run('undo', { run: id }, 'plan')
    expect(planned.plan?.counts).toMatchObject({ remove: 1, refused: 1 })
    expect(planned.plan?.lines.join('\n')).toMatch(/since\.a.*\n?.*written again after/)
    const { run } = await bench.run('undo', { run: id }, 'apply')
    expect(run).toMatchObject({ state: 'partial', balance: { proposals: { written: 1, refused: 1 } } })
    const letters = await findDeadLetters(
      bench.runner.parts.database,
      { runId: run.id, open: true },
      { after: 0, limit: 10 },
    )
    expect(letters).toMatchObject([{ code: 'CHANGED_SINCE_RUN', entityUrn: hive('since.a'), base: null }])
    expect(await world('since.')).toMatchObject({ [`globalTags ${hive('since.a')}`]: tags('old', 'new', 'mine') })
  })

  test('a harvest is taken back, from the versions that the catalog keeps', async () => {
    const source = join(folder.path, 'sql')
    await mkdir(source)
    await writeFile(join(source, 'a.sql'), 'create table h.a as select x from h.b;')
    const harvest = { source, platform: 'hive', origin: 'sql' }
    expect((await bench.run('harvest-lineage', harvest, 'apply')).run.state).toBe('succeeded')
    const before = await world('h.a')
    await writeFile(join(source, 'a.sql'), 'create table h.a as select x, y from h.c;')
    const { run } = await bench.run('harvest-lineage', harvest, 'apply')
    expect(await world('h.a')).not.toEqual(before)

    const undone = await bench.run('undo', { run: run.id, from: 'catalog' }, 'apply')
    expect(undone.run.state).toBe('succeeded')
    expect(undone.run.lines.join('\n')).toContain('older versions that the catalog')
    expect(await world('h.a')).toEqual(before)
  })

  test('a run that nobody knows is refused', async () => {
    const { run } = await bench.run('undo', { run: 'run-nobody', from: 'ledger' }, 'apply')
    expect(run).toMatchObject({ state: 'failed', error: { code: 'RUN_UNKNOWN', badInput: true } })
    expect((await bench.run('undo', { run: 'run-nobody' }, 'plan')).run.error).toMatchObject({ code: 'RUN_UNKNOWN' })
  })
})
