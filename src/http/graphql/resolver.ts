import type { GraphQLResolveInfo } from 'graphql'
import type { GraphqlContext } from './context.ts'

/** Resolvers of one type by the names of its fields. Arguments were checked against the schema by GraphQL itself. */
export type FieldResolvers<Parent> = Readonly<
  // oxlint-disable-next-line typescript/no-explicit-any -- the schema types the arguments; each resolver names what it takes
  Record<string, (parent: Parent, args: any, context: GraphqlContext, info: GraphQLResolveInfo) => unknown>
>
