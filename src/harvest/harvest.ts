/**
 * SQL to what a catalog shall say:
 *
 *     source ─► units ─► lineage (worker threads, schemas) ─► one lineage per dataset ─► intents
 *                 │            │
 *                 └────────────┴─ what is not understood, each with place and reason
 *
 * Order of the intents: first that the datasets exist and what columns they have, then their lineage, since a catalog
 * shows lineage only between what it knows.
 */
import { BARRIER } from '../client/change.ts'
import { aspectId } from '../client/sink.ts'
import type { JsonValue } from '../model/json.ts'
import { type DatasetUrn, asDatasetUrn } from '../model/urn.ts'
import { noProgress, type Progress } from '../observe/progress.ts'
import { othersTurn } from '../observe/turns.ts'
import { Account, type StatementCounts, type StatementReject } from './account.ts'
import { analyse, analyseGroups, type AnalyseContext, type LineageReader } from './analyse.ts'
import { commentIntent, existenceIntent, queryIntents, schemaIntent, upstreamsIntent, type Intent } from './aspects.ts'
import { CoverageBook } from './coverage.ts'
import { CatalogNames, type DatasetCatalog } from './catalog-names.ts'
import { disagreements, parsedDisagrees } from './declared/disagreements.ts'
import { LineageFold, type DatasetLineage } from './fold.ts'
import type { HarvestState } from './harvest-state.ts'
import { holdsEdgesOf } from './lineage-aspect.ts'
import { maskLiterals } from '../sql/index.ts'
import { Namer, type NameRules } from './naming.ts'
import { QueriesBehind } from './query-book.ts'
import { columnsVersion, SchemaBook } from './schema-book.ts'
import type { HarvestSettings } from './settings.ts'
import { SharedSchemas } from './shared-schemas.ts'
import { openHarvestSource } from './sources.ts'
import type { SourcePortion, SourcePosition, SqlUnit } from './sql-unit.ts'
import { temporaryTables } from './temporary-tables.ts'
import { UnitMemory, type HarvestMemory } from './unit-memory.ts'
import { placeOf } from './source-place.ts'
import { UsageCollector } from './usage/usage-collector.ts'
import { usageRules } from './usage/usage-rules.ts'
import type { HarvestReport } from './found.ts'

export type { HarvestSettings } from './settings.ts'

export interface HarvestContext {
  readonly sink: DatasetCatalog
  readonly reader: LineageReader
  readonly memory: HarvestMemory
  /** What the last harvest of this origin left. */
  readonly state: HarvestState
  readonly runId: string
  /** When the harvest was begun. */
  readonly nowMs: number
  readonly signal: AbortSignal
  readonly progress?: Progress
  /** For what is only kept meanwhile. */
  readonly scratchFolder: string
  /** Environment of this process, for what must not stand in a job's input (passwords). */
  readonly environment: Readonly<Record<string, string | undefined>>
  records(add: Partial<StatementCounts>): void
  /** Counts them, too. */
  reject(...rejects: readonly StatementReject[]): Promise<void>
  /** Told of each fact that the next harvest shall know, once the intents are consumed so far. */
  remember(key: string, value: JsonValue | undefined): Promise<void>
}

/** Ghosts that are listed with near names. */
const GHOSTS_LISTED = 50
/** Tables that are listed with unresolved columns. */
const TABLES_LISTED = 50

/**
 * @throws NoSqlFoundError, PlatformUnknownError, SourceUnreadableError, WrongEncodingError, DecodeError (of the naming);
 * what reading the catalog throws
 */
export async function* harvestIntents(
  settings: HarvestSettings,
  context: HarvestContext,
  report: HarvestReport,
): AsyncGenerator<Intent | typeof BARRIER> {
  using harvest = new Harvest(settings, context, report)
  await harvest.read()
  for await (const intent of harvest.intents()) {
    await othersTurn(context.signal)
    yield intent
  }
}

const NOTHING: DatasetLineage = { upstreams: new Map(), fields: new Map() }

class Harvest implements Disposable {
  readonly #settings: HarvestSettings
  readonly #context: HarvestContext
  readonly #report: HarvestReport
  readonly #coverage = new CoverageBook()
  readonly #account: Account
  readonly #book = new SchemaBook()
  readonly #schemas = new SharedSchemas()
  readonly #units: UnitMemory
  readonly #positions = new Map<string, SourcePosition>()
  readonly #records = { read: 0, rejected: 0 }
  /** Platforms of the sources, those without files included. */
  readonly #platforms = new Set<string>()
  #source!: Awaited<ReturnType<typeof openHarvestSource>>
  #fold!: LineageFold
  #names!: CatalogNames
  #usage: UsageCollector | undefined

