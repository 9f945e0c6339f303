/**
 * SQL to changes of a catalog:
 *
 *     source ─► units ─► lineage (worker threads, schemas) ─► one lineage per dataset ─► changes
 *                 │            │
 *                 └────────────┴─ what is not understood, each with place and reason
 *
 * Order of the changes: first that the datasets exist and what columns they have, then their lineage, since a catalog
 * shows lineage only between what it knows.
 */
import { existsSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { BARRIER, type AspectChange } from '../client/change.ts'
import { aspectId, type Sink } from '../client/sink.ts'
import { readSourceText } from '../client/source-file.ts'
import type { DatasetUrn, Urn } from '../model/urn.ts'
import { noProgress, type Progress } from '../observe/progress.ts'
import type { DialectName } from '../sql/types.ts'
import { Account, type Doubt, type StatementCounts, type StatementReject } from './account.ts'
import { analyse, SchemaBook, type LineageReader } from './analyse.ts'
import {
  commentChange,
  existenceChange,
  holdsEdgesOf,
  lineageChange,
  queriesOf,
  queryChanges,
  schemaChange,
  type AuditStamp,
} from './aspects.ts'
import { dbtSource } from './dbt/dbt-source.ts'
import { LineageFold } from './fold.ts'
import { Namer, readNaming, rulesFor, type Naming } from './naming.ts'
import { queryLog } from './query-log.ts'
import { sqlFiles } from './sql-files.ts'
import type { SourcePortion } from './sql-unit.ts'

export interface HarvestSettings {
  /** Folder, file, `-` or http(s) address. */
  readonly source: string
  readonly format: 'auto' | 'sql' | 'log' | 'dbt'
  /** YAML; `headwater.yaml` in or beside the source when absent and there. */
  readonly naming?: string | undefined
  readonly platform?: string | undefined
  readonly instance?: string | undefined
  readonly env?: string | undefined
  readonly dialect?: DialectName | undefined
  readonly database?: string | undefined
  readonly schema?: string | undefined
  /** Whose edges these are; a later harvest of the same origin replaces them. */
  readonly origin: string
  /** Whether schemas that the SQL teaches are written, too. */
  readonly schemas: boolean
  /** Whether datasets that the source no longer yields lose the edges of this origin. */
  readonly removeGone: boolean
  /** Whether the statements behind edges are written as query entities. */
  readonly queries: boolean
}

/** A catalog that can be read, and asked for its datasets. */
interface HarvestTarget extends Sink {
  scrollDatasets(platforms: readonly string[], signal?: AbortSignal): AsyncIterable<readonly Urn[]>
}

export interface HarvestContext {
  readonly sink: HarvestTarget
  readonly reader: LineageReader
  readonly stamp: AuditStamp
  readonly signal: AbortSignal
  readonly progress?: Progress
  records(add: Partial<StatementCounts>): void
  /** Counts them, too. */
  reject(...rejects: readonly StatementReject[]): Promise<void>
}

/** What a harvest found, complete once its changes are consumed. */
export interface HarvestReport {
  datasets: number
  datasetEdges: number
  columnEdges: number
  schemas: number
  /** Datasets that lost their edges, since the source no longer has them. */
  gone: number
  /** Doubts about statements that were used all the same. */
  doubts: readonly Doubt[]
  doubtsByCode: Readonly<Record<string, number>>
}

/**
 * @throws NoSqlFoundError, PlatformUnknownError, SourceUnreadableError, WrongEncodingError, DecodeError (of the naming);
 * what reading the catalog throws
 */
export async function* harvestChanges(
  settings: HarvestSettings,
  context: HarvestContext,
  report: HarvestReport,
): AsyncGenerator<AspectChange | typeof BARRIER> {
  const naming = await loadNaming(settings)
  const namer = new Namer(naming?.naming)
  const book = new SchemaBook()
  const fold = new LineageFold(namer, settings.origin)
  const account = new Account()
  const { reader, sink, signal } = context
  let done = 0
  for await (const portion of portionsOf(settings, naming, signal)) {
    await takeEntries(portion, fold, context)
    for (const result of await analyse(portion.units, { reader, namer, book, sink, signal })) {
      const { counts, rejects } = account.take(result)
      context.records(counts)
      await context.reject(...rejects)
      fold.add(result)
      done += counts.read
      fold.platforms.add(result.unit.rules.platform)
    }
    ;(context.progress ?? noProgress).report({ phase: 'parse', done, unit: 'statements' })
  }
  sumUp(fold, settings.schemas ? book.taught.size : 0, account, report)
  yield* changesOf(fold, book, settings, context.stamp)
  if (settings.removeGone) yield* goneChanges(fold, settings, context, report)
}

/**
 * Datasets that hold edges of this origin although the source says nothing of them any more. The catalog itself is asked,
 * so that nothing depends on what an earlier run remembered.
 */
async function* goneChanges(
  fold: LineageFold,
  { origin }: HarvestSettings,
  { sink, signal, stamp }: HarvestContext,
  report: HarvestReport,
): AsyncGenerator<AspectChange> {
  for await (const page of sink.scrollDatasets([...fold.platforms].toSorted(), signal)) {
    const others = page.filter((urn) => !fold.datasets.has(urn as DatasetUrn))
    const stored = await sink.read(
      others.map((urn) => ({ urn, aspectName: 'upstreamLineage' })),
      signal,
    )
    for (const urn of others) {
      const aspect = stored.get(aspectId({ urn, aspectName: 'upstreamLineage' }))
      if (aspect === undefined || !holdsEdgesOf(origin, aspect.value)) continue
      report.gone++
      yield lineageChange(urn as DatasetUrn, { upstreams: new Map(), fields: new Map() }, origin, stamp)
    }
  }
}

/** An empty report to be filled. */
export function emptyReport(): HarvestReport {
  return { datasets: 0, datasetEdges: 0, columnEdges: 0, schemas: 0, gone: 0, doubts: [], doubtsByCode: {} }
}

async function takeEntries(portion: SourcePortion, fold: LineageFold, context: HarvestContext): Promise<void> {
  context.records({ read: portion.rejected.length + portion.declared.length, used: portion.declared.length })
  await context.reject(
    ...portion.rejected.map(({ code, message, file, line, record }) => ({
      code,
      message,
      place: { file, line },
      record,
    })),
  )
  for (const declared of portion.declared) fold.addDeclared(declared)
}

interface LoadedNaming {
  readonly naming: Naming
  /** Paths of sources are relative to it. */
  readonly folder: string
}

async function loadNaming({ source, naming }: HarvestSettings): Promise<LoadedNaming | undefined> {
  const places = naming === undefined ? [join(source, NAMING_FILE), join(dirname(source), NAMING_FILE)] : [naming]
  for (const place of places) {
    const text = naming === undefined && !existsSync(place) ? undefined : await readSourceText(place)
    if (text !== undefined) return { naming: readNaming(text, place), folder: dirname(place) }
  }
  return undefined
}

/** By the name of the file. */
export function isQueryLog(source: string): boolean {
  return /\.(ndjson|jsonl|json)(\.gz)?$/i.test(source)
}

/** A folder with a `dbt_project.yml` is a dbt project. */
function isDbtProject({ source, format }: HarvestSettings): boolean {
  return format === 'dbt' || (format === 'auto' && existsSync(join(source, 'dbt_project.yml')))
}

const NAMING_FILE = 'headwater.yaml'

function portionsOf(
  settings: HarvestSettings,
  loaded: LoadedNaming | undefined,
  signal: AbortSignal,
): AsyncGenerator<SourcePortion> {
  const { source } = settings
  if (isDbtProject(settings)) return dbtSource({ source, naming: loaded?.naming, defaults: settings })
  const isLog =
    settings.format === 'log' || (settings.format === 'auto' && /\.(ndjson|jsonl|json)(\.gz)?$/i.test(source))
  if (!isLog) return sqlFiles({ source, naming: loaded?.naming, folder: loaded?.folder, defaults: settings, signal })
  const path = loaded === undefined ? basename(source) : relative(loaded.folder, source)
  return queryLog({ source, rules: rulesFor(path, loaded?.naming, settings), signal })
}

function sumUp(fold: LineageFold, schemas: number, account: Account, report: HarvestReport): void {
  const lineages = [...fold.datasets.values()]
  report.datasets = lineages.length
  report.datasetEdges = lineages.reduce((sum, { upstreams }) => sum + upstreams.size, 0)
  report.columnEdges = lineages.reduce(
    (sum, { fields }) => sum + [...fields.values()].reduce((inner, field) => inner + field.upstreams.size, 0),
    0,
  )
  report.schemas = schemas
  report.doubts = account.doubts
  report.doubtsByCode = Object.fromEntries(account.doubtsByCode)
}

function* changesOf(
  fold: LineageFold,
  book: SchemaBook,
  { schemas, queries, origin }: HarvestSettings,
  stamp: AuditStamp,
): Generator<AspectChange | typeof BARRIER> {
  const taught = schemas ? book.taught : new Map<never, never>()
  for (const urn of new Set([...fold.referenced, ...taught.keys()])) yield existenceChange(urn)
  for (const [urn, lesson] of taught) {
    yield schemaChange(urn, lesson)
    const { comment } = lesson.schema
    if (comment !== undefined) yield commentChange(urn, comment)
  }
  yield BARRIER
  for (const [urn, lineage] of fold.datasets) yield lineageChange(urn, lineage, origin, stamp)
  if (!queries) return
  for (const { evidence, subjects } of queriesOf(fold.datasets).values()) yield* queryChanges(evidence, subjects, stamp)
}
