/** Search and lineage queries (contract §9.2, §9.5). */
import type { Direction, LineageHit, LineageResults } from '../../catalog/lineage/lineage-search.ts'
import type { FacetCount, SearchQuery } from '../../catalog/search/search.ts'
import { BadRequestError } from '../../catalog/errors.ts'
import type { Urn } from '../../model/urn.ts'
import { searchFilter, sortCriteria } from '../filter-decoder.ts'
import type { GraphqlContext } from './context.ts'
import { entityTypeOfEnum } from './entity-type-names.ts'
import { node, nodeOf, urnArgument, type Node } from './nodes.ts'
import type { FieldResolvers } from './resolver.ts'

const DEFAULT_COUNT = 10

export const SEARCH_QUERIES: FieldResolvers<unknown> = {
  search: (_, { input }, context) => searchPage({ ...input, types: [input.type] }, context),
  searchAcrossEntities: (_, { input }, context) => searchPage(input, context),
  scrollAcrossEntities: async (_, { input }, context) => {
    const query = searchQuery(input)
    const count = input.count ?? DEFAULT_COUNT
    const page = await context.catalog.search.scroll(query, { after: input.scrollId ?? undefined, count })
    return {
      nextScrollId: page.next ?? null,
      count: page.urns.length,
      total: page.total,
      searchResults: page.urns.map(searchResult),
      facets: () => facetsOf(context.catalog.search.facets(query)),
    }
  },
  searchAcrossLineage: async (_, { input }, context) => {
    const range = rangeOf(input.start ?? 0, input.count ?? DEFAULT_COUNT)
    const results = await lineage(input, range, context)
    return {
      start: range.start,
      count: results.hits.length,
      total: results.total,
      searchResults: lineageResults(results),
      facets: () => facetsOf(results.facets()),
      freshness: { cached: false },
    }
  },
  scrollAcrossLineage: async (_, { input }, context) => {
    const range = rangeOf(offsetOf(input.scrollId), input.count ?? DEFAULT_COUNT)
    const results = await lineage(input, range, context)
    const end = range.start + results.hits.length
    return {
      nextScrollId: end < results.total && results.hits.length > 0 ? offsetId(end) : null,
      count: results.hits.length,
      total: results.total,
      searchResults: lineageResults(results),
      facets: () => facetsOf(results.facets()),
    }
  },
}

/** What is read only when it is selected: the compiler calls no functions that it finds in a parent, so resolvers do. */
export const LATE_FIELDS: Readonly<Record<string, FieldResolvers<never>>> = {
  SearchAcrossLineageResult: { paths: (hit: { readonly paths: () => unknown }) => hit.paths() },
  ...Object.fromEntries(
    ['SearchResults', 'ScrollResults', 'SearchAcrossLineageResults', 'ScrollAcrossLineageResults'].map((type) => [
      type,
      { facets: (results: { readonly facets: () => unknown }) => results.facets() },
    ]),
  ),
}

/** The one-entity forms of lineage and relationships. */
export const CONNECTION_FIELDS: FieldResolvers<Node> = {
  lineage: async ({ urn }, { input }, context) => {
    const range = rangeOf(input.start ?? 0, input.count ?? 100)
    const degree = { field: 'degree', condition: 'EQUAL' as const, values: ['1'], negated: false }
    const results = await context.catalog.lineage.search(
      { urn, query: '*', direction: directionOf(input.direction), filter: [[degree]] },
      range,
    )
    return {
      start: range.start,
      count: results.hits.length,
      total: results.total,
      filtered: 0,
      relationships: results.hits.map((hit) => ({ type: 'DownstreamOf', entity: node(hit.urn), degree: hit.degree })),
    }
  },
  relationships: async ({ urn }, { input }, context) => {
    const { start = 0, count = 100, types, direction } = input
    const page = await context.catalog.relationships.of(
      { urn, types, direction: direction === 'INCOMING' ? 'incoming' : 'outgoing' },
      rangeOf(start ?? 0, count ?? 100),
    )
    return {
      start,
      count: page.relationships.length,
      total: page.total,
      relationships: page.relationships.map((one) => ({ type: one.type, direction, entity: node(one.urn) })),
    }
  },
}

