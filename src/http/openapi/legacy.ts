/** The form in which the oldest Java clients emit (contract §5.5). */
import { Type } from 'typebox'
import type { FastifyInstance } from 'fastify'
import type { Catalog } from '../../catalog/catalog.ts'
import { textOf, type JsonObject } from '../../model/json.ts'
import { aspectNamed } from '../../model/registry/registry.ts'
import { asUrn } from '../../model/urn.ts'
import { decoder } from '../decode.ts'
import { writes } from '../route-options.ts'
import { entityTypeIn } from './names.ts'

const shape = Type.Array(
  Type.Object({
    entityType: Type.String(),
    entityUrn: Type.String(),
    aspect: Type.Object({ __type: Type.String() }),
  }),
  { maxItems: 10_000 },
)
const legacyItems = decoder(shape, 'entities')
const ROUTE = writes({
  tag: 'others',
  summary: 'Writes aspects, each with its record’s short name inside (deprecated)',
  body: shape,
  answers: { 200: Type.Array(Type.String()) },
})

export function legacyRoutes(app: FastifyInstance, catalog: Catalog): void {
  // The form in which the oldest Java clients emit: the record by its short name, inside the aspect.
  app.post('/openapi/entities/v1', ROUTE, async (request) => {
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
}
