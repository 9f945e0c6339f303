/** The smaller calls of the REST interface that clients make: traces, relationships, lineage, registry (contract §5.1, §5.5). */
import { Type } from 'typebox'
import type { FastifyInstance } from 'fastify'
import type { Catalog } from '../../catalog/catalog.ts'
import { TIMELINE_CATEGORIES } from '../../catalog/read/timeline.ts'
import { DecodeError } from '../../model/errors.ts'
import { textOf, type JsonObject } from '../../model/json.ts'
import { aspectNamed, entityTypes } from '../../model/registry/registry.ts'
import { asUrn, entityTypeOf, type Urn } from '../../model/urn.ts'
import { READS, WRITES } from '../caller.ts'
import { decoder } from '../decode.ts'
import { searchFilter } from '../filter-decoder.ts'
import { entityTypeIn } from './names.ts'
import { alternativesOf } from './reads.ts'

const traceBody = decoder(Type.Record(Type.String(), Type.Array(Type.String())), 'trace')
const legacyItems = decoder(
  Type.Array(
    Type.Object({
      entityType: Type.String(),
      entityUrn: Type.String(),
      aspect: Type.Object({ __type: Type.String() }),
    }),
    { maxItems: 10_000 },
  ),
  'entities',
)
const relationshipFilter = decoder(
  Type.Object({ sourceFilter: Type.Optional(Type.Unknown()), destinationFilter: Type.Optional(Type.Unknown()) }),
  'relationship scroll',
)
const urnsBody = decoder(Type.Object({ urns: Type.Array(Type.String(), { maxItems: 1000 }) }), 'lineage scroll')

export function otherRoutes(app: FastifyInstance, catalog: Catalog): void {
  // Writes are carried out before they are answered, so a trace is done when its aspect is there.
  app.post('/openapi/v1/trace/write/:trace', READS, async (request) => {
    const wanted = Object.entries(traceBody(request.body ?? {})).map(([urn, names]) => ({ urn: asUrn(urn), names }))
    const records = await catalog.read.entities(wanted.map((one) => one.urn))
    return Object.fromEntries(
      wanted.map(({ urn, names }) => [
        urn,
        Object.fromEntries(
          names.map((name) => {
            const stored = aspectNamed(name)?.kind === 'timeseries' || records.get(urn)?.aspects.has(name) === true
            const writeStatus = stored ? 'ACTIVE_STATE' : 'UNKNOWN'
            return [name, { success: stored, primaryStorage: { writeStatus }, searchStorage: { writeStatus } }]
          }),
        ),
      ]),
    )
  })

  // Clients ask for one page more until `count` is 0, so `start` must be obeyed.
  app.get('/openapi/relationships/v1', READS, async (request) => {
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

  app.post('/openapi/v3/lineage/scroll', READS, async (request) => {
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

  // The form in which the oldest Java clients emit: the record by its short name, inside the aspect.
  app.post('/openapi/entities/v1', WRITES, async (request) => {
    const proposals = legacyItems(request.body).map(({ entityUrn, entityType, aspect }) => {
      const { __type: record, ...value } = aspect as JsonObject
      const type = entityTypeIn({ entity: entityType })
      const name = [...type.aspects].find((one) => aspectNamed(one)?.record.endsWith(`.${textOf(record)}`))
      return {
        entityType,
        entityUrn: asUrn(entityUrn),
        changeType: 'UPSERT' as const,
        aspectName: name ?? textOf(record),
        aspect: value,
      }
    })
    await catalog.ingest(proposals, request.caller.actor)
    return proposals.map((proposal) => proposal.entityUrn)
  })

  app.post('/openapi/v3/relationship/scroll', READS, async (request) => {
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

  app.get('/openapi/v1/registry/models/entity/specifications', READS, (request) => {
    const { start = '0', count = '20' } = request.query as Readonly<Record<string, string | undefined>>
    const all = entityTypes()
    const elements = all.slice(wholeNumber(start), wholeNumber(start) + wholeNumber(count)).map((type) => ({
      name: type.name,
      keyAspectName: type.keyAspect,
      aspectSpecs: [type.keyAspect, ...type.aspects].map((name) => ({
        aspectAnnotation: { name, timeseries: aspectNamed(name)?.kind === 'timeseries' },
      })),
    }))
    return { elements, start: wholeNumber(start), count: elements.length, total: all.length }
  })

  app.get('/openapi/v2/timeline/v1/:urn', READS, async (request) => {
    const urn = asUrn((request.params as { readonly urn: string }).urn)
    const query = request.query as Readonly<Record<string, string | undefined>>
    const wanted = (query.categories ?? TIMELINE_CATEGORIES.join(',')).split(',')
    const entries = await catalog.timeline.of(
      urn,
      TIMELINE_CATEGORIES.filter((category) => wanted.includes(category)),
      { fromMs: millis(query.startTime, 0), toMs: millis(query.endTime, Number.MAX_SAFE_INTEGER) },
    )
    return entries.map((entry) => ({
      timestamp: entry.timestamp,
      actor: entry.actor,
      semVer: `0.0.${entry.version - 1}-computed`,
      semVerChange: 'MINOR',
      versionStamp: `${entry.aspect}:${entry.version}`,
      changeEvents: entry.changes.map((change) => ({
        category: change.category,
        operation: change.operation,
        entityUrn: urn,
        modifier: change.member,
        semVerChange: 'MINOR',
        description: change.sentence,
        parameters: { [change.parameter]: change.member },
      })),
    }))
  })

  // Nothing waits between a write and its visibility, so nothing lags behind.
  for (const queue of ['mcp', 'mcl', 'mcl-timeseries']) {
    app.get(`/openapi/operations/messaging/${queue}/consumer/lag`, READS, () => ({}))
  }
}

const end = (urn: Urn) => ({ urn, entityType: entityTypeOf(urn) })

/** The URNs that a filter of one end names; undefined where it names none. */
function urnsIn(filter: unknown): readonly Urn[] | undefined {
  const criteria = searchFilter(alternativesOf(filter)).flat()
  const urns = criteria.filter((criterion) => criterion.field === 'urn').flatMap((criterion) => criterion.values)
  return urns.length === 0 ? undefined : urns.map((urn) => asUrn(urn))
}

const FIRST_DEGREE = [[{ field: 'degree', values: ['1'], condition: 'EQUAL', negated: false }]] as const

/** A time in milliseconds; clients also write -1 and leave it empty for none. */
function millis(text: string | undefined, absent: number): number {
  if (text === undefined || text === '' || text === '-1') return absent
  if (!/^\d{1,16}$/.test(text)) throw new DecodeError('a time is a number of milliseconds', { path: '?startTime' })
  return Number(text)
}

function wholeNumber(value: unknown): number {
  if (typeof value === 'string' && /^\d{1,9}$/.test(value)) return Number(value)
  throw new DecodeError('start and count are numbers from 0', { path: '?start' })
}
