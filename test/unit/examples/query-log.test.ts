import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { queryLog } from '../../support/warehouse/query-log.ts'

const FILE = resolve(import.meta.dirname, '../../../examples/warehouse/query-log.ndjson')

test('the query log of the example warehouse is what its generator writes', () => {
  expect(readFileSync(FILE, 'utf8') === queryLog()).toBe(true)
})

test('the query log is in order of time, and two sessions use one temporary name at once', () => {
  const queries = queryLog().trimEnd().split('\n').map(parsed)
  expect(queries.length).toBeGreaterThan(2000)
  expect(queries.map((query) => query.timestamp)).toEqual(queries.map((query) => query.timestamp).toSorted((a, b) => a - b))
  const picked = queries.filter((query) => query.query.includes('temporary table sandbox.picked')).slice(0, 2)
  expect(new Set(picked.map((query) => query.session_id)).size).toBe(2)
  expect(Math.abs((picked[0]?.timestamp ?? 0) - (picked[1]?.timestamp ?? 0))).toBeLessThan(60)
})

function parsed(line: string): { query: string; timestamp: number; session_id: string } {
  return JSON.parse(line)
}
