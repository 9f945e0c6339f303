/** The smaller calls of the REST interface that clients make: traces, relationships, lineage, registry (contract §5.1, §5.5). */
import { Type } from 'typebox'
import type { FastifyInstance } from 'fastify'
import type { Catalog } from '../../catalog/catalog.ts'
import { DecodeError } from '../../model/errors.ts'
import { aspectNamed, entityTypes } from '../../model/registry/registry.ts'
import { asUrn, entityTypeOf } from '../../model/urn.ts'
import { decoder } from '../decode.ts'

const traceBody = decoder(Type.Record(Type.String(), Type.Array(Type.String())), 'trace')
const urnsBody = decoder(Type.Object({ urns: Type.Array(Type.String(), { maxItems: 1000 }) }), 'lineage scroll')

export function otherRoutes(app: FastifyInstance, catalog: Catalog): void {
  // Writes are carried out before they are answered, so a trace is done when its aspect is there.
  app.post('/openapi/v1/trace/write/:trace', async (request) => {
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
  app.get('/openapi/relationships/v1', async (request) => {
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

  app.post('/openapi/v3/lineage/scroll', async (request) => {
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
        const end = (one: typeof urn) => ({ urn: one, entityType: entityTypeOf(one) })
        results.push({
          relationshipType: 'DownstreamOf',
          source: end(downstream),
          destination: end(upstream),
          upstream: end(upstream),
          downstream: end(downstream),
        })
      }
    }
    return { scrollId: null, results }
  })

  app.get('/openapi/v1/registry/models/entity/specifications', (request) => {
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

  // Nothing waits between a write and its visibility, so nothing lags behind.
  for (const queue of ['mcp', 'mcl', 'mcl-timeseries']) {
    app.get(`/openapi/operations/messaging/${queue}/consumer/lag`, () => ({}))
  }
}

const FIRST_DEGREE = [[{ field: 'degree', values: ['1'], condition: 'EQUAL', negated: false }]] as const

function wholeNumber(value: unknown): number {
  if (typeof value === 'string' && /^\d{1,9}$/.test(value)) return Number(value)
  throw new DecodeError('start and count are numbers from 0', { path: '?start' })
}
