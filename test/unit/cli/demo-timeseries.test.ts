import { expect, test } from 'vitest'
import { timeseries } from '../../../src/cli/demo/timeseries.ts'
import { canonicalJson, numberAt } from '../../../src/model/json.ts'
import { datasetUrn } from '../../../src/model/urn.ts'

const UNTIL = Date.UTC(2026, 10, 21, 13, 5)
const DAY_MS = 86_400_000

function tables(count: number) {
  return Array.from({ length: count }, (_, index) => ({
    urn: datasetUrn({ platform: 'postgres', name: `ops.mart.t${index}` }),
    raw: index % 3 === 0,
    columns: 4 + index,
  }))
}

test('as many rows as asked for, all older than the given time and none older than two years', () => {
  const rows = [...timeseries({ datasets: tables(70), until: UNTIL, rows: 200_000 })]
  const times = rows.map((row) => numberAt(row.aspect ?? {}, 'timestampMillis') ?? Number.NaN)
  expect(rows.length).toBe(200_000)
  expect(times.every((time) => time < UNTIL && time >= UNTIL - 731 * DAY_MS)).toBe(true)
})

test('no table has two rows of one aspect at one time', () => {
  const keys = new Set<string>()
  for (const row of timeseries({ datasets: tables(20), until: UNTIL, rows: 60_000 })) {
    keys.add(`${row.entityUrn} ${row.aspectName} ${numberAt(row.aspect ?? {}, 'timestampMillis')}`)
  }
  expect(keys.size).toBe(60_000)
})

test('equal arguments give equal rows, and each of the three indexes gets some', () => {
  const options = { datasets: tables(5), until: UNTIL, rows: 20_000 }
  const text = () => [...timeseries(options)].map((row) => canonicalJson(row.aspect ?? {})).join('\n')
  expect(text()).toBe(text())
  const aspects = new Set([...timeseries(options)].map((row) => row.aspectName))
  expect([...aspects].toSorted()).toEqual(['datasetProfile', 'datasetUsageStatistics', 'operation'])
})

test('some hours after `until`, no operation more is older than any number of whole days', () => {
  const operations = [...timeseries({ datasets: tables(5), until: UNTIL, rows: 20_000 })].filter(
    (row) => row.aspectName === 'operation',
  )
  const times = operations.map((row) => numberAt(row.aspect ?? {}, 'timestampMillis') ?? 0)
  expect(times.filter((time) => (((time - UNTIL) % DAY_MS) + DAY_MS) % DAY_MS < 5 * 3_600_000)).toEqual([])
})
