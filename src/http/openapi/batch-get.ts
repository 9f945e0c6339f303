/** Reading many entities in one call (contract §5.2). */
import { Type } from 'typebox'
import type { FastifyInstance } from 'fastify'
import type { Catalog } from '../../catalog/catalog.ts'
import type { StoredAspect } from '../../catalog/write/write.ts'
import { isJsonObject, textAt } from '../../model/json.ts'
import type { EntityType } from '../../model/registry/registry.ts'
import { asUrn, type Urn } from '../../model/urn.ts'
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
  description: 'A header If-Version-Match of a member picks an earlier version of that aspect.',
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
      versions: versionsIn(type, aspects),
    }))
    const all = wanted.some((item) => item.names.length === 0)
    const names = all ? undefined : [...new Set(wanted.flatMap((item) => item.names))]
    const urns = wanted.map((item) => item.urn)
    const records = await catalog.read.entities(urns, names)
    const items = wanted.map(async ({ urn, names: own, versions }) => {
      const record = records.get(urn)
      if (record === undefined) return []
      const newest = [...record.aspects].filter(([name]) => own.length === 0 || own.includes(name))
      const aspects = await Promise.all(newest.map((one) => inVersion(catalog, urn, one, versions.get(one[0]))))
      return aspects.length === 0 ? [] : [entityJson(urn, aspects.flat(), 3, withMetadata)]
    })
    return (await Promise.all(items)).flat()
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

/** An aspect, the newest, in the version asked for; nothing where there is none of it. */
async function inVersion(
  { read }: Catalog,
  urn: Urn,
  newest: readonly [string, StoredAspect],
  version: number | undefined,
): Promise<readonly (readonly [string, StoredAspect])[]> {
  const [name, { version: current }] = newest
  if (version === undefined || version === current) return [newest]
  const stored = await read.aspect(urn, name, version)
  return stored === undefined ? [] : [[name, stored]]
}

/** The versions that members ask for by a header `If-Version-Match`, by the name of the aspect. */
function versionsIn(type: EntityType, aspects: Readonly<Record<string, unknown>>): ReadonlyMap<string, number> {
  return new Map(
    Object.entries(aspects).flatMap(([name, wanted]) => {
      const headers = isJsonObject(wanted) ? wanted.headers : undefined
      const version = Number(textAt(headers, 'If-Version-Match') ?? 0)
      return version > 0 ? [[aspectNameIn(type, name), version] as const] : []
    }),
  )
}
