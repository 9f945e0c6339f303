/** Fields of entities, read from their aspects (contract §9.5). */
import { isJsonObject, objectsOf, stringsAt, textOf, type JsonObject, type JsonValue } from '../../model/json.ts'
import { entityTypeNamed } from '../../model/registry/registry.ts'
import { entityTypeOf, schemaFieldParts, schemaFieldUrn, type Urn } from '../../model/urn.ts'
import type { GraphqlContext } from './context.ts'
import {
  customProperties,
  enumTypeOf,
  globalTags,
  glossaryTerms,
  keyPart,
  node,
  nodeOf,
  textOrNull,
  typeNameOf,
  type Node,
} from './nodes.ts'
import type { FieldResolvers } from './resolver.ts'

/** Fields that every entity has. */
export const ENTITY_FIELDS: FieldResolvers<Node> = {
  type: ({ urn }) => enumTypeOf(urn),
  exists: ({ urn }, _, context) => context.exists(urn),
  tags: async ({ urn }, _, context) => globalTags(urn, await context.aspect(urn, 'globalTags')),
  globalTags: async ({ urn }, _, context) => globalTags(urn, await context.aspect(urn, 'globalTags')),
  glossaryTerms: async ({ urn }, _, context) => glossaryTerms(urn, await context.aspect(urn, 'glossaryTerms')),
  ownership: async ({ urn }, _, context) => ownership(urn, await context.aspect(urn, 'ownership')),
  domain: async ({ urn }, _, context) => {
    const domain = nodeOf(stringsAt(await context.aspect(urn, 'domains'), 'domains')[0])
    return domain === undefined ? null : { domain, associatedUrn: urn }
  },
  platform: async ({ urn }, _, context) => {
    const fields = entityTypeNamed(entityTypeOf(urn))?.keyFields ?? []
    const own = fields[0] === 'platform' ? keyPart(urn, 0) : undefined
    return nodeOf(own ?? (await context.aspect(urn, 'dataPlatformInstance'))?.platform) ?? null
  },
  dataPlatformInstance: async ({ urn }, _, context) => {
    const instance = await context.aspect(urn, 'dataPlatformInstance')
    return nodeOf(instance?.instance) ?? platformOnly(instance, urn)
  },
  container: async ({ urn }, _, context) => nodeOf((await context.aspect(urn, 'container'))?.container) ?? null,
  status: async ({ urn }, _, context) => {
    const status = await context.aspect(urn, 'status')
    return status === undefined ? null : { removed: status.removed === true }
  },
  subTypes: async ({ urn }, _, context) => {
    const subTypes = await context.aspect(urn, 'subTypes')
    return subTypes === undefined ? null : { typeNames: stringsAt(subTypes, 'typeNames') }
  },
  aspects: async ({ urn }, { input }, context) => {
    const record = (await context.catalog.read.entities([urn], input?.aspectNames ?? undefined)).get(urn)
    return [...(record?.aspects ?? [])].map(([aspectName, stored]) => ({
      aspectName,
      payload: JSON.stringify(stored.value),
    }))
  },
}

