/**
 * The columns of a dataset in YAML: under `schema.fields`, or in an Avro schema that `schema.file` names. Beside a file,
 * and where none of them has a type, fields carry what people say of columns that are there; otherwise they are the schema.
 */
import { dirname, isAbsolute, resolve } from 'node:path'
import { Type, type Static } from 'typebox'
import { readSourceText } from '../../client/source-file.ts'
import { SourceUnreadableError } from '../../client/source-http.ts'
import { DecodeError, InvalidUrnError } from '../../model/errors.ts'
import { simpleFieldPath } from '../../model/field-path.ts'
import { textAt, type JsonObject } from '../../model/json.ts'
import { didYouMean } from '../../model/near.ts'
import { datasetParts, schemaFieldParts, type DatasetUrn } from '../../model/urn.ts'
import { withoutAbsent } from '../edits.ts'
import { avroFields } from './avro/fields.ts'
import { parseAvroSchema } from './avro/schema.ts'

const optional = Type.Optional
const Texts = Type.Array(Type.String({ minLength: 1 }))
const Scalar = Type.Union([Type.String(), Type.Number()])
/** Values of structured properties, by the property's id or URN. */
export const Values = Type.Record(Type.String(), Type.Union([Scalar, Type.Array(Scalar)]))

export const Field = Type.Object(
  {
    id: optional(Type.String({ minLength: 1 })),
    urn: optional(Type.String()),
    type: optional(Type.String()),
    nativeDataType: optional(Type.String()),
    nullable: optional(Type.Boolean()),
    description: optional(Type.String()),
    label: optional(Type.String()),
    isPartOfKey: optional(Type.Boolean()),
    isPartitioningKey: optional(Type.Boolean()),
    jsonProps: optional(Type.Record(Type.String(), Type.Unknown())),
    recursive: optional(Type.Boolean()),
    globalTags: optional(Texts),
    tags: optional(Texts),
    glossaryTerms: optional(Texts),
    structured_properties: optional(Values),
    structuredProperties: optional(Values),
  },
  { additionalProperties: false },
)
export type Field = Static<typeof Field>

export const Schema = Type.Object(
  { file: optional(Type.String({ minLength: 1 })), fields: optional(Type.Array(Field)) },
  { additionalProperties: false },
)
export type Schema = Static<typeof Schema>

/** Where a dataset stands. */
export interface DatasetPlace {
  readonly file: string
  readonly path: string
}

/** A column of a dataset, by its path there, and what the YAML says of it. */
export interface Column {
  readonly path: string
  readonly field: Field
}

export interface DatasetSchema {
  /** The aspect `schemaMetadata`; undefined where the YAML does not say what columns there are. */
  readonly aspect: JsonObject | undefined
  /** The fields of the YAML. */
  readonly columns: readonly Column[]
}

/** @throws DecodeError, SourceUnreadableError, WrongEncodingError */
export async function readSchema(
  { file, fields = [] }: Schema,
  urn: DatasetUrn,
  place: DatasetPlace,
): Promise<DatasetSchema> {
  const columns = fields.map((field) => ({ field, path: fieldPathOf(field, urn, place) }))
  const typed = columns.filter(({ field }) => field.type !== undefined)
  if (file !== undefined || typed.length === 0) for (const column of columns) checkRemark(column, place)
  if (file !== undefined) return schemaOfFile(file, columns, urn, place)
  if (typed.length === 0) return { aspect: undefined, columns }
  const untyped = columns.find(({ field }) => field.type === undefined)
  if (untyped !== undefined) {
    const remedy = 'give every column its type, or none where the catalog has the schema already'
    throw new DecodeError(`the column ${JSON.stringify(untyped.path)} has no type, and others have`, place, { remedy })
  }
  for (const { field } of columns) checkType(field.type ?? '', place)
  return { aspect: schemaMetadata(urn, '', columns.map(schemaField)), columns }
}

function checkType(type: string, place: DatasetPlace): void {
  if (classOf(type) !== undefined) return
  const known = Object.keys(TYPE_CLASSES)
  throw new DecodeError(`there is no type ${JSON.stringify(type)}${didYouMean(type, known)}`, below(place, 'fields'), {
    remedy: `a type is one of ${known.join(', ')}; how the database calls it belongs to nativeDataType`,
  })
}

async function schemaOfFile(
  file: string,
  columns: readonly Column[],
  urn: DatasetUrn,
  place: DatasetPlace,
): Promise<DatasetSchema> {
  const { text, path } = await readBeside(file, place)
  const fields = avroFields(parseAvroSchema(text, path), path)
  const paths = fields.map((field) => textAt(field, 'fieldPath') ?? '')
  const found = columns.map(({ field, path: wanted }) => ({ field, path: columnIn(paths, wanted, place) }))
  return { aspect: schemaMetadata(urn, text, fields), columns: found }
}

/** Beside the YAML; where there is none, in the folder that one works in, as DataHub has it. */
async function readBeside(
  file: string,
  place: DatasetPlace,
): Promise<{ readonly text: string; readonly path: string }> {
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(place.file)) {
    const remedy = 'copy both files to this machine, or list the columns under schema.fields'
    throw new DecodeError('a description from the network names no files of this machine', below(place, 'file'), {
      remedy,
    })
  }
  const beside = resolve(place.file === '-' ? '.' : dirname(place.file), file)
  try {
    return { text: await readSourceText(beside), path: beside }
  } catch (error) {
    if (!(error instanceof SourceUnreadableError) || isAbsolute(file) || resolve(file) === beside) throw error
    const here = resolve(file)
    const text = await readSourceText(here).catch(() => undefined)
    // The place beside the YAML is the one that people expect.
    if (text === undefined) throw error
    return { text, path: here }
  }
}

