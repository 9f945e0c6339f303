/**
 * From texts to lineage, in worker threads, with the schemas that the texts themselves teach and those of the catalog:
 *
 *     read all ─► settle names with the catalog ─► learn schemas (DDL, views, CTAS) ─► read again what is in doubt and
 *     (or remember)                                   ▲                                whose tables are known better
 *                                                     └───────── until nothing new is learnt ──────────┘
 *
 * What an earlier run read of the same text with the same columns is remembered instead of read.
 */
import type { DatasetUrn } from '../model/urn.ts'
import { othersTurn, untilAborted } from '../observe/turns.ts'
import type { ScriptLineage } from '../sql/types.ts'
import type { LineageRequest } from '../sql/workers/request.ts'
import { tableNames } from '../sql/workers/token-scan.ts'
import type { CatalogNames } from './catalog-names.ts'
import type { Namer, NameRules } from './naming.ts'
import { columnsVersion, type SchemaBook } from './schema-book.ts'
import type { Schemas, SharedSchemas } from './shared-schemas.ts'
import type { SqlUnit } from './sql-unit.ts'
import type { UnitMemory } from './unit-memory.ts'

/** What reads SQL: a pool of worker threads. One lineage a request, in order. */
export interface LineageReader {
  lineages(requests: readonly LineageRequest[]): Promise<readonly ScriptLineage[]>
}

export interface AnalysedUnit {
  readonly unit: SqlUnit
  readonly lineage: ScriptLineage
}

/** A star that reads a view that reads a star …: each round settles one more of the chain. */
const MAX_ROUNDS = 100

export interface AnalyseContext {
  readonly reader: LineageReader
  readonly namer: Namer
  readonly book: SchemaBook
  /** The catalog's tables and their columns. */
  readonly names: CatalogNames
  /** What earlier runs read. */
  readonly memory: UnitMemory
  /** Columns as they are handed to the reader. */
  readonly schemas: SharedSchemas
  /** Patterns of names of temporary tables. */
  readonly temporary: readonly string[]
  readonly signal: AbortSignal
}

/** Versions of the columns that a unit was read with, by dataset. */
export type ReadWith = Readonly<Record<string, string>>

/** Lineage of each unit, in order. */
export async function analyse(units: readonly SqlUnit[], context: AnalyseContext): Promise<readonly AnalysedUnit[]> {
  return settle(await begin(units, context), context)
}

/**
 * Lineage of each group's units, in order. While one group is settled and consumed, worker threads read the next: they
 * need nothing of what the former teaches, since what a unit was read with is looked at again when its turn has come.
 */
export async function* analyseGroups(
  groups: readonly (readonly SqlUnit[])[],
  context: AnalyseContext,
): AsyncGenerator<readonly AnalysedUnit[]> {
  const beginAt = (at: number): Promise<Begun> | undefined => {
    const units = groups[at]
    const begun = units === undefined ? undefined : begin(units, context)
    // Whoever waits for it will learn of a failure; until then nobody does.
    begun?.catch(() => {})
    return begun
  }
  let next = beginAt(0)
  for (let at = 1; next !== undefined; at++) {
    const begun = await next
    next = beginAt(at)
    yield await settle(begun, context)
  }
}

/** Units that were read once, or are remembered. */
interface Begun {
  readonly units: readonly SqlUnit[]
  readonly results: Map<number, AnalysedUnit>
  /** What a unit was read with the last time; absent where no columns were asked for. */
  readonly readWith: Map<number, ReadWith>
}

async function begin(units: readonly SqlUnit[], context: AnalyseContext): Promise<Begun> {
  const remembered = await context.memory.recall(units)
  const open = [...units.keys()].filter((at) => !remembered.has(at))
  const known = open.map((at) => knownTables(units[at], context))
  const first = await read(
    open.flatMap((at) => units[at] ?? []),
    known,
    context,
  )
  const results = new Map<number, AnalysedUnit>()
  const readWith = new Map<number, ReadWith>()
  for (const [n, at] of open.entries()) {
    const result = first[n]
    if (result !== undefined) results.set(at, result)
    const given = known[n]
    if (given !== undefined) readWith.set(at, given.versions)
  }
  for (const [at, { lineage, readWith: before }] of remembered) {
    const unit = units[at]
    if (unit !== undefined) results.set(at, { unit, lineage })
    if (before !== undefined) readWith.set(at, before)
  }
  return { units, results, readWith }
}

/** Reads again what is in doubt, with the columns that are known by now. */
async function settle({ units, results, readWith }: Begun, context: AnalyseContext): Promise<readonly AnalysedUnit[]> {
  const { book, namer, names, memory, signal } = context
  const named = new Set<DatasetUrn>()
  for (const result of results.values()) {
    await othersTurn(signal)
    for (const dataset of datasetsOf(result, namer)) named.add(dataset)
  }
  await names.settle(named)
  let fresh = [...units.keys()]
  for (let round = 0; round < MAX_ROUNDS && fresh.length > 0; round++) {
    for (const at of fresh) {
      await othersTurn(signal)
      learnFrom(results.get(at), context)
    }
    fresh = []
    for (const at of units.keys()) {
      await othersTurn(signal)
      const before = readWith.get(at)
      if (before === undefined && !isDoubtful(results.get(at))) continue
      const now = versionsOf(results.get(at), namer, book)
      readWith.set(at, now)
      if (!sameVersions(before ?? {}, now)) fresh.push(at)
    }
    const again = await read(
      fresh.flatMap((at) => units[at] ?? []),
      fresh.map((at) => tablesWithColumns(results.get(at), context)),
      context,
    )
    for (const [n, at] of fresh.entries()) {
      const result = again[n]
      if (result !== undefined) results.set(at, result)
    }
  }
  await memory.keep(results, readWith)
  return [...units.keys()].flatMap((at) => results.get(at) ?? [])
}

