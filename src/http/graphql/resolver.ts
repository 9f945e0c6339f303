import type { GraphQLResolveInfo } from 'graphql'
import type { JsonObject } from '../../model/json.ts'
import type { Soon } from '../../catalog/write/write.ts'
import type { Urn } from '../../model/urn.ts'
import type { GraphqlContext } from './context.ts'
import type { Node } from './nodes.ts'

/** Resolvers of one type by the names of its fields. Arguments were checked against the schema by GraphQL itself. */
export type FieldResolvers<Parent> = Readonly<
  // oxlint-disable-next-line typescript/no-explicit-any -- the schema types the arguments; each resolver names what it takes
  Record<string, (parent: Parent, args: any, context: GraphqlContext, info: GraphQLResolveInfo) => unknown>
>

/** A field made from one aspect of the entity; null where the entity has none. */
export function fromAspect<T>(aspect: string, make: (value: JsonObject, urn: Urn) => T) {
  return ({ urn }: Node, _: unknown, context: GraphqlContext): Soon<T | null> => {
    const made = (value: JsonObject | undefined) => (value === undefined ? null : make(value, urn))
    const value = context.aspect(urn, aspect)
    return value instanceof Promise ? value.then(made) : made(value)
  }
}
