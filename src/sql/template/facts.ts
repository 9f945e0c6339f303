/** What a template says about itself besides its text: dbt names used, configuration, definitions, odd tags. */

import { DictValue, isKnown, ListValue, type Value } from './values.ts'
import type { JsonValue } from '../../model/json.ts'

export interface RefUse {
  readonly package: string | undefined
  readonly name: string
  readonly version: string | undefined
}

export interface SourceUse {
  readonly source: string
  readonly table: string
}

/** A block that is no statement: macro, test, docs, materialization; and the snapshots that the file holds. */
export interface TemplateDefinition {
  readonly sort: string
  readonly name: string
  readonly start: number
  readonly end: number
}

/** A tag that was not understood. Offsets in the template. */
export interface TemplateNote {
  readonly message: string
  readonly start: number
  readonly end: number
}

export class Facts {
  readonly refs = new Map<string, RefUse>()
  readonly sources = new Map<string, SourceUse>()
  readonly config = new Map<string, Value>()
  readonly definitions: TemplateDefinition[] = []
  readonly notes: TemplateNote[] = []
  usesThis = false

  ref(use: RefUse): void {
    this.refs.set(`${use.package ?? ''}.${use.name}.${use.version ?? ''}`, use)
  }

  source(use: SourceUse): void {
    this.sources.set(`${use.source}.${use.table}`, use)
  }
}

/** A value as plain data; undefined where a part of it is not known. */
export function plainValue(value: Value): JsonValue | undefined {
  if (!isKnown(value)) return undefined
  if (value instanceof ListValue) return value.items.map((item) => plainValue(item) ?? null)
  if (value instanceof DictValue) {
    return Object.fromEntries([...value.entries].map(([key, item]) => [key, plainValue(item) ?? null]))
  }
  if (value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    return value
  return undefined
}

/** Plain data as a value of templates. */
export function valueOf(plain: JsonValue): Value {
  if (Array.isArray(plain)) return new ListValue((plain as readonly JsonValue[]).map(valueOf))
  if (plain !== null && typeof plain === 'object') {
    return new DictValue(
      Object.entries(plain as { readonly [key: string]: JsonValue }).map(([key, item]) => [key, valueOf(item)]),
    )
  }
  return plain
}
