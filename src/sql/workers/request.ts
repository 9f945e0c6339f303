import { schemaFromTables } from '../eval/schema.ts'
import type { LineageOptions, TemplateText } from '../types.ts'

/** What crosses into a worker: plain values, so the schema is a table of columns instead of a function. */
export interface LineageRequest {
  /** Texts that run in order in one session. */
  readonly sql: string | readonly string[]
  /** A name for each text of a list, kept on its statements and diagnostics. */
  readonly files?: readonly string[]
  /** What each text of a list makes, where texts are models of a project of templates. */
  readonly models?: readonly (TemplateText | undefined)[]
  readonly options: Omit<LineageOptions, 'schema'>
  readonly schemas?: Readonly<Record<string, readonly string[]>>
}

/** The engine's options for a request. */
export function requestOptions({ options, schemas }: LineageRequest): LineageOptions {
  return schemas === undefined ? options : { ...options, schema: schemaFromTables(schemas) }
}

/** Requests on their way into a worker: the texts as one, and what they share once. */
export interface PackedRequests {
  /** JSON of a `Row` each. */
  readonly rows: string
  readonly shared: readonly object[]
}

/** The texts, their names, and the numbers of options, schemas and models among what is shared; -1 where absent. */
type Row = readonly [sql: string | readonly string[], files: readonly string[] | null, ...shared: readonly number[]]

/** For a worker: what several requests share travels once. */
export function packRequests(requests: readonly LineageRequest[]): PackedRequests {
  const shared = new Map<object, number>()
  const numberOf = (one: object | undefined): number => {
    if (one === undefined) return -1
    const known = shared.get(one) ?? shared.size
    shared.set(one, known)
    return known
  }
  const rows = requests.map(({ sql, files, options, schemas, models }): Row => {
    return [sql, files ?? null, numberOf(options), numberOf(schemas), numberOf(models)]
  })
  return { rows: JSON.stringify(rows), shared: [...shared.keys()] }
}

/** The requests that `packRequests` was given. */
export function unpackRequests({ rows, shared }: PackedRequests): LineageRequest[] {
  // `packRequests` wrote both: no decoding needed.
  return (JSON.parse(rows) as Row[]).map(([sql, files, ...at]) => {
    const [options, schemas, models] = at.map((number) => shared[number])
    return {
      sql,
      options: options as LineageRequest['options'],
      ...(files === null ? {} : { files }),
      ...(schemas === undefined ? {} : { schemas: schemas as LineageRequest['schemas'] & object }),
      ...(models === undefined ? {} : { models: models as LineageRequest['models'] & object }),
    }
  })
}

/** A batch on its way into a worker. */
export interface Task<Batch> {
  readonly batch: Batch
  /**
   * Shared with the worker, which writes here the number (from 1) of the item that it works on, at last `FINISHED`, and
   * counts its texts.
   */
  readonly progress: Int32Array
  /** What all items share. */
  readonly shared: unknown
}

/** Of a batch: there is nothing left of it to work on. */
export const FINISHED = -1
