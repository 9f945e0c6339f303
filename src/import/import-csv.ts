/**
 * CSV files to changes of a catalog:
 *
 *     file ─► rows ─► edits ─► rows of one entity together ─► checked against the catalog ─► changes
 *               │       │                                        │
 *               └───────┴──────── rejected, each with place and reason ┘
 *
 * Every row ends in exactly one of used, duplicate, no effect, rejected.
 */
import type { AspectChange } from '../client/change.ts'
import { aspectId, type AspectKey, type Sink, type StoredAspect } from '../client/sink.ts'
import { openSource } from '../client/source-file.ts'
import { simpleFieldPath } from '../model/field-path.ts'
import { objectsAt, textAt } from '../model/json.ts'
import { entityTypeOf, type Urn } from '../model/urn.ts'
import { changesOf, type AuditStamp } from './aspects.ts'
import type { ImportMode } from './cells.ts'
import { readCsv, type CsvRow } from './csv.ts'
import type { BrokenLine } from './csv-records.ts'
import type { EditRow } from './edits.ts'
import { HeaderError, RowError, UnknownPropertyError, type RowProblem, type RowReject } from './errors.ts'
import { foldEntity } from './fold.ts'
import { groupByEntity, type EntityRows } from './group.ts'
import { readHeader, type ColumnMapping, type Header } from './header.ts'
import { readDefinition, type PropertyDefinition } from './property-values.ts'
import { readRow, type RowRules } from './row.ts'

export interface ImportSettings {
  readonly files: readonly string[]
  readonly mode: ImportMode
  /** One character; sniffed when absent. */
  readonly delimiter?: string
  readonly arrayDelimiter: string
  readonly columns: ColumnMapping
  readonly unknownColumns: 'refuse' | 'ignore'
  /** Definitions that are known without asking the catalog, since they are written in the same run. */
  readonly definitions: readonly PropertyDefinition[]
  /** What a row means whose entity the catalog does not have. */
  readonly missing: 'fail' | 'skip' | 'create'
}

/** What an import needs of its surroundings, and whom it tells what became of the rows. */
export interface ImportContext {
  readonly sink: Sink
  readonly stamp: AuditStamp
  /** Folder for rows that do not fit into memory. */
  readonly folder: string
  readonly signal: AbortSignal
  records(add: {
    readonly read?: number
    readonly used?: number
    readonly duplicate?: number
    readonly noEffect?: number
  }): void
  /** Counts them, too. */
  reject(...rejects: readonly RowReject[]): Promise<void>
}

/** What was learnt while the files were read. */
interface Known {
  readonly definitions: ReadonlyMap<Urn, PropertyDefinition>
  /** By file. */
  readonly headers: ReadonlyMap<string, Header>
}

/** Entities that are checked against the catalog in one call. */
const ENTITIES_A_CHECK = 100

/** @throws HeaderError, UnknownPropertyError, SourceUnreadableError, WrongEncodingError; what reading the catalog throws */
export async function* importChanges(settings: ImportSettings, context: ImportContext): AsyncGenerator<AspectChange> {
  const definitions = new Map(settings.definitions.map((definition) => [definition.urn, definition]))
  const headers = new Map<string, Header>()
  const rows = readFiles(settings, context, definitions, headers)
  for await (const entities of inBatches(groupByEntity(rows, { folder: context.folder }), ENTITIES_A_CHECK)) {
    yield* foldEntities(entities, { definitions, headers }, settings, context)
  }
}

async function* readFiles(
  settings: ImportSettings,
  context: ImportContext,
  definitions: Map<Urn, PropertyDefinition>,
  headers: Map<string, Header>,
): AsyncGenerator<EditRow> {
  for (const file of settings.files) {
    let rules: RowRules | undefined
    for await (const piece of readCsv(openSource(file, context.signal), file, settings.delimiter)) {
      context.records({ read: piece.broken.length })
      await context.reject(...piece.broken.map((line) => brokenLine(file, line)))
      let rows = piece.rows
      if (rules === undefined && rows[0] !== undefined) {
        const header = readHeader(rows[0].cells, { ...settings, delimiter: piece.delimiter }, file)
        headers.set(file, header)
        await loadDefinitions(header, file, context, definitions)
        rules = { header, mode: settings.mode, arrayDelimiter: settings.arrayDelimiter, definitions }
        rows = rows.slice(1)
      }
      if (rules !== undefined) yield* readRows(rows, file, rules, context)
    }
    if (rules === undefined) {
      throw new HeaderError(
        'the file is empty',
        { file },
        'the first line must name the columns: resource,subresource,tags,…',
      )
    }
  }
}

