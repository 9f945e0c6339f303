import { expect, test } from 'vitest'
import { loadTimeseries } from '../../../src/cli/demo/load-timeseries.ts'
import { timeseries } from '../../../src/cli/demo/timeseries.ts'
import { datasetUrn } from '../../../src/model/urn.ts'
import { noProgress } from '../../../src/observe/progress.ts'

const URN = datasetUrn({ platform: 'postgres', name: 'ops.raw.terminal' })

function rows(count: number) {
  return timeseries({ datasets: [{ urn: URN, raw: true, columns: 3 }], until: Date.UTC(2026, 10, 1), rows: count })
}

test('all rows arrive, a few calls at a time', async () => {
  let underWay = 0
  let most = 0
  let arrived = 0
  const written = await loadTimeseries(rows(15_000), {
    total: 15_000,
    progress: noProgress,
    signal: new AbortController().signal,
    async write(batch) {
      most = Math.max(most, ++underWay)
      await new Promise((resolve) => setImmediate(resolve))
      underWay--
      arrived += batch.length
    },
  })
  expect({ written, arrived }).toEqual({ written: 15_000, arrived: 15_000 })
  expect(most).toBeGreaterThan(1)
  expect(most).toBeLessThan(8)
})

test('a call that fails stops the load, with its error', async () => {
  let calls = 0
  const load = loadTimeseries(rows(30_000), {
    total: 30_000,
    progress: noProgress,
    signal: new AbortController().signal,
    async write() {
      calls++
      if (calls === 2) throw new Error('disk full')
    },
  })
  await expect(load).rejects.toThrow('disk full')
  expect(calls).toBeLessThan(10)
})
