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

/** A batch on its way into a worker. */
export interface Task<Item> {
  readonly items: readonly Item[]
  /** Shared with the worker, which writes here the number (from 1) of the item that it works on. */
  readonly progress: Int32Array
  /** What all items share. */
  readonly shared: unknown
}
