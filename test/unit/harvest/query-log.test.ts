import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { RuleBook } from '../../../src/harvest/naming.ts'
import { queryLog } from '../../../src/harvest/log/query-log.ts'
import { logShape } from '../../../src/harvest/log/shape.ts'
import type { SourcePortion } from '../../../src/harvest/sql-unit.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

async function read(lines: readonly string[]): Promise<SourcePortion> {
  await using folder = await temporaryFolder()
  const source = join(folder.path, 'log.ndjson')
  await writeFile(source, lines.join('\n'))
  const options = {
    source,
    shape: logShape(undefined, undefined),
    rules: new RuleBook(undefined, { platform: 'snowflake' }),
    pathOf: () => 'log.ndjson',
    pauseMs: 1_800_000,
    isTemporary: () => false,
    positions: new Map(),
    carried: [],
    onCarried: () => {},
    countsUsage: false,
    signal: new AbortController().signal,
  }
  const portions: SourcePortion[] = []
  for await (const portion of queryLog(options)) portions.push(portion)
  return {
    units: portions.flatMap((portion) => portion.units),
    declared: portions.flatMap((portion) => portion.declared),
    rejected: portions.flatMap((portion) => portion.rejected),
  }
}

const entry = (query: string, more: object = {}): string => JSON.stringify({ query, ...more })

test('entries stand for themselves; those of a session with temporary tables belong together', async () => {
  const { units } = await read([
    entry('select 1', { session_id: 'a' }),
    entry('create temp table t as select 1 as x', { session_id: 'b' }),
    '',
    entry('insert into m select x from t', { session_id: 'b', timestamp: 1791165641.25, user: 'etl' }),
    entry('select 2', { session_id: 'a' }),
    entry('use schema s'),
    entry('select 3'),
  ])
  expect(units.map((unit) => unit.texts.map((text) => text.line))).toEqual([[1], [5], [2, 4], [6, 7]])
  expect(units[2]?.texts[1]).toMatchObject({ file: 'log.ndjson', timeMs: 1791165641250, user: 'etl', wholeFile: false })
})

test('lineage that is stated on both sides is taken as it is, on one side the SQL is read', async () => {
  const { units, declared } = await read([
    entry('call f()', { downstream_tables: ['db.s.t'], upstream_tables: ['db.s.u', 7, ''] }),
    entry('insert into t select 1', { downstream_tables: ['t'], upstream_tables: null }),
  ])
  expect(declared).toMatchObject([{ upstreams: ['db.s.u'], downstreams: ['db.s.t'] }])
  expect(units).toHaveLength(1)
})

test('what cannot be read is told with its line', async () => {
  const { rejected, units } = await read([
    '{"query": ',
    '[]',
    '{"text":"x"}',
    entry('select 1', { upstream_tables: 'u' }),
    '{"query":"a\tb\u0001c"}',
  ])
  expect(rejected.map(({ line, message }) => [line, message])).toEqual([
    [1, 'the line is not a JSON object'],
    [2, 'the line is not a JSON object'],
    [3, 'the entry has no text "query"'],
    [4, 'upstream_tables and downstream_tables must be lists of names'],
  ])
  expect(units[0]?.texts[0]?.sql).toBe('a\tb c')
})
