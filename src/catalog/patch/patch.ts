/**
 * JSON patch over aspects (contract §6). Lists are addressed by the keys of their items, not by position:
 * `/properties/urn:li:structuredProperty:x` is the item of `properties` whose `propertyUrn` is x. The keys come with
 * the patch (`arrayPrimaryKeys`) or from the aspect's template. `add` on an item that is there replaces it in its place,
 * a new item goes last, removing what is absent changes nothing, and missing parents are made.
 */
import { isJsonObject, type JsonObject, type JsonValue } from '../../model/json.ts'
import type { PatchOperation } from '../../model/proposal.ts'
import { InvalidWriteError } from '../errors.ts'
import { flattenFineGrained, regroupFineGrained } from './fine-grained.ts'
import { templateOf, type ListKeys } from './templates.ts'

export interface PatchDocument {
  readonly patch: readonly PatchOperation[]
  /** Field of a list, the keys of its items; `a␟b` is a nested key, no keys mean that the items are their own. */
  readonly arrayPrimaryKeys: ListKeys
}

const OPERATIONS = ['add', 'remove', 'replace'] as const
/** Most operations of one patch. */
const MAX_OPERATIONS = 10_000

/** Reads `{patch, arrayPrimaryKeys?}`. @throws InvalidWriteError */
export function decodePatch(value: JsonObject): PatchDocument {
  const operations = value.patch
  if (!Array.isArray(operations)) throw new InvalidWriteError('A patch is an object with a list `patch` of operations')
  if (operations.length > MAX_OPERATIONS)
    throw new InvalidWriteError(`A patch has at most ${MAX_OPERATIONS} operations`)
  return {
    patch: operations.map((operation: JsonValue, index: number) => decodeOperation(operation, index)),
    arrayPrimaryKeys: decodeKeys(value.arrayPrimaryKeys),
  }
}

/** @returns the patched value; what is stored is not touched. @throws InvalidWriteError */
export function applyPatch(aspect: string, stored: JsonObject | undefined, document: PatchDocument): JsonValue {
  const template = templateOf(aspect)
  const keys = { ...template.keys, ...document.arrayPrimaryKeys }
  const start: JsonObject = { ...template.empty, ...stored }
  const flat = template.fineGrained ? flattenFineGrained(start) : start
  const result = document.patch.reduce<JsonValue>(
    (value, operation) => change(value, segmentsOf(operation.path), [], { operation, keys }),
    flat,
  )
  return template.fineGrained && isJsonObject(result) ? regroupFineGrained(result) : result
}

interface Step {
  readonly operation: PatchOperation
  readonly keys: ListKeys
}

/**
 * The value with the operation carried out at `rest` below it.
 * @param field the names of the fields that lead here, list items left out
 */
function change(
  value: JsonValue | undefined,
  rest: readonly string[],
  field: readonly string[],
  step: Step,
): JsonValue {
  if (rest.length === 0) return whole(value, field, step)
  const keys = keysAt(field, step.keys)
  if (keys !== undefined) return changeKeyedList(Array.isArray(value) ? value : [], keys, rest, field, step)
  if (Array.isArray(value)) return changeList(value, rest, field, step)
  return changeObject(isJsonObject(value) ? value : {}, rest, field, step)
}

/** The operation's own target: an object, a scalar, or a list as a whole. */
function whole(value: JsonValue | undefined, field: readonly string[], step: Step): JsonValue {
  const { op, value: given = null } = step.operation
  if (op !== 'remove') return given
  return keysAt(field, step.keys) === undefined ? (value ?? null) : []
}

function changeObject(value: JsonObject, rest: readonly string[], field: readonly string[], step: Step): JsonValue {
  const [name = '', ...deeper] = rest
  const path = [...field, name]
  const { op } = step.operation
  if (op === 'remove' && !(name in value)) return value
  if (op === 'remove' && deeper.length === 0 && keysAt(path, step.keys) === undefined) {
    return Object.fromEntries(Object.entries(value).filter(([key]) => key !== name))
  }
  if (op === 'replace' && deeper.length === 0 && !(name in value)) throw absent(step)
  return { ...value, [name]: change(own(value, name), deeper, path, step) }
}

function changeList(
  value: readonly JsonValue[],
  rest: readonly string[],
  field: readonly string[],
  step: Step,
): JsonValue {
  const [position = '', ...deeper] = rest
  const { op, value: given = null } = step.operation
  const index = position === '-' ? value.length : Number(position)
  if (!Number.isInteger(index) || index < 0 || index > value.length) {
    throw new InvalidWriteError(`No position ${position.slice(0, 80)} in the list at /${field.join('/')}`)
  }
  if (deeper.length > 0) return value.map((item, i) => (i === index ? change(item, deeper, field, step) : item))
  if (op === 'remove') return value.filter((_, i) => i !== index)
  if (op === 'replace') return value.map((item, i) => (i === index ? given : item))
  return value.toSpliced(index, 0, given)
}

