/** Actions of `/entities` and of the legacy resources (contract §4.4). */
import { Type, type TSchema } from 'typebox'
import type { Catalog } from '../../catalog/catalog.ts'
import type { Filter } from '../../catalog/search/filters.ts'
import { DecodeError } from '../../model/errors.ts'
import { isJsonObject, type JsonObject } from '../../model/json.ts'
import type { Proposal } from '../../model/proposal.ts'
import { aspectOfRecord, entityTypeNamed } from '../../model/registry/registry.ts'
import { unknownEntityType } from '../../model/registry/unknown.ts'
import { asUrn, entityTypeOf, type Urn } from '../../model/urn.ts'
import { decoder } from '../decode.ts'
import { searchFilter, sortCriteria } from '../filter-decoder.ts'
import { systemMetadataOf } from './proposal-decoder.ts'
import { reading, writing, type Actions } from './action.ts'

const optional = <T extends TSchema>(schema: T) => Type.Optional(Type.Union([schema, Type.Null()]))
const whole = optional(Type.Integer({ minimum: 0 }))

const deleteRequest = decoder(
  Type.Object({
    urn: Type.String(),
    aspectName: optional(Type.String()),
    startTimeMillis: optional(Type.Integer()),
    endTimeMillis: optional(Type.Integer()),
  }),
  'delete',
)
const referencesRequest = decoder(
  Type.Object({ urn: Type.String(), dryRun: optional(Type.Boolean()) }),
  'deleteReferences',
)
const listRequest = decoder(Type.Object({ entity: Type.String(), start: whole, count: whole }), 'listUrns')
const searchRequest = decoder(
  Type.Object({
    input: Type.String(),
    entity: Type.String(),
    start: whole,
    count: whole,
    filter: Type.Optional(Type.Unknown()),
    sort: Type.Optional(Type.Unknown()),
    sortCriteria: Type.Optional(Type.Unknown()),
    searchFlags: optional(Type.Object({ includeSoftDeleted: optional(Type.Boolean()) })),
  }),
  'search',
)
const existsRequest = decoder(
  Type.Object({ urn: Type.String(), includeSoftDelete: optional(Type.Boolean()) }),
  'exists',
)
const ingestRequest = decoder(
  Type.Object({ entity: Type.Unknown(), systemMetadata: Type.Optional(Type.Unknown()) }),
  'ingest',
)
const batchIngestRequest = decoder(
  Type.Object({ entities: Type.Array(Type.Unknown()), systemMetadata: Type.Optional(Type.Array(Type.Unknown())) }),
  'batchIngest',
)
const usageRequest = decoder(
  Type.Object({
    buckets: Type.Array(
      Type.Object({
        bucket: Type.Integer(),
        duration: Type.Optional(Type.String()),
        resource: Type.String(),
        metrics: Type.Unknown(),
      }),
    ),
  }),
  'batchIngest',
)

export function entityActions(catalog: Catalog): Actions {
  return {
    delete: writing(async (body, { actor }) => {
      const request = deleteRequest(body)
      return { value: await deleteWhat(catalog, asUrn(request.urn), request, actor) }
    }),

    // Only with `dryRun: false` does anything go.
    deleteReferences: writing(async (body, caller) => {
      const { urn, dryRun } = referencesRequest(body)
      const found =
        dryRun === false
          ? await catalog.deletion.dereference(asUrn(urn), caller.actor)
          : await catalog.deletion.references(asUrn(urn))
      return { value: { total: found.length, relatedAspects: found.map((reference) => ({ ...reference })) } }
    }),

    listUrns: reading(async (body) => {
      const { entity, start, count } = listRequest(body)
      const range = { start: start ?? 0, count: count ?? 10 }
      const page = await catalog.search.page({ query: '*', types: [typeNamed(entity)], includeRemoved: true }, range)
      return { value: { entities: page.urns, start: range.start, count: page.urns.length, total: page.total } }
    }),

    search: reading(async (body) => {
      const request = searchRequest(body)
      const range = { start: request.start ?? 0, count: request.count ?? 10 }
      const query = {
        query: request.input,
        types: [typeNamed(request.entity)],
        filter: legacyFilter(request.filter),
        includeRemoved: request.searchFlags?.includeSoftDeleted === true,
        sort: sortCriteria(request.sortCriteria ?? request.sort),
      }
      const page = await catalog.search.page(query, range)
      return {
        value: {
          numEntities: page.total,
          from: range.start,
          pageSize: range.count,
          entities: page.urns.map((entity) => ({ entity })),
          metadata: { aggregations: [] },
        },
      }
    }),

    exists: reading(async (body) => {
      const { urn } = existsRequest(body)
      return { value: await catalog.read.exists(asUrn(urn)) }
    }),

    ingest: writing(async (body, caller) => {
      const { entity, systemMetadata } = ingestRequest(body)
      await catalog.ingest(proposalsOfSnapshot(entity, systemMetadata), caller.actor)
      return {}
    }),

    batchIngest: writing(async (body, caller) => {
      const { entities, systemMetadata } = batchIngestRequest(body)
      const proposals = entities.flatMap((entity, index) => proposalsOfSnapshot(entity, systemMetadata?.[index]))
      await catalog.ingest(proposals, caller.actor)
      return {}
    }),
  }
}

