/** How two states of an aspect differ, for people: one line a difference, lists by their items. */
import { canonicalJson, isJsonObject, objectsAt, textAt, type JsonObject, type JsonValue } from '../model/json.ts'

/** Keys that change with every write and say nothing. */
export const STAMPS = new Set(['created', 'lastModified', 'auditStamp'])

/**
 * `+ tags: urn:li:tag:pii`, `- upstreams: …`, `~ description: "a" → "b"`.
 * @param before undefined where there was nothing
 */
export function describeDifference(before: JsonObject | undefined, after: JsonObject): readonly string[] {
  return objectLines(before ?? {}, after, '')
}

const MOST_SHOWN = 120

/** The operations of a patch, as they are sent: `add /tags/urn:li:tag:pii`. */
export function describePatch(patch: JsonObject): readonly string[] {
  return objectsAt(patch, 'patch').map((operation) => `${textAt(operation, 'op')} ${textAt(operation, 'path')}`)
}

function objectLines(before: JsonObject, after: JsonObject, path: string): readonly string[] {
  const keys = new Set([...Object.keys(before), ...Object.keys(after)])
  return [...keys]
    .filter((key) => !STAMPS.has(key))
    .flatMap((key) => valueLines(before[key], after[key], path === '' ? key : `${path}.${key}`))
}

function valueLines(before: JsonValue | undefined, after: JsonValue | undefined, path: string): readonly string[] {
  if (before !== undefined && after !== undefined && canonicalJson(before) === canonicalJson(after)) return []
  if (Array.isArray(before ?? []) && Array.isArray(after ?? [])) {
    return listLines((before ?? []) as readonly JsonValue[], (after ?? []) as readonly JsonValue[], path)
  }
  if (isJsonObject(before) && isJsonObject(after)) return objectLines(before, after, path)
  if (before === undefined) return [`+ ${path}: ${brief(after)}`]
  if (after === undefined) return [`- ${path}: ${brief(before)}`]
  return [`~ ${path}: ${brief(before)} → ${brief(after)}`]
}

/** Items with a key of their own are compared inside; others come and go as a whole. */
function listLines(before: readonly JsonValue[], after: readonly JsonValue[], path: string): readonly string[] {
  const held = new Map(before.map((item) => [keyOf(item), item]))
  const lines: string[] = []
  for (const item of after) {
    const key = keyOf(item)
    const former = held.get(key)
    held.delete(key)
    if (former === undefined) lines.push(`+ ${path}: ${itemText(item)}`, ...insideNew(item, `${path}[${key}]`))
    else if (isJsonObject(former) && isJsonObject(item)) lines.push(...objectLines(former, item, `${path}[${key}]`))
  }
  return [...lines, ...[...held.values()].map((item) => `- ${path}: ${itemText(item)}`)]
}

/** An item by its key; with its values, where it is them that matter (structured properties). */
function itemText(item: JsonValue): string {
  const values = isJsonObject(item) ? item['values'] : undefined
  if (!Array.isArray(values)) return brief(item)
  return cut(`${brief(item)} = ${values.map((value: JsonValue) => brief(value)).join(', ')}`)
}

/** What is said of a column for the first time. Of new columns of a schema their names are enough. */
function insideNew(item: JsonValue, path: string): readonly string[] {
  if (!isJsonObject(item) || !path.startsWith('editableSchemaFieldInfo[')) return []
  const { fieldPath: _key, ...rest } = item
  return objectLines({}, rest, path)
}

/** By which items of lists are told apart. */
export const ITEM_KEYS: readonly string[] = [
  'tag',
  'urn',
  'owner',
  'propertyUrn',
  'fieldPath',
  'dataset',
  'downstreams',
]

function keyOf(item: JsonValue): string {
  if (!isJsonObject(item)) return canonicalJson(item)
  const key = ITEM_KEYS.find((name) => item[name] !== undefined)
  return key === undefined ? canonicalJson(item) : brief(item[key])
}

function brief(value: JsonValue | undefined): string {
  if (typeof value === 'string') return cut(value)
  if (isJsonObject(value)) {
    const key = ITEM_KEYS.find((name) => value[name] !== undefined)
    const only = Object.values(value)
    if (key !== undefined) return brief(value[key])
    if (only.length === 1) return brief(only[0])
  }
  if (Array.isArray(value) && value.length === 1) return brief(value[0] as JsonValue)
  return cut(canonicalJson(value ?? null))
}

/** On one line, and without what a terminal would obey. */
function cut(text: string): string {
  const shown = text.slice(0, MOST_SHOWN).replaceAll(/\p{Cc}/gu, escaped)
  return text.length > MOST_SHOWN || shown.length > MOST_SHOWN ? `${shown.slice(0, MOST_SHOWN - 1)}…` : shown
}

function escaped(control: string): string {
  if (control === '\n') return '\\n'
  return `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`
}