  constructor(settings: HarvestSettings, context: HarvestContext, report: HarvestReport) {
    this.#settings = settings
    this.#context = context
    this.#report = report
    this.#account = new Account(this.#coverage, this.#keepText)
    this.#units = new UnitMemory(context.memory, { origin: settings.origin, forgets: settings.full })
  }

  readonly #keepText = (sql: string, { dialect }: NameRules): string => {
    const { mask, statementLength } = this.#settings
    return (mask ? maskLiterals(sql, { dialect }) : sql).slice(0, statementLength)
  };

  [Symbol.dispose](): void {
    this.#fold?.[Symbol.dispose]()
  }

  /** Reads the whole source. */
  async read(): Promise<void> {
    const { signal, sink, progress, environment, state } = this.#context
    const source = await openHarvestSource(this.#settings, {
      signal,
      environment,
      state,
      ...(this.#settings.usage ? { onRepeated: (repeated) => this.#usage?.again(repeated) ?? false } : {}),
    })
    const namer = new Namer(source.naming, this.#book)
    const onDoubt = (code: string, message: string): void => this.#account.doubt({ code, message, place: {} })
    this.#source = source
    this.#names = new CatalogNames({ sink, book: this.#book, namer, signal, onDoubt })
    this.#fold = new LineageFold({
      namer,
      origin: this.#settings.origin,
      isTemporary: temporaryTables(this.#settings.temporary),
      keepText: this.#keepText,
      coverage: this.#coverage,
      scratchFolder: this.#context.scratchFolder,
    })
    if (this.#settings.usage) {
      const { origin, readQueries } = this.#settings
      const rules = usageRules(this.#settings.usageRules ?? {}, this.#context.nowMs)
      this.#usage = new UsageCollector({
        origin,
        namer,
        versionOf: (dataset) => columnsVersion(this.#book.columnsOf(dataset)),
        keepText: this.#keepText,
        rules,
        readQueries,
        isTemporary: temporaryTables(this.#settings.temporary),
      })
    }
    for (const platform of source.platforms) this.#platforms.add(platform)
    const tell = (): void => {
      ;(progress ?? noProgress).report({ phase: 'parse', done: this.#records.read, unit: 'statements' })
    }
    tell()
    for await (const portion of source.portions()) {
      await this.#take(portion, this.#analysing(namer))
      tell()
    }
    for (const doubt of disagreements(this.#fold.datasets, source.declared, namer)) this.#account.doubt(doubt)
    for (const declared of source.declared) {
      this.#count({ read: 1, used: 1 })
      this.#fold.addDeclared(declared)
    }
    await this.#names.settle(this.#fold.referenced)
    for (const column of namer.doubtfulColumns) {
      this.#account.doubt({
        code: 'AMBIGUOUS_COLUMN_CASE',
        message: `the catalog has several columns that differ from ${column} in case only`,
        place: {},
      })
    }
    await this.#sumUp()
  }

  #analysing(namer: Namer): AnalyseContext {
    const { reader, signal } = this.#context
    const { temporary } = this.#settings
    const [book, names, memory, schemas] = [this.#book, this.#names, this.#units, this.#schemas]
    return { reader, signal, namer, temporary, book, names, memory, schemas }
  }

  async #take(portion: SourcePortion, analysing: AnalyseContext): Promise<void> {
    const { declared, rejected, duplicates = 0, skipped = 0, doubts = [], position, units, continues } = portion
    if (continues !== undefined) this.#usage?.continues(continues)
    this.#count({
      read: rejected.length + declared.length + duplicates + skipped,
      used: declared.length,
      duplicate: duplicates,
      noEffect: skipped,
    })
    this.#coverage.unread(rejected.length)
    await this.#reject(
      rejected.map(({ code, message, file, line, record }) => ({ code, message, place: { file, line }, record })),
    )
    for (const { code, message, file, line } of doubts) this.#account.doubt({ code, message, place: { file, line } })
    // First, since a stated statement teaches the columns of what it creates like any other.
    await this.#takeDeclared(portion, analysing)
    await this.#takeUnits(units, analysing)
    await this.#takeRepeated(portion, analysing)
    if (position !== undefined) this.#positions.set(position.file, position)
  }

  async #takeUnits(units: readonly SqlUnit[], analysing: AnalyseContext): Promise<void> {
    for await (const group of analyseGroups(inGroups(units), analysing)) {
      for (const result of group) {
        await othersTurn(analysing.signal)
        const { counts, rejects } = this.#account.take(result)
        this.#count(counts)
        await this.#reject(rejects)
        await this.#fold.add(result)
        this.#usage?.add(result)
        this.#platforms.add(result.unit.rules.platform)
      }
    }
  }

  /** Statements that ran again are counted by what was read of them. */
  async #takeRepeated({ repeated = [] }: SourcePortion, analysing: AnalyseContext): Promise<void> {
    const unread: SqlUnit[] = []
    for (const { statement, text, rules } of repeated) {
      await othersTurn(analysing.signal)
      if (this.#usage?.again({ statement, text }) !== true) unread.push({ texts: [text], rules, statement })
    }
    const known = repeated.length - unread.length
    this.#count({ read: known, duplicate: known })
    await this.#takeUnits(unread, analysing)
  }

  /** What the log states itself counts; what the engine reads of the same statement is a second opinion. */
  async #takeDeclared({ declared }: SourcePortion, analysing: AnalyseContext): Promise<void> {
    const units = declared.map(({ text, rules }): SqlUnit => ({ texts: [text], rules }))
    const parsed = await analyse(units, analysing)
    for (const [at, one] of declared.entries()) {
      this.#fold.addDeclared(one)
      this.#usage?.addDeclared(one, parsed[at]?.lineage.statements[0]?.kind)
      this.#platforms.add(one.rules.platform)
      const doubt = parsedDisagrees(one, parsed[at]?.lineage, analysing.namer)
      if (doubt !== undefined) this.#account.doubt(doubt)
    }
  }

  #count(counts: Partial<StatementCounts>): void {
    this.#records.read += counts.read ?? 0
    this.#context.records(counts)
  }

  async #reject(rejects: readonly StatementReject[]): Promise<void> {
    this.#records.rejected += rejects.length
    await this.#context.reject(...rejects)
  }

  /** What the catalog shall say, and what the next harvest shall know. */
  async *intents(): AsyncGenerator<Intent | typeof BARRIER> {
    const { schemas, queries, origin, unknownTables, adds, takesAway } = this.#settings
    const taught = schemas ? this.#book.taught : new Map<never, never>()
    const existing = unknownTables === 'stub' ? new Set([...this.#fold.referenced, ...taught.keys()]) : taught.keys()
    for (const urn of existing) if (this.#isKept(urn)) yield existenceIntent(urn)
    for (const [urn, lesson] of taught) {
      yield schemaIntent(urn, lesson)
      const { comment } = lesson.schema
      if (comment !== undefined) yield commentIntent(urn, comment)
    }
    yield BARRIER
    const behindEdges = new QueriesBehind()
    for (const [urn, whole] of this.#fold.datasets) {
      const lineage = this.#known(urn, whole)
      this.#report.unknownEdges += whole.upstreams.size - lineage.upstreams.size
      if (queries) behindEdges.count(lineage)
      yield* this.#lineage(urn, lineage)
    }
    if (queries) yield* this.#queries(behindEdges, { origin, adds })
    if (takesAway) yield* this.#gone()
    yield* this.#uses(behindEdges)
    await this.#rememberState()
  }

  *#queries(behindEdges: QueriesBehind, rules: { readonly origin: string; readonly adds: boolean }): Generator<Intent> {
    for (const [urn, whole] of this.#fold.datasets) {
      for (const facts of behindEdges.factsOf(urn, this.#known(urn, whole))) yield* queryIntents(facts, rules)
    }
    for (const facts of behindEdges.factsOfSeveral()) yield* queryIntents(facts, rules)
  }

  /** Who read and changed what; each statement that this speaks of exists, too. */
  async *#uses(written: QueriesBehind): AsyncGenerator<Intent> {
    const usage = this.#usage
    if (usage === undefined) return
    const context = this.#context
    for (const facts of usage.queries.facts()) {
      if (!written.has(facts.evidence.query)) yield* queryIntents(facts, { origin: this.#settings.origin, adds: true })
    }
    yield* usage.intents(
      context.memory,
      (key, value) => context.remember(key, value),
      (doubt) => this.#account.doubt(doubt),
    )
    this.#report.doubtsByCode = Object.fromEntries(this.#account.doubtsByCode)
  }

  async *#lineage(urn: DatasetUrn, lineage: DatasetLineage): AsyncGenerator<Intent> {
    const { adds, grace } = this.#settings
    const { state } = this.#context
    const spared = adds ? [] : state.spared(urn, new Set(lineage.upstreams.keys()), grace)
    this.#report.spared += spared.length
    yield upstreamsIntent(urn, lineage, { adds, spared, held: state.held(urn) })
    const fact = state.datasetFact(urn, lineage, { adds, spared })
    if (fact !== undefined) await this.#context.remember(...fact)
  }

  /**
   * Datasets that hold edges of this origin although the source says nothing of them any more: those that we remember;
   * where we remember nothing, or are asked for everything, those that the catalog has.
   */
  async *#gone(): AsyncGenerator<Intent> {
    const { state, sink, signal } = this.#context
    const { origin, full } = this.#settings
    for (const urn of state.datasets.keys()) if (!this.#fold.datasets.has(urn)) yield* this.#takeAway(urn)
    if (state.harvests > 0 && !full) return
    for await (const page of sink.scrollDatasets([...this.#platforms].toSorted(), signal)) {
      const others = page
        .map((urn) => asDatasetUrn(urn))
        .filter((urn) => !this.#fold.datasets.has(urn) && !state.datasets.has(urn))
      const keys = others.map((urn) => ({ urn, aspectName: 'upstreamLineage' }))
      const stored = await sink.read(keys, signal)
      for (const key of keys) {
        const aspect = stored.get(aspectId(key))
        if (aspect !== undefined && holdsEdgesOf(origin, aspect.value)) yield* this.#takeAway(key.urn)
      }
    }
  }

  async *#takeAway(urn: DatasetUrn): AsyncGenerator<Intent> {
    const before = this.#report.spared
    yield* this.#lineage(urn, NOTHING)
    if (this.#report.spared === before) this.#report.gone++
  }

  async #rememberState(): Promise<void> {
    const { state, runId } = this.#context
    const sessions = this.#source.carriedSessions()
    const next = {
      run: runId,
      source: placeOf(this.#settings.source),
      atMs: this.#context.nowMs,
      coverage: this.#settings.partial ? undefined : this.#report.coverage,
      positions: this.#positions.values(),
      sessions,
    }
    for (const fact of state.stateFacts(next)) await this.#context.remember(...fact)
    if (!this.#settings.adds) await this.#units.sweep()
  }

  /** The part of a lineage whose ends may be spoken of. */
  #known(urn: DatasetUrn, lineage: DatasetLineage): DatasetLineage {
    if (this.#settings.unknownTables !== 'require-known') return lineage
    if (!this.#isKept(urn)) return NOTHING
    const upstreams = new Map([...lineage.upstreams].filter(([upstream]) => this.#isKept(upstream)))
    const isKept = (field: string): boolean =>
      this.#isKept(field.slice('urn:li:schemaField:('.length, field.lastIndexOf(',')) as DatasetUrn)
    const fields = [...lineage.fields].map(([field, ways]) => {
      const kept = ways.map((way) => ({ ...way, upstreams: way.upstreams.filter(isKept) }))
      return [field, kept.filter((way) => way.upstreams.length > 0)] as const
    })
    return { upstreams, fields: new Map(fields.filter(([, ways]) => ways.length > 0)) }
  }

  #isKept(urn: DatasetUrn): boolean {
    return this.#settings.unknownTables !== 'require-known' || this.#book.exists(urn) || this.#book.taught.has(urn)
  }

  async #sumUp(): Promise<void> {
    const report = this.#report
    const ghosts = await this.#names.ghosts(this.#fold.referenced, GHOSTS_LISTED)
    report.datasets = this.#fold.datasets.size
    for (const { upstreams, fields } of this.#fold.datasets.values()) {
      await othersTurn()
      report.datasetEdges += upstreams.size
      for (const ways of fields.values()) {
        report.columnEdges += new Set(ways.flatMap((edge) => edge.upstreams)).size
      }
    }
    report.schemas = this.#settings.schemas ? this.#book.taught.size : 0
    report.recalled = this.#units.recalled
    report.ghosts = ghosts.length
    report.ghostList = ghosts.slice(0, GHOSTS_LISTED)
    report.coverage = this.#coverage.all
    report.platforms = this.#coverage.platforms
    report.unresolved = this.#coverage.tables
      .filter(({ columns, resolved }) => resolved < columns)
      .slice(0, TABLES_LISTED)
    report.doubts = this.#account.doubts
    report.doubtsByCode = Object.fromEntries(this.#account.doubtsByCode)
  }
}

/**
 * Files teach one another their tables, so they are read together; entries of a log mostly stand for themselves, and what
 * was read of them is large.
 */
function inGroups(units: readonly SqlUnit[]): readonly (readonly SqlUnit[])[] {
  if (units.some(({ memoryKey }) => memoryKey !== undefined)) return [units]
  return Array.from({ length: Math.ceil(units.length / UNITS_AT_ONCE) }, (_, at) =>
    units.slice(at * UNITS_AT_ONCE, (at + 1) * UNITS_AT_ONCE),
  )
}

/** Entries of a log whose lineage is held at once; as many more are being read meanwhile. */
const UNITS_AT_ONCE = 256