/** `/usageStats?action=batchIngest`: buckets of the deprecated interface become usage statistics. */
export function usageActions(catalog: Catalog): Actions {
  return {
    batchIngest: writing(async (body, caller) => {
      const proposals = usageRequest(body).buckets.map((bucket): Proposal => {
        const metrics = isJsonObject(bucket.metrics) ? bucket.metrics : {}
        return {
          entityType: 'dataset',
          entityUrn: asUrn(bucket.resource),
          changeType: 'UPSERT',
          aspectName: 'datasetUsageStatistics',
          aspect: {
            timestampMillis: bucket.bucket,
            ...(bucket.duration === undefined ? {} : { eventGranularity: { unit: bucket.duration, multiple: 1 } }),
            ...pick(metrics, ['uniqueUserCount', 'totalSqlQueries', 'topSqlQueries']),
          },
        }
      })
      await catalog.ingest(proposals, caller.actor)
      return {}
    }),
  }
}

async function deleteWhat(
  catalog: Catalog,
  urn: Urn,
  request: ReturnType<typeof deleteRequest>,
  actor: Urn,
): Promise<JsonObject> {
  const { aspectName, startTimeMillis, endTimeMillis } = request
  if (aspectName === undefined || aspectName === null) return { urn, ...(await catalog.deletion.entity(urn, actor)) }
  const type = entityTypeNamed(entityTypeOf(urn))
  if (type?.keyAspect === aspectName) return { urn, ...(await catalog.deletion.entity(urn, actor)) }
  const index = timeseriesIndex(catalog, urn, aspectName)
  if (index === undefined) return { urn, ...(await catalog.deletion.aspects(urn, [aspectName], actor)) }
  const range = {
    ...(typeof startTimeMillis === 'number' ? { fromMs: startTimeMillis } : {}),
    ...(typeof endTimeMillis === 'number' ? { toMs: endTimeMillis } : {}),
  }
  return { urn, rows: 0, timeseriesRows: await catalog.timeseries.deleteEvents(urn, index.aspect, range) }
}

function timeseriesIndex(catalog: Catalog, urn: Urn, aspect: string) {
  try {
    return catalog.timeseries.indexNamed(entityTypeOf(urn), aspect)
  } catch {
    return undefined
  }
}

/** A legacy snapshot: `{"value": {"<Snapshot>": {urn, aspects: [{"<full record name>": {…}}]}}}`. */
function proposalsOfSnapshot(entity: unknown, systemMetadata: unknown): readonly Proposal[] {
  const value = isJsonObject(entity) ? entity.value : undefined
  const snapshot = isJsonObject(value) ? Object.values(value)[0] : undefined
  if (!isJsonObject(snapshot) || typeof snapshot.urn !== 'string' || !Array.isArray(snapshot.aspects)) {
    throw new DecodeError('ingest: a snapshot has urn and aspects', { path: '/entity/value' })
  }
  const entityUrn = asUrn(snapshot.urn)
  const aspects: readonly unknown[] = snapshot.aspects
  return aspects.filter(isJsonObject).flatMap((aspect) =>
    Object.entries(aspect).map(([record, body]): Proposal => {
      const known = aspectOfRecord(record)
      if (known === undefined || !isJsonObject(body)) {
        throw new DecodeError(`ingest: there is no aspect with the record ${record}`, { path: '/entity/value' })
      }
      return {
        entityType: entityTypeOf(entityUrn),
        entityUrn,
        changeType: 'UPSERT',
        aspectName: known.name,
        aspect: body,
        ...systemMetadataOf(systemMetadata),
      }
    }),
  )
}

/** The oldest form of a filter is a list of criteria without alternatives. */
function legacyFilter(filter: unknown): Filter {
  if (isJsonObject(filter) && Array.isArray(filter.criteria)) return searchFilter([{ and: filter.criteria }])
  return searchFilter(filter)
}

function typeNamed(name: string): string {
  const type = entityTypeNamed(name)
  if (type === undefined) throw new DecodeError(unknownEntityType(name), { path: '/entity' })
  return type.name
}

function pick(object: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(names.flatMap((name) => (object[name] === undefined ? [] : [[name, object[name]]])))
}
