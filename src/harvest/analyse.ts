/**
 * From texts to lineage, in worker threads, with the schemas that the texts themselves teach and those of the catalog:
 *
 *     read all ─► learn schemas (DDL, views, CTAS) ─► ask the catalog for what is still unknown ─► read the doubtful again
 *                     ▲                                                                                   │
 *                     └──────────────────────── until nothing new is learnt ──────────────────────────────┘
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

const MAX_ROUNDS = 5

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

  /** @returns whether this is news */
  learn(dataset: DatasetUrn, taught: Taught): boolean {
    const columns = taught.schema.columns.map((column) => column.name)
    if (columns.length === 0 || columns.includes('*')) return false
    const known = this.#columns.get(dataset)
    const before = this.#taught.get(dataset)
    // DDL knows types; a view or CTAS that comes later knows names only.
    if (before === undefined || knowsTypes(taught.schema) || !knowsTypes(before.schema))
      this.#taught.set(dataset, taught)
    if (known !== undefined && known.join('\u0000') === columns.join('\u0000')) return false
    this.#columns.set(dataset, columns)
    return true
  }

  /** Fetches what the catalog knows of datasets that are still unknown; each is asked for once. @returns whether there is news */
  async ask(sink: Sink, datasets: Iterable<DatasetUrn>, signal: AbortSignal): Promise<boolean> {
    const unknown = [...new Set(datasets)].filter((urn) => !this.#columns.has(urn) && !this.#asked.has(urn))
    for (const urn of unknown) this.#asked.add(urn)
    if (unknown.length === 0) return false
    const stored = await sink.read(
      unknown.map((urn) => ({ urn, aspectName: 'schemaMetadata' })),
      signal,
    )
    let news = false
    for (const urn of unknown) {
      const schema = stored.get(aspectId({ urn, aspectName: 'schemaMetadata' }))
      const fields = objectsAt(schema?.value, 'fields').map((field) =>
        simpleFieldPath(textAt(field, 'fieldPath') ?? ''),
      )
      // Fields of a record are no columns of their own for SQL.
      const columns = fields.filter((field) => !field.includes('.'))
      if (columns.length === 0) continue
      this.#columns.set(urn, columns)
      news = true
    }
    return news
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

/** Lineage of each unit, in order. */
export async function analyse(units: readonly SqlUnit[], context: AnalyseContext): Promise<readonly AnalysedUnit[]> {
  const results = await read(units, context, new Map())
  for (let round = 1; round < MAX_ROUNDS; round++) {
    const learnt = results.map((result) => learnFrom(result, context)).includes(true)
    const doubtful = [...results.keys()].filter((at) => isDoubtful(results[at]))
    const tables = doubtful.flatMap((at) => datasetsOf(results[at], context.namer))
    const told = await context.book.ask(context.sink, tables, context.signal)
    if ((!learnt && !told && round > 1) || doubtful.length === 0) break
    const again = await read(
      doubtful.map((at) => units[at]).filter((unit) => unit !== undefined),
      context,
      new Map(),
      doubtful.map((at) => results[at]),
    )
    for (const [n, at] of doubtful.entries()) {
      const result = again[n]
      if (result !== undefined) results[at] = result
    }
  }
  for (const result of results) learnFrom(result, context)
  return results
}

async function read(
  units: readonly SqlUnit[],
  { reader, namer, book }: AnalyseContext,
  schemas: Map<string, Readonly<Record<string, readonly string[]>>>,
  former: readonly (AnalysedUnit | undefined)[] = [],
): Promise<AnalysedUnit[]> {
  const requests = units.map((unit, at): LineageRequest => {
    const known = schemasFor(unit, former[at], namer, book, schemas)
    return {
      sql: unit.texts.map((text) => text.sql),
      // Names per text keep equal single statements from being read once only, so a lone text goes without.
      ...(unit.texts.length === 1 ? {} : { files: unit.texts.map((_, index) => String(index)) }),
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

const optionsOfRules = new WeakMap<NameRules, LineageRequest['options']>()

/** One object for all entries of a log: the pool tells equal statements by the identity of their options. */
function optionsFor({ rules, texts: [text] }: SqlUnit): LineageRequest['options'] {
  const { dialect, database, schema } = rules
  const options = optionsOfRules.get(rules) ?? {
    dialect,
    ...(database === undefined ? {} : { defaultDatabase: database }),
    ...(schema === undefined ? {} : { defaultSchema: schema }),
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
  made: Map<string, Readonly<Record<string, readonly string[]>>>,
): Readonly<Record<string, readonly string[]>> | undefined {
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

function learnFrom(result: AnalysedUnit, { namer, book }: AnalyseContext): boolean {
  const taught = result.lineage.statements.flatMap((statement) => statement.schemas)
  return taught
    .filter((schema) => !schema.temporary)
    .map((schema) => book.learn(namer.datasetOf(schema.table, result.unit.rules), { schema, unit: result.unit }))
    .includes(true)
}

/** Whether columns of tables could make a difference. */
function isDoubtful(result: AnalysedUnit | undefined): boolean {
  return (
    result !== undefined &&
    result.lineage.statements.some((statement) => statement.inputs.length > 0) &&
    (result.lineage.confidence < 1 || result.lineage.diagnostics.length > 0)
  )
}

function tablesOf({ lineage }: AnalysedUnit): readonly string[] {
  const { inputs, outputs, intermediates } = lineage.tables
  const all = lineage.statements.flatMap((statement) => [...statement.inputs, ...statement.outputs])
  return [...new Set([...inputs, ...outputs, ...intermediates, ...all])]
}

function datasetsOf(result: AnalysedUnit | undefined, namer: Namer): readonly DatasetUrn[] {
  return result === undefined ? [] : tablesOf(result).map((table) => namer.datasetOf(table, result.unit.rules))
}
