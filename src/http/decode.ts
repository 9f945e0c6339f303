/** Turns what came over the wire into typed values; nothing behind this looks at `unknown`. */
import type { Static, TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { DecodeError } from '../model/errors.ts'
import { didYouMean } from '../model/near.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../model/json.ts'

/** Deepest nesting of a JSON document; deeper ones are refused rather than walked. */
const MAX_DEPTH = 100

/**
 * A decoder for one shape; unknown members pass, unless the shape refuses them (`additionalProperties: false`).
 * @throws DecodeError with the path of the first fault
 */
export function decoder<T extends TSchema>(schema: T, what: string): (value: unknown) => Static<T> {
  const validator = Compile(schema)
  return (value) => {
    if (validator.Check(value)) return value
    const errors = [...validator.Errors(value)]
    const error =
      errors.find((one) => one.keyword === 'additionalProperties') ?? errors.find((one) => one.keyword !== 'anyOf')
    if (error?.keyword === 'required') {
      const [missing = ''] = error.params.requiredProperties
      throw new DecodeError(`${what}: the parameter ${missing} is required`, {
        path: `${error.instancePath}/${missing}`,
      })
    }
    if (error?.keyword === 'additionalProperties') {
      const [unknown = ''] = error.params.additionalProperties
      const near = didYouMean(unknown, Object.keys('properties' in schema ? Object(schema.properties) : {}))
      throw new DecodeError(`${what}: there is no parameter ${unknown.slice(0, 100)}${near}`, {
        path: `${error.instancePath}/${unknown.slice(0, 100)}`,
      })
    }
    throw new DecodeError(`${what}: ${error?.message ?? 'not the expected shape'}`, {
      path: error?.instancePath ?? '/',
    })
  }
}

/** Parses JSON text that must be an object, bounded in depth. @throws DecodeError */
export function parseJsonObject(text: string, what: string): JsonObject {
  const value = parseJson(text, what)
  if (!isJsonObject(value)) throw new DecodeError(`${what}: not a JSON object`, { path: '/' })
  return value
}

/** Parses JSON text, bounded in depth and without the key `__proto__`. @throws DecodeError */
export function parseJson(text: string, what: string): JsonValue {
  let value: JsonValue
  try {
    value = JSON.parse(text) as JsonValue
  } catch (cause) {
    throw new DecodeError(`${what}: not JSON`, {}, { cause })
  }
  requireHarmless(value, what)
  return value
}

/** @throws DecodeError for a document that is nested too deeply, or has the key `__proto__` */
export function requireHarmless(value: unknown, what: string, depth = 0): void {
  if (typeof value !== 'object' || value === null) return
  if (depth >= MAX_DEPTH) throw new DecodeError(`${what}: nested deeper than ${MAX_DEPTH} levels`, {})
  if (Array.isArray(value)) {
    for (const item of value) requireHarmless(item, what, depth + 1)
    return
  }
  if (Object.hasOwn(value, '__proto__')) throw new DecodeError(`${what}: the key __proto__ is not allowed`, {})
  for (const member of Object.values(value)) requireHarmless(member, what, depth + 1)
}