/** What only a schema says. */
const TECHNICAL = [
  'type',
  'nativeDataType',
  'nullable',
  'label',
  'isPartOfKey',
  'isPartitioningKey',
  'jsonProps',
  'recursive',
] as const

/** Where the schema comes from elsewhere, nothing is done with such keys. */
function checkRemark({ path, field }: Column, place: DatasetPlace): void {
  const key = TECHNICAL.find((name) => field[name] !== undefined)
  if (key === undefined) return
  throw new DecodeError(`${key} of ${JSON.stringify(path)} has no effect here`, below(place, 'fields'), {
    remedy: 'take it out; or take out schema.file and give every column its type',
  })
}

/** A column of an Avro schema by its path, or by the simple form of it. */
function columnIn(paths: readonly string[], wanted: string, place: DatasetPlace): string {
  const at = below(place, 'fields')
  const found = paths.filter((path) => path === wanted || simpleFieldPath(path) === wanted)
  const [first, ...others] = found
  if (first === undefined) {
    const hint = didYouMean(wanted, paths.map(simpleFieldPath))
    throw new DecodeError(`schema.file has no column ${JSON.stringify(wanted)}${hint}`, at)
  }
  if (others.length === 0) return first
  throw new DecodeError(`${JSON.stringify(wanted)} may mean ${found.length} columns: ${found.join(', ')}`, at, {
    remedy: 'name one of them by its whole path',
  })
}

function below({ file, path }: DatasetPlace, key: string): DatasetPlace {
  return { file, path: `${path === '(root)' ? '' : `${path}.`}schema.${key}` }
}

function schemaMetadata(urn: DatasetUrn, rawSchema: string, fields: readonly JsonObject[]): JsonObject {
  const { platform, name } = datasetParts(urn)
  return {
    schemaName: name,
    platform: `urn:li:dataPlatform:${platform}`,
    version: 0,
    hash: '',
    platformSchema: { 'com.linkedin.schema.OtherSchema': { rawSchema } },
    fields,
  }
}

/** A column by its name, or by its URN, whose dataset must be this one. */
function fieldPathOf({ id, urn }: Field, dataset: DatasetUrn, place: DatasetPlace): string {
  if (id !== undefined) return id
  if (urn === undefined) throw new DecodeError('a field needs an id, or the urn of a column of its dataset', place)
  const { parent, fieldPath } = mended(place, () => schemaFieldParts(urn))
  if (parent !== dataset) throw new DecodeError(`${urn} is a column of another dataset`, place)
  return fieldPath
}

/** @throws DecodeError at the place, for what is no URN */
export function mended<T>(place: DatasetPlace, make: () => T): T {
  try {
    return make()
  } catch (error) {
    if (error instanceof InvalidUrnError) throw new DecodeError(error.message, place, { cause: error })
    throw error
  }
}

function schemaField({ field, path: fieldPath }: Column): JsonObject {
  const tags = field.tags ?? field.globalTags
  const { nativeDataType, nullable, description, label, isPartOfKey, isPartitioningKey, recursive } = field
  const { glossaryTerms, jsonProps } = field
  return withoutAbsent({
    fieldPath,
    type: { type: { [`com.linkedin.schema.${classOf(field.type ?? '')}`]: {} } },
    nativeDataType: nativeDataType ?? field.type ?? '',
    nullable: nullable ?? false,
    recursive: recursive ?? false,
    description,
    label,
    isPartOfKey,
    isPartitioningKey,
    jsonProps: jsonProps && JSON.stringify(jsonProps),
    globalTags: tags && { tags: tags.map((tag) => ({ tag: tag.startsWith('urn:') ? tag : `urn:li:tag:${tag}` })) },
    glossaryTerms: glossaryTerms && {
      terms: glossaryTerms.map((term) => ({ urn: term.startsWith('urn:') ? term : `urn:li:glossaryTerm:${term}` })),
      auditStamp: { time: 0, actor: 'urn:li:corpuser:unknown' },
    },
  })
}

const TYPE_CLASSES: Readonly<Record<string, string>> = {
  array: 'ArrayType',
  boolean: 'BooleanType',
  bytes: 'BytesType',
  date: 'DateType',
  decimal: 'NumberType',
  double: 'NumberType',
  enum: 'EnumType',
  fixed: 'FixedType',
  float: 'NumberType',
  int: 'NumberType',
  integer: 'NumberType',
  long: 'NumberType',
  map: 'MapType',
  null: 'NullType',
  number: 'NumberType',
  record: 'RecordType',
  string: 'StringType',
  struct: 'RecordType',
  text: 'StringType',
  time: 'TimeType',
  timestamp: 'TimeType',
  union: 'UnionType',
}

/** Of what stands in front of a bracket: `decimal(10, 2)`, `array<string>`. */
function classOf(type: string): string | undefined {
  const [, bare = ''] = /^\s*([^([<]*)/.exec(type.toLowerCase()) ?? []
  return TYPE_CLASSES[bare.trim()]
}