async function searchPage(input: SearchArguments, context: GraphqlContext) {
  const query = searchQuery(input)
  const range = rangeOf(input.start ?? 0, input.count ?? DEFAULT_COUNT)
  const page = await context.catalog.search.page(query, range)
  return {
    start: range.start,
    count: page.urns.length,
    total: page.total,
    searchResults: page.urns.map(searchResult),
    facets: () => facetsOf(context.catalog.search.facets(query, input.searchFlags?.maxAggValues ?? 20)),
  }
}

interface SearchArguments {
  readonly types?: readonly string[] | null
  readonly query?: string | null
  readonly start?: number | null
  readonly count?: number | null
  readonly orFilters?: unknown
  readonly filters?: unknown
  readonly sortInput?: { readonly sortCriterion?: unknown; readonly sortCriteria?: readonly unknown[] | null } | null
  readonly searchFlags?: { readonly includeSoftDeleted?: boolean | null; readonly maxAggValues?: number | null } | null
}

function searchQuery(input: SearchArguments): SearchQuery {
  const types = (input.types ?? []).map((name) => entityTypeOfEnum(name) ?? name)
  const filters =
    input.orFilters ?? (input.filters === undefined || input.filters === null ? null : [{ and: input.filters }])
  return {
    query: input.query ?? '*',
    types,
    filter: searchFilter(filters),
    includeRemoved: input.searchFlags?.includeSoftDeleted === true,
    // The single one is the older form.
    sort: sortCriteria(input.sortInput?.sortCriteria ?? input.sortInput?.sortCriterion),
  }
}

function searchResult(urn: Urn) {
  return { entity: node(urn), insights: [], matchedFields: [], extraProperties: [] }
}

interface LineageArguments extends SearchArguments {
  readonly urn?: string | null
  readonly direction: 'UPSTREAM' | 'DOWNSTREAM'
}

function lineage(input: LineageArguments, range: { start: number; count: number }, context: GraphqlContext) {
  if (typeof input.urn !== 'string') throw new BadRequestError('searchAcrossLineage needs the urn to start from')
  const query = { ...searchQuery(input), urn: urnArgument(input.urn), direction: directionOf(input.direction) }
  return context.catalog.lineage.search(query, range)
}

const directionOf = (direction: 'UPSTREAM' | 'DOWNSTREAM'): Direction =>
  direction === 'UPSTREAM' ? 'upstream' : 'downstream'

function lineageResults(results: LineageResults) {
  // One read of the ways serves all results of the page, and only when some result asks for its way.
  let ways: ReturnType<LineageResults['paths']> | undefined
  return results.hits.map((hit: LineageHit) => ({
    entity: node(hit.urn),
    degree: hit.degree,
    degrees: [hit.degree],
    insights: [],
    matchedFields: [],
    explored: false,
    truncatedChildren: false,
    ignoredAsHop: false,
    paths: async () => {
      ways ??= results.paths()
      const way = (await ways).get(hit.urn)
      return way === undefined ? [] : [{ path: way.map(node) }]
    },
  }))
}

const DISPLAY_NAMES: Readonly<Record<string, string>> = {
  degree: 'Degree of Dependencies',
  platform: 'Platform',
  _entityType: 'Type',
  origin: 'Environment',
  tags: 'Tag',
  owners: 'Owned By',
  domains: 'Domain',
  typeNames: 'Sub Type',
}

async function facetsOf(counts: Promise<readonly FacetCount[]>) {
  const byField = Map.groupBy(await counts, (count) => count.field)
  return [...byField].map(([field, all]) => ({
    field,
    displayName: DISPLAY_NAMES[field] ?? field,
    entity: null,
    aggregations: all.map(({ value, count }) => ({ value, count, entity: nodeOf(value) ?? null, displayName: null })),
  }))
}

function rangeOf(start: number, count: number): { readonly start: number; readonly count: number } {
  if (start < 0 || count < 0) throw new BadRequestError('start and count are not negative')
  return { start, count: Math.min(count, 10_000) }
}

const offsetId = (offset: number): string => Buffer.from(JSON.stringify({ offset })).toString('base64url')

function offsetOf(scrollId: string | null | undefined): number {
  if (scrollId === null || scrollId === undefined) return 0
  const match = /^\{"offset":(\d{1,12})\}$/.exec(Buffer.from(scrollId, 'base64url').toString())
  if (match === null) throw new BadRequestError(`not a scroll id: ${scrollId.slice(0, 80)}`)
  return Number(match[1])
}
