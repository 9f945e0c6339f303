/**
 * From texts to lineage, in worker threads, with the schemas that the texts themselves teach and those of the catalog:
 *
 *     read all ─► learn schemas (DDL, views, CTAS) ─► ask the catalog for what is still unknown ─► read again what is in
 *                     ▲                                                        doubt and whose tables are known better
 *                     └──────────────────────────── until nothing new is learnt ───────────────────────┘
 */
import type { Sink } from '../client/sink.ts'
import { aspectId } from '../client/sink.ts'
import { simpleFieldPath } from '../model/field-path.ts'
import { objectsAt, textAt } from '../model/json.ts'
import type { DatasetUrn } from '../model/urn.ts'
import type { LearntSchema, ScriptLineage } from '../sql/types.ts'
import type { LineageRequest } from '../sql/workers/request.ts'
import type { Namer, NameRules } from './naming.ts'
import type { SqlUnit } from './sql-unit.ts'

/** What reads SQL: a pool of worker threads. One lineage a request, in order. */
export interface LineageReader {
  lineages(requests: readonly LineageRequest[]): Promise<readonly ScriptLineage[]>
}

export interface AnalysedUnit {
  readonly unit: SqlUnit
  readonly lineage: ScriptLineage
}

/** A schema that a text teaches. */
export interface Taught {
  readonly schema: LearntSchema
  readonly unit: SqlUnit
}

/** A star that reads a view that reads a star …: each round settles one more of the chain. */
const MAX_ROUNDS = 100

/** Columns of tables, as far as they are known; kept over the portions of a source. */
export class SchemaBook {
  readonly #columns = new Map<DatasetUrn, readonly string[]>()
  readonly #taught = new Map<DatasetUrn, Taught>()
  readonly #asked = new Set<DatasetUrn>()

  columnsOf(dataset: DatasetUrn): readonly string[] | undefined {
    return this.#columns.get(dataset)
  }

  /** What the texts taught, by dataset. */
  get taught(): ReadonlyMap<DatasetUrn, Taught> {
    return this.#taught
  }

  /** Gives a new list of columns only where they differ from those known, so that lists may be compared by identity. */
  learn(dataset: DatasetUrn, taught: Taught): void {
    const columns = taught.schema.columns.map((column) => column.name)
    if (columns.length === 0 || columns.includes('*')) return
    const known = this.#columns.get(dataset)
    const before = this.#taught.get(dataset)
    // DDL knows types; a view or CTAS that comes later knows names only.
    if (before === undefined || knowsTypes(taught.schema) || !knowsTypes(before.schema))
      this.#taught.set(dataset, taught)
    if (known?.join('\u0000') !== columns.join('\u0000')) this.#columns.set(dataset, columns)
  }

  /** Fetches what the catalog knows of datasets that are still unknown; each is asked for once. */
  async ask(sink: Sink, datasets: Iterable<DatasetUrn>, signal: AbortSignal): Promise<void> {
    const unknown = [...new Set(datasets)].filter((urn) => !this.#columns.has(urn) && !this.#asked.has(urn))
    for (const urn of unknown) this.#asked.add(urn)
    if (unknown.length === 0) return
    const stored = await sink.read(
      unknown.map((urn) => ({ urn, aspectName: 'schemaMetadata' })),
      signal,
    )
    for (const urn of unknown) {
      const schema = stored.get(aspectId({ urn, aspectName: 'schemaMetadata' }))
      const fields = objectsAt(schema?.value, 'fields').map((field) =>
        simpleFieldPath(textAt(field, 'fieldPath') ?? ''),
      )
      // Fields of a record are no columns of their own for SQL.
      const columns = fields.filter((field) => !field.includes('.'))
      if (columns.length > 0) this.#columns.set(urn, columns)
    }
  }
}

function knowsTypes(schema: LearntSchema): boolean {
  return schema.columns.some((column) => column.type !== undefined)
}

export interface AnalyseContext {
  readonly reader: LineageReader
  readonly namer: Namer
  readonly book: SchemaBook
  /** Where schemas are looked up besides. */
  readonly sink: Sink
  readonly signal: AbortSignal
}

type Columns = readonly string[]

/** Lineage of each unit, in order. */
export async function analyse(units: readonly SqlUnit[], context: AnalyseContext): Promise<readonly AnalysedUnit[]> {
  const { book, namer, sink, signal } = context
  const results = await read(units, [], context)
  /** The columns that a unit was read with the last time, by its tables. */
  const readWith = new Map<number, readonly (Columns | undefined)[]>()
  let fresh = [...results.keys()]
  for (let round = 0; round < MAX_ROUNDS && fresh.length > 0; round++) {
    for (const at of fresh) learnFrom(results[at], context)
    const doubtful = [...results.keys()].filter((at) => isDoubtful(results[at]))
    await book.ask(
      sink,
      doubtful.flatMap((at) => datasetsOf(results[at], namer)),
      signal,
    )
    fresh = doubtful.filter((at) => {
      const columns = datasetsOf(results[at], namer).map((dataset) => book.columnsOf(dataset))
      const before = readWith.get(at) ?? []
      readWith.set(at, columns)
      return columns.some((known, n) => known !== before[n])
    })
    const again = await read(
      fresh.flatMap((at) => units[at] ?? []),
      fresh.map((at) => results[at]),
      context,
    )
    for (const [n, at] of fresh.entries()) results.splice(at, 1, ...again.slice(n, n + 1))
  }
  return results
}

/** @param former how each unit was read before; its tables are handed in with their columns */
async function read(
  units: readonly SqlUnit[],
  former: readonly (AnalysedUnit | undefined)[],
  { reader, namer, book }: AnalyseContext,
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
      options: optionsFor(unit),
      ...(known === undefined ? {} : { schemas: known }),
    }
  })
  const lineages = await reader.lineages(requests)
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
function optionsFor({ rules, project, texts: [text] }: SqlUnit): LineageRequest['options'] {
  const { dialect, database, schema } = rules
  const options = optionsOfRules.get(rules) ?? {
    dialect,
    ...(database === undefined ? {} : { defaultDatabase: database }),
    ...(schema === undefined ? {} : { defaultSchema: schema }),
    ...(project === undefined ? {} : { project }),
  }
  optionsOfRules.set(rules, options)
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