/** Fields of single entity types. */
export const TYPE_FIELDS: Readonly<Record<string, FieldResolvers<Node>>> = {
  Dataset: {
    name: async ({ urn }, _, context) =>
      textOrNull(await context.aspect(urn, 'datasetProperties'), 'name') ?? keyPart(urn, 1),
    origin: ({ urn }) => keyPart(urn, 2),
    properties: async ({ urn }, _, context) => {
      const value = await context.aspect(urn, 'datasetProperties')
      return value === undefined ? null : datasetProperties(urn, value)
    },
    editableProperties: async ({ urn }, _, context) => {
      const value = await context.aspect(urn, 'editableDatasetProperties')
      return value === undefined
        ? null
        : { description: textOrNull(value, 'description'), name: textOrNull(value, 'name') }
    },
    schemaMetadata: async ({ urn }, { version }, context) => schemaMetadata(urn, version, context),
    editableSchemaMetadata: async ({ urn }, _, context) => {
      const value = await context.aspect(urn, 'editableSchemaMetadata')
      return value === undefined ? null : { editableSchemaFieldInfo: editedFields(urn, value) }
    },
    siblings: async ({ urn }, _, context) => {
      const value = await context.aspect(urn, 'siblings')
      return value === undefined
        ? null
        : {
            isPrimary: value.primary === true,
            siblings: stringsAt(value, 'siblings').flatMap((one) => nodeOf(one) ?? []),
          }
    },
    fineGrainedLineages: async ({ urn }, _, context) => {
      const value = await context.aspect(urn, 'upstreamLineage')
      return value === undefined ? null : objectsOf(value.fineGrainedLineages).map(fineGrainedLineage)
    },
    lastIngested: async ({ urn }, _, context) => lastIngested(urn, context),
    operations: ({ urn }, args, context) => timeseries(urn, 'operation', args, context),
    datasetProfiles: ({ urn }, args, context) => timeseries(urn, 'datasetProfile', args, context),
  },
  Tag: {
    name: ({ urn }) => keyPart(urn, 0),
    description: async ({ urn }, _, context) => textOrNull(await context.aspect(urn, 'tagProperties'), 'description'),
    properties: async ({ urn }, _, context) => {
      const value = await context.aspect(urn, 'tagProperties')
      if (value === undefined) return null
      return {
        name: textOrNull(value, 'name') ?? keyPart(urn, 0),
        description: textOrNull(value, 'description'),
        colorHex: textOrNull(value, 'colorHex'),
      }
    },
  },
  GlossaryTerm: {
    name: ({ urn }) => keyPart(urn, 0).split('.').at(-1),
    hierarchicalName: ({ urn }) => keyPart(urn, 0),
    properties: named('glossaryTermInfo', (value) => ({ definition: textOrNull(value, 'definition') })),
  },
  GlossaryNode: { properties: named('glossaryNodeInfo') },
  CorpUser: {
    username: ({ urn }) => keyPart(urn, 0),
    properties: async ({ urn }, _, context) => {
      const value = await context.aspect(urn, 'corpUserInfo')
      return value === undefined
        ? null
        : {
            displayName: textOrNull(value, 'displayName'),
            email: textOrNull(value, 'email'),
            fullName: textOrNull(value, 'fullName'),
            title: textOrNull(value, 'title'),
          }
    },
  },
  CorpGroup: {
    name: ({ urn }) => keyPart(urn, 0),
    properties: async ({ urn }, _, context) => {
      const value = await context.aspect(urn, 'corpGroupInfo')
      return value === undefined
        ? null
        : {
            displayName: textOrNull(value, 'displayName'),
            description: textOrNull(value, 'description'),
            email: textOrNull(value, 'email'),
          }
    },
  },
  Domain: { id: ({ urn }) => keyPart(urn, 0), properties: named('domainProperties') },
  DataPlatform: {
    name: ({ urn }) => keyPart(urn, 0),
    displayName: async ({ urn }, _, context) =>
      textOrNull(await context.aspect(urn, 'dataPlatformInfo'), 'displayName'),
    properties: async ({ urn }, _, context) => {
      const value = await context.aspect(urn, 'dataPlatformInfo')
      return value === undefined
        ? null
        : {
            type: textOrNull(value, 'type'),
            displayName: textOrNull(value, 'displayName'),
            datasetNameDelimiter: textOrNull(value, 'datasetNameDelimiter'),
            logoUrl: textOrNull(value, 'logoUrl'),
          }
    },
  },
  DataPlatformInstance: {
    platform: (parent: Node & { readonly platform?: Node }) => parent.platform ?? nodeOf(keyPart(parent.urn, 0)),
    instanceId: ({ urn }) => keyPart(urn, 1),
  },
  Container: { properties: named('containerProperties') },
  Chart: { chartId: ({ urn }) => keyPart(urn, 1), tool: ({ urn }) => keyPart(urn, 0), properties: named('chartInfo') },
  Dashboard: {
    dashboardId: ({ urn }) => keyPart(urn, 1),
    tool: ({ urn }) => keyPart(urn, 0),
    properties: named('dashboardInfo'),
  },
  DataFlow: {
    orchestrator: ({ urn }) => keyPart(urn, 0),
    flowId: ({ urn }) => keyPart(urn, 1),
    cluster: ({ urn }) => keyPart(urn, 2),
    properties: named('dataFlowInfo'),
  },
  DataJob: {
    jobId: ({ urn }) => keyPart(urn, 1),
    dataFlow: ({ urn }) => nodeOf(keyPart(urn, 0)) ?? null,
    properties: named('dataJobInfo'),
  },
  SchemaFieldEntity: {
    fieldPath: ({ urn }) => schemaFieldParts(urn).fieldPath,
    parent: ({ urn }) => node(schemaFieldParts(urn).parent),
  },
  QueryEntity: {
    properties: async ({ urn }, _, context) => {
      const value = await context.aspect(urn, 'queryProperties')
      if (value === undefined) return null
      const statement = isJsonObject(value.statement) ? value.statement : {}
      return {
        name: textOrNull(value, 'name'),
        description: textOrNull(value, 'description'),
        source: textOrNull(value, 'source'),
        statement: { value: textOf(statement.value), language: textOf(statement.language) || 'UNKNOWN' },
        created: auditStamp(value.created),
        lastModified: auditStamp(value.lastModified),
      }
    },
    subjects: async ({ urn }, _, context) => {
      const subjects = stringsAt(await context.aspect(urn, 'querySubjects'), 'subjects', 'entity')
      return subjects
        .flatMap((one) => nodeOf(one) ?? [])
        .map((one) => ({ dataset: typeNameOf(one) === 'Dataset' ? one : null }))
    },
  },
}

