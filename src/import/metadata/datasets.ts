/** Datasets described in YAML: one object or a list, each with what is known of it and of its columns. */
import { Type, type Static } from 'typebox'
import type { AspectChange } from '../../client/change.ts'
import { InvalidUrnError } from '../../model/errors.ts'
import type { JsonObject } from '../../model/json.ts'
import { asDatasetUrn, asUrn, datasetUrn, schemaFieldUrn, type DatasetUrn, type Urn } from '../../model/urn.ts'
import { decodeYaml } from '../../model/yaml.ts'
import { asksOf, type EntityEdits } from '../aspects.ts'
import { withoutAbsent, type Edits, type ListEdit } from '../edits.ts'
import { mended, readSchema, Schema, Values, type DatasetPlace, type Field } from './dataset-schema.ts'
import type { Ruled } from './rules.ts'

const optional = Type.Optional
const Texts = Type.Array(Type.String({ minLength: 1 }))
const Scalar = Type.Union([Type.String(), Type.Number()])

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
    schema: optional(Schema),
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
  changes(read: ReadValue, ruled: Ruled): readonly AspectChange[]
}

/**
 * @param file for messages, and for the schemas beside it
 * @throws DecodeError at file, line and column; SourceUnreadableError, WrongEncodingError for a schema's file
 */
export async function readDatasets(text: string, file: string): Promise<readonly DatasetEntry[]> {
  const isList = /^\s*-/m.exec(text.replaceAll(/^\s*(#.*)?$/gm, '').trimStart())?.index === 0
  const datasets = isList ? decodeYaml(Type.Array(Dataset), text, file) : [decodeYaml(Dataset, text, file)]
  const entries: DatasetEntry[] = []
  for (const [index, dataset] of datasets.entries()) {
    entries.push(await entryOf(dataset, { file, path: isList ? String(index) : '(root)' }))
  }
  return entries
}

async function entryOf(dataset: Dataset, place: DatasetPlace): Promise<DatasetEntry> {
  const urn = mended(place, () => urnOf(dataset))
  const { aspect, columns } = await readSchema(dataset.schema ?? {}, urn, place)
  const values = [valuesOf(dataset), ...columns.map(({ field }) => valuesOf(field))]
  // Where the YAML says what columns there are, this stands in the schema itself.
  const remarks = aspect !== undefined && dataset.schema?.file === undefined ? [] : columns
  return {
    urn,
    properties: [...new Set(values.flatMap((each) => Object.keys(each) as Urn[]))],
    changes: (read, ruled) => [
      ...ownAspects(urn, dataset, ruled),
      ...(aspect === undefined ? [] : [ruled('replace', { urn, aspectName: 'schemaMetadata', intent: aspect })]),
      ...edited(ruled, {
        urn,
        own: { ...editsOf(dataset, place), ...propertyEdits(dataset, read) },
        columns: new Map(remarks.map(({ field, path }) => [path, columnEdits(field, place)])),
      }),
      ...columns.flatMap(({ field, path }) => {
        return edited(ruled, { urn: schemaFieldUrn(urn, path), own: propertyEdits(field, read), columns: new Map() })
      }),
      ...(dataset.downstreams ?? []).map((downstream) => {
        const fed = mended(place, () => asDatasetUrn(downstream))
        return ruled('copy', { urn: fed, aspectName: 'upstreamLineage', intent: { dataset: urn, type: 'COPY' } })
      }),
    ],
  }
}

function edited(ruled: Ruled, edits: EntityEdits): readonly AspectChange[] {
  return asksOf(edits).map((asked) => ruled('edit', asked))
}

function urnOf({ urn, id, platform, env }: Dataset): DatasetUrn {
  if (urn !== undefined) return asDatasetUrn(urn)
  if (id === undefined || platform === undefined) throw new InvalidUrnError('', 'give a urn, or an id and a platform')
  return datasetUrn({ platform, name: id, env })
}

/** What stands in aspects of its own; keys that the YAML does not name stay as they are. */
function ownAspects(urn: Urn, dataset: Dataset, ruled: Ruled): readonly AspectChange[] {
  const { name, description, properties, external_url: externalUrl } = dataset
  const subtypes = dataset.subtypes ?? (dataset.subtype === undefined ? undefined : [dataset.subtype])
  const texts = properties && Object.fromEntries(Object.entries(properties).map(([key, value]) => [key, String(value)]))
  const own = withoutAbsent({ name, description, customProperties: texts, externalUrl })
  return [
    ...(Object.keys(own).length === 0 ? [] : [ruled('keep', { urn, aspectName: 'datasetProperties', intent: own })]),
    ...(subtypes === undefined
      ? []
      : [ruled('replace', { urn, aspectName: 'subTypes', intent: { typeNames: subtypes } })]),
  ]
}

function editsOf(dataset: Dataset, place: DatasetPlace): Edits {
  const { tags, owners } = dataset
  return withoutAbsent({
    tags: tagEdit(tags, place),
    terms: termEdit(dataset.glossary_terms ?? dataset.glossaryTerms, place),
    owners:
      owners &&
      replaceBy(
        owners.map((owner) => {
          const { id, type } = typeof owner === 'string' ? { id: owner, type: 'TECHNICAL_OWNER' } : owner
          const isCustom = type.startsWith('urn:li:ownershipType:')
          return {
            owner: complete(id, 'corpuser', place),
            ...(isCustom ? { type: 'CUSTOM', typeUrn: type } : { type: type.toUpperCase() }),
          }
        }),
      ),
  })
}

function columnEdits({ tags, globalTags, glossaryTerms, description }: Field, place: DatasetPlace): Edits {
  return withoutAbsent({
    tags: tagEdit(tags ?? globalTags, place),
    terms: termEdit(glossaryTerms, place),
    description,
  })
}

function tagEdit(tags: readonly string[] | undefined, place: DatasetPlace): ListEdit | undefined {
  return tags && replaceBy(tags.map((tag) => ({ tag: complete(tag, 'tag', place) })))
}

function termEdit(terms: readonly string[] | undefined, place: DatasetPlace): ListEdit | undefined {
  return terms && replaceBy(terms.map((term) => ({ urn: complete(term, 'glossaryTerm', place) })))
}

function complete(item: string, entityType: string, place: DatasetPlace): Urn {
  return mended(place, () => asUrn(item.startsWith('urn:li:') ? item : `urn:li:${entityType}:${item}`))
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

function propertyEdits(holder: Parameters<typeof valuesOf>[0], read: ReadValue): Pick<Edits, 'properties'> {
  const edits = Object.entries(valuesOf(holder)).map(([property, value]) => {
    const values = Array.isArray(value) ? value : [value]
    return [property, replaceBy(values.map((each) => read(property as Urn, each)))] as const
  })
  return edits.length === 0 ? {} : { properties: Object.fromEntries(edits) }
}
