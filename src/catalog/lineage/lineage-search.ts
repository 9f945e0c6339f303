/**
 * Multi-hop lineage search (interface §4.1, contract §9.2): walk the graph, keep what exists and is not soft-deleted,
 * filter, page. URNs that nobody wrote are walked through and not returned.
 */
import { entityTypeOf, schemaFieldParts, type Urn } from '../../model/urn.ts'
import type { Direction, Graph, Level, WalkQuery } from '../../store/graph.ts'
import { BadRequestError } from '../errors.ts'
import type { Ports } from '../ports.ts'
import type { Criterion, Filter } from '../search/filters.ts'
import type { FacetCount, Search, SearchQuery } from '../search/search.ts'

export type { Direction } from '../../store/graph.ts'

export interface LineageQuery extends Omit<SearchQuery, 'within'> {
  readonly urn: Urn
  readonly direction: Direction
}

export interface LineageHit {
  readonly urn: Urn
  readonly degree: number
}

export interface LineageResults {
  readonly total: number
  readonly hits: readonly LineageHit[]
  /** Shortest way from the start to each of the hits, both ends included. */
  paths(): Promise<ReadonlyMap<Urn, readonly Urn[]>>
  /** Counts over all that was found: `degree` first, then platform, type, tags and so on. */
  facets(): Promise<readonly FacetCount[]>
}

export interface LineageSearch {
  search(query: LineageQuery, range: { readonly start: number; readonly count: number }): Promise<LineageResults>
}

const DEGREES = ['1', '2', '3+'] as const
type Degree = (typeof DEGREES)[number]

export function createLineageSearch({ urnIds }: Ports, graph: Graph, search: Search): LineageSearch {
  /** The entity that decides whether a node is returned: itself, or for a column the dataset that it belongs to. */
  async function subjectsOf(ids: readonly number[], level: Level): Promise<ReadonlyMap<number, number>> {
    if (level === 'entity') return new Map(ids.map((id) => [id, id]))
    const names = await urnIds.names(ids)
    const parents = new Map([...names].flatMap(([id, urn]) => parentOf(urn).map((parent) => [id, parent] as const)))
    const parentIds = await urnIds.find(parents.values())
    return new Map(
      [...parents].flatMap(([id, parent]) => (parentIds.has(parent) ? [[id, parentIds.get(parent) ?? -1]] : [])),
    )
  }

  return {
    async search(query, range) {
      const start = (await urnIds.find([query.urn])).get(query.urn)
      if (start === undefined) return NOTHING
      const filter = query.filter ?? []
      const wanted = degreesOf(filter)
      const walkQuery: WalkQuery = {
        start,
        direction: query.direction,
        level: entityTypeOf(query.urn) === 'schemaField' ? 'column' : 'entity',
        ...maxHops(wanted),
      }
      const walk = await graph.walk(walkQuery)
      const near = walk.ids.flatMap((id, index) => {
        const degree = walk.degrees[index] ?? 0
        return wanted === undefined || wanted.has(bucketOf(degree)) ? [{ id, degree }] : []
      })
      const subjects = await subjectsOf(
        near.map((hit) => hit.id),
        walkQuery.level,
      )
      const matching =
        near.length === 0 ? NONE : await search.matching({ ...query, within: [...new Set(subjects.values())] })
      const found = near.filter((hit) => matching.has(subjects.get(hit.id) ?? -1))
      const page = found.slice(range.start, range.start + range.count)
      const names = await urnIds.names(page.map((hit) => hit.id))
      const nameOf = (id: number): readonly Urn[] => (names.has(id) ? [names.get(id) as Urn] : [])
      return {
        total: found.length,
        hits: page.flatMap((hit) => nameOf(hit.id).map((urn) => ({ urn, degree: hit.degree }))),
        async paths() {
          const ways = await graph.paths(
            walkQuery,
            page.map((hit) => hit.id),
          )
          const all = await urnIds.names([...ways.values()].flat())
          return new Map(
            [...ways].flatMap(([id, way]) =>
              nameOf(id).map((urn) => [urn, way.flatMap((step) => all.get(step) ?? [])] as const),
            ),
          )
        },
        async facets() {
          const degrees = DEGREES.map((value) => ({
            field: 'degree',
            value,
            count: found.filter((hit) => bucketOf(hit.degree) === value).length,
          }))
          const ids = [...new Set(found.flatMap((hit) => subjects.get(hit.id) ?? []))]
          return [...degrees, ...(ids.length === 0 ? [] : await search.facets({ ...query, within: ids }))]
        },
      }
    },
  }
}

const NOTHING: LineageResults = {
  total: 0,
  hits: [],
  paths: async () => new Map(),
  facets: async () => DEGREES.map((value) => ({ field: 'degree', value, count: 0 })),
}

const NONE: ReadonlySet<number> = new Set()

function parentOf(urn: Urn): readonly Urn[] {
  return entityTypeOf(urn) === 'schemaField' ? [schemaFieldParts(urn).parent] : [urn]
}

const bucketOf = (degree: number): Degree => (degree === 1 ? '1' : degree === 2 ? '2' : '3+')

/**
 * The distances that a filter lets through; undefined: all. As in DataHub, `degree` is read from the first alternative
 * that names it; unlike there, negation is obeyed.
 */
function degreesOf(filter: Filter): ReadonlySet<Degree> | undefined {
  const criteria = filter
    .map((all) => all.filter((criterion) => criterion.field === 'degree'))
    .find((all) => all.length > 0)
  if (criteria === undefined) return undefined
  const allowed = criteria.map(allowedBy)
  return new Set(DEGREES.filter((degree) => allowed.every((one) => one.has(degree))))
}

function allowedBy(criterion: Criterion): ReadonlySet<Degree> {
  const named = new Set<Degree>()
  for (const value of criterion.values) {
    const degree = DEGREES.find((one) => one === value)
    if (degree === undefined) throw new BadRequestError(`${value} is not a valid filter value for degree filters`)
    named.add(degree)
  }
  return criterion.negated ? new Set(DEGREES.filter((degree) => !named.has(degree))) : named
}

function maxHops(wanted: ReadonlySet<Degree> | undefined): { readonly maxHops?: number } {
  if (wanted === undefined || wanted.has('3+')) return {}
  return { maxHops: wanted.has('2') ? 2 : 1 }
}
