/** The schema with all of its resolvers. */
import { GraphQLInterfaceType, GraphQLObjectType, GraphQLUnionType, type GraphQLSchema } from 'graphql'
import type { Scope } from '../../catalog/tokens/tokens.ts'
import { requireScope } from '../caller.ts'
import { ENTITY_FIELDS, TYPE_FIELDS } from './entity-resolvers.ts'
import { INGESTION_FIELDS, INGESTION_QUERIES } from './ingestion-resolvers.ts'
import { LINEAGE_AND_TAG_MUTATIONS } from './mutation-resolvers.ts'
import { ENTITY_TYPE_NAMES, node, typeNameOf, urnArgument, type Node } from './nodes.ts'
import { PROPERTY_MUTATIONS, PROPERTY_TYPE_FIELDS, STRUCTURED_PROPERTIES_FIELD } from './property-resolvers.ts'
import type { FieldResolvers } from './resolver.ts'
import { schemaWithoutResolvers } from './schema.ts'
import { TOKEN_MUTATIONS, TOKEN_QUERIES } from './token-resolvers.ts'
import { CONNECTION_FIELDS, LATE_FIELDS, SEARCH_QUERIES } from './search-resolvers.ts'

const QUERIES: FieldResolvers<unknown> = {
  ...SEARCH_QUERIES,
  ...INGESTION_QUERIES,
  dataset: (_, { urn }) => node(urnArgument(urn, 'dataset')),
  tag: (_, { urn }) => node(urnArgument(urn, 'tag')),
  structuredProperty: (_, { urn }) => node(urnArgument(urn, 'structuredProperty')),
  entity: (_, { urn }) => node(urnArgument(urn)),
  entities: (_, { urns }) => urns.map((urn: string) => node(urnArgument(urn))),
  entityExists: (_, { urn }, context) => context.exists(urnArgument(urn)),
  me: (_, __, context) => ({
    corpUser: node(context.actor),
    platformPrivileges: {
      manageTags: context.caller.scopes.includes('write'),
      createTags: context.caller.scopes.includes('write'),
      manageTokens: context.caller.scopes.includes('operate'),
    },
  }),
  appConfig: () => ({
    appVersion: 'headwater',
    telemetryConfig: { enableThirdPartyLogging: false },
    semanticSearchConfig: { enabled: false, enabledEntities: [], embeddingConfig: null },
  }),
}

const MUTATIONS: FieldResolvers<unknown> = {
  ...LINEAGE_AND_TAG_MUTATIONS,
  ...PROPERTY_MUTATIONS,
  deleteTag: async (_, { urn }, context) => {
    const tag = urnArgument(urn, 'tag')
    await context.catalog.deletion.dereference(tag, context.actor)
    await context.catalog.deletion.entity(tag, context.actor)
    context.refresh()
    return true
  },
}

export function executableSchema(): GraphQLSchema {
  const schema = schemaWithoutResolvers()
  attach(schema, 'Query', { ...needing('read', QUERIES), ...needing('operate', TOKEN_QUERIES) })
  attach(schema, 'Mutation', { ...needing('write', MUTATIONS), ...needing('operate', TOKEN_MUTATIONS) })
  for (const name of ENTITY_TYPE_NAMES)
    attach(schema, name, {
      ...ENTITY_FIELDS,
      ...STRUCTURED_PROPERTIES_FIELD,
      ...CONNECTION_FIELDS,
      ...TYPE_FIELDS[name],
      ...PROPERTY_TYPE_FIELDS[name],
    })
  for (const [name, fields] of Object.entries(INGESTION_FIELDS)) attach(schema, name, fields)
  for (const [name, fields] of Object.entries(LATE_FIELDS)) attach(schema, name, fields)
  for (const type of Object.values(schema.getTypeMap())) {
    if (type instanceof GraphQLInterfaceType) type.resolveType = (value: Node) => typeNameOf(value)
    if (type instanceof GraphQLUnionType && type.name === 'OwnerType')
      type.resolveType = (value: Node) => typeNameOf(value)
  }
  return schema
}

/** The resolvers, each refusing callers without the scope; introspection needs none. */
function needing<T>(scope: Scope, resolvers: FieldResolvers<T>): FieldResolvers<T> {
  return Object.fromEntries(
    Object.entries(resolvers).map(([name, resolve]) => [
      name,
      (...args: Parameters<typeof resolve>) => {
        requireScope(args[2].caller, scope, name)
        return resolve(...args)
      },
    ]),
  )
}

/** Sets the resolvers of those fields that the type has; the rest reads the parent's member of the same name. */
function attach(schema: GraphQLSchema, typeName: string, resolvers: FieldResolvers<never>): void {
  const type = schema.getType(typeName)
  if (!(type instanceof GraphQLObjectType)) throw new TypeError(`the schema has no type ${typeName}`)
  for (const [name, field] of Object.entries(type.getFields())) {
    const resolve = resolvers[name]
    if (resolve !== undefined) field.resolve = resolve as typeof field.resolve & {}
  }
}
