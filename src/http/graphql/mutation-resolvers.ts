/** Mutations of lineage, tags, names, descriptions and forms (interface §4.1, contract §9.2-9.4). */
import { BadRequestError } from '../../catalog/errors.ts'
import type { TagTarget } from '../../catalog/tags/tags.ts'
import type { GraphqlContext } from './context.ts'
import { node, urnArgument } from './nodes.ts'
import type { FieldResolvers } from './resolver.ts'

interface EdgeArgument {
  readonly downstreamUrn: string
  readonly upstreamUrn: string
}

interface TargetArgument {
  readonly resourceUrn: string
  readonly subResourceType?: string | null
  readonly subResource?: string | null
}

interface CriterionArgument {
  readonly field: string
  readonly values?: readonly string[] | null
  readonly condition?: string | null
  readonly negated?: boolean | null
}

interface AndArgument {
  readonly and?: readonly CriterionArgument[] | null
}

export const LINEAGE_AND_TAG_MUTATIONS: FieldResolvers<unknown> = {
  updateLineage: async (_, { input }, context) => {
    await context.catalog.lineage.update(
      { add: edgesOf(input.edgesToAdd), remove: edgesOf(input.edgesToRemove) },
      context.actor,
    )
    return done(context)
  },
  createTag: async (_, { input }, context) => {
    const { id, name, description } = input
    return context.catalog.tags.create(
      { name, ...(id ? { id } : {}), ...(typeof description === 'string' ? { description } : {}) },
      context.actor,
    )
  },
  updateTag: async (_, { urn, input }, context) => {
    const tag = urnArgument(urn, 'tag')
    const { name, description } = input
    await context.catalog.tags.update(
      tag,
      { ...(typeof name === 'string' ? { name } : {}), ...(typeof description === 'string' ? { description } : {}) },
      context.actor,
    )
    context.refresh()
    return node(tag)
  },
  setTagColor: async (_, { urn, colorHex }, context) => {
    await context.catalog.tags.update(urnArgument(urn, 'tag'), { colorHex }, context.actor)
    return done(context)
  },
  addTag: (_, { input }, context) => label(context, 'add', [input.tagUrn], [input]),
  addTags: (_, { input }, context) => label(context, 'add', input.tagUrns, [input]),
  removeTag: (_, { input }, context) => label(context, 'remove', [input.tagUrn], [input]),
  batchAddTags: (_, { input }, context) => label(context, 'add', input.tagUrns, input.resources),
  updateName: async (_, { input }, context) => {
    await context.catalog.texts.rename(urnArgument(input.urn), input.name, context.actor)
    return done(context)
  },
  batchAssignForm: async (_, { input }, context) => {
    const entities = input.entityUrns.map((urn: string) => urnArgument(urn))
    await context.catalog.forms.assign(urnArgument(input.formUrn, 'form'), entities, context.actor)
    return done(context)
  },
  createDynamicFormAssignment: async (_, { input }, context) => {
    const filter = { or: input.orFilters.map(({ and }: AndArgument) => ({ and: (and ?? []).map(criterionOf) })) }
    await context.catalog.forms.assignByFilter(urnArgument(input.formUrn, 'form'), filter, context.actor)
    return done(context)
  },
  updateDescription: async (_, { input }, context) => {
    await context.catalog.texts.describe(targetOf(input), input.description, context.actor)
    return done(context)
  },
  batchRemoveTags: (_, { input }, context) => label(context, 'remove', input.tagUrns, input.resources),
}

async function label(
  context: GraphqlContext,
  mode: 'add' | 'remove',
  tags: readonly string[],
  targets: readonly (TargetArgument | null)[],
): Promise<true> {
  const urns = tags.map((tag) => urnArgument(tag))
  const decoded = targets.flatMap((target) => (target === null ? [] : [targetOf(target)]))
  await context.catalog.tags[mode](urns, decoded, context.actor)
  return done(context)
}

/** Both halves of a column's name or none (contract §9.4). */
function targetOf({ resourceUrn, subResourceType, subResource }: TargetArgument): TagTarget {
  const resource = urnArgument(resourceUrn)
  const typed = subResourceType !== undefined && subResourceType !== null
  const named = subResource !== undefined && subResource !== null && subResource !== ''
  if (typed && !named) {
    throw new BadRequestError(
      `Failed to update resource with urn ${resource}. SubResourceType (${subResourceType}) provided without a subResource.`,
    )
  }
  if (named && !typed) {
    throw new BadRequestError(
      `Failed to update resource with urn ${resource}. SubResource (${subResource}) provided without a subResourceType.`,
    )
  }
  return named ? { resource, column: subResource } : { resource }
}

function edgesOf(edges: readonly (EdgeArgument | null)[]) {
  return edges.flatMap((edge) =>
    edge === null
      ? []
      : [{ downstreamUrn: urnArgument(edge.downstreamUrn), upstreamUrn: urnArgument(edge.upstreamUrn) }],
  )
}

/** A criterion as aspects keep it: `value` is there for readers that know no lists. */
function criterionOf({ field, values, condition, negated }: CriterionArgument) {
  const list = values ?? []
  return { field, condition: condition ?? 'EQUAL', values: list, value: list[0] ?? '', negated: negated ?? false }
}

function done(context: GraphqlContext): true {
  context.refresh()
  return true
}
