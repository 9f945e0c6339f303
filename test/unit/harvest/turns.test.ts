/**
 * A harvest's own work on the event loop comes in slices. Judged by the CPU that the thread used from one turn of the loop
 * to the next, as a part of the CPU of the whole: what else the machine does makes no difference.
 */
import { join } from 'node:path'
import { writeFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { harvested } from '../../support/harvest.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const PATIENCE = { timeout: 120_000 }
const FILES = 20
const STATEMENTS = 300

function statement(file: number, n: number): string {
  return `insert into mart.daily_${file}_${n} (day, total, customer)
    select o.day, sum(o.amount * r.rate) as total, c.name from raw.orders_${file} o
    join raw.rates_${n % 7} r on r.currency = o.currency left join raw.customers c on c.id = o.customer_id
    where o.day >= current_date - ${n} group by o.day, c.name;`
}

function cpuSince(since: NodeJS.CpuUsage): number {
  const { user, system } = process.threadCpuUsage(since)
  return (user + system) / 1000
}

/** CPU of this thread while something runs: in all, and the most of it in one turn of the loop, milliseconds. */
async function cpuOf(work: () => Promise<unknown>): Promise<{ readonly total: number; readonly longest: number }> {
  let last = process.threadCpuUsage()
  let total = 0
  let longest = 0
  const turn = (): void => {
    const own = cpuSince(last)
    last = process.threadCpuUsage()
    total += own
    longest = Math.max(longest, own)
  }
  const turns = setInterval(turn, 1)
  await work()
  turn()
  clearInterval(turns)
  return { total, longest }
}

test('no turn of the loop is a large part of a harvest, and one that is cancelled ends at once', PATIENCE, async () => {
  await using folder = await temporaryFolder()
  for (let file = 0; file < FILES; file++) {
    const statements = Array.from({ length: STATEMENTS }, (_, n) => statement(file, n))
    await writeFile(join(folder.path, `load-${file}.sql`), statements.join('\n'))
  }
  const { total, longest } = await cpuOf(async () => {
    const { report } = await harvested({ source: folder.path, platform: 'postgres' })
    expect(report.datasets).toBe(FILES * STATEMENTS)
  })
  // Measured 0.02; 0.8 where nothing lets others have the loop.
  expect(longest / total).toBeLessThan(0.15)

  const stop = new AbortController()
  setTimeout(() => stop.abort(new Error('a person cancelled')), 1)
  const cut = await cpuOf(() =>
    expect(harvested({ source: folder.path, platform: 'postgres' }, { signal: stop.signal })).rejects.toThrow(
      'a person cancelled',
    ),
  )
  // The statements are not read to their end, whose lineage alone would cost more.
  expect(cut.total).toBeLessThan(total / 2)
})
