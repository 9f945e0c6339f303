/** Fields of entities, read from their aspects (contract §9.5). */
import { isJsonObject, objectsOf, stringsAt, textOf, type JsonObject } from '../../model/json.ts'
import { entityTypeNamed } from '../../model/registry/registry.ts'
import { asUrn, entityTypeOf, schemaFieldParts, type Urn } from '../../model/urn.ts'
import { DATASET_FIELDS } from './dataset-resolvers.ts'
import {
  auditStamp,
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
import { fromAspect, type FieldResolvers } from './resolver.ts'

/** Fields that every entity has. */
export const ENTITY_FIELDS: FieldResolvers<Node> = {
  type: ({ urn }) => enumTypeOf(urn),
  exists: ({ urn }, _, context) => context.exists(urn),
  tags: fromAspect('globalTags', (value, urn) => globalTags(urn, value)),
  globalTags: fromAspect('globalTags', (value, urn) => globalTags(urn, value)),
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
  status: fromAspect('status', (status) => ({ removed: status.removed === true })),
  subTypes: fromAspect('subTypes', (subTypes) => ({ typeNames: stringsAt(subTypes, 'typeNames') })),
  aspects: async ({ urn }, { input }, context) => {
    const record = (await context.catalog.read.entities([urn], input?.aspectNames ?? undefined)).get(urn)
    return [...(record?.aspects ?? [])].map(([aspectName, stored]) => ({
      aspectName,
      payload: JSON.stringify(stored.value),
    }))
  },
}

const UNKNOWN_PLATFORM = node(asUrn('urn:li:dataPlatform:unknown'))

/** Fields of single entity types. */
export const TYPE_FIELDS: Readonly<Record<string, FieldResolvers<Node>>> = {
  Dataset: DATASET_FIELDS,
  Tag: {
    name: ({ urn }) => keyPart(urn, 0),
    description: async ({ urn }, _, context) => textOrNull(await context.aspect(urn, 'tagProperties'), 'description'),
    properties: fromAspect('tagProperties', (value, urn) => ({
      name: textOrNull(value, 'name') ?? keyPart(urn, 0),
      description: textOrNull(value, 'description'),
      colorHex: textOrNull(value, 'colorHex'),
    })),
  },
  GlossaryTerm: {
    name: ({ urn }) => keyPart(urn, 0).split('.').at(-1),
    hierarchicalName: ({ urn }) => keyPart(urn, 0),
    properties: named('glossaryTermInfo', (value) => ({ definition: textOrNull(value, 'definition') })),
  },
  GlossaryNode: { properties: named('glossaryNodeInfo') },
  CorpUser: {
    username: ({ urn }) => keyPart(urn, 0),
    properties: fromAspect('corpUserInfo', (value) => ({
      displayName: textOrNull(value, 'displayName'),
      email: textOrNull(value, 'email'),
      fullName: textOrNull(value, 'fullName'),
      title: textOrNull(value, 'title'),
    })),
  },
  CorpGroup: {
    name: ({ urn }) => keyPart(urn, 0),
    properties: fromAspect('corpGroupInfo', (value) => ({
      displayName: textOrNull(value, 'displayName'),
      description: textOrNull(value, 'description'),
      email: textOrNull(value, 'email'),
    })),
  },
  Domain: { id: ({ urn }) => keyPart(urn, 0), properties: named('domainProperties') },
  DataPlatform: {
    name: ({ urn }) => keyPart(urn, 0),
    displayName: async ({ urn }, _, context) =>
      textOrNull(await context.aspect(urn, 'dataPlatformInfo'), 'displayName'),
    properties: fromAspect('dataPlatformInfo', (value) => ({
      type: textOrNull(value, 'type'),
      displayName: textOrNull(value, 'displayName'),
      datasetNameDelimiter: textOrNull(value, 'datasetNameDelimiter'),
      logoUrl: textOrNull(value, 'logoUrl'),
    })),
  },
  DataPlatformInstance: {
    // An aspect may name as an instance what is none.
    platform: (parent: Node & { readonly platform?: Node }) =>
      parent.platform ?? nodeOf(keyPart(parent.urn, 0)) ?? UNKNOWN_PLATFORM,
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
  MLModel: { ...machineLearning('mlModelProperties'), origin: ({ urn }) => keyPart(urn, 2) },
  MLModelGroup: { ...machineLearning('mlModelGroupProperties'), origin: ({ urn }) => keyPart(urn, 2) },
  MLFeature: { ...machineLearning('mlFeatureProperties'), featureNamespace: ({ urn }) => keyPart(urn, 0) },
  MLFeatureTable: machineLearning('mlFeatureTableProperties'),
  MLPrimaryKey: { ...machineLearning('mlPrimaryKeyProperties'), featureNamespace: ({ urn }) => keyPart(urn, 0) },
  Document: {
    subType: async ({ urn }, _, context) => stringsAt(await context.aspect(urn, 'subTypes'), 'typeNames')[0] ?? null,
    info: fromAspect('documentInfo', (value) => ({ title: textOrNull(value, 'title') })),
  },
  SchemaFieldEntity: {
    fieldPath: ({ urn }) => schemaFieldParts(urn).fieldPath,
    parent: ({ urn }) => node(schemaFieldParts(urn).parent),
  },
  QueryEntity: {
    properties: fromAspect('queryProperties', (value) => {
      const statement = isJsonObject(value.statement) ? value.statement : {}
      return {
        name: textOrNull(value, 'name'),
        description: textOrNull(value, 'description'),
        source: textOrNull(value, 'source'),
        statement: { value: textOf(statement.value), language: textOf(statement.language) || 'UNKNOWN' },
        created: auditStamp(value.created),
        lastModified: auditStamp(value.lastModified),
      }
    }),
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

/** Fields of what is called by the second part of its key. */
function machineLearning(aspect: string): FieldResolvers<Node> {
  return {
    name: ({ urn }) => keyPart(urn, 1),
    description: async ({ urn }, _, context) => textOrNull(await context.aspect(urn, aspect), 'description'),
    properties: named(aspect, undefined, 1),
  }
}

/**
 * Fields whose properties are a name, a description and custom properties.
 * @param keyIndex the part of the key that stands for an absent name
 */
function named(aspect: string, more: (value: JsonObject) => JsonObject = () => ({}), keyIndex = 0) {
  return fromAspect(aspect, (value, urn) => ({
    name: textOrNull(value, 'name', 'title', 'displayName') ?? keyPart(urn, keyIndex),
    description: textOrNull(value, 'description', 'definition'),
    qualifiedName: textOrNull(value, 'qualifiedName'),
    externalUrl: textOrNull(value, 'externalUrl'),
    customProperties: customProperties(urn, value),
    ...more(value),
  }))
}
