/** Reading many entities in one call (contract §5.2). */
import { Type } from 'typebox'
import type { FastifyInstance } from 'fastify'
import type { Catalog } from '../../catalog/catalog.ts'
import { asUrn } from '../../model/urn.ts'
import { FLAG, reads } from '../route-options.ts'
import { decoder } from '../decode.ts'
import { aspectNameIn, entityTypeIn, isTrue } from './names.ts'
import { entityJson } from './entities.ts'
import { entityShape } from './shapes.ts'

const MAX_ENTITIES = 10_000
const shape = Type.Array(
  Type.Intersect([Type.Object({ urn: Type.String() }), Type.Record(Type.String(), Type.Unknown())]),
  { maxItems: MAX_ENTITIES },
)
const shapeV2 = Type.Object({
  urns: Type.Array(Type.String(), { maxItems: MAX_ENTITIES }),
  aspectNames: Type.Optional(Type.Array(Type.String())),
  withSystemMetadata: Type.Optional(Type.Boolean()),
})
const request = decoder(shape, 'batchGet')
const requestV2 = decoder(shapeV2, 'batch')

const ROUTE = reads({
  tag: 'entities',
  summary: 'Many entities; each item names the aspects it wants by its members, none means all',
  query: Type.Object({ systemMetadata: FLAG }),
  body: shape,
  answers: { 200: Type.Array(entityShape(3)) },
})
const ROUTE_V2 = reads({
  tag: 'entities v2',
  summary: 'Many entities by their URNs',
  body: shapeV2,
  answers: { 200: Type.Object({ entities: Type.Array(entityShape(2)) }) },
})

export function batchGetRoutes(app: FastifyInstance, catalog: Catalog): void {
  // Each item names the aspects it wants by members; an item without any wants all. Entities without any are left out.
  app.post('/openapi/v3/entity/:entity/batchGet', ROUTE, async (call) => {
    const type = entityTypeIn(call.params)
    const withMetadata = isTrue(call.query, 'systemMetadata')
    const wanted = request(call.body).map(({ urn, ...aspects }) => ({
      urn: asUrn(urn),
      names: Object.keys(aspects).map((name) => aspectNameIn(type, name)),
    }))
    const all = wanted.some((item) => item.names.length === 0)
    const names = all ? undefined : [...new Set(wanted.flatMap((item) => item.names))]
    const urns = wanted.map((item) => item.urn)
    const records = await catalog.read.entities(urns, names)
    return wanted.flatMap((item) => {
      const record = records.get(item.urn)
      if (record === undefined) return []
      const aspects = [...record.aspects].filter(([name]) => item.names.length === 0 || item.names.includes(name))
      return aspects.length === 0 ? [] : [entityJson(item.urn, aspects, 3, withMetadata)]
    })
  })

  app.post('/openapi/v2/entity/batch/:entity', ROUTE_V2, async (call) => {
    const type = entityTypeIn(call.params)
    const { urns, aspectNames, withSystemMetadata } = requestV2(call.body)
    const names = aspectNames?.map((name) => aspectNameIn(type, name))
    const records = await catalog.read.entities(
      urns.map((urn) => asUrn(urn)),
      names,
    )
    const shown = [...records.values()].map((record) =>
      entityJson(
        record.urn,
        [...record.aspects].filter(([name]) => names === undefined || names.includes(name)),
        2,
        withSystemMetadata === true,
      ),
    )
    return { entities: shown }
  })
}
