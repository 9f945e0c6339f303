import { readdir } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { HeldEvidence } from '../../../src/harvest/held-evidence.ts'
import { queryUrn, type Evidence } from '../../../src/harvest/fold.ts'
import { sharedLineageReader } from '../../../src/harvest/reader.ts'
import { ScratchFile } from '../../../src/harvest/scratch-file.ts'
import { Shared } from '../../../src/harvest/shared.ts'
import { textAt } from '../../../src/model/json.ts'
import { asUrn } from '../../../src/model/urn.ts'
import { harvested } from '../../support/harvest.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

test('texts on disk are read as they were written, those before a later one too, and the file has no name', async () => {
  await using folder = await temporaryFolder()
  using file = new ScratchFile(folder.path)
  expect(await readdir(folder.path)).toEqual([])
  const texts = Array.from({ length: 300 }, (_, n) => `select ${n} as größe /* ${'🙂'.repeat(n)} */`)
  const places = texts.map((text) => file.write(text))
  expect(file.read(places[0]!)).toBe(texts[0])
  const last = file.write('')
  expect(places.map((place) => file.read(place))).toEqual(texts)
  expect(file.read(last)).toBe('')
})

test('held evidence says what it said, and the edges of a statement share one', async () => {
  await using folder = await temporaryFolder()
  using held = new HeldEvidence(folder.path)
  const evidence: Evidence = {
    query: queryUrn('o', 'insert into t select ?'),
    at: 'log.ndjson:7',
    sql: 'insert into t select 1',
    platform: 'postgres',
    timeMs: 12,
    user: asUrn('urn:li:corpuser:etl'),
  }
  const made = held.hold(evidence)
  const { query, at, sql, platform, timeMs, user } = made
  expect({ query, at, sql, platform, timeMs, user }).toEqual(evidence)
  expect(held.hold(evidence)).toBe(made)
  expect(held.hold(made)).toBe(made)
})

test('equal lists are one, each member once, whatever they are made of', () => {
  const shared = new Shared()
  expect(shared.list(['a', 'b'])).toBe(shared.list(['a', 'b']))
  expect(shared.list(['b', 'a', 'b'])).toEqual(['b', 'a'])
  expect(shared.list(['1', '2'])).not.toBe(shared.list(['1 2']))
  expect(shared.list([])).toBe(shared.list([]))
})

test('a statement that fills several tables is one query that speaks of all of them', async () => {
  await using folder = await temporaryFolder()
  const sql =
    'from raw.a insert into mart.one select x insert into mart.two select y; insert into mart.three select z from raw.b;'
  await writeFile(join(folder.path, 'a.sql'), `create table raw.a (x int, y int);\ncreate table raw.b (z int);\n${sql}`)
  const { changes } = await harvested({ source: folder.path, platform: 'hive', queries: true })
  const subjects = changes.filter(({ aspectName }) => aspectName === 'querySubjects')
  const tables = subjects.map(({ intent }) =>
    ['one', 'two', 'three'].filter((name) => JSON.stringify(intent).includes(`mart.${name},`)).join(' '),
  )
  expect(new Set(tables)).toEqual(new Set(['one two', 'three']))
  const texts = changes
    .filter(({ aspectName }) => aspectName === 'queryProperties')
    .map(({ intent }) => textAt(intent['statement'] as never, 'value'))
  expect(texts).toHaveLength(2)
  expect(texts).toContainEqual(expect.stringContaining('from raw.a'))
  expect(texts).toContainEqual(expect.stringContaining('mart.three'))
})

test('harvests share one reader, which one that ends leaves to the others and to those who come', async () => {
  const request = { sql: 'insert into t (a) select b from u', options: { dialect: 'hive' } } as const
  const first = sharedLineageReader()
  const second = sharedLineageReader()
  await first[Symbol.asyncDispose]()
  await first[Symbol.asyncDispose]()
  const [lineage] = await second.lineages([request])
  expect(lineage?.tables.outputs).toEqual(['t'])
  await second[Symbol.asyncDispose]()
  await using third = sharedLineageReader()
  expect((await third.lineages([request]))[0]?.tables.inputs).toEqual(['u'])
})
