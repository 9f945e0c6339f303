/** Structured properties in GraphQL (contract §9.6). */
import { qualified, type DefinitionUpdate } from '../../catalog/properties/properties.ts'
import { BadRequestError } from '../../catalog/errors.ts'
import { isJsonObject, objectsOf, stringsAt, textOf, type JsonObject, type JsonValue } from '../../model/json.ts'
import { entityTypeNamed } from '../../model/registry/registry.ts'
import type { Urn } from '../../model/urn.ts'
import type { GraphqlContext } from './context.ts'
import { enumNameOf } from './entity-type-names.ts'
import { keyPart, node, nodeOf, textOrNull, urnArgument, type Node } from './nodes.ts'
import type { FieldResolvers } from './resolver.ts'

export const STRUCTURED_PROPERTIES_FIELD: FieldResolvers<Node> = {
  structuredProperties: async ({ urn }, _, context) => values(urn, await context.aspect(urn, 'structuredProperties')),
}

export const PROPERTY_TYPE_FIELDS: Readonly<Record<string, FieldResolvers<Node>>> = {
  StructuredPropertyEntity: {
    definition: async ({ urn }, _, context) => definition(urn, await context.aspect(urn, 'propertyDefinition')),
    settings: async ({ urn }, _, context) => settings(await context.aspect(urn, 'structuredPropertySettings')),
  },
  DataTypeEntity: {
    info: ({ urn }) => {
      const qualifiedName = keyPart(urn, 0)
      const type = (qualifiedName.split('.').at(-1) ?? '').toUpperCase()
      const known = ['STRING', 'NUMBER', 'URN', 'RICH_TEXT', 'DATE'].includes(type)
      return {
        type: known ? type : 'OTHER',
        qualifiedName,
        displayName: qualifiedName.split('.').at(-1),
        description: null,
      }
    },
  },
  EntityTypeEntity: {
    info: ({ urn }) => {
      const qualifiedName = keyPart(urn, 0)
      const name = qualifiedName.split('.').at(-1) ?? ''
      return {
        type: enumNameOf(entityTypeNamed(name)?.name ?? name),
        qualifiedName,
        displayName: name,
        description: null,
      }
    },
  },
}

export const PROPERTY_MUTATIONS: FieldResolvers<unknown> = {
  createStructuredProperty: async (_, { input }, context) => {
    const { id, valueType, entityTypes, typeQualifier, allowedValues, ...rest } = input
    const definitionOf: JsonObject = {
      ...present(rest, ['qualifiedName', 'displayName', 'description', 'immutable', 'cardinality']),
      valueType: qualified('dataType', valueType),
      entityTypes: entityTypes.map((type: string) => qualified('entityType', type)),
      ...(typeQualifier?.allowedTypes ? { typeQualifier: { allowedTypes: typeQualifier.allowedTypes } } : {}),
      ...(allowedValues ? { allowedValues: allowedValues.map(allowedValue) } : {}),
    }
    const urn = await context.catalog.properties.define(id ?? undefined, definitionOf, context.actor)
    context.refresh()
    return node(urn)
  },
  updateStructuredProperty: async (_, { input }, context) => {
    const urn = urnArgument(input.urn, 'structuredProperty')
    const update: DefinitionUpdate = {
      ...present(input, ['displayName', 'description', 'immutable', 'setCardinalityAsMultiple']),
      ...(input.newAllowedValues ? { newAllowedValues: input.newAllowedValues.map(allowedValue) } : {}),
      ...(input.newEntityTypes
        ? { newEntityTypes: input.newEntityTypes.map((type: string) => qualified('entityType', type)) }
        : {}),
      ...(input.typeQualifier?.newAllowedTypes ? { newAllowedTypes: input.typeQualifier.newAllowedTypes } : {}),
    }
    await context.catalog.properties.redefine(urn, update, context.actor)
    context.refresh()
    return node(urn)
  },
  deleteStructuredProperty: async (_, { input }, context) => {
    const urn = urnArgument(input.urn, 'structuredProperty')
    await context.catalog.deletion.entity(urn, context.actor)
    context.refresh()
    return true
  },
  upsertStructuredProperties: async (_, { input }, context) => {
    const asset = urnArgument(input.assetUrn)
    const assignments = input.structuredPropertyInputParams.map(
      (one: { structuredPropertyUrn: string; values: readonly ValueInput[] }) => ({
        propertyUrn: urnArgument(one.structuredPropertyUrn, 'structuredProperty'),
        values: one.values.map(valueOf),
      }),
    )
    await context.catalog.properties.assign(asset, assignments, context.actor)
    return refreshed(asset, context)
  },
  removeStructuredProperties: async (_, { input }, context) => {
    const asset = urnArgument(input.assetUrn)
    const urns = input.structuredPropertyUrns.map((urn: string) => urnArgument(urn, 'structuredProperty'))
    await context.catalog.properties.unassign(asset, urns, context.actor)
    return refreshed(asset, context)
  },
}