function ownership(urn: Urn, value: JsonObject | undefined) {
  if (value === undefined) return null
  const owners = objectsOf(value.owners).flatMap((owner) => {
    const who = nodeOf(owner.owner)
    return who === undefined ? [] : [{ owner: who, type: textOrNull(owner, 'type'), associatedUrn: urn }]
  })
  return { owners, lastModified: auditStamp(value.lastModified) }
}

function platformOnly(instance: JsonObject | undefined, urn: Urn): (Node & { readonly platform: Node }) | null {
  const platform = nodeOf(instance?.platform)
  return platform === undefined ? null : { urn, platform }
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

/** Fields whose properties are a name, a description and custom properties. */
function named(aspect: string, more: (value: JsonObject) => JsonObject = () => ({})) {
  return async ({ urn }: Node, _: unknown, context: GraphqlContext) => {
    const value = await context.aspect(urn, aspect)
    if (value === undefined) return null
    return {
      name: textOrNull(value, 'name', 'title', 'displayName') ?? keyPart(urn, 0),
      description: textOrNull(value, 'description', 'definition'),
      qualifiedName: textOrNull(value, 'qualifiedName'),
      externalUrl: textOrNull(value, 'externalUrl'),
      customProperties: customProperties(urn, value),
      ...more(value),
    }
  }
}

function auditStamp(value: JsonValue | undefined) {
  return isJsonObject(value) ? { time: value.time ?? 0, actor: textOrNull(value, 'actor') } : null
}

async function schemaMetadata(urn: Urn, version: number | null | undefined, context: GraphqlContext) {
  const old = typeof version === 'number' && version > 0
  const stored = old
    ? await context.catalog.read.aspect(urn, 'schemaMetadata', version)
    : await context.stored(urn, 'schemaMetadata')
  if (stored === undefined) return null
  const { value } = stored
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
