/**
 * 200 CSVs that nobody should write, through job, catalog and ledger: every row is in the totals or in the errors files;
 * these are imported again as they are, then mended; and what the catalog holds at the end can be exported and imported
 * without a change. HEADWATER_FUZZ_SEED=… runs other ones.
 */
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { JOBS } from '../../jobs/index.ts'
import { CatalogClient } from '../../src/client/catalog-client.ts'
import { openExport } from '../../src/import/export/export-csv.ts'
import { readFilters } from '../../src/import/export/filter.ts'
import type { RunEnding } from '../../src/runner/wait.ts'
import { COLUMNS_THERE, THERE, uglyCsv } from '../support/csv-generator.ts'
import { jobBench, type JobBench } from '../support/job-bench.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const SEED = Number(process.env['HEADWATER_FUZZ_SEED'] ?? 20_261_121)
const ROUNDS = 8
const FILES_A_ROUND = 25

test('200 ugly CSVs: written or handed back, mended, exported and found unchanged', { timeout: 300_000 }, async () => {
  await using bench = await jobBench(JOBS)
  await using folder = await temporaryFolder()
  await prepare(bench)
  const total = { used: 0, rejected: 0 }
  for (let round = 0; round < ROUNDS; round++) {
    const files = await writeFiles(folder.path, round)
    const errors = join(folder.path, `errors${round}.csv`)
    const first = await bench.run('import-csv', { ...INPUT, file: files.map(({ path }) => path), errors }, 'apply')
    const { used, rejected } = balanceOf(first)
    const handedBack = await errorFiles(folder.path, `errors${round}`)
    expect(handedBack.reduce((sum, { rows }) => sum + rows, 0)).toBe(rejected)
    const asked = await readFile(first.plan?.artifact ?? '', 'utf8')
    const back = handedBack.map(({ text }) => text).join('\n')
    for (const marker of files.flatMap(({ markers }) => markers)) {
      expect(asked.includes(marker) || back.includes(marker), `seed ${SEED}, round ${round}: ${marker}`).toBe(true)
    }
    const again = { ...INPUT, file: handedBack.map(({ path }) => path), errors: join(folder.path, `again${round}.csv`) }
    expect(balanceOf(await bench.run('import-csv', again, 'plan')).read).toBe(rejected)

    for (const { path, text, rows } of handedBack) await writeFile(path, mended(text, rows))
    expect(balanceOf(await bench.run('import-csv', again, 'apply'))).toMatchObject({ read: rejected, rejected: 0 })
    total.used += used
    total.rejected += rejected
  }
  expect(total.used).toBeGreaterThan(total.rejected)

  const before = await bench.versions()
  const path = join(folder.path, 'exported.csv')
  await writeFile(path, await exported(bench, folder.path))
  const unchanged = await bench.run('import-csv', { ...INPUT, file: [path] }, 'apply')
  expect(balanceOf(unchanged)).toMatchObject({ rejected: 0 })
  expect(unchanged.plan).toMatchObject({ state: 'empty' })
  expect(await bench.versions()).toEqual(before)
})

const INPUT = { missing: 'fail', maxRemovals: 1 }

async function prepare({ catalog }: JobBench): Promise<void> {
  await catalog.put('urn:li:structuredProperty:keep', {
    propertyDefinition: {
      qualifiedName: 'keep',
      valueType: 'urn:li:dataType:datahub.number',
      cardinality: 'MULTIPLE',
      entityTypes: ['urn:li:entityType:datahub.dataset'],
    },
  })
  const fields = COLUMNS_THERE.map((fieldPath) => ({
    fieldPath,
    nativeDataType: 'int',
    type: { type: { 'com.linkedin.schema.NumberType': {} } },
  }))
  for (const urn of THERE) {
    await catalog.put(urn, {
      schemaMetadata: {
        schemaName: 'fuzz',
        platform: 'urn:li:dataPlatform:postgres',
        version: 0,
        hash: '',
        platformSchema: { 'com.linkedin.schema.Schemaless': {} },
        fields,
      },
    })
  }
}

/** Markers are made to occur once over all files. */
async function writeFiles(folder: string, round: number) {
  const csvs = fc.sample(uglyCsv, { numRuns: FILES_A_ROUND, seed: SEED + round })
  return Promise.all(
    csvs.map(async ({ text, markers }, index) => {
      const path = join(folder, `ugly-${round}-${index}.csv`)
      const own = (marker: string): string => marker.replace('m', `r${round}f${index}m`)
      await writeFile(
        path,
        markers.toReversed().reduce((made, marker) => made.replaceAll(marker, own(marker)), text),
      )
      return { path, markers: markers.map(own) }
    }),
  )
}

function balanceOf({ run, applied }: RunEnding) {
  const { records, proposals } = (applied ?? run).balance
  const { read, used, duplicate, noEffect, rejected } = records
  expect(used + duplicate + noEffect + rejected).toBe(read)
  const { made, written, unchanged, refused, dead } = proposals
  expect(written + unchanged + refused + dead).toBe(made)
  expect({ refused, dead }).toEqual({ refused: 0, dead: 0 })
  return records
}

/** The errors files of a run with how many rows they hand back: each row begins with its code and reason. */
async function errorFiles(folder: string, start: string) {
  const names = (await readdir(folder)).filter((name) => name.startsWith(`${start}-`)).toSorted()
  return Promise.all(
    names.map(async (name) => {
      const path = join(folder, name)
      const text = await readFile(path, 'utf8')
      const rows = [...text.matchAll(/(?:^|\r\n|\n|\r)[A-Z]+_[A-Z_]+[,;\t|]/g)].length
      return { path, text, rows }
    }),
  )
}

/** As many rows that are right, under the same header. */
function mended(text: string, rows: number): string {
  const [header = ''] = text.split(/[\r\n]/, 1)
  const delimiter = /^error_code(.)/.exec(header)?.[1] ?? ','
  const cells = header
    .split(delimiter)
    .map((name) => (name === 'resource' ? `"${THERE[0]}"` : name === 'tags' ? 'mended' : ''))
  return `${[header, ...Array.from({ length: rows }, () => cells.join(delimiter))].join('\n')}\n`
}

async function exported(bench: JobBench, folder: string): Promise<string> {
  const client = new CatalogClient({ url: bench.catalog.url })
  try {
    const filter = readFilters([])
    const { text } = await openExport({ client, kind: 'all', filter, folder: join(folder, 'sort') })
    let csv = ''
    for await (const piece of text) csv += piece
    return csv
  } finally {
    await client.close()
  }
}
