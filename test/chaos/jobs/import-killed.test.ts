import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { hive } from '../../support/catalog.ts'
import { byChance, onlyFor } from '../kit/faults.ts'
import { killingBench } from './bench.ts'

/** Rows of one dataset stand far apart, as in real exports. */
function rowsOf(datasets: number): readonly string[] {
  const urns = Array.from({ length: datasets }, (_, n) => hive(`db.t${n}`))
  const entityRows = urns.map((urn, n) => `"${urn}",,certified|team${n % 7},Table ${n}`)
  const columnRows = urns.map((urn) => `"${urn}",mail,pii,`)
  return [...entityRows, ...columnRows]
}

test('an import whose worker is killed ends as if nothing had been', { timeout: 400_000 }, async () => {
  await using bench = await killingBench()
  const rows = rowsOf(3000)
  const file = join(bench.folder, 'rows.csv')
  await writeFile(file, ['resource,subresource,tags,description', ...rows].join('\n'))
  // The catalog has bad moments, too: some writes are carried out and their answers lost, some are refused for a while.
  const badMoments = byChance(7, 0.1, { kind: 'lost-answer' }, { kind: 'status', status: 503 }, { kind: 'reset' })
  bench.proxy.plan = onlyFor(({ path }) => path.includes('ingestProposal'), badMoments)

  const run = await bench.runKilled('import-csv', { file: [file], missing: 'create' }, [3, 5, 2, 9])
  expect(run).toMatchObject({
    state: 'succeeded',
    balance: {
      records: { read: 6000, used: 6000, duplicate: 0, noEffect: 0, rejected: 0 },
      proposals: { made: 9000, written: 9000, unchanged: 0, refused: 0, dead: 0 },
    },
  })
  expect(run.attempt).toBeGreaterThan(1)
  const versions = await bench.versions()
  expect(versions.size).toBe(9000)
  expect([...versions].filter(([, version]) => version !== 1)).toEqual([])
})
