/**
 * Columns of tables, as far as they are known, kept over the portions of a source: what the texts teach (DDL, views,
 * CTAS), and what the catalog has, which is asked once for each dataset, a batch at a time.
 */
import { createHash } from 'node:crypto'
import { aspectId, type Sink } from '../client/sink.ts'
import { simpleFieldPath } from '../model/field-path.ts'
import { objectsAt, textAt, type JsonObject } from '../model/json.ts'
import type { DatasetUrn } from '../model/urn.ts'
import type { LearntSchema } from '../sql/types.ts'
import type { SqlUnit } from './sql-unit.ts'

/** A schema that a text teaches. */
export interface Taught {
  readonly schema: LearntSchema
  readonly unit: SqlUnit
}

/** Names of columns, in the table's order; equal lists are one object as long as they do not change. */
export type Columns = readonly string[]

export class SchemaBook {
  readonly #columns = new Map<DatasetUrn, Columns>()
  readonly #taught = new Map<DatasetUrn, Taught>()
  readonly #stored = new Map<DatasetUrn, Columns>()
  readonly #existing = new Set<DatasetUrn>()
  readonly #asked = new Set<DatasetUrn>()

  columnsOf(dataset: DatasetUrn): Columns | undefined {
    return this.#columns.get(dataset)
  }

  /** The catalog's own spelling of a dataset's columns. */
  storedColumnsOf(dataset: DatasetUrn): Columns | undefined {
    return this.#stored.get(dataset)
  }

  /** Whether the catalog has the dataset; only for what was asked for. */
  exists(dataset: DatasetUrn): boolean {
    return this.#existing.has(dataset)
  }

  /** What the texts taught, by dataset. */
  get taught(): ReadonlyMap<DatasetUrn, Taught> {
    return this.#taught
  }

  /** Gives a new list of columns only where they differ from those known, so that lists may be compared by identity. */
  learn(dataset: DatasetUrn, taught: Taught): void {
    const columns = taught.schema.columns.filter(({ hidden }) => !hidden).map((column) => column.name)
    if (columns.length === 0 || columns.includes('*')) return
    const before = this.#taught.get(dataset)
    // DDL knows types; a view or CTAS that comes later knows names only.
    if (before === undefined || knowsTypes(taught.schema) || !knowsTypes(before.schema))
      this.#taught.set(dataset, taught)
    this.#setColumns(dataset, columns)
  }

  /**
   * Asks the catalog which of the datasets it has, and for their columns; each is asked for once.
   * @returns those of them that it was asked for now and does not have
   */
  async ask(sink: Sink, datasets: Iterable<DatasetUrn>, signal: AbortSignal): Promise<readonly DatasetUrn[]> {
    const open = [...new Set(datasets)].filter((urn) => !this.#asked.has(urn))
    for (const urn of open) this.#asked.add(urn)
    if (open.length === 0) return []
    const stored = await sink.read(
      open.flatMap((urn) => ASKED_FOR.map((aspectName) => ({ urn, aspectName }))),
      signal,
    )
    for (const urn of open) {
      const aspects = ASKED_FOR.map((aspectName) => stored.get(aspectId({ urn, aspectName })))
      if (aspects.some((aspect) => aspect !== undefined)) this.#existing.add(urn)
      const columns = columnsIn(aspects[0]?.value)
      if (columns.length === 0) continue
      this.#stored.set(urn, columns)
      if (!this.#columns.has(urn)) this.#setColumns(urn, columns)
    }
    return open.filter((urn) => !this.#existing.has(urn))
  }

  #setColumns(dataset: DatasetUrn, columns: Columns): void {
    if (this.#columns.get(dataset)?.join('\u0000') !== columns.join('\u0000')) this.#columns.set(dataset, columns)
  }
}

/** The key aspect tells that a dataset is there, also where its columns are not known. */
const ASKED_FOR = ['schemaMetadata', 'datasetKey'] as const

/** Fields of a record are no columns of their own for SQL. */
function columnsIn(schema: JsonObject | undefined): Columns {
  return objectsAt(schema, 'fields')
    .map((field) => simpleFieldPath(textAt(field, 'fieldPath') ?? ''))
    .filter((field) => field !== '' && !field.includes('.'))
}

function knowsTypes(schema: LearntSchema): boolean {
  return schema.columns.some((column) => column.type !== undefined)
}

/** What columns are compared by over runs; empty where they are not known. */
export function columnsVersion(columns: Columns | undefined): string {
  if (columns === undefined) return ''
  const version =
    versions.get(columns) ?? createHash('sha256').update(columns.join('\u0000')).digest('base64url').slice(0, 16)
  versions.set(columns, version)
  return version
}

const versions = new WeakMap<Columns, string>()
