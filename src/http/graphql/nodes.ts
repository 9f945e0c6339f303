/** Entities as GraphQL objects: a node is its URN; everything else is read when asked for. */
import { InvalidUrnError } from '../../model/errors.ts'
import { isJsonObject, objectsOf, textOf, type JsonObject, type JsonValue } from '../../model/json.ts'
import { entityTypeNamed } from '../../model/registry/registry.ts'
import { unknownEntityType } from '../../model/registry/unknown.ts'
import { asUrn, entityTypeOf, parseUrn, type Urn } from '../../model/urn.ts'
import { enumNameOf } from './entity-type-names.ts'

/** What a resolver of an entity gets as its parent. */
export interface Node {
  readonly urn: Urn
}

const TYPE_NAMES: Readonly<Record<string, string>> = {
  dataset: 'Dataset',
  tag: 'Tag',
  glossaryTerm: 'GlossaryTerm',
  glossaryNode: 'GlossaryNode',
  corpuser: 'CorpUser',
  corpGroup: 'CorpGroup',
  domain: 'Domain',
  dataPlatform: 'DataPlatform',
  dataPlatformInstance: 'DataPlatformInstance',
  container: 'Container',
  chart: 'Chart',
  dashboard: 'Dashboard',
  dataFlow: 'DataFlow',
  dataJob: 'DataJob',
  mlModel: 'MLModel',
  mlModelGroup: 'MLModelGroup',
  mlFeature: 'MLFeature',
  mlFeatureTable: 'MLFeatureTable',
  mlPrimaryKey: 'MLPrimaryKey',
  document: 'Document',
  schemaField: 'SchemaFieldEntity',
  query: 'QueryEntity',
  dataType: 'DataTypeEntity',
  entityType: 'EntityTypeEntity',
  structuredProperty: 'StructuredPropertyEntity',
}

/** Name of the GraphQL type of an entity. */
export function typeNameOf(node: Node): string {
  return TYPE_NAMES[entityTypeOf(node.urn)] ?? 'OtherEntity'
}

/** Names of all GraphQL types that stand for entities. */
export const ENTITY_TYPE_NAMES: readonly string[] = [...Object.values(TYPE_NAMES), 'OtherEntity']

export const node = (urn: Urn): Node => ({ urn })

/** A node from text of an aspect; undefined where it is no URN. */
export function nodeOf(value: JsonValue | undefined): Node | undefined {
  if (typeof value !== 'string') return undefined
  try {
    return { urn: asUrn(value) }
  } catch {
    return undefined
  }
}

/** Parses a URN argument. @throws InvalidUrnError, also where it is of another entity type than asked for */
export function urnArgument(text: string, entityType?: string): Urn {
  const { urn, entityType: own } = parseUrn(text)
  if (entityTypeNamed(own) === undefined) throw new InvalidUrnError(text, unknownEntityType(own))
  if (entityType !== undefined && own !== entityType) {
    throw new InvalidUrnError(text, `it is a ${own}, not a ${entityType}`)
  }
  return urn
}

export const enumTypeOf = (urn: Urn): string => enumNameOf(entityTypeOf(urn))

/** A part of the URN's key, counted from 0. */
export const keyPart = (urn: Urn, index: number): string => parseUrn(urn).key[index] ?? ''

/** Text of a member; null, as GraphQL has it, where absent. */
export function textOrNull(value: JsonObject | undefined, ...names: readonly string[]): string | null {
  for (const name of names) {
    const member = value?.[name]
    if (member !== undefined && member !== null) return textOf(member)
  }
  return null
}

/** `customProperties` as GraphQL lists them. */
export function customProperties(urn: Urn, value: JsonObject | undefined) {
  const map = value?.customProperties
  return isJsonObject(map)
    ? Object.entries(map).map(([key, text]) => ({ key, value: textOf(text), associatedUrn: urn }))
    : []
}

/** `globalTags` as GraphQL has it; null where the aspect is absent. */
export function globalTags(urn: Urn, value: JsonValue | undefined) {
  if (!isJsonObject(value)) return null
  const tags = objectsOf(value.tags).flatMap((association) => {
    const tag = nodeOf(association.tag)
    if (tag === undefined) return []
    const { attribution } = association
    return [
      { tag, associatedUrn: urn, context: textOrNull(association, 'context'), attribution: attributed(attribution) },
    ]
  })
  return { tags }
}

/** Who or what made an association, and when; null where it does not say. */
function attributed(value: JsonValue | undefined) {
  const actor = isJsonObject(value) ? nodeOf(value.actor) : undefined
  if (!isJsonObject(value) || actor === undefined) return null
  const detail = isJsonObject(value.sourceDetail) ? value.sourceDetail : {}
  return {
    time: value.time ?? 0,
    actor,
    source: nodeOf(value.source) ?? null,
    sourceDetail: Object.entries(detail).map(([key, text]) => ({ key, value: textOf(text) })),
  }
}

export function glossaryTerms(urn: Urn, value: JsonValue | undefined) {
  if (!isJsonObject(value)) return null
  const terms = objectsOf(value.terms).flatMap((association) => {
    const term = nodeOf(association.urn)
    return term === undefined ? [] : [{ term, associatedUrn: urn }]
  })
  return { terms }
}

/** An audit stamp as GraphQL shows it; null where there is none. */
export function auditStamp(value: JsonValue | undefined) {
  return isJsonObject(value) ? { time: value.time ?? 0, actor: textOrNull(value, 'actor') } : null
}
