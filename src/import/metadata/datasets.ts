/** Datasets described in YAML: one object or a list, each with what is known of it and of its columns. */
import { Type, type Static } from 'typebox'
import { replaceAspect, type AspectChange, type Merge } from '../../client/change.ts'
import { DecodeError, InvalidUrnError } from '../../model/errors.ts'
import { objectsAt, textAt, type JsonObject } from '../../model/json.ts'
import {
  asDatasetUrn,
  asUrn,
  datasetParts,
  datasetUrn,
  schemaFieldUrn,
  type DatasetUrn,
  type Urn,
} from '../../model/urn.ts'
import { decodeYaml } from '../../model/yaml.ts'
import { changesOf, editMerges, type AuditStamp } from '../aspects.ts'
import { withoutAbsent, type Edits, type ListEdit } from '../edits.ts'

const optional = Type.Optional
const Texts = Type.Array(Type.String({ minLength: 1 }))
const Scalar = Type.Union([Type.String(), Type.Number()])
const Values = Type.Record(Type.String(), Type.Union([Scalar, Type.Array(Scalar)]))

const Field = Type.Object(
  {
    id: optional(Type.String({ minLength: 1 })),
    urn: optional(Type.String()),
    type: optional(Type.String()),
    nativeDataType: optional(Type.String()),
    nullable: Type.Boolean({ default: false }),
    description: optional(Type.String()),
    label: optional(Type.String()),
    isPartOfKey: optional(Type.Boolean()),
    isPartitioningKey: optional(Type.Boolean()),
    jsonProps: optional(Type.Unknown()),
    recursive: optional(Type.Boolean()),
    globalTags: optional(Texts),
    tags: optional(Texts),
    glossaryTerms: optional(Texts),
    structured_properties: optional(Values),
    structuredProperties: optional(Values),
  },
  { additionalProperties: false },
)
type Field = Static<typeof Field>

const Owner = Type.Union([
  Type.String({ minLength: 1 }),
  Type.Object({ id: Type.String({ minLength: 1 }), type: Type.String() }, { additionalProperties: false }),
])

const Dataset = Type.Object(
  {
    id: optional(Type.String({ minLength: 1 })),
    platform: optional(Type.String({ minLength: 1 })),
    env: Type.String({ default: 'PROD' }),
    urn: optional(Type.String()),
    name: optional(Type.String()),
    description: optional(Type.String()),
    subtype: optional(Type.String()),
    subtypes: optional(Texts),
    properties: optional(Type.Record(Type.String(), Type.Union([Scalar, Type.Boolean()]))),
    external_url: optional(Type.String()),
    tags: optional(Texts),
    glossary_terms: optional(Texts),
    glossaryTerms: optional(Texts),
    owners: optional(Type.Array(Owner)),
    structured_properties: optional(Values),
    structuredProperties: optional(Values),
    downstreams: optional(Texts),
    schema: optional(
      Type.Object(
        { file: optional(Type.String()), fields: optional(Type.Array(Field)) },
        { additionalProperties: false },
      ),
    ),
  },
  { additionalProperties: false },
)
type Dataset = Static<typeof Dataset>

/** Structured property values to what the aspect writes; by the property's definition. @throws RowError */
export type ReadValue = (property: Urn, value: string | number) => JsonObject

/** Of one dataset. `properties`: structured properties that it names, whose definitions are needed to read its values. */
export interface DatasetEntry {
  readonly urn: DatasetUrn
  readonly properties: readonly Urn[]
  /** @throws RowError where a value does not fit its definition */
  changes(read: ReadValue, stamp: AuditStamp): readonly AspectChange[]
}

