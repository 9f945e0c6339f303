import { appendFile, mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import type { LineageReader } from '../../../src/harvest/analyse.ts'
import { guardReasons, harvestAlarms, type GuardFacts } from '../../../src/harvest/guard.ts'
import { openLineageReader } from '../../../src/harvest/reader.ts'
import { objectsAt } from '../../../src/model/json.ts'
import { harvested, TestMemory, type TestHarvest } from '../../support/harvest.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

function lineageOf({ changes }: TestHarvest, table: string) {
  return changes.find(({ urn, aspectName }) => aspectName === 'upstreamLineage' && urn.includes(`,${table},`))?.intent
}

/** Which table is learnt first is of no account. */
const plain = ({ changes }: TestHarvest) => changes.map(({ urn, intent }) => JSON.stringify([urn, intent])).toSorted()

/** A line of a log. */
const line = (query: string): string => `${JSON.stringify({ query, session_id: 'one' })}\n`

test('only texts that are new, or whose tables changed, are read again; the end is that of a full run', async () => {
  await using folder = await temporaryFolder()
  const write = (name: string, sql: string) => writeFile(join(folder.path, name), sql)
  const memory = new TestMemory()
  const settings = { source: folder.path, platform: 'hive' }
  await write('base.sql', 'create table s.base (a int);')
  await write('view.sql', 'create view s.v as select * from s.base;')
  await write('other.sql', 'create table s.o as select x from s.p;')
  expect((await harvested(settings, { memory })).report.recalled).toBe(0)
  expect((await harvested(settings, { memory })).report.recalled).toBe(3)

  await write('base.sql', 'create table s.base (a int, b int);')
  const third = await harvested(settings, { memory })
  expect(third.report.recalled).toBe(2)
  expect(objectsAt(lineageOf(third, 's.v'), 'fineGrainedLineages')).toHaveLength(2)
  const full = await harvested({ ...settings, full: true }, { memory: new TestMemory() })
  expect(plain(third)).toEqual(plain(full))
})

test('a dbt project that changed is read again, and ends as a full run of it', async () => {
  await using folder = await temporaryFolder()
  const write = async (name: string, text: string): Promise<void> => {
    await mkdir(dirname(join(folder.path, name)), { recursive: true })
    await writeFile(join(folder.path, name), text)
  }
  await write('dbt_project.yml', 'name: shop\nversion: "1"\nmodel-paths: [models]\n')
  await write('models/a.sql', "{{ config(materialized='table') }} select id, amount from s.orders")
  await write('models/b.sql', "select * from {{ ref('a') }}")
  await write('models/c.sql', "{{ config(materialized='ephemeral') }} select id from {{ ref('b') }}")
  await write('models/d.sql', "select id as d from {{ ref('c') }}")
  const memory = new TestMemory()
  const settings = { source: folder.path, platform: 'postgres', schema: 'mart' }
  const states: unknown[] = []
  for (const change of [
    () => Promise.resolve(),
    () => write('models/a.sql', "{{ config(materialized='table') }} select id, amount, note from s.orders"),
    () => write('models/d.sql', "select id as d, 1 as one from {{ ref('b') }}"),
    () => rm(join(folder.path, 'models/c.sql')),
  ]) {
    await change()
    const incremental = await harvested(settings, { memory })
    const full = await harvested({ ...settings, full: true }, { memory: new TestMemory() })
    expect(plain(incremental)).toEqual(plain(full))
    states.push(plain(incremental))
  }
  // Each change but the last, which leaves no trace, shows.
  expect(new Set(states.map((state) => JSON.stringify(state))).size).toBe(3)
  expect((await harvested(settings, { memory })).report.recalled).toBe(3)
})

test('of a large dbt project only the models are read again that changed, or whose inputs did', async () => {
  await using folder = await temporaryFolder()
  await using own = openReader()
  let read: string[] = []
  const reader: LineageReader = {
    lineages(requests) {
      read.push(...requests.map(({ sql }) => [sql].flat().at(-1) ?? ''))
      return own.lineages(requests)
    },
  }
  const write = (name: string, text: string): Promise<void> => writeFile(join(folder.path, name), text)
  await mkdir(join(folder.path, 'models'))
  await write('dbt_project.yml', 'name: shop\nversion: "1"\nmodel-paths: [models]\n')
  const names = Array.from({ length: MODELS }, (_, n) => `m${n}`)
  const filler = `-- ${'x'.repeat((5 * 1024 * 1024) / MODELS)}`
  for (const [n, name] of names.entries()) {
    // Chains of ten: each reads the one before it.
    const from = n % 10 === 0 ? 's.orders' : `{{ ref('m${n - 1}') }}`
    await write(`models/${name}.sql`, `${filler}\nselect id, amount from ${from}`)
  }
  const memory = new TestMemory()
  const settings = { source: folder.path, platform: 'postgres', schema: 'mart' }
  await harvested(settings, { memory, reader })
  read = []
  expect((await harvested(settings, { memory, reader })).report.recalled).toBe(MODELS)
  expect(read).toEqual([])

  await write('models/m17.sql', "select id, amount, id as again from {{ ref('m16') }}")
  const changed = await harvested(settings, { memory, reader })
  // Itself, twice as its input's columns are known from another model, and the one that reads it.
  expect(changed.report.recalled).toBe(MODELS - 1)
  expect(new Set(read).size).toBe(2)
}, 300_000)

const MODELS = 2000

function openReader(): LineageReader & AsyncDisposable {
  const reader = openLineageReader({ threads: 1 })
  return {
    lineages: (requests) => reader.lineages(requests),
    [Symbol.asyncDispose]: async () => {
      await reader.close()
    },
  }
}

test('of a log only what was appended is read, sessions go on, and a file that was replaced is read from its start', async () => {
  await using folder = await temporaryFolder()
  const source = join(folder.path, 'log.ndjson')
  const memory = new TestMemory()
  const settings = { source, platform: 'hive', adds: true }
  await writeFile(source, line('create temporary table t as select a from s.x') + line('select 1'))
  expect((await harvested(settings, { memory })).counts['read']).toBe(2)
  await appendFile(source, line('insert into s.y (a) select a from t'))
  const second = await harvested(settings, { memory })
  expect(second.counts['read']).toBe(1)
  expect(objectsAt(lineageOf(second, 's.y'), 'upstreams')).toMatchObject([{ dataset: expect.stringContaining('s.x') }])
  expect((await harvested(settings, { memory })).counts['read']).toBeUndefined()
  await writeFile(
    source,
    line('insert into s.z (a) select a from s.w') + line('select 2') + line('select 3, 4') + line('select 5, 6, 7'),
  )
  expect((await harvested(settings, { memory })).counts['read']).toBe(4)
})

test('an edge that is gone stays for its grace, and goes then', async () => {
  await using folder = await temporaryFolder()
  const memory = new TestMemory()
  const settings = { source: folder.path, platform: 'hive', grace: 2 }
  await writeFile(join(folder.path, 'a.sql'), 'insert into s.t (a) select a from s.x;')
  await writeFile(join(folder.path, 'b.sql'), 'insert into s.u (a) select a from s.x;')
  await harvested(settings, { memory })
  await rm(join(folder.path, 'b.sql'))
  const found: unknown[] = []
  for (let night = 1; night <= 4; night++) {
    const harvest = await harvested(settings, { memory })
    found.push([harvest.report.spared, harvest.report.gone, lineageOf(harvest, 's.u')?.['spared'] !== undefined])
  }
  expect(found).toEqual([
    [1, 0, true],
    [1, 0, true],
    [0, 1, false],
    [0, 0, false],
  ])
})

test('guards speak up only beyond their limits, and never about a handful', () => {
  const facts: GuardFacts = {
    edges: { added: 0, removed: 10, kept: 10 },
    read: 100,
    rejected: 10,
    coverage: { statements: 0.9, tables: 0.9, columns: 1 },
    formerCoverage: { statements: 1, tables: 1, columns: 1 },
    otherSource: undefined,
  }
  const limits = { maxVanish: 0.5, maxFailures: 0.1, maxCoverageFall: 0.1 + 1e-9, alarmCoverageFall: 0.05 }
  expect(guardReasons(facts, limits)).toEqual([])
  expect(guardReasons({ ...facts, edges: { added: 0, removed: 11, kept: 10 } }, limits)).toEqual([
    expect.stringContaining('11 of 21 edges of this origin would vanish'),
  ])
  expect(guardReasons({ ...facts, edges: { added: 0, removed: 10, kept: 0 } }, limits)).toEqual([])
  expect(guardReasons({ ...facts, otherSource: '/a/sql' }, limits)).toEqual([
    expect.stringContaining('10 edges would vanish that were found in /a/sql'),
  ])
  const added = { added: 9, removed: 0, kept: 1 }
  expect(guardReasons({ ...facts, edges: added, otherSource: '/a/sql' }, limits)).toEqual([])
  expect(guardReasons({ ...facts, rejected: 11 }, limits)).toEqual([expect.stringContaining('11 of 100 statements')])
  expect(guardReasons({ ...facts, coverage: { statements: 0.8, tables: 0.9, columns: 1 } }, limits)).toEqual([
    expect.stringContaining('coverage of statements falls from 100.0 % to 80.0 %'),
  ])
  expect(harvestAlarms(facts, limits)).toEqual([
    'coverage of statements falls from 100.0 % to 90.0 % (alarmCoverageFall lets 5.0 % pass)',
    'coverage of tables falls from 100.0 % to 90.0 % (alarmCoverageFall lets 5.0 % pass)',
  ])
})
