/** What rows ask for, as plain data: of one row, and of all rows of an entity together. */
import { canonicalJson, type JsonObject, type JsonValue } from '../model/json.ts'
import type { Urn } from '../model/urn.ts'

/** Items of a list in an aspect, as the aspect writes them: `{tag}`, `{urn}`, `{owner, type}`, a property's value. */
export interface ListEdit extends JsonObject {
  readonly replace: boolean
  readonly add: readonly JsonObject[]
  readonly remove: readonly JsonObject[]
}

/** What is asked of an entity, or of one of its columns. An absent key leaves things as they are, `null` clears. */
export interface Edits {
  readonly tags?: ListEdit
  readonly terms?: ListEdit
  readonly owners?: ListEdit
  readonly description?: string | null
  readonly domain?: string | null
  /** By the property's URN. */
  readonly properties?: Readonly<Record<string, ListEdit>>
}

/** One row that was understood. Plain data, so that it can wait in a file. */
export interface EditRow {
  readonly file: string
  readonly line: number
  readonly text: string
  readonly urn: Urn
  /** Of a column; absent where the row speaks of the entity itself. */
  readonly fieldPath?: string
  readonly edits: Edits
}

/** Both together. */
export function joinLists(a: ListEdit | undefined, b: ListEdit | undefined): ListEdit | undefined {
  if (a === undefined || b === undefined) return a ?? b
  return {
    replace: a.replace || b.replace,
    add: distinct([...a.add, ...b.add]),
    remove: distinct([...a.remove, ...b.remove]),
  }
}

/** Whether one adds what the other takes away, or clears what the other fills. */
function contradict(a: ListEdit | undefined, b: ListEdit | undefined): boolean {
  if (a === undefined || b === undefined) return false
  if (clears(a) !== clears(b) && (a.add.length > 0 || b.add.length > 0)) return true
  if (a.remove.length === 0 && b.remove.length === 0) return false
  const taken = new Set([...a.remove, ...b.remove].map(canonicalJson))
  return [...a.add, ...b.add].some((item) => taken.has(canonicalJson(item)))
}

function clears({ replace, add }: ListEdit): boolean {
  return replace && add.length === 0
}

/**
 * Both together, or the name of what they contradict each other in: a description, a domain, a property that holds one
 * value, an item that one adds and the other takes away.
 */
export function joinEdits(
  a: Edits,
  b: Edits,
  isSingle: (property: string) => boolean,
): Edits | { readonly contradiction: string } {
  for (const key of ['description', 'domain'] as const) {
    if (a[key] !== undefined && b[key] !== undefined && a[key] !== b[key]) return { contradiction: key }
  }
  for (const key of ['tags', 'terms', 'owners'] as const) if (contradict(a[key], b[key])) return { contradiction: key }
  const properties: Record<string, ListEdit> = { ...a.properties }
  for (const [urn, edit] of Object.entries(b.properties ?? {})) {
    if (contradict(properties[urn], edit)) return { contradiction: urn }
    const joined = joinLists(properties[urn], edit)
    if (joined === undefined) continue
    if (isSingle(urn) && joined.add.length > 1) return { contradiction: urn }
    properties[urn] = joined
  }
  return {
    ...withoutAbsent({
      tags: joinLists(a.tags, b.tags),
      terms: joinLists(a.terms, b.terms),
      owners: joinLists(a.owners, b.owners),
      description: b.description === undefined ? a.description : b.description,
      domain: b.domain === undefined ? a.domain : b.domain,
    }),
    ...(Object.keys(properties).length === 0 ? {} : { properties }),
  }
}

/** A copy without the keys that hold nothing. */
export function withoutAbsent<T extends object>(value: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const copy: Record<string, unknown> = {}
  for (const [key, held] of Object.entries(value)) if (held !== undefined) copy[key] = held
  return copy as never
}

function distinct<T extends JsonValue>(items: readonly T[]): readonly T[] {
  return [...new Map(items.map((item) => [canonicalJson(item), item])).values()]
}