function versionsOf(result: AnalysedUnit | undefined, namer: Namer, book: SchemaBook): ReadWith {
  const known = datasetsOf(result, namer).map((dataset) => [dataset, columnsVersion(book.columnsOf(dataset))] as const)
  return Object.fromEntries(known.filter(([, version]) => version !== ''))
}

/** Reading again teaches nothing where no table's columns are other than they were. */
function sameVersions(before: ReadWith, now: ReadWith): boolean {
  const datasets = new Set([...Object.keys(before), ...Object.keys(now)])
  return [...datasets].every((dataset) => before[dataset] === now[dataset])
}

/** @param known tables of each unit, as far as their columns are known */
async function read(
  units: readonly SqlUnit[],
  known: readonly (Pick<KnownTables, 'schemas'> | undefined)[],
  { reader, temporary, signal }: AnalyseContext,
): Promise<AnalysedUnit[]> {
  const requests = units.map((unit, at): LineageRequest => {
    const schemas = known[at]?.schemas
    return {
      sql: unit.texts.map((text) => text.sql),
      // Names per text keep equal single statements from being read once only, so a lone text goes without.
      ...(unit.texts.length === 1 && unit.project === undefined
        ? {}
        : { files: unit.texts.map((_, index) => String(index)) }),
      ...(unit.project === undefined ? {} : { models: modelsOf(unit) }),
      options: optionsFor(unit, temporary),
      ...(schemas === undefined ? {} : { schemas }),
    }
  })
  const lineages = await untilAborted(reader.lineages(requests), signal)
  return units.flatMap((unit, at) => {
    const lineage = lineages[at]
    return lineage === undefined ? [] : [{ unit, lineage }]
  })
}

const modelsOfUnit = new WeakMap<SqlUnit, LineageRequest['models'] & object>()

/** The same list for the same unit: the pool compares by identity. */
function modelsOf(unit: SqlUnit): LineageRequest['models'] & object {
  const models = modelsOfUnit.get(unit) ?? unit.texts.map(({ model }) => model)
  modelsOfUnit.set(unit, models)
  return models
}

const optionsOfRules = new WeakMap<NameRules, LineageRequest['options']>()

/** One object for all entries of a log: the pool tells equal statements by the identity of their options. */
function optionsFor(
  { rules, project, texts: [text] }: SqlUnit,
  temporary: readonly string[],
): LineageRequest['options'] {
  const { dialect, database, schema } = rules
  const known = project === undefined ? optionsOfRules.get(rules) : undefined
  const options = known ?? {
    dialect,
    hidesTemporary: true,
    ...(database === undefined ? {} : { defaultDatabase: database }),
    ...(schema === undefined ? {} : { defaultSchema: schema }),
    ...(project === undefined ? {} : { project }),
    ...(temporary.length === 0 ? {} : { temporaryTables: temporary }),
  }
  if (project === undefined) optionsOfRules.set(rules, options)
  return text?.wholeFile === true ? { ...options, file: text.file } : options
}

/** Tables that a unit is read with. */
interface KnownTables {
  readonly schemas: Schemas
  readonly versions: ReadWith
}

/** The columns of the tables that the former reading named. */
function tablesWithColumns(
  former: AnalysedUnit | undefined,
  context: AnalyseContext,
): Pick<KnownTables, 'schemas'> | undefined {
  if (former === undefined) return undefined
  return { schemas: context.schemas.of(tablesOf(former), former.unit.rules, context) }
}

/**
 * The columns of the tables that a scan of an entry's words finds, where all of them are known: read with these at once,
 * the entry need not be read again. Whether they are the right ones shows when it was read.
 */
function knownTables(unit: SqlUnit | undefined, context: AnalyseContext): KnownTables | undefined {
  const [text] = unit?.texts ?? []
  if (unit === undefined || text === undefined || unit.texts.length > 1 || text.wholeFile) return undefined
  const { namer, book } = context
  const tables = tableNames(text.sql)
  const datasets = tables.map((table) => namer.datasetOf(table, unit.rules))
  const versions = datasets.map((dataset) => [dataset, columnsVersion(book.columnsOf(dataset))] as const)
  if (tables.length === 0 || versions.some(([, version]) => version === '')) return undefined
  return { schemas: context.schemas.of(tables, unit.rules, context), versions: Object.fromEntries(versions) }
}

function learnFrom(result: AnalysedUnit | undefined, { namer, book }: AnalyseContext): void {
  if (result === undefined) return
  const taught = result.lineage.statements.flatMap((statement) => statement.schemas)
  for (const schema of taught.filter((one) => !one.temporary)) {
    book.learn(namer.datasetOf(schema.table, result.unit.rules), { schema, unit: result.unit })
  }
}

/** Whether knowing columns of tables could make a difference. */
function isDoubtful(result: AnalysedUnit | undefined): boolean {
  if (result === undefined) return false
  const { diagnostics, columns, statements } = result.lineage
  const all = [...columns, ...statements.flatMap((statement) => statement.columns)]
  return diagnostics.length > 0 || all.some((column) => column.confidence < 1 || column.downstream.column === '*')
}

function tablesOf({ lineage }: AnalysedUnit): readonly string[] {
  const { inputs, outputs, intermediates } = lineage.tables
  const all = lineage.statements.flatMap((statement) => [...statement.inputs, ...statement.outputs])
  return [...new Set([...inputs, ...outputs, ...intermediates, ...all])]
}

function datasetsOf(result: AnalysedUnit | undefined, namer: Namer): readonly DatasetUrn[] {
  return result === undefined ? [] : tablesOf(result).map((table) => namer.datasetOf(table, result.unit.rules))
}
