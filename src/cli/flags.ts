/** The input schema of a job as flags of its command: `maxRows` becomes `--max-rows`. */
import { InvalidArgumentError, Option, type Command } from 'commander'
import type { TObject } from 'typebox'
import { didYouMean } from '../model/near.ts'
import { UsageError } from './exit-codes.ts'

/** What is read of a property's JSON schema. */
interface PropertySchema {
  readonly type?: string
  readonly enum?: readonly string[]
  readonly anyOf?: readonly { readonly const?: unknown }[]
  readonly items?: PropertySchema
  readonly description?: string
  readonly default?: unknown
}

/** Adds a flag for each key of the schema; keys in `except` are the command's own. */
export function addInputFlags(command: Command, input: TObject, except: ReadonlySet<string> = new Set()): void {
  for (const [key, property] of Object.entries(input.properties)) {
    if (except.has(key)) continue
    for (const option of optionsOf(key, property)) command.addOption(option)
  }
}

/**
 * The input that the flags spell, by the schema's keys; only what was given.
 * @throws UsageError for a key that must be there and is not
 */
export function inputFromFlags(
  values: Readonly<Record<string, unknown>>,
  input: TObject,
): Readonly<Record<string, unknown>> {
  const given = Object.keys(input.properties).filter((key) => values[camelCaseFlag(key)] !== undefined)
  const missing = requiredKeys(input).filter((key) => !given.includes(key))
  if (missing.length > 0) {
    const flags = missing.map((key) => `--${kebabCase(key)}`)
    throw new UsageError(`${flags.join(', ')} must be given`, { remedy: 'add --help to see what each flag takes' })
  }
  return Object.fromEntries(given.map((key) => [key, values[camelCaseFlag(key)]]))
}

/** The keys without which a job has nothing to do: no default stands in for them. */
function requiredKeys({ properties, required }: TObject): readonly string[] {
  const keys: readonly string[] = required ?? []
  return keys.filter((key) => {
    const property: PropertySchema | undefined = properties[key]
    return property?.default === undefined
  })
}

/** `maxRows` → `max-rows`. */
export function kebabCase(key: string): string {
  return key.replaceAll(/([a-z0-9])([A-Z])/g, '$1-$2').toLowerCase()
}

/** The name under which commander keeps the value of `--kebab-case`. */
export function camelCaseFlag(key: string): string {
  return kebabCase(key).replaceAll(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
}

function optionsOf(key: string, property: PropertySchema): readonly Option[] {
  const flag = `--${kebabCase(key)}`
  const description = describe(property)
  if (property.type === 'boolean') {
    return [new Option(flag, description), new Option(`--no-${kebabCase(key)}`, '').hideHelp()]
  }
  const choices = choicesOf(property)
  if (choices.length > 0) {
    return [new Option(`${flag} <choice>`, `${description} (${choices.join(', ')})`).argParser(choiceOf(choices))]
  }
  switch (property.type) {
    case 'integer':
    case 'number':
      return [new Option(`${flag} <number>`, description).argParser(toNumber)]
    case 'array':
      return [listOption(flag, description, property.items)]
    case 'object':
      return [new Option(`${flag} <name=value...>`, `${description}; or JSON`).argParser(toMapping)]
    default:
      return [new Option(`${flag} <text>`, description)]
  }
}

function listOption(flag: string, description: string, items: PropertySchema | undefined): Option {
  const isNumber = items?.type === 'integer' || items?.type === 'number'
  const option = new Option(`${flag} <${isNumber ? 'numbers' : 'values'}...>`, description)
  return isNumber ? option.argParser((text: string, before: unknown) => [...listOf(before), toNumber(text)]) : option
}

function listOf(before: unknown): readonly unknown[] {
  return Array.isArray(before) ? before : []
}

function describe({ description = '', default: preset }: PropertySchema): string {
  return preset === undefined ? description : `${description} [${JSON.stringify(preset)}]`
}

function choicesOf({ enum: values, anyOf }: PropertySchema): readonly string[] {
  if (values !== undefined) return values
  const literals = anyOf?.map((branch) => branch.const) ?? []
  return literals.every((literal) => typeof literal === 'string') ? literals : []
}

function choiceOf(choices: readonly string[]): (text: string) => string {
  return (text) => {
    if (choices.includes(text)) return text
    throw new InvalidArgumentError(`It is one of ${choices.join(', ')}${didYouMean(text, choices)}`)
  }
}

function toNumber(text: string): number {
  const value = Number(text)
  if (text.trim() === '' || Number.isNaN(value)) throw new InvalidArgumentError('It is a number.')
  return value
}

/** A count on the command line: a whole number of 1 or more. */
export function countOf(text: string): number {
  const count = Number(text)
  if (!Number.isInteger(count) || count < 1) throw new InvalidArgumentError('It must be a whole number of 1 or more.')
  return count
}

/** The address of a catalog, for a flag of a command. */
export function catalogUrlOf(text: string): string {
  if (/^https?:\/\/[^/]/.test(text)) return text
  throw new InvalidArgumentError('It is an address, for example http://localhost:8080; a connection goes by --to NAME.')
}

/** A TCP port, for a flag of a command. */
export function portOf(text: string): number {
  const port = Number(text)
  if (text.trim() !== '' && Number.isInteger(port) && port >= 0 && port <= 65_535) return port
  throw new InvalidArgumentError('It is a whole number from 0 to 65535.')
}

/** `a=b c=d`, or a JSON object; pairs add up. */
function toMapping(text: string, before: unknown): unknown {
  if (text.trimStart().startsWith('{')) return toJson(text)
  const [name = '', ...value] = text.split('=')
  if (name === '' || value.length === 0) {
    throw new InvalidArgumentError('It is name=value, several of them, or JSON, for example {"a":"b"}.')
  }
  return { ...(before as object | undefined), [name]: value.join('=') }
}

function toJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new InvalidArgumentError('It is JSON, for example {"a":1}.')
  }
}
