import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { byChance, onlyFor } from '../kit/faults.ts'
import { killingBench } from './bench.ts'

/** A chain of tables in files, so that each downstream but the first is read by the next. */
async function writeSql(folder: string, files: number): Promise<void> {
  await mkdir(folder)
  for (let n = 0; n < files; n++) {
    const table = `create table s.t${n} as select a, b + ${n} as b, upper(c) as c from s.t${n + 1};`
    await writeFile(join(folder, `${String(n).padStart(4, '0')}.sql`), `${table}\n`)
  }
}

test('a harvest whose worker is killed ends as if nothing had been', { timeout: 400_000 }, async () => {
  await using bench = await killingBench()
  const source = join(bench.folder, 'sql')
  await writeSql(source, 1500)
  const badMoments = byChance(11, 0.1, { kind: 'lost-answer' }, { kind: 'status', status: 429, retryAfter: 0 })
  bench.proxy.plan = onlyFor(({ path }) => path.includes('ingestProposal'), badMoments)

  const input = { source, platform: 'hive', origin: 'chain' }
  const run = await bench.runKilled('harvest-lineage', input, [2, 4, 5, 3])
  expect(run).toMatchObject({
    state: 'succeeded',
    balance: {
      records: { read: 1500, used: 1500, rejected: 0 },
      proposals: { unchanged: 0, refused: 0, dead: 0 },
    },
  })
  expect(run.attempt).toBeGreaterThan(1)
  const versions = await bench.versions()
  expect([...versions].filter(([, version]) => version !== 1)).toEqual([])
  const lineages = [...versions.keys()].filter((key) => key.startsWith('upstreamLineage '))
  expect(lineages).toHaveLength(1500)
  // status and schema of each table, lineage and two aspects of the query for each statement; the last table has no schema.
  expect(versions.size).toBe(run.balance.proposals.written)
})
