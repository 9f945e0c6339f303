/**
 * A catalog's tags, owners, descriptions and properties as the CSV that an import reads:
 *
 *     entities ─► those that the filter means ─► rows ─► sorted ─► header and lines
 *
 * Importing it again changes nothing; importing it into an empty catalog and exporting that gives the same bytes.
 */
import type { CatalogClient } from '../../client/catalog-client.ts'
import { entityTypeOf, schemaFieldParts, type Urn } from '../../model/urn.ts'
import { noProgress, type Progress } from '../../observe/progress.ts'
import { readDefinition, type PropertyDefinition } from '../property-values.ts'
import { entitiesOf, type EntitySource } from './entities.ts'
import { matches, type EntityFilter } from './filter.ts'
import { FIXED_COLUMNS, rowsOf, type ExportKind, type ExportRow } from './rows.ts'
import { SortedRows } from './sorted-rows.ts'

export interface ExportOptions {
  readonly client: CatalogClient
  readonly kind: ExportKind
  readonly filter: EntityFilter
  /** Folder for rows that do not fit into memory. */
  readonly folder: string
  readonly signal?: AbortSignal
  readonly progress?: Progress
}

/** What an export came to. */
export interface ExportReport {
  readonly source: EntitySource
  readonly entities: number
  rows: number
  /** Cells that were left out, since the cell language cannot say what they hold; the first ones one by one. */
  leftOut: number
  readonly examples: string[]
}

const EXAMPLES = 20
const PIECE_ROWS = 500

/** Lines of the CSV in pieces; the report is whole when they are at their end. @throws what reading the catalog throws */
export async function openExport(
  options: ExportOptions,
): Promise<{ readonly text: AsyncIterable<string>; readonly report: ExportReport }> {
  const { source, entities } = await entitiesOf(options.client, options.signal)
  const report = { source, entities: 0, rows: 0, leftOut: 0, examples: [] as string[] }
  return { report, text: linesOf(entities, options, report) }
}

async function* linesOf(
  entities: Awaited<ReturnType<typeof entitiesOf>>['entities'],
  { kind, filter, folder, progress = noProgress }: ExportOptions,
  report: { entities: number } & ExportReport,
): AsyncGenerator<string> {
  await using rows = new SortedRows(folder)
  const properties = new Set<string>()
  const fixed = new Set(FIXED_COLUMNS[kind])
  const tell = (resource: Urn, subresource: string, reason: string): void => {
    report.leftOut++
    const what = subresource === '' ? resource : `${subresource} of ${resource}`
    if (report.examples.length < EXAMPLES) report.examples.push(`${what}: ${reason}`)
  }
  const definitions = new Map<string, PropertyDefinition>()
  for await (const entity of entities) {
    const { propertyDefinition } = entity.aspects
    const definition = propertyDefinition && readDefinition(entity.urn, propertyDefinition)
    if (definition !== undefined) definitions.set(entity.urn, definition)
    if (!matches(filter, ownerOf(entity.urn))) continue
    report.entities++
    for (const row of rowsOf(entity, { kind, definitions, tell })) {
      for (const name of Object.keys(row.cells)) if (!fixed.has(name)) properties.add(name)
      await rows.add(row)
    }
    progress.report({ phase: 'read', done: report.entities, unit: 'entities' })
  }
  const columns = [...FIXED_COLUMNS[kind], ...[...properties].toSorted()]
  yield csvLine(['resource', 'subresource', ...columns])
  let piece: string[] = []
  for await (const row of rows.read()) {
    report.rows++
    piece.push(lineOf(row, columns))
    if (piece.length < PIECE_ROWS) continue
    yield piece.join('')
    piece = []
    progress.report({ phase: 'write', done: report.rows, unit: 'rows' })
  }
  yield piece.join('')
}

/** What a filter speaks of: the dataset, where the entity is a column of it. */
function ownerOf(urn: Urn): Urn {
  return entityTypeOf(urn) === 'schemaField' ? schemaFieldParts(urn).parent : urn
}

function lineOf({ resource, subresource, cells }: ExportRow, columns: readonly string[]): string {
  return csvLine([resource, subresource, ...columns.map((column) => cells[column] ?? '')])
}

/** RFC 4180, but for the line end. */
function csvLine(cells: readonly string[]): string {
  return `${cells.map((cell) => (/[",\r\n;|\t]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(',')}\n`
}
