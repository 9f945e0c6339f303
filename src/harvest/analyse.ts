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
import type { CatalogNames } from './catalog-names.ts'
import type { Namer, NameRules } from './naming.ts'
import { columnsVersion, type Columns, type SchemaBook } from './schema-book.ts'
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
  /** Patterns of names of temporary tables. */
  readonly temporary: readonly string[]
  readonly signal: AbortSignal
}

/** Versions of the columns that a unit was read with, by dataset. */
export type ReadWith = Readonly<Record<string, string>>

/** Lineage of each unit, in order. */
export async function analyse(units: readonly SqlUnit[], context: AnalyseContext): Promise<readonly AnalysedUnit[]> {
  const { book, namer, names, memory, signal } = context
  const remembered = await memory.recall(units)
  const open = [...units.keys()].filter((at) => !remembered.has(at))
  const first = await read(
    open.flatMap((at) => units[at] ?? []),
    [],
    context,
  )
  const results = new Map<number, AnalysedUnit>(
    open.flatMap((at, n) => (first[n] === undefined ? [] : [[at, first[n]]])),
  )
  /** What a unit was read with the last time; absent where no columns were asked for. */
  const readWith = new Map<number, ReadWith>()
  for (const [at, { lineage, readWith: before }] of remembered) {
    const unit = units[at]
    if (unit !== undefined) results.set(at, { unit, lineage })
    if (before !== undefined) readWith.set(at, before)
  }
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
      fresh.map((at) => results.get(at)),
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

/** @param former how each unit was read before; its tables are handed in with their columns */
async function read(
  units: readonly SqlUnit[],
  former: readonly (AnalysedUnit | undefined)[],
  { reader, namer, book, temporary, signal }: AnalyseContext,
): Promise<AnalysedUnit[]> {
  const schemas = new Map<string, Readonly<Record<string, Columns>>>()
  const requests = units.map((unit, at): LineageRequest => {
    const known = schemasFor(unit, former[at], namer, book, schemas)
    return {
      sql: unit.texts.map((text) => text.sql),
      // Names per text keep equal single statements from being read once only, so a lone text goes without.
      ...(unit.texts.length === 1 && unit.project === undefined
        ? {}
        : { files: unit.texts.map((_, index) => String(index)) }),
      ...(unit.project === undefined ? {} : { models: modelsOf(unit) }),
      options: optionsFor(unit, temporary),
      ...(known === undefined ? {} : { schemas: known }),
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

/** The columns of the tables that the former reading named; the same object for the same tables (they are compared by identity). */
function schemasFor(
  unit: SqlUnit,
  former: AnalysedUnit | undefined,
  namer: Namer,
  book: SchemaBook,
  made: Map<string, Readonly<Record<string, Columns>>>,
): Readonly<Record<string, Columns>> | undefined {
  if (former === undefined) return undefined
  const tables = tablesOf(former)
  const key = [unit.rules.platform, unit.rules.database, unit.rules.schema, ...tables].join('\u0000')
  const before = made.get(key)
  if (before !== undefined) return before
  const entries = tables.flatMap((table) => {
    const columns = book.columnsOf(namer.datasetOf(table, unit.rules))
    return columns === undefined ? [] : [[table, columns] as const]
  })
  const schemas = Object.fromEntries(entries)
  made.set(key, schemas)
  return schemas
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
