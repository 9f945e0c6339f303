/**
 * Avro schemas (specification 1.12, "Schema Declaration") as plain data: names are resolved, a type that is used again is
 * the same object. What schemas carry besides (logical types, properties of their own) is kept as it stands.
 */
import { DecodeError } from '../../../model/errors.ts'
import { isJsonObject, textAt, type JsonObject, type JsonValue } from '../../../model/json.ts'
import { didYouMean } from '../../../model/near.ts'

const PRIMITIVES = ['null', 'boolean', 'int', 'long', 'float', 'double', 'bytes', 'string'] as const
type Primitive = (typeof PRIMITIVES)[number]

interface Described {
  readonly doc?: string | undefined
  /** Attributes that the specification does not reserve: `logicalType`, `precision`, and whatever else stands there. */
  readonly props: JsonObject
}

interface Named extends Described {
  /** Without its namespace. */
  readonly name: string
}

export interface AvroRecord extends Named {
  readonly kind: 'record'
  readonly fields: readonly AvroField[]
}

export interface AvroField extends Named {
  readonly type: AvroType
  readonly default?: JsonValue | undefined
}

export type AvroType =
  | AvroRecord
  | (Named & { readonly kind: 'enum' | 'fixed' })
  | (Described & { readonly kind: Primitive })
  | (Described & { readonly kind: 'array' | 'map'; readonly items: AvroType })
  | (Described & { readonly kind: 'union'; readonly members: readonly AvroType[] })

const RESERVED = new Set([
  'type',
  'name',
  'namespace',
  'aliases',
  'fields',
  'items',
  'size',
  'symbols',
  'values',
  'doc',
  'default',
  'order',
])

/** Deeper ones nobody writes, and a reader that calls itself has to end somewhere. */
const DEEPEST = 100

/** @param file for messages @throws DecodeError at the file and the path of keys */
export function parseAvroSchema(text: string, file: string): AvroType {
  return new SchemaReader(file).read(parseJson(text, file), { path: [], namespace: '' })
}

function parseJson(text: string, file: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue
  } catch (error) {
    const remedy = 'an Avro schema is JSON (.avsc); have one made of IDL (.avdl) by avro-tools idl2schemata'
    throw new DecodeError(`it is not JSON: ${(error as Error).message}`, { file }, { cause: error, remedy })
  }
}

interface Place {
  readonly path: readonly (string | number)[]
  /** Of the type around it: names without a dot belong to it. */
  readonly namespace: string
}

class SchemaReader {
  readonly #file: string
  /** By full name. */
  readonly #named = new Map<string, AvroType>()

  constructor(file: string) {
    this.#file = file
  }

  read(schema: JsonValue | undefined, place: Place): AvroType {
    if (place.path.length > DEEPEST) throw this.#error('nested too deeply', place)
    if (typeof schema === 'string') return this.#byName(schema, {}, place)
    if (Array.isArray(schema)) return this.#union(schema, place)
    if (!isJsonObject(schema)) throw this.#error('a type is a name, an object or a list', place)
    const { type } = schema
    // Some writers wrap a type once more than they have to.
    if (typeof type !== 'string') return this.read(type, below(place, 'type'))
    switch (type) {
      case 'record':
      case 'error':
        return this.#record(schema, place)
      case 'enum':
      case 'fixed':
        return this.#keep({ kind: type, ...this.#headOf(schema, place) }, schema, place)
      case 'array':
        return { kind: type, ...described(schema), items: this.read(schema['items'], below(place, 'items')) }
      case 'map':
        return { kind: type, ...described(schema), items: this.read(schema['values'], below(place, 'values')) }
      default:
        return this.#byName(type, schema, place)
    }
  }

  #byName(name: string, schema: JsonObject, place: Place): AvroType {
    const primitive = PRIMITIVES.find((kind) => kind === name)
    if (primitive !== undefined) return { kind: primitive, ...described(schema) }
    const found = this.#named.get(fullName(name, place.namespace)) ?? this.#named.get(name)
    if (found !== undefined) return found
    const hint = didYouMean(name, [...PRIMITIVES, ...this.#named.keys()])
    throw this.#error(`there is no type ${JSON.stringify(name)}${hint}`, place)
  }

  #union(members: readonly JsonValue[], place: Place): AvroType {
    const types = members.map((member, index) => this.read(member, below(place, index)))
    if (types.length === 0) throw this.#error('a union needs a member', place)
    if (types.some((type) => type.kind === 'union')) throw this.#error('a union holds no other union', place)
    return { kind: 'union', members: types, props: {} }
  }

  #record(schema: JsonObject, place: Place): AvroRecord {
    const fields: AvroField[] = []
    // Known by its name before its fields are read, which may be of this very type.
    const record = this.#keep({ kind: 'record', ...this.#headOf(schema, place), fields }, schema, place)
    const { fields: listed } = schema
    if (!Array.isArray(listed)) throw this.#error('a record has a list of fields', place)
    const inner = { ...place, namespace: namespaceOf(schema, place.namespace) }
    for (const [index, field] of listed.entries()) fields.push(this.#field(field, below(inner, 'fields', index)))
    const twice = fields.find((field, index) => fields.findIndex((other) => other.name === field.name) < index)
    if (twice !== undefined) throw this.#error(`the field ${JSON.stringify(twice.name)} stands twice`, place)
    return record
  }

  #field(field: JsonValue, place: Place): AvroField {
    if (!isJsonObject(field)) throw this.#error('a field is an object', place)
    const type = this.read(field['type'], below(place, 'type'))
    return { ...this.#headOf(field, place), type, default: field['default'] }
  }

  #headOf(schema: JsonObject, place: Place): Named {
    const name = textAt(schema, 'name')
    if (name === undefined || name === '') throw this.#error('it needs a name', place)
    return { name: name.slice(name.lastIndexOf('.') + 1), ...described(schema) }
  }

  #keep<T extends AvroType>(type: T, schema: JsonObject, place: Place): T {
    const name = fullName(textAt(schema, 'name') ?? '', namespaceOf(schema, place.namespace))
    if (this.#named.has(name)) throw this.#error(`the type ${JSON.stringify(name)} is defined twice`, place)
    this.#named.set(name, type)
    return type
  }

  #error(what: string, { path }: Place): DecodeError {
    return new DecodeError(what, { file: this.#file, path: path.length === 0 ? '(root)' : path.join('.') })
  }
}

function below({ path, namespace }: Place, ...keys: readonly (string | number)[]): Place {
  return { path: [...path, ...keys], namespace }
}

function described(schema: JsonObject): Described {
  const props = Object.fromEntries(Object.entries(schema).filter(([key]) => !RESERVED.has(key)))
  return { doc: textAt(schema, 'doc'), props }
}

/** A name with dots is full already (specification, "Names"). */
function namespaceOf(schema: JsonObject, around: string): string {
  const name = textAt(schema, 'name') ?? ''
  const end = name.lastIndexOf('.')
  return end === -1 ? (textAt(schema, 'namespace') ?? around) : name.slice(0, end)
}

function fullName(name: string, namespace: string): string {
  return name.includes('.') || namespace === '' ? name : `${namespace}.${name}`
}
