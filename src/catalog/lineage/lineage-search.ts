/**
 * Multi-hop lineage search (interface §4.1, contract §9.2): walk the graph, keep what exists and is not soft-deleted,
 * filter, sort, page. URNs that nobody wrote are walked through and not returned.
 */
import { entityTypeOf, schemaFieldParts, type Urn } from '../../model/urn.ts'
import type { Direction, Graph, Level, Walk, WalkQuery } from '../../store/graph.ts'
import { BadRequestError } from '../errors.ts'
import type { Ports } from '../ports.ts'
import { wordsOf } from '../search/fields.ts'
import type { Criterion, Filter } from '../search/filters.ts'
import type { FacetCount, Search, SearchQuery } from '../search/search.ts'
import type { SortCriterion } from '../search/sort.ts'

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
  async function subjectsOf(ids: Int32Array, level: Level): Promise<Subjects> {
    if (level === 'entity') return { ids, of: (id) => id }
    const names = await urnIds.names(ids)
    const parents = new Map([...names].flatMap(([id, urn]) => parentOf(urn).map((parent) => [id, parent] as const)))
    const parentIds = await urnIds.find(parents.values())
    return {
      ids: Int32Array.from(new Set(parentIds.values())),
      of(id) {
        const parent = parents.get(id)
        return parent === undefined ? undefined : parentIds.get(parent)
      },
    }
  }

  async function filtered(reached: Reached, query: LineageQuery, level: Level): Promise<Reached> {
    if (reached.ids.length === 0) return reached
    const subjects = await subjectsOf(reached.ids, level)
    const matching = await search.matching({ ...query, within: subjects.ids })
    const ids = new Int32Array(reached.ids.length)
    const degrees: number[] = []
    reached.ids.forEach((id, index) => {
      const subject = subjects.of(id)
      if (subject === undefined || !matching.has(subject)) return
      ids[degrees.length] = id
      degrees.push(reached.degreeAt(index))
    })
    return { ids: ids.subarray(0, degrees.length), degreeAt: (index) => degrees[index] ?? 0 }
  }

  /** In the order asked for; what is alike in it stays nearest first. Columns stand where their datasets do. */
  async function inOrder(reached: Reached, sort: readonly SortCriterion[], level: Level): Promise<Reached> {
    const [first] = sort
    if (first === undefined || reached.ids.length === 0) return reached
    const subjects = await subjectsOf(reached.ids, level)
    const others = sort.filter(({ field }) => field !== 'degree')
    const places = new Map<number, number>()
    if (others.length > 0) (await search.inOrder(subjects.ids, others)).forEach((id, place) => places.set(id, place))
    const placeOf = (index: number) => places.get(subjects.of(reached.ids[index] ?? 0) ?? 0) ?? places.size
    const towards = first.field !== 'degree' ? 0 : first.descending ? -1 : 1
    const order = Array.from(reached.ids, (id, index) => ({
      id,
      degree: reached.degreeAt(index),
      place: placeOf(index),
    })).toSorted((a, b) => towards * (a.degree - b.degree) || a.place - b.place)
    return { ids: Int32Array.from(order, ({ id }) => id), degreeAt: (index) => order[index]?.degree ?? 0 }
  }

  return {
    async search(query, range) {
      const start = (await urnIds.find([query.urn])).get(query.urn)
      if (start === undefined) return NOTHING
      const filter = query.filter ?? []
      const wanted = degreesOf(filter)
      const level = entityTypeOf(query.urn) === 'schemaField' ? 'column' : 'entity'
      const plain = level === 'entity' && isPlain(query)
      const walkQuery: WalkQuery = { start, direction: query.direction, level, seenOnly: plain, ...maxHops(wanted) }
      const reached = reachedBy(await graph.walk(walkQuery), wanted)
      // What the graph knows by itself (existing, not soft-deleted) needs no look into the search fields.
      const found = plain ? reached : await filtered(reached, query, level)
      const { ids, degreeAt } = await inOrder(found, query.sort ?? [], level)
      const page = Array.from(ids.subarray(range.start, range.start + range.count), (id, index) => ({
        id,
        degree: degreeAt(range.start + index),
      }))
      const names = await urnIds.names(page.map((hit) => hit.id))
      const nameOf = (id: number): readonly Urn[] => (names.has(id) ? [names.get(id) as Urn] : [])
      return {
        total: ids.length,
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
          const counts = new Map<Degree, number>(DEGREES.map((degree) => [degree, 0]))
          for (let i = 0; i < ids.length; i++) {
            const bucket = bucketOf(degreeAt(i))
            counts.set(bucket, (counts.get(bucket) ?? 0) + 1)
          }
          const degrees = [...counts].map(([value, count]) => ({ field: 'degree', value, count }))
          const subjects = (await subjectsOf(ids, level)).ids
          return [...degrees, ...(subjects.length === 0 ? [] : await search.facets({ ...query, within: subjects }))]
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

/** The entities that stand for what was reached. */
interface Subjects {
  readonly ids: Int32Array
  readonly of: (id: number) => number | undefined
}

/** What a walk reached at the distances wanted, nearest first. */
interface Reached {
  readonly ids: Int32Array
  readonly degreeAt: (index: number) => number
}

function reachedBy(walk: Walk, wanted: ReadonlySet<Degree> | undefined): Reached {
  const keeps = (degree: number) => wanted === undefined || wanted.has(bucketOf(degree))
  const layers = walk.starts.slice(1).map((end, index) => ({ degree: index + 1, start: walk.starts[index] ?? 0, end }))
  const kept = layers.filter((layer) => keeps(layer.degree))
  if (kept.length === layers.length) return { ids: walk.ids, degreeAt: degreeIn(layers) }
  let length = 0
  const moved = kept.map((layer) => {
    const start = length
    length += layer.end - layer.start
    return { degree: layer.degree, start, end: length }
  })
  const ids = new Int32Array(length)
  kept.forEach((layer, index) => ids.set(walk.ids.subarray(layer.start, layer.end), moved[index]?.start ?? 0))
  return { ids, degreeAt: degreeIn(moved) }
}

function degreeIn(layers: readonly { readonly degree: number; readonly end: number }[]): (index: number) => number {
  return (index) => layers.find((layer) => index < layer.end)?.degree ?? 0
}

/** No words, no types, no filter but on `degree`, and at most that soft-deleted entities are left out. */
function isPlain(query: LineageQuery): boolean {
  if (wordsOf([query.query]).length > 0 || (query.types ?? []).length > 0 || query.includeRemoved === true) return false
  const alternatives = query.filter ?? []
  if (alternatives.length > 1) return false
  return alternatives.flat().every((criterion) => {
    if (criterion.field === 'degree') return true
    const excluded = criterion.values.length === 1 && criterion.values[0] === String(criterion.negated)
    return criterion.field === 'removed' && criterion.condition === 'EQUAL' && excluded
  })
}

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
