/** Relationships and lineage as lists of pairs (contract §5.5). */
import { Type } from 'typebox'
import type { FastifyInstance } from 'fastify'
import type { Catalog } from '../../catalog/catalog.ts'
import { DecodeError } from '../../model/errors.ts'
import { asUrn, entityTypeOf, type Urn } from '../../model/urn.ts'
import { decoder } from '../decode.ts'
import { searchFilter } from '../filter-decoder.ts'
import { NUMBER, reads, TEXT } from '../route-options.ts'
import { wholeNumber } from './numbers.ts'
import { alternativesOf } from './reads.ts'
import { FILTER, RELATIONSHIP_END } from './shapes.ts'

const scrollShape = Type.Object({ sourceFilter: Type.Optional(FILTER), destinationFilter: Type.Optional(FILTER) })
const relationshipFilter = decoder(scrollShape, 'relationship scroll')
const urnsShape = Type.Object({ urns: Type.Array(Type.String(), { maxItems: 1000 }) })
const urnsBody = decoder(urnsShape, 'lineage scroll')

const DIRECTION = Type.Union([Type.Literal('INCOMING'), Type.Literal('OUTGOING')])
const TYPES = Type.Optional(Type.Union([Type.String(), Type.Array(Type.String())]))
const PAIR = Type.Object({
  relationshipType: Type.String(),
  source: RELATIONSHIP_END,
  destination: RELATIONSHIP_END,
  upstream: TEXT,
  downstream: TEXT,
})
const SCROLLED = Type.Object({ scrollId: Type.Union([Type.String(), Type.Null()]), results: Type.Array(PAIR) })

const OF_ONE = reads({
  tag: 'others',
  summary: 'Relationships of one entity, page by page',
  query: Type.Object({
    urn: Type.String(),
    direction: Type.Optional(DIRECTION),
    relationshipTypes: TYPES,
    start: NUMBER,
    count: NUMBER,
  }),
  answers: {
    200: Type.Object({
      entities: Type.Array(Type.Object({ urn: Type.String(), relationshipType: Type.String() })),
      start: Type.Integer(),
      count: Type.Integer(),
      total: Type.Integer(),
    }),
  },
})
const ALL = reads({
  tag: 'others',
  summary: 'All relationships, by their types and ends',
  query: Type.Object({ relationshipTypes: TYPES, count: NUMBER, scrollId: TEXT }),
  body: scrollShape,
  answers: { 200: SCROLLED },
})
const LINEAGE = reads({
  tag: 'others',
  summary: 'The nearest lineage of some entities',
  query: Type.Object({
    direction: Type.Optional(Type.Union([Type.Literal('UPSTREAM'), Type.Literal('DOWNSTREAM')])),
    count: NUMBER,
  }),
  body: urnsShape,
  answers: { 200: SCROLLED },
})

export function relationshipRoutes(app: FastifyInstance, catalog: Catalog): void {
  // Clients ask for one page more until `count` is 0, so `start` must be obeyed.
  app.get('/openapi/relationships/v1', OF_ONE, async (request) => {
    const query = request.query as Readonly<Record<string, string | readonly string[] | undefined>>
    const { urn, direction, relationshipTypes, start = '0', count = '1000' } = query
    if (typeof urn !== 'string') throw new DecodeError('urn is required', { path: '?urn' })
    const range = { start: wholeNumber(start), count: wholeNumber(count) }
    const page = await catalog.relationships.of(
      {
        urn: asUrn(urn),
        direction: direction === 'INCOMING' ? 'incoming' : 'outgoing',
        types: relationshipTypes === undefined ? [] : [relationshipTypes].flat(),
      },
      range,
    )
    return {
      entities: page.relationships.map((one) => ({ urn: one.urn, relationshipType: one.type })),
      start: range.start,
      count: page.relationships.length,
      total: page.total,
    }
  })

  app.post('/openapi/v3/relationship/scroll', ALL, async (request) => {
    const {
      relationshipTypes,
      count = '100',
      scrollId,
    } = request.query as Readonly<Record<string, string | readonly string[] | undefined>>
    const body = relationshipFilter(request.body ?? {})
    const page = await catalog.relationships.scroll(
      {
        types: relationshipTypes === undefined ? [] : [relationshipTypes].flat(),
        sources: urnsIn(body.sourceFilter),
        destinations: urnsIn(body.destinationFilter),
      },
      { after: typeof scrollId === 'string' ? scrollId : undefined, count: wholeNumber(count) },
    )
    return {
      scrollId: page.next ?? null,
      results: page.relationships.map((one) => ({
        relationshipType: one.type,
        source: end(one.source),
        destination: end(one.destination),
      })),
    }
  })

  app.post('/openapi/v3/lineage/scroll', LINEAGE, async (request) => {
    const { urns } = urnsBody(request.body)
    const { direction = 'DOWNSTREAM' } = request.query as { readonly direction?: string }
    const results = []
    for (const urn of urns.map((text) => asUrn(text))) {
      const found = await catalog.lineage.search(
        { urn, query: '*', direction: direction === 'UPSTREAM' ? 'upstream' : 'downstream', filter: FIRST_DEGREE },
        { start: 0, count: 10_000 },
      )
      for (const hit of found.hits) {
        const [upstream, downstream] = direction === 'UPSTREAM' ? [hit.urn, urn] : [urn, hit.urn]
        results.push({
          relationshipType: 'DownstreamOf',
          source: end(downstream),
          destination: end(upstream),
          upstream,
          downstream,
        })
      }
    }
    return { scrollId: null, results }
  })
}

const end = (urn: Urn) => ({ urn, entityType: entityTypeOf(urn) })

/** The URNs that a filter of one end names; undefined where it names none. */
function urnsIn(filter: unknown): readonly Urn[] | undefined {
  const criteria = searchFilter(alternativesOf(filter)).flat()
  const urns = criteria.filter((criterion) => criterion.field === 'urn').flatMap((criterion) => criterion.values)
  return urns.length === 0 ? undefined : urns.map((urn) => asUrn(urn))
}

const FIRST_DEGREE = [[{ field: 'degree', values: ['1'], condition: 'EQUAL', negated: false }]] as const
