/**
 * An Avro schema to the columns of a dataset, as DataHub's own converter makes them: field paths of version 2, with the
 * type of every step in brackets, one entry for each field, for each member of a union and for each field within.
 *
 *     {name: u, type: ["null", "string", "int"]} ─►  [version=2.0].[type=click].[type=union].u
 *                                                    [version=2.0].[type=click].[type=union].[type=string].u
 *                                                    [version=2.0].[type=click].[type=union].[type=int].u
 *
 * Where it differs: `nativeDataType` is the type, not the field's name; a record within itself is `recursive` and ends
 * there (the original gives up the whole schema where it is optional); defaults are written as in JSON.
 */
import { DecodeError } from '../../../model/errors.ts'
import { textAt, textOf, type JsonObject } from '../../../model/json.ts'
import { withoutAbsent } from '../../edits.ts'
import type { AvroField, AvroRecord, AvroType } from './schema.ts'

/** More columns than any table has; types that are used again and again within each other make millions of few lines. */
const MOST_FIELDS = 20_000

/** @param file for messages @throws DecodeError for a schema of too many columns */
export function avroFields(schema: AvroType, file: string): readonly JsonObject[] {
  const columns = new Columns(file)
  columns.add(schema, { path: ['[version=2.0]'], field: undefined, open: [] })
  return columns.found
}

/** Where the reader stands. */
interface Place {
  readonly path: readonly string[]
  /** The innermost field around it. */
  readonly field: AvroField | undefined
  /** Records around it. */
  readonly open: readonly AvroRecord[]
}

class Columns {
  readonly found: JsonObject[] = []
  readonly #file: string

  constructor(file: string) {
    this.#file = file
  }

  add(type: AvroType, place: Place): void {
    const bare = withoutNull(type)
    const inside = { ...place, path: [...place.path, `[type=${annotationOf(bare)}]`] }
    switch (bare.kind) {
      case 'record':
        this.#addRecord(bare, inside)
        break
      case 'array':
      case 'map':
        this.add(bare.items, inside)
        break
      case 'union':
        this.#emit(type, inside)
        for (const member of bare.members) if (member.kind !== 'null') this.add(member, inside)
        break
      default:
        this.#emit(type, inside)
    }
  }

  #addRecord(record: AvroRecord, place: Place): void {
    const recursive = place.open.includes(record)
    const { field, path } = place
    if (field !== undefined) this.#emit(field.type, place, { recursive })
    if (recursive) return
    const inside = { path: field === undefined ? path : [...path, field.name], open: [...place.open, record] }
    for (const each of record.fields) this.add(each.type, { ...inside, field: each })
  }

  /** The innermost field at this place, or the type itself where none is around it. */
  #emit(type: AvroType, { path, field }: Place, { recursive = false } = {}): void {
    if (this.found.length >= MOST_FIELDS) {
      const remedy = 'list the columns that matter under schema.fields'
      throw new DecodeError(`it comes to more than ${MOST_FIELDS} columns`, { file: this.#file }, { remedy })
    }
    const whole = field?.type ?? type
    const bare = withoutNull(whole)
    const props: JsonObject = { ...field?.props, ...whole.props, ...bare.props }
    const { _nullable, native_data_type: native, ...rest } = props
    const deprecated = rest['deprecated'] === false ? undefined : rest['deprecated']
    this.found.push({
      fieldPath: [...path, ...(field === undefined ? [] : [field.name])].join('.'),
      type: { type: typeClass(bare, textAt(bare.props, 'logicalType') ?? textAt(props, 'logicalType')) },
      nativeDataType: native === undefined ? nativeType(bare) : textOf(native),
      nullable: isNullable(whole),
      recursive,
      isPartOfKey: false,
      ...withoutAbsent({
        description: description(field?.doc ?? bare.doc, field?.default, deprecated),
        globalTags: deprecated === undefined ? undefined : { tags: [{ tag: 'urn:li:tag:Deprecated' }] },
        jsonProps: Object.keys(rest).length === 0 ? undefined : JSON.stringify(rest),
      }),
    })
  }
}

/** What is left of an optional type; any other type as it is. */
function withoutNull(type: AvroType): AvroType {
  if (type.kind !== 'union' || type.members.length !== 2) return type
  const [first, second] = type.members
  if (first?.kind === 'null') return second ?? type
  return second?.kind === 'null' ? (first ?? type) : type
}

function isNullable(type: AvroType): boolean {
  if (type.kind === 'union') return type.members.some(isNullable)
  return type.kind === 'null' || type.props['_nullable'] === true
}

/** Within a field path: records by their names, anything else by its kind. */
function annotationOf(type: AvroType): string {
  return type.kind === 'record' ? type.name : type.kind
}

function nativeType(type: AvroType): string {
  switch (type.kind) {
    case 'record':
    case 'enum':
    case 'fixed':
      return type.name
    case 'array':
    case 'map':
      return `${type.kind}<${nativeType(withoutNull(type.items))}>`
    default:
      return type.kind
  }
}

const CLASSES: { readonly [K in AvroType['kind']]: string } = {
  array: 'ArrayType',
  boolean: 'BooleanType',
  bytes: 'BytesType',
  double: 'NumberType',
  enum: 'EnumType',
  fixed: 'FixedType',
  float: 'NumberType',
  int: 'NumberType',
  long: 'NumberType',
  map: 'MapType',
  null: 'NullType',
  record: 'RecordType',
  string: 'StringType',
  union: 'UnionType',
}

const LOGICAL_CLASSES: Readonly<Record<string, string>> = {
  date: 'DateType',
  decimal: 'NumberType',
  'time-micros': 'TimeType',
  'time-millis': 'TimeType',
  'timestamp-micros': 'TimeType',
  'timestamp-millis': 'TimeType',
  uuid: 'StringType',
}

function typeClass(type: AvroType, logicalType: string | undefined): JsonObject {
  const name = (logicalType === undefined ? undefined : LOGICAL_CLASSES[logicalType]) ?? CLASSES[type.kind]
  return { [`com.linkedin.schema.${name}`]: membersOf(type, name) }
}

function membersOf(type: AvroType, typeName: string): JsonObject {
  if (type.kind === 'array' && typeName === 'ArrayType') return { nestedType: [memberName(type.items)] }
  // The keys of Avro's maps are always texts.
  if (type.kind === 'map' && typeName === 'MapType') return { keyType: 'string', valueType: memberName(type.items) }
  return {}
}

function memberName(type: AvroType): string {
  return textAt(type.props, 'logicalType') ?? type.kind
}

function description(
  doc: string | undefined,
  byDefault: AvroField['default'],
  deprecated: JsonObject[string] | undefined,
): string | undefined {
  const parts = [
    deprecated === undefined ? undefined : `<span style="color:red">DEPRECATED: ${textOf(deprecated)}</span>`,
    doc,
    byDefault === undefined || byDefault === null ? undefined : `Field default value: ${textOf(byDefault)}`,
  ].filter((part) => part !== undefined && part !== '')
  return parts.length === 0 ? undefined : parts.join('\n')
}
