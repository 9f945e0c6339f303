import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import type { AspectChange } from '../../../src/client/change.ts'
import type { StatementReject } from '../../../src/harvest/account.ts'
import { objectsAt } from '../../../src/model/json.ts'
import { harvested } from '../../support/harvest.ts'
import { asDatasetUrn, datasetParts, schemaFieldParts } from '../../../src/model/urn.ts'

const WAREHOUSE = resolve(import.meta.dirname, '../../../examples/warehouse')

interface Harvested {
  /** Columns by the columns that feed them, as truth.yaml writes them. */
  readonly upstreams: ReadonlyMap<string, readonly string[]>
  readonly rejects: readonly StatementReject[]
  readonly read: number
}

async function harvest(source: string): Promise<Harvested> {
  const { changes, rejects, counts } = await harvested({ source, adds: true })
  return { upstreams: columnEdges(changes), rejects, read: counts['read'] ?? 0 }
}

function columnEdges(changes: readonly AspectChange[]): ReadonlyMap<string, readonly string[]> {
  const lineages = changes.filter((change) => change.aspectName === 'upstreamLineage')
  const edges = lineages.flatMap(({ intent }) => objectsAt(intent, 'fineGrainedLineages'))
  const namesAt = (edge: (typeof edges)[number], key: string): string[] => (edge[key] as string[]).map(columnName)
  return new Map(edges.map((edge) => [namesAt(edge, 'downstreams')[0] ?? '', namesAt(edge, 'upstreams').toSorted()]))
}

/** `platform:database.schema.table.column`. */
function columnName(urn: string): string {
  const { parent, fieldPath } = schemaFieldParts(urn)
  const { platform, name } = datasetParts(asDatasetUrn(parent))
  return `${platform}:${name}.${fieldPath}`
}

test('the harvest of the example warehouse finds what was read off its SQL by hand', async () => {
  const { upstreams, rejects, read } = await harvest(WAREHOUSE)
  const truth: Record<string, string[]> = parse(readFileSync(join(WAREHOUSE, 'truth.yaml'), 'utf8'))
  const found = Object.fromEntries(Object.keys(truth).map((column) => [column, upstreams.get(column) ?? []]))
  const expected = Object.fromEntries(Object.entries(truth).map(([column, from]) => [column, from.toSorted()]))
  expect(found).toEqual(expected)
  expect(rejects).toEqual([])
  expect(read).toBeGreaterThan(100)
})

test('in the query log, two sessions with one temporary name at one time are kept apart', async () => {
  const { upstreams, rejects } = await harvest(join(WAREHOUSE, 'query-log.ndjson'))
  expect(rejects).toEqual([])
  const sandbox = 'snowflake:commerce.sandbox'
  const mart = 'snowflake:commerce.mart'
  expect(upstreams.get(`${sandbox}.retention_call_list.overdue_gbp`)).toEqual([
    `${mart}.account_scorecard.overdue_gbp`,
  ])
  expect(upstreams.get(`${sandbox}.retention_call_list.last_booked_on`)).toEqual([
    `${mart}.consignment_margin.booked_on`,
  ])
  expect(upstreams.get(`${sandbox}.price_review.charged_gbp`)).toEqual([`${mart}.consignment_margin.revenue_gbp`])
})