function changeKeyedList(
  list: readonly JsonValue[],
  keys: readonly string[],
  rest: readonly string[],
  field: readonly string[],
  step: Step,
): JsonValue {
  const depth = Math.max(keys.length, 1)
  const wanted = rest.slice(0, depth)
  const deeper = rest.slice(depth)
  const matches = (item: JsonValue) => wanted.every((part, index) => keyOf(item, keys, index) === part)
  const { op, value: given = null } = step.operation
  if (op === 'remove' && deeper.length === 0) return list.filter((item) => !matches(item))
  const found = indexOfTarget(list, matches, given, keys)
  if (op === 'remove' && found < 0) return list
  if (op === 'replace' && found < 0) throw absent(step)
  const filled = (item: JsonValue) => withKeys(item, keys, wanted)
  const next =
    deeper.length > 0
      ? [filled(change(found < 0 ? {} : (list[found] ?? {}), deeper, [...field, '*'], step))]
      : (Array.isArray(given) ? given : [given]).map((item: JsonValue) => filled(item))
  return found < 0 ? [...list, ...next] : list.toSpliced(found, 1, ...next)
}

/** The item to change: the one that the path names, else the one that has the keys of the given value. */
function indexOfTarget(
  list: readonly JsonValue[],
  matches: (item: JsonValue) => boolean,
  given: JsonValue,
  keys: readonly string[],
): number {
  const named = list.findIndex(matches)
  if (named >= 0 || !isJsonObject(given) || !keys.every((key) => key.includes('␟') || key in given)) return named
  return list.findIndex((item) => keys.every((_, index) => keyOf(item, keys, index) === keyOf(given, keys, index)))
}

/** The keys of the list at these fields: by its whole path, else by its own name. */
function keysAt(field: readonly string[], keys: ListKeys): readonly string[] | undefined {
  const path = field.filter((name) => name !== '*').join('/')
  return field.length === 0 || field.at(-1) === '*' ? undefined : (own(keys, path) ?? own(keys, field.at(-1) ?? ''))
}

function keyOf(item: JsonValue, keys: readonly string[], index: number): string {
  const key = keys[index]
  if (key === undefined) return typeof item === 'string' ? item : JSON.stringify(item)
  let value: JsonValue | undefined = item
  for (const name of key.split('␟')) value = isJsonObject(value) ? own(value, name) : undefined
  return value === undefined || value === null ? '' : typeof value === 'string' ? value : JSON.stringify(value)
}

/** An item with those of its keys that stood only in the path; nested keys belong to the value itself. */
function withKeys(item: JsonValue, keys: readonly string[], wanted: readonly string[]): JsonValue {
  if (!isJsonObject(item)) return item
  const missing = keys.flatMap((key, index) =>
    key.includes('␟') || key in item || (wanted[index] ?? '') === '' ? [] : [[key, wanted[index] ?? ''] as const],
  )
  return missing.length === 0 ? item : { ...Object.fromEntries(missing), ...item }
}

function absent(step: Step): InvalidWriteError {
  return new InvalidWriteError(`Nothing to replace at ${step.operation.path.slice(0, 300)}`)
}

function segmentsOf(path: string): readonly string[] {
  if (path === '') return []
  if (!path.startsWith('/'))
    throw new InvalidWriteError(`The path of a patch operation starts with /: ${path.slice(0, 100)}`)
  return path
    .slice(1)
    .split('/')
    .map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'))
}

function decodeOperation(value: JsonValue, index: number): PatchOperation {
  const op = isJsonObject(value) ? OPERATIONS.find((name) => name === value.op) : undefined
  if (!isJsonObject(value) || op === undefined || typeof value.path !== 'string') {
    throw new InvalidWriteError(`Patch operation ${index} must have op (${OPERATIONS.join(', ')}) and path`)
  }
  if (op !== 'remove' && value.value === undefined) throw new InvalidWriteError(`Patch operation ${index} has no value`)
  return { op, path: value.path, ...(value.value === undefined ? {} : { value: value.value }) }
}

function decodeKeys(value: JsonValue | undefined): ListKeys {
  if (value === undefined || value === null) return {}
  const lists = isJsonObject(value) ? Object.entries(value) : [['', null] as const]
  return Object.fromEntries(
    lists.map(([name, keys]) => {
      if (!Array.isArray(keys) || !keys.every((key): key is string => typeof key === 'string')) {
        throw new InvalidWriteError('arrayPrimaryKeys maps the field of a list to a list of key fields')
      }
      return [name, keys]
    }),
  )
}

/** Own properties only: names come from outside, and `__proto__` is a name like any other. */
function own<T>(object: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined
}