async function* readRows(
  rows: readonly CsvRow[],
  file: string,
  rules: RowRules,
  context: ImportContext,
): AsyncGenerator<EditRow> {
  context.records({ read: rows.length })
  for (const row of rows) {
    try {
      const understood = readRow(row.cells, rules)
      if (understood === undefined) context.records({ noEffect: 1 })
      else yield { file, line: row.line, text: row.text, ...understood }
    } catch (error) {
      if (!(error instanceof RowError)) throw error
      await context.reject(rejectOf({ file, line: row.line, text: row.text }, error.problem, rules.header))
    }
  }
}

async function loadDefinitions(
  header: Header,
  file: string,
  context: ImportContext,
  definitions: Map<Urn, PropertyDefinition>,
): Promise<void> {
  const unknown = header.properties.filter((column) => !definitions.has(column.property))
  if (unknown.length === 0) return
  const keys = unknown.map((column) => ({ urn: column.property, aspectName: 'propertyDefinition' }))
  const stored = await context.sink.read(keys, context.signal)
  for (const column of unknown) {
    const aspect = stored.get(aspectId({ urn: column.property, aspectName: 'propertyDefinition' }))
    const definition = aspect && readDefinition(column.property, aspect.value)
    if (definition === undefined)
      throw new UnknownPropertyError(column.property, { file, line: 1, column: column.index + 1 })
    definitions.set(column.property, definition)
  }
}

async function* foldEntities(
  entities: readonly EntityRows[],
  { definitions, headers }: Known,
  settings: ImportSettings,
  context: ImportContext,
): AsyncGenerator<AspectChange> {
  const stored = await context.sink.read(
    entities.flatMap((entity) => factsNeeded(entity, settings)),
    context.signal,
  )
  for (const entity of entities) {
    if (settings.missing !== 'create' && !exists(entity.urn, stored)) {
      await dropMissing(entity, headers, settings, context)
      continue
    }
    const folded = foldEntity(entity, {
      columns: columnsOf(entity.urn, stored),
      isSingle: (property) => definitions.get(property as Urn)?.single ?? true,
    })
    context.records({ used: folded.used, duplicate: folded.duplicate, noEffect: folded.noEffect })
    await context.reject(...folded.rejected.map(({ row, problem }) => rejectOf(row, problem, headers.get(row.file))))
    yield* changesOf(folded.edits, context.stamp)
  }
}

function factsNeeded(entity: EntityRows, settings: ImportSettings): readonly AspectKey[] {
  const { urn } = entity
  const hasColumns = entity.rows.some((row) => row.fieldPath !== undefined)
  return [
    ...(settings.missing === 'create' ? [] : [{ urn, aspectName: keyAspectOf(urn) }]),
    ...(hasColumns ? [{ urn, aspectName: 'schemaMetadata' }] : []),
  ]
}

/** Every entity has its key aspect, so that one says whether the entity exists (contract §2.1). */
function keyAspectOf(urn: Urn): string {
  const entityType = entityTypeOf(urn)
  return `${entityType === 'corpuser' ? 'corpUser' : entityType}Key`
}

function exists(urn: Urn, stored: ReadonlyMap<string, StoredAspect>): boolean {
  return stored.has(aspectId({ urn, aspectName: keyAspectOf(urn) }))
}

async function dropMissing(
  entity: EntityRows,
  headers: Known['headers'],
  settings: ImportSettings,
  context: ImportContext,
): Promise<void> {
  if (settings.missing === 'skip') return context.records({ noEffect: entity.rows.length })
  const problem: RowProblem = {
    code: 'ENTITY_NOT_FOUND',
    message: `the catalog has no ${entity.urn}`,
    column: 'resource',
  }
  await context.reject(...entity.rows.map((row) => rejectOf(row, problem, headers.get(row.file))))
}

function columnsOf(urn: Urn, stored: ReadonlyMap<string, StoredAspect>): ReadonlySet<string> | undefined {
  const schema = stored.get(aspectId({ urn, aspectName: 'schemaMetadata' }))
  if (schema === undefined) return undefined
  const fields = objectsAt(schema.value, 'fields')
  return new Set(fields.map((field) => simpleFieldPath(textAt(field, 'fieldPath') ?? '')))
}

function rejectOf(
  row: { readonly file: string; readonly line: number; readonly text: string },
  problem: RowProblem,
  header: Header | undefined,
): RowReject {
  const { code, message, column } = problem
  const at = column === undefined ? -1 : (header?.names.indexOf(column) ?? -1)
  return {
    code,
    message: column === undefined ? message : `${column}: ${message}`,
    place: { file: row.file, line: row.line, ...(at < 0 ? {} : { column: at + 1 }) },
    record: row.text,
  }
}

function brokenLine(file: string, line: BrokenLine): RowReject {
  return {
    code: 'BROKEN_QUOTE',
    message: line.reason,
    place: { file, line: line.line, column: line.column },
    record: line.text,
  }
}

async function* inBatches<T>(items: AsyncIterable<T>, size: number): AsyncGenerator<readonly T[]> {
  let batch: T[] = []
  for await (const item of items) {
    batch.push(item)
    if (batch.length < size) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}
