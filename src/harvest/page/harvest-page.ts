/** What a harvest found, as a page to keep: coverage and its trend, what was not understood, what the catalog does not know. */
import { formatPlace } from '../../model/errors.ts'
import type { JsonObject } from '../../model/json.ts'
import type { StatementReject } from '../account.ts'
import type { CoveragePoint } from '../harvest-state.ts'
import { datasetName, type HarvestReport } from '../harvest.ts'
import { left, percent, right, type Block, type Page } from './blocks.ts'

export interface PageFacts {
  readonly source: string
  readonly origin: string
  readonly run: string
  readonly atMs: number
  readonly found: HarvestReport
  readonly records: Readonly<Record<'read' | 'used' | 'duplicate' | 'noEffect' | 'rejected', number>>
  readonly edges: Readonly<Record<'added' | 'removed' | 'kept', number>>
  /** Earlier harvests of the origin, oldest first. */
  readonly trend: readonly CoveragePoint[]
  /** The first of the statements that were not understood. */
  readonly rejects: readonly StatementReject[]
  /** Reasons for which nothing is written, or a person is asked. */
  readonly reasons: readonly string[]
}

const DOUBTS_SHOWN = 200

export function harvestPage(facts: PageFacts): Page {
  const { source, origin, run, atMs, records, edges, reasons } = facts
  return {
    title: `Harvest of ${origin}`,
    blocks: [
      {
        kind: 'list',
        items: [`source: ${source}`, `run: ${run}`, `at: ${new Date(atMs).toISOString()}`],
      },
      ...section(
        'Stopped by a guard',
        reasons.map((reason) => reason),
      ),
      { kind: 'heading', text: 'What came of it' },
      {
        kind: 'table',
        columns: ['statements', 'used', 'duplicate', 'no lineage', 'not understood'].map((name) => right(name)),
        rows: [[records.read, records.used, records.duplicate, records.noEffect, records.rejected].map(String)],
      },
      {
        kind: 'table',
        columns: ['edges added', 'edges removed', 'edges kept'].map((name) => right(name)),
        rows: [[edges.added, edges.removed, edges.kept].map(String)],
      },
      ...coverageBlocks(facts),
      ...rejectBlocks(facts),
      ...unresolvedBlocks(facts),
      ...doubtBlocks(facts),
      ...ghostBlocks(facts),
    ],
  }
}

function coverageBlocks({ found, trend, run, atMs }: PageFacts): readonly Block[] {
  const points = [...trend, { run, atMs, ...found.coverage }]
  const names = { statements: 'statements understood', tables: 'tables with columns', columns: 'columns resolved' }
  const trends = (['statements', 'tables', 'columns'] as const).map((what): Block => {
    const line = points.map((point) => ({
      label: new Date(point.atMs).toISOString().slice(0, 16).replace('T', ' '),
      share: point[what],
    }))
    return { kind: 'trend', name: names[what], points: line }
  })
  return [
    { kind: 'heading', text: 'Coverage' },
    ...trends,
    {
      kind: 'table',
      columns: [left('platform'), ...['statements', ...Object.values(names)].map((name) => right(name))],
      rows: found.platforms.map(({ platform, read, statements, tables, columns }) => [
        platform,
        String(read),
        percent(statements),
        percent(tables),
        percent(columns),
      ]),
    },
  ]
}

function rejectBlocks({ rejects, records }: PageFacts): readonly Block[] {
  if (records.rejected === 0) return []
  return [
    { kind: 'heading', text: 'Not understood' },
    ...rejects.flatMap(({ code, message, place, record }): readonly Block[] => [
      { kind: 'text', text: `${formatPlace(place)}: ${code}: ${message}` },
      ...(record === '' ? [] : [{ kind: 'code', text: record } as const]),
    ]),
    ...(records.rejected > rejects.length
      ? [{ kind: 'text', text: `… and ${records.rejected - rejects.length} more` } as const]
      : []),
  ]
}

function unresolvedBlocks({ found }: PageFacts): readonly Block[] {
  if (found.unresolved.length === 0) return []
  return [
    { kind: 'heading', text: 'Tables with columns whose sources are not known' },
    {
      kind: 'table',
      columns: [left('table'), right('columns'), right('resolved')],
      rows: found.unresolved.map(({ dataset, columns, resolved }) => [
        datasetName(dataset),
        String(columns),
        String(resolved),
      ]),
    },
  ]
}

function doubtBlocks({ found }: PageFacts): readonly Block[] {
  const codes = Object.entries(found.doubtsByCode)
  if (codes.length === 0) return []
  const all = codes.reduce((sum, [, count]) => sum + count, 0)
  const shown = found.doubts.slice(0, DOUBTS_SHOWN)
  return [
    { kind: 'heading', text: 'In doubt' },
    { kind: 'list', items: codes.map(([code, count]) => `${count} × ${code}`) },
    {
      kind: 'table',
      columns: [left('place'), left('code'), left('what')],
      rows: shown.map(({ place, code, message }) => [formatPlace(place), code, message]),
      more: all - shown.length,
    },
  ]
}

function ghostBlocks({ found }: PageFacts): readonly Block[] {
  if (found.ghosts === 0) return []
  return [
    { kind: 'heading', text: 'Tables that neither the catalog nor any DDL knows' },
    {
      kind: 'table',
      columns: [left('table'), left('names like it')],
      rows: found.ghostList.map(({ dataset, near }) => [datasetName(dataset), near.join(', ')]),
      more: found.ghosts - found.ghostList.length,
    },
  ]
}

function section(title: string, items: readonly string[]): readonly Block[] {
  if (items.length === 0) return []
  return [
    { kind: 'heading', text: title },
    { kind: 'list', items },
  ]
}

/** The same for programs. */
export function pageJson({ source, origin, run, atMs, records, edges, trend, reasons, found }: PageFacts): JsonObject {
  const { doubts, ghostList, platforms, unresolved, ...figures } = found
  const facts = { source, origin, run, atMs, records, edges, reasons, ...figures, platforms, unresolved, trend }
  const lists = { doubts: doubts.slice(0, DOUBTS_SHOWN), ghosts: ghostList }
  return JSON.parse(JSON.stringify({ ...facts, ...lists })) as JsonObject
}
