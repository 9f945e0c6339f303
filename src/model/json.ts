/** A JSON value as it comes from and goes to the wire. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject
export interface JsonObject {
  readonly [key: string]: JsonValue
}

/** True for a JSON object: not null, not a list. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The text under a key of a JSON object; undefined where there is none. */
export function textAt(value: unknown, key: string): string | undefined {
  const found = isJsonObject(value) ? value[key] : undefined
  return typeof found === 'string' ? found : undefined
}

/** The number under a key of a JSON object; undefined where there is none. */
export function numberAt(value: unknown, key: string): number | undefined {
  const found = isJsonObject(value) ? value[key] : undefined
  return typeof found === 'number' ? found : undefined
}

/** The objects of the list under a key of a JSON object; anything else in it is left out. */
export function objectsAt(value: unknown, key: string): readonly JsonObject[] {
  const found = isJsonObject(value) ? value[key] : undefined
  return Array.isArray(found) ? found.filter(isJsonObject) : []
}

/**
 * JSON text that is the same for equal values whatever the order of their keys: keys sorted, no white space.
 * Two aspects are equal exactly when their canonical texts are.
 */
export function canonicalJson(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (!isJsonObject(value)) return JSON.stringify(value)
  const keys = Object.keys(value).toSorted()
  const members = keys.map((key) => `${JSON.stringify(key)}:${canonicalJson(value[key] ?? null)}`)
  return `{${members.join(',')}}`
}

/** Whether two values are equal whatever the order of their keys: exactly when their canonical texts are. */
export function sameJson(a: JsonValue, b: JsonValue): boolean {
  if (a === b) return true
  if (Array.isArray(a)) {
    return Array.isArray(b) && a.length === b.length && a.every((item, i) => sameJson(item, b[i] as JsonValue))
  }
  if (!isJsonObject(a) || !isJsonObject(b)) return false
  const keys = Object.keys(a)
  if (keys.length !== Object.keys(b).length) return false
  return keys.every((key) => Object.hasOwn(b, key) && sameJson(a[key] ?? null, b[key] ?? null))
}

/**
 * JSON text with every character above U+007F escaped. `GenericAspect.value` is bytes on rest.li, so a real DataHub
 * reads unescaped text as one byte a character (contract §13, trap 1).
 */
export function asciiJson(value: JsonValue): string {
  const text = JSON.stringify(value)
  // Nearly every text is ASCII, and looking costs less than replacing nothing.
  if (!/[\u0080-\uffff]/.test(text)) return text
  return text.replaceAll(/[\u0080-\uffff]/g, (char) => {
    return `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`
  })
}

/** A scalar as text: strings as they are, numbers and booleans written out, anything else as JSON. */
export function textOf(value: JsonValue | undefined): string {
  if (value === undefined) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** The objects of a list; empty for anything else. */
export function objectsOf(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : []
}

/** All strings at a path of keys; lists on the way are walked through. */
export function stringsAt(value: JsonValue | undefined, ...path: readonly string[]): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((item: JsonValue) => stringsAt(item, ...path))
  const [key, ...rest] = path
  if (key === undefined) return typeof value === 'string' ? [value] : []
  return isJsonObject(value) ? stringsAt(value[key], ...rest) : []
}