/** @param file for messages @throws DecodeError at file, line and column */
export function readDatasets(text: string, file: string): readonly DatasetEntry[] {
  const isList = /^\s*-/m.exec(text.replaceAll(/^\s*(#.*)?$/gm, '').trimStart())?.index === 0
  const entries = isList ? decodeYaml(Type.Array(Dataset), text, file) : [decodeYaml(Dataset, text, file)]
  return entries.map((entry, index) => entryOf(entry, { file, path: isList ? String(index) : '(root)' }))
}

function entryOf(dataset: Dataset, place: { readonly file: string; readonly path: string }): DatasetEntry {
  const urn = mended(place, () => urnOf(dataset))
  if (dataset.schema?.file !== undefined) {
    throw new DecodeError('schema.file is not read', place, {
      remedy: 'list the columns under schema.fields, with their ids and types',
    })
  }
  const fields = (dataset.schema?.fields ?? []).map((field) => ({ field, path: fieldPathOf(field, urn, place) }))
  const values = [valuesOf(dataset), ...fields.map(({ field }) => valuesOf(field))]
  return {
    urn,
    properties: [...new Set(values.flatMap((each) => Object.keys(each) as Urn[]))],
    changes: (read, stamp) => [
      ...ownAspects(urn, dataset),
      ...changesOf({ urn, own: editsOf(dataset, read, place), columns: new Map() }, editMerges(stamp)),
      ...schemaOf(urn, fields),
      ...fields.flatMap(({ field, path }) => columnValues(urn, path, field, read, stamp)),
      ...(dataset.downstreams ?? []).map((downstream) => {
        return copyOf(
          urn,
          mended(place, () => asDatasetUrn(downstream)),
          stamp,
        )
      }),
    ],
  }
}

function urnOf({ urn, id, platform, env }: Dataset): DatasetUrn {
  if (urn !== undefined) return asDatasetUrn(urn)
  if (id === undefined || platform === undefined) throw new InvalidUrnError('', 'give a urn, or an id and a platform')
  return datasetUrn({ platform, name: id, env })
}

function mended<T>(place: { readonly file: string; readonly path: string }, make: () => T): T {
  try {
    return make()
  } catch (error) {
    if (error instanceof InvalidUrnError) throw new DecodeError(error.message, place, { cause: error })
    throw error
  }
}

/** What stands in aspects of its own; keys that the YAML does not name stay as they are. */
function ownAspects(urn: Urn, dataset: Dataset): readonly AspectChange[] {
  const { name, description, properties, external_url: externalUrl } = dataset
  const subtypes = dataset.subtypes ?? (dataset.subtype === undefined ? undefined : [dataset.subtype])
  const texts = properties && Object.fromEntries(Object.entries(properties).map(([key, value]) => [key, String(value)]))
  const own = withoutAbsent({ name, description, customProperties: texts, externalUrl })
  return [
    ...(Object.keys(own).length === 0
      ? []
      : [{ urn, aspectName: 'datasetProperties', intent: own as JsonObject, merge: keepUnknown }]),
    ...(subtypes === undefined
      ? []
      : [{ urn, aspectName: 'subTypes', intent: { typeNames: subtypes }, merge: replaceAspect }]),
  ]
}

const keepUnknown: Merge = (current, intent) => ({ ...current, ...intent })

function editsOf(dataset: Dataset, read: ReadValue, place: { readonly file: string; readonly path: string }): Edits {
  const { tags, owners } = dataset
  const terms = dataset.glossary_terms ?? dataset.glossaryTerms
  const complete = (item: string, entityType: string): Urn =>
    mended(place, () => asUrn(item.startsWith('urn:li:') ? item : `urn:li:${entityType}:${item}`))
  return withoutAbsent({
    tags: tags && replaceBy(tags.map((tag) => ({ tag: complete(tag, 'tag') }))),
    terms: terms && replaceBy(terms.map((term) => ({ urn: complete(term, 'glossaryTerm') }))),
    owners:
      owners &&
      replaceBy(
        owners.map((owner) => {
          const { id, type } = typeof owner === 'string' ? { id: owner, type: 'TECHNICAL_OWNER' } : owner
          const isCustom = type.startsWith('urn:li:ownershipType:')
          return {
            owner: complete(id, 'corpuser'),
            ...(isCustom ? { type: 'CUSTOM', typeUrn: type } : { type: type.toUpperCase() }),
          }
        }),
      ),
    properties: propertyEdits(dataset, read),
  })
}

function replaceBy(items: readonly JsonObject[]): ListEdit {
  return { replace: true, add: items, remove: [] }
}

/** By property URN. */
function valuesOf(holder: Pick<Dataset, 'structured_properties' | 'structuredProperties'>): Static<typeof Values> {
  const values = { ...holder.structuredProperties, ...holder.structured_properties }
  return Object.fromEntries(
    Object.entries(values).map(([key, value]) => [
      key.startsWith('urn:li:') ? key : `urn:li:structuredProperty:${key}`,
      value,
    ]),
  )
}

function propertyEdits(
  holder: Parameters<typeof valuesOf>[0],
  read: ReadValue,
): Readonly<Record<string, ListEdit>> | undefined {
  const edits = Object.entries(valuesOf(holder)).map(([property, value]) => {
    const values = Array.isArray(value) ? value : [value]
    return [property, replaceBy(values.map((each) => read(property as Urn, each)))] as const
  })
  return edits.length === 0 ? undefined : Object.fromEntries(edits)
}

function columnValues(
  urn: Urn,
  path: string,
  field: Field,
  read: ReadValue,
  stamp: AuditStamp,
): readonly AspectChange[] {
  const properties = propertyEdits(field, read)
  if (properties === undefined) return []
  return changesOf({ urn: schemaFieldUrn(urn, path), own: { properties }, columns: new Map() }, editMerges(stamp))
}

/** A column by its name, or by its URN, whose dataset must be this one. */
function fieldPathOf(
  { id, urn }: Field,
  dataset: Urn,
  place: { readonly file: string; readonly path: string },
): string {
  if (id !== undefined) return id
  const prefix = `urn:li:schemaField:(${dataset},`
  if (urn === undefined || !urn.startsWith(prefix)) {
    throw new DecodeError('a field needs an id, or the urn of a column of its dataset', place)
  }
  return urn.slice(prefix.length, -1).replaceAll('%2C', ',').replaceAll('%28', '(').replaceAll('%29', ')')
}

/** Only fields with a type are a schema; others carry values for columns that the catalog has. */
function schemaOf(
  urn: DatasetUrn,
  fields: readonly { readonly field: Field; readonly path: string }[],
): readonly AspectChange[] {
  if (!fields.some(({ field }) => field.type !== undefined)) return []
  const { platform, name } = datasetParts(urn)
  const intent = {
    schemaName: name,
    platform: `urn:li:dataPlatform:${platform}`,
    version: 0,
    hash: '',
    platformSchema: { 'com.linkedin.schema.OtherSchema': { rawSchema: '' } },
    fields: fields.map(({ field, path }) => schemaField(field, path)),
  }
  return [{ urn, aspectName: 'schemaMetadata', intent, merge: replaceAspect }]
}

function schemaField(field: Field, fieldPath: string): JsonObject {
  const tags = field.tags ?? field.globalTags
  const { nativeDataType, nullable, description, label, isPartOfKey, isPartitioningKey, recursive, glossaryTerms } =
    field
  return withoutAbsent({
    fieldPath,
    type: { type: { [`com.linkedin.schema.${typeClass(field.type ?? '')}`]: {} } },
    nativeDataType: nativeDataType ?? field.type ?? '',
    nullable,
    recursive: recursive ?? false,
    description,
    label,
    isPartOfKey,
    isPartitioningKey,
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

function typeClass(type: string): string {
  return (
    TYPE_CLASSES[
      type
        .toLowerCase()
        .replace(/[([<].*$/, '')
        .trim()
    ] ?? 'StringType'
  )
}

/** The dataset as an upstream of another one, beside whatever else feeds that. */
function copyOf(urn: DatasetUrn, downstream: DatasetUrn, stamp: AuditStamp): AspectChange {
  return {
    urn: downstream,
    aspectName: 'upstreamLineage',
    intent: { dataset: urn, type: 'COPY' },
    merge(current, intent) {
      const upstreams = objectsAt(current, 'upstreams')
      if (upstreams.some((upstream) => textAt(upstream, 'dataset') === urn)) return undefined
      return { ...current, upstreams: [...upstreams, { auditStamp: stamp, ...intent }] }
    },
  }
}
