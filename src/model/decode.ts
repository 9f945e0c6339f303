/**
 * From `unknown` to a type, in one place: a TypeBox schema, its defaults, and errors that a person can act on. The same
 * decoder serves configuration files, job input, YAML imports and request bodies that do not go through fastify.
 */
import type { Static, TSchema } from 'typebox'
import { Value } from 'typebox/value'
import { DecodeError, formatPlace, type Place } from './errors.ts'
import { didYouMean } from './near.ts'

type SchemaErrors = ReturnType<typeof Value.Errors>
type SchemaError = SchemaErrors[number]

/** Finds the place of a path (keys from the root) in the text that the value was read from. */
export type Locate = (path: readonly string[], of: 'key' | 'value') => Place

/** One thing that is wrong with a value. */
interface Problem {
  readonly place: Place
  readonly what: string
}

/**
 * Checks `value` against `schema` after filling in the schema's defaults; the value handed in is not changed.
 * @throws DecodeError naming the first problem's place, with a line for each further one (at most 20)
 */
export function decode<S extends TSchema>(schema: S, value: unknown, locate: Locate = pathOnly): Static<S> {
  const completed = Value.Default(schema, structuredClone(value))
  if (Value.Check(schema, completed)) return completed
  const problems = Value.Errors(schema, completed).flatMap((error) => describe(error, schema, completed, locate))
  throw toError(distinct(problems))
}

function pathOnly(path: readonly string[]): Place {
  return { path: path.length === 0 ? '(root)' : path.join('.') }
}

function toError(problems: readonly Problem[]): DecodeError {
  const [first = { place: {}, what: 'does not have the expected shape' }, ...rest] = problems
  const lines = rest.slice(0, 19).map(({ place, what }) => `\n${formatPlace(place)}: ${what}`)
  return new DecodeError(first.what + lines.join(''), first.place)
}

function distinct(problems: readonly Problem[]): readonly Problem[] {
  const byText = new Map(problems.map((problem) => [`${formatPlace(problem.place)} ${problem.what}`, problem]))
  return [...byText.values()]
}

function describe(error: SchemaError, schema: TSchema, value: unknown, locate: Locate): readonly Problem[] {
  const path = pointerSegments(error.instancePath)
  const node = schemaAt(schema, path)
  switch (error.keyword) {
    case 'additionalProperties':
      return error.params.additionalProperties.map((key) => ({
        place: locate([...path, key], 'key'),
        what: `unknown key ${JSON.stringify(key)}${didYouMean(key, Object.keys(propertiesOf(node)))}`,
      }))
    case 'required':
      // Keys with defaults are listed beside the missing one although they were filled in.
      return error.params.requiredProperties
        .filter((key) => !hasKey(valueAt(value, path), key))
        .map((key) => ({ place: locate(path, 'key'), what: `missing key ${JSON.stringify(key)}` }))
    case 'boolean':
    case 'anyOf':
      return []
    default:
      return [{ place: locate(path, 'value'), what: expectation(error, node, valueAt(value, path)) }]
  }
}

function expectation(error: SchemaError, node: TSchema | undefined, found: unknown): string {
  const shown = shorten(found)
  const choices = choicesOf(node)
  if (choices.length > 0) {
    const hint = typeof found === 'string' ? didYouMean(found, choices) : ''
    return `${shown} is not one of ${choices.join(', ')}${hint}`
  }
  switch (error.keyword) {
    case 'type':
      return `expected ${String(error.params.type)}, found ${shown}`
    default:
      return `${shown} ${error.message}`
  }
}

/** The texts allowed at a place: of an enum, or of a union of literals. */
function choicesOf(node: TSchema | undefined): readonly string[] {
  const fields = (node ?? {}) as { readonly enum?: readonly unknown[]; readonly anyOf?: readonly { const?: unknown }[] }
  if (fields.enum !== undefined) return fields.enum.map(String)
  const literals = fields.anyOf?.map((branch) => branch.const) ?? []
  return literals.includes(undefined) ? [] : literals.map(String)
}

function propertiesOf(node: TSchema | undefined): Readonly<Record<string, TSchema>> {
  const fields: { readonly properties?: Record<string, TSchema> } = node ?? {}
  return fields.properties ?? {}
}

/** The part of the schema that speaks of a path; undefined where the path leaves it. */
function schemaAt(schema: TSchema, path: readonly string[]): TSchema | undefined {
  let node: TSchema | undefined = schema
  for (const key of path) {
    const fields: { readonly items?: TSchema; readonly patternProperties?: Record<string, TSchema> } = node ?? {}
    node = propertiesOf(node)[key] ?? fields.items ?? Object.values(fields.patternProperties ?? {})[0]
  }
  return node
}

function valueAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((at, key) => (hasKey(at, key) ? at[key] : undefined), value)
}

function hasKey(value: unknown, key: string): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key)
}

function pointerSegments(pointer: string): readonly string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'))
}

function shorten(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length > 80 ? `${text.slice(0, 77)}…` : text
}
