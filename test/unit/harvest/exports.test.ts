/** Exports of query logs as the systems write them: the files beside this test. */
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { utcTimeOf } from '../../../src/harvest/utc-time.ts'
import { objectsAt, textAt } from '../../../src/model/json.ts'
import { harvested, type TestHarvest } from '../../support/harvest.ts'

function exported(file: string): string {
  return join(import.meta.dirname, 'exports', file)
}

function name(urn: string): string {
  return urn.split(',')[1] ?? ''
}

/** `downstream <- upstream @ line`, by full names. */
function edges({ changes }: TestHarvest): readonly string[] {
  return changes
    .filter(({ aspectName }) => aspectName === 'upstreamLineage')
    .flatMap(({ urn, intent }) =>
      objectsAt(intent, 'upstreams').map(
        (edge) =>
          `${name(urn)} <- ${name(textAt(edge, 'dataset') ?? '')} @ ${(textAt(edge, 'at') ?? '').replace(/^.*:/, '')}`,
      ),
    )
    .toSorted()
}

/** Users and times of what was changed. */
function operations({ changes }: TestHarvest): readonly string[] {
  return changes
    .filter(({ aspectName }) => aspectName === 'operation')
    .map(({ intent }) => {
      const at = new Date(Number(intent['timestampMillis'])).toISOString()
      return `${at} ${textAt(intent, 'operationType') ?? ''} ${(textAt(intent, 'actor') ?? '').slice('urn:li:corpuser:'.length)}`
    })
}

test('QUERY_HISTORY: several lines, doubled quotes, sessions with temporary tables, failed and running ones', async () => {
  const found = await harvested({
    source: exported('query-history.csv'),
    preset: 'snowflake',
    platform: 'snowflake',
    usage: true,
  })
  expect(edges(found)).toEqual(['dwh.mart.daily <- dwh.raw.orders @ 5'])
  expect(found.counts).toMatchObject({ read: 6, used: 2, noEffect: 4 })
  expect(operations(found)).toContain('2026-11-20T10:00:02.123Z INSERT ETL_USER')
})

test('JOBS: nested columns, numbers as texts, loads, failed jobs, scripts and their children', async () => {
  const found = await harvested({
    source: exported('jobs.ndjson'),
    preset: 'bigquery',
    platform: 'bigquery',
    usage: true,
  })
  expect(edges(found)).toEqual([
    'acme-dwh.mart.daily <- acme-dwh.raw.orders @ 1',
    'acme-dwh.mart.log <- acme-dwh.raw.events @ 5',
  ])
  expect(found.rejects).toEqual([])
  expect(operations(found)).toContain('2026-11-20T02:00:00.123Z CREATE etl@acme.iam.gserviceaccount.com')
})

test('csvlog: statements with parameters, durations, prepared ones; what failed afterwards draws nothing', async () => {
  const found = await harvested({
    source: exported('postgresql.csv'),
    preset: 'postgres-csvlog',
    platform: 'postgres',
    usage: true,
  })
  expect(edges(found)).toEqual([
    'dwh.mart.daily <- dwh.raw.orders @ 3',
    'dwh.mart.monthly <- dwh.mart.weekly @ 6',
    'dwh.mart.weekly <- dwh.mart.daily @ 5',
  ])
  // The log's zone is CET.
  expect(operations(found)).toContain('2026-11-20T01:00:03.123Z INSERT etl')
  expect(found.report.doubtsByCode).toEqual({})
})

test.each([
  ['2026-11-20', '2026-11-20T00:00:00.000Z'],
  ['2026-11-20 02:00:00', '2026-11-20T02:00:00.000Z'],
  ['2026-11-20T02:00:00.123456', '2026-11-20T02:00:00.123Z'],
  ['2026-11-20 02:00:00.123456 UTC', '2026-11-20T02:00:00.123Z'],
  ['2026-11-20 02:00:00.5+01', '2026-11-20T01:00:00.500Z'],
  ['2026-11-20 02:00:00,25 -0330', '2026-11-20T05:30:00.250Z'],
  ['2026-11-20 02:00:00.123 CEST', '2026-11-20T00:00:00.123Z'],
  ['2026-11-20 02:00:00 IST', undefined],
  ['yesterday', undefined],
])('the time %s is %s', (text, iso) => {
  const timeMs = utcTimeOf(text)
  expect(timeMs === undefined ? undefined : new Date(timeMs).toISOString()).toBe(iso)
})
