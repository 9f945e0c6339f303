/** How an entity changed (contract §5.5). */
import { Type } from 'typebox'
import type { FastifyInstance } from 'fastify'
import type { Catalog } from '../../catalog/catalog.ts'
import { TIMELINE_CATEGORIES } from '../../catalog/read/timeline.ts'
import { DecodeError } from '../../model/errors.ts'
import { asUrn } from '../../model/urn.ts'
import { reads, TEXT } from '../route-options.ts'

const ROUTE = reads({
  tag: 'others',
  summary: 'Changes of tags, terms and owners of an entity',
  query: Type.Object({ categories: TEXT, startTime: TEXT, endTime: TEXT, raw: TEXT }),
  answers: {
    200: Type.Array(
      Type.Object({
        timestamp: Type.Integer(),
        actor: Type.String(),
        semVer: Type.String(),
        versionStamp: Type.String(),
        changeEvents: Type.Array(
          Type.Object({ category: Type.String(), operation: Type.String(), entityUrn: Type.String() }),
        ),
      }),
    ),
  },
})

export function timelineRoutes(app: FastifyInstance, catalog: Catalog): void {
  app.get('/openapi/v2/timeline/v1/:urn', ROUTE, async (request) => {
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
}

/** A time in milliseconds; clients also write -1 and leave it empty for none. */
function millis(text: string | undefined, absent: number): number {
  if (text === undefined || text === '' || text === '-1') return absent
  if (!/^\d{1,16}$/.test(text)) throw new DecodeError('a time is a number of milliseconds', { path: '?startTime' })
  return Number(text)
}
