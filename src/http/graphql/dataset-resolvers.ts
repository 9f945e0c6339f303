/** Fields of datasets, read from their aspects and events (contract §9.5). */
import { isJsonObject, objectsOf, stringsAt, textOf, type JsonObject, type JsonValue } from '../../model/json.ts'
import { schemaFieldParts, schemaFieldUrn, type Urn } from '../../model/urn.ts'
import type { GraphqlContext } from './context.ts'
import {
  auditStamp,
  customProperties,
  globalTags,
  glossaryTerms,
  keyPart,
  node,
  nodeOf,
  textOrNull,
  type Node,
} from './nodes.ts'
import { fromAspect, type FieldResolvers } from './resolver.ts'
import { usageStats } from './usage-resolver.ts'

export const DATASET_FIELDS: FieldResolvers<Node> = {
  name: async ({ urn }, _, context) =>
    textOrNull(await context.aspect(urn, 'datasetProperties'), 'name') ?? keyPart(urn, 1),
  origin: ({ urn }) => keyPart(urn, 2),
  properties: fromAspect('datasetProperties', (value, urn) => datasetProperties(urn, value)),
  editableProperties: fromAspect('editableDatasetProperties', (value) => ({
    description: textOrNull(value, 'description'),
    name: textOrNull(value, 'name'),
  })),
  schemaMetadata: async ({ urn }, { version }, context) => schemaMetadata(urn, version, context),
  editableSchemaMetadata: fromAspect('editableSchemaMetadata', (value, urn) => ({
    editableSchemaFieldInfo: editedFields(urn, value),
  })),
  siblings: fromAspect('siblings', (value) => ({
    isPrimary: value.primary === true,
    siblings: stringsAt(value, 'siblings').flatMap((one) => nodeOf(one) ?? []),
  })),
  fineGrainedLineages: fromAspect('upstreamLineage', (value) =>
    objectsOf(value.fineGrainedLineages).map(fineGrainedLineage),
  ),
  lastIngested: async ({ urn }, _, context) => lastIngested(urn, context),
  operations: ({ urn }, args, context) => timeseries(urn, 'operation', args, context),
  usageStats,
  datasetProfiles: ({ urn }, args, context) => timeseries(urn, 'datasetProfile', args, context),
}

function datasetProperties(urn: Urn, value: JsonObject) {
  return {
    name: textOrNull(value, 'name') ?? keyPart(urn, 1),
    qualifiedName: textOrNull(value, 'qualifiedName'),
    origin: keyPart(urn, 2),
    description: textOrNull(value, 'description'),
    customProperties: customProperties(urn, value),
    externalUrl: textOrNull(value, 'externalUrl'),
    created: isJsonObject(value.created) ? value.created.time : null,
    createdActor: isJsonObject(value.created) ? textOrNull(value.created, 'actor') : null,
    lastModified: auditStamp(value.lastModified),
  }
}

async function schemaMetadata(urn: Urn, version: number | null | undefined, context: GraphqlContext) {
  const old = typeof version === 'number' && version > 0
  const value = old
    ? (await context.catalog.read.aspect(urn, 'schemaMetadata', version))?.value
    : await context.aspect(urn, 'schemaMetadata')
  if (value === undefined) return null
  return {
    aspectVersion: old ? version : 0,
    datasetUrn: urn,
    name: textOf(value.schemaName),
    platformUrn: textOf(value.platform),
    version: value.version ?? 0,
    hash: textOf(value.hash),
    createdAt: isJsonObject(value.created) ? value.created.time : null,
    primaryKeys: Array.isArray(value.primaryKeys) ? stringsAt(value, 'primaryKeys') : null,
    fields: objectsOf(value.fields).map((field) => schemaField(urn, field)),
  }
}

function schemaField(urn: Urn, field: JsonObject) {
  const fieldPath = textOf(field.fieldPath)
  return {
    fieldPath,
    jsonPath: textOrNull(field, 'jsonPath'),
    label: textOrNull(field, 'label'),
    nullable: field.nullable === true,
    description: textOrNull(field, 'description'),
    type: fieldType(field.type),
    nativeDataType: textOrNull(field, 'nativeDataType'),
    recursive: field.recursive === true,
    tags: globalTags(urn, field.globalTags),
    globalTags: globalTags(urn, field.globalTags),
    glossaryTerms: glossaryTerms(urn, field.glossaryTerms),
    isPartOfKey: field.isPartOfKey === true,
    schemaFieldEntity: node(schemaFieldUrn(urn, fieldPath)),
  }
}

/** `{type: {"com.linkedin.schema.NumberType": {}}}` → NUMBER. */
function fieldType(value: JsonValue | undefined): string {
  const union = isJsonObject(value) ? value.type : undefined
  const name = isJsonObject(union) ? (Object.keys(union)[0] ?? '') : ''
  const type = name.replace(/^.*\./, '').replace(/Type$/, '').toUpperCase()
  if (type === 'RECORD') return 'STRUCT'
  const known = [
    'BOOLEAN',
    'FIXED',
    'STRING',
    'BYTES',
    'NUMBER',
    'DATE',
    'TIME',
    'ENUM',
    'NULL',
    'ARRAY',
    'MAP',
    'UNION',
  ]
  return known.includes(type) ? type : 'NULL'
}

function editedFields(urn: Urn, value: JsonObject) {
  return objectsOf(value.editableSchemaFieldInfo).map((field) => ({
    fieldPath: textOf(field.fieldPath),
    description: textOrNull(field, 'description'),
    tags: globalTags(urn, field.globalTags),
    globalTags: globalTags(urn, field.globalTags),
    glossaryTerms: glossaryTerms(urn, field.glossaryTerms),
  }))
}

function fineGrainedLineage(record: JsonObject) {
  const refs = (name: string) =>
    stringsAt(record, name)
      .filter((urn) => urn.startsWith('urn:li:schemaField:'))
      .map((urn) => {
        const { parent, fieldPath } = schemaFieldParts(urn)
        return { urn: parent, path: fieldPath }
      })
  return {
    upstreams: refs('upstreams'),
    downstreams: refs('downstreams'),
    query: textOrNull(record, 'query'),
    transformOperation: textOrNull(record, 'transformOperation'),
  }
}

async function lastIngested(urn: Urn, context: GraphqlContext): Promise<number | null> {
  const record = (await context.catalog.read.entities([urn])).get(urn)
  const times = [...(record?.aspects.values() ?? [])].map((stored) => stored.systemMetadata.lastObserved ?? 0)
  return times.length === 0 || Math.max(...times) === 0 ? null : Math.max(...times)
}

async function timeseries(
  urn: Urn,
  aspect: string,
  args: { readonly startTimeMillis?: number; readonly endTimeMillis?: number; readonly limit?: number },
  context: GraphqlContext,
) {
  const events = await context.catalog.timeseries.events({
    urn,
    aspect,
    limit: Math.min(args.limit ?? 100, 10_000),
    ...(typeof args.startTimeMillis === 'number' ? { fromMs: args.startTimeMillis } : {}),
    ...(typeof args.endTimeMillis === 'number' ? { toMs: args.endTimeMillis } : {}),
  })
  return events.map(({ value }) => ({
    ...value,
    partition: isJsonObject(value.partitionSpec) ? textOrNull(value.partitionSpec, 'partition') : null,
    customProperties: customProperties(urn, value),
  }))
}