async function refreshed(asset: Urn, context: GraphqlContext) {
  context.refresh()
  return values(asset, await context.aspect(asset, 'structuredProperties')) ?? { properties: [] }
}

interface ValueInput {
  readonly stringValue?: string | null
  readonly numberValue?: number | null
}

function valueOf({ stringValue, numberValue }: ValueInput): JsonObject {
  if (typeof stringValue === 'string') return { string: stringValue }
  if (typeof numberValue === 'number') return { double: numberValue }
  throw new BadRequestError('a value is either stringValue or numberValue')
}

function allowedValue(input: ValueInput & { readonly description?: string | null }): JsonObject {
  return { value: valueOf(input), ...(typeof input.description === 'string' ? { description: input.description } : {}) }
}

function definition(urn: Urn, value: JsonObject | undefined) {
  if (value === undefined) {
    return {
      qualifiedName: keyPart(urn, 0),
      valueType: node(qualified('dataType', 'string')),
      entityTypes: [],
      immutable: false,
    }
  }
  const allowedTypes = stringsAt(value.typeQualifier, 'allowedTypes')
  return {
    qualifiedName: textOf(value.qualifiedName),
    displayName: textOrNull(value, 'displayName'),
    description: textOrNull(value, 'description'),
    cardinality: textOrNull(value, 'cardinality') ?? 'SINGLE',
    allowedValues: Array.isArray(value.allowedValues)
      ? objectsOf(value.allowedValues).map((one) => ({
          value: propertyValue(one.value),
          description: textOrNull(one, 'description'),
        }))
      : null,
    valueType: nodeOf(value.valueType),
    typeQualifier:
      allowedTypes.length === 0 ? null : { allowedTypes: allowedTypes.flatMap((one) => nodeOf(one) ?? []) },
    entityTypes: stringsAt(value, 'entityTypes').flatMap((one) => nodeOf(one) ?? []),
    immutable: value.immutable === true,
    created: stamp(value.created),
    lastModified: stamp(value.lastModified),
  }
}

function settings(value: JsonObject | undefined) {
  if (value === undefined) return null
  const names = ['isHidden', 'showInSearchFilters', 'showInAssetSummary', 'showAsAssetBadge', 'showInColumnsTable']
  return Object.fromEntries(names.map((name) => [name, value[name] === true]))
}

function values(urn: Urn, value: JsonObject | undefined) {
  if (value === undefined) return null
  const properties = objectsOf(value.properties).flatMap((entry) => {
    const structuredProperty = nodeOf(entry.propertyUrn)
    if (structuredProperty === undefined) return []
    const given = objectsOf(entry.values)
    return [
      {
        structuredProperty,
        values: given.map(propertyValue),
        valueEntities: given.flatMap((one) => nodeOf(one.string) ?? []),
        associatedUrn: urn,
      },
    ]
  })
  return { properties }
}

function propertyValue(value: JsonValue | undefined) {
  if (isJsonObject(value) && typeof value.double === 'number') {
    return { __typename: 'NumberValue', numberValue: value.double }
  }
  return { __typename: 'StringValue', stringValue: isJsonObject(value) ? textOf(value.string) : textOf(value) }
}

function stamp(value: JsonValue | undefined) {
  return isJsonObject(value) ? { time: value.time ?? 0, actor: nodeOf(value.actor) ?? null } : null
}

function present(object: Readonly<Record<string, unknown>>, names: readonly string[]): JsonObject {
  return Object.fromEntries(
    names.filter((name) => object[name] !== undefined && object[name] !== null).map((name) => [name, object[name]]),
  ) as JsonObject
}
