/** What a harvest found, as a page to keep: coverage and its trend, what was not understood, what the catalog does not know. */
import { DIAGNOSTIC_RULES } from '../../sql/diagnostics.ts'
import { formatPlace } from '../../model/errors.ts'
import type { JsonObject } from '../../model/json.ts'
import type { StatementReject } from '../account.ts'
import { GUARD_REMEDY } from '../guard.ts'
import type { CoveragePoint } from '../harvest-state.ts'
import { datasetName, type HarvestReport } from '../found.ts'
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
  /** Dataset edges that come and go, a line each. */
  readonly changes: readonly string[]
  /** File of the statements that were not understood. */
  readonly failures: string | null
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
      ...section('Stopped by a guard', reasons),
      ...(reasons.length === 0 ? [] : [{ kind: 'text', text: GUARD_REMEDY } as const]),
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
      ...changeBlocks(facts),
      ...coverageBlocks(facts),
      ...rejectBlocks(facts),
      ...unresolvedBlocks(facts),
      ...doubtBlocks(facts),
      ...ghostBlocks(facts),
    ],
  }
}

function changeBlocks({ changes }: PageFacts): readonly Block[] {
  if (changes.length === 0) return []
  return [
    { kind: 'heading', text: 'Edges that come (+) and go (-), each with its statement' },
    { kind: 'code', text: changes.join('\n') },
  ]
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

function rejectBlocks({ rejects, records, failures, run }: PageFacts): readonly Block[] {
  if (records.rejected === 0) return []
  return [
    { kind: 'heading', text: 'Not understood' },
    {
      kind: 'text',
      text: 'Nothing was taken from these statements: whatever they write has no lineage from them.',
    },
    ...(failures === null
      ? []
      : [
          {
            kind: 'text',
            text: `All of them stand in ${failures}. Once they are mended, or in another dialect: headwater retry-failed ${run}`,
          } as const,
        ]),
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
      kind: 'text',
      text: 'Mostly a table that they read has no columns in the catalog, or a name in the statement is ambiguous. Of one column: headwater lineage explain-missing TABLE.COLUMN',
    },
    {
      kind: 'table',
      columns: [left('table'), right('columns'), right('resolved'), left('not resolved')],
      rows: found.unresolved.map(({ dataset, columns, resolved, missing }) => [
        datasetName(dataset),
        String(columns),
        String(resolved),
        missing.map((name) => (name === '*' ? 'all (*)' : name)).join(', ') +
          (columns - resolved > missing.length ? ', …' : ''),
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
    { kind: 'text', text: 'These statements were used all the same, without what is named here.' },
    { kind: 'list', items: codes.map(([code, count]) => `${count} × ${code}${meaningOf(code)}`) },
    {
      kind: 'table',
      columns: [left('place'), left('code'), left('what')],
      rows: shown.map(({ place, code, message }) => [formatPlace(place), code, message]),
      more: all - shown.length,
    },
  ]
}

function meaningOf(code: string): string {
  const rule = Object.entries(DIAGNOSTIC_RULES).find(([name]) => name === code)?.[1]
  return rule === undefined ? '' : `: ${rule.meaning}`
}

function ghostBlocks({ found }: PageFacts): readonly Block[] {
  if (found.ghosts === 0) return []
  return [
    { kind: 'heading', text: 'Tables that neither the catalog nor any DDL knows' },
    {
      kind: 'text',
      text: 'Their columns are not known, so stars over them stay open. Crawl them first, hand in their DDL, or look at names, database and schema where a name like theirs is there.',
    },
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
export function pageJson(all: PageFacts): JsonObject {
  const { source, origin, run, atMs, records, edges, changes, trend, reasons, failures, found } = all
  const { doubts, ghostList, platforms, unresolved, ...figures } = found
  const said = { source, origin, run, atMs, records, edges, changes, reasons, failures }
  const facts = { ...said, ...figures, platforms, unresolved, trend }
  const lists = { doubts: doubts.slice(0, DOUBTS_SHOWN), ghosts: ghostList }
  return JSON.parse(JSON.stringify({ ...facts, ...lists })) as JsonObject
}
