/** Writing entities over the REST interface (contract §5.1-5.3). */
import { Type } from 'typebox'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Catalog } from '../../catalog/catalog.ts'
import { EntityNotFoundError, NotImplementedError } from '../../catalog/errors.ts'
import type { ChangeResult } from '../../catalog/write/write.ts'
import { DecodeError } from '../../model/errors.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../model/json.ts'
import type { ChangeType, Proposal } from '../../model/proposal.ts'
import { carries, type AspectType, type EntityType } from '../../model/registry/registry.ts'
import { asUrn, type Urn } from '../../model/urn.ts'
import type { Caller } from '../caller.ts'
import { TooLargeError } from '../errors.ts'
import { decoder } from '../decode.ts'
import { systemMetadataOf, withoutNulls } from '../restli/proposal-decoder.ts'
import { newTrace, traceparent } from '../trace.ts'
import { acceptedJson, entityJson, type Version } from './entities.ts'
import { writeDocs } from './entity-docs.ts'
import { aspectIn, entityTypeIn, flagIn, isTrue, urnIn } from './names.ts'

const MAX_ITEMS = 10_000
const decodeItems = decoder(Type.Array(Type.Record(Type.String(), Type.Unknown())), 'entities')
const wrapped = decoder(
  Type.Object({
    value: Type.Record(Type.String(), Type.Unknown()),
    systemMetadata: Type.Optional(Type.Unknown()),
    headers: Type.Optional(Type.Union([Type.Record(Type.String(), Type.String()), Type.Null()])),
  }),
  'aspect',
)

export function writeRoutes(app: FastifyInstance, catalog: Catalog, version: Version): void {
  const base = `/openapi/v${version}/entity`
  const routes = writeDocs(version)

  app.post(`${base}/:entity`, routes.many, async (request, reply) => {
    const type = entityTypeIn(request.params)
    const proposals = items(request.body).flatMap((item) => proposalsOf(type, item, version, 'UPSERT'))
    return carryOut(request, reply, { proposals, async: flagIn(request.query, 'async') ?? true, many: true })
  })

  if (version === 3) {
    app.patch(`${base}/:entity`, routes.patchMany, async (request, reply) => {
      const type = entityTypeIn(request.params)
      const proposals = items(request.body).flatMap((item) => proposalsOf(type, item, version, 'PATCH'))
      return carryOut(request, reply, { proposals, async: flagIn(request.query, 'async') ?? true, many: true })
    })
  }

  app.post(`${base}/:entity/:urn/:aspect`, routes.one, async (request, reply) => {
    const place = await target(request.params)
    const parts = version === 3 ? wrappedParts(request.body) : { value: objectOf(request.body) }
    const proposals = [proposalAt(place, changeTypeOf(request.query, version), parts)]
    return carryOut(request, reply, { proposals, async: isTrue(request.query, 'async'), many: false })
  })

  app.patch(`${base}/:entity/:urn/:aspect`, routes.patchOne, async (request, reply) => {
    const place = await target(request.params)
    const proposals = [proposalAt(place, 'PATCH', { value: patchOf(request.body) })]
    return carryOut(request, reply, { proposals, async: isTrue(request.query, 'async'), many: false })
  })

  app.delete(`${base}/:entity/:urn`, routes.remove, async (request, reply) => {
    const type = entityTypeIn(request.params)
    const urn = urnIn(request.params, type)
    const { aspects } = request.query as { readonly aspects?: string | readonly string[] }
    const named = aspects === undefined ? [] : [aspects].flat().flatMap((one) => one.split(','))
    const names = named.map((name) => aspectIn(type, name).name)
    const all = [...type.aspects]
    const { actor } = request.caller
    if (isTrue(request.query, 'clear')) await catalog.deletion.aspects(urn, all, actor)
    else if (names.length === 0 || names.includes(type.keyAspect)) await catalog.deletion.entity(urn, actor)
    else for (const name of names) await removeAspect(urn, aspectIn(type, name), actor)
    return reply.code(200).send()
  })

  app.delete(`${base}/:entity/:urn/:aspect`, routes.removeAspect, async (request, reply) => {
    const { type, urn, aspect } = await target(request.params, { mayBeAbsent: true })
    if (version === 2 && aspect.name === 'propertyDefinition') {
      throw new NotImplementedError('Deleting a structured property definition is not implemented.', {
        remedy: 'delete the entity: DELETE /openapi/v3/entity/structuredProperty/<urn>',
      })
    }
    const { actor } = request.caller
    if (aspect.name === type.keyAspect) await catalog.deletion.entity(urn, actor)
    else await removeAspect(urn, aspect, actor)
    return reply.code(200).send()
  })

  /** Of a timeseries aspect the latest event goes, and what has its time (contract §5.2). */
  async function removeAspect(urn: Urn, aspect: AspectType, actor: Urn): Promise<void> {
    if (aspect.kind === 'timeseries') await catalog.timeseries.deleteLatest(urn, aspect.name)
    else await catalog.deletion.aspects(urn, [aspect.name], actor)
  }

  /** The aspect that a path names. Values of version 2 are set on entities that exist already (contract §11). */
  async function target(params: unknown, options: { readonly mayBeAbsent?: boolean } = {}) {
    const type = entityTypeIn(params)
    const urn = urnIn(params, type)
    const aspect = aspectIn(type, (params as { readonly aspect: string }).aspect)
    const mustExist = version === 2 && aspect.name === 'structuredProperties' && options.mayBeAbsent !== true
    if (mustExist && !(await catalog.read.exists(urn))) {
      throw new EntityNotFoundError(`The entity ${urn} does not exist.`, urn, await catalog.read.near(urn))
    }
    return { type, urn, aspect }
  }

  /** At once with 200, or kept for soon with 202; both with the trace by which clients ask what became of it. */
  async function carryOut(
    request: FastifyRequest,
    reply: FastifyReply,
    write: { readonly proposals: readonly Proposal[]; readonly async: boolean; readonly many: boolean },
  ): Promise<JsonValue> {
    const trace = newTrace(catalog.clock.now())
    void reply.header('traceparent', traceparent(trace))
    const shown = write.async
      ? await accept(write.proposals, request.caller, trace, reply)
      : await ingest(write.proposals, request, reply)
    return write.many ? shown : (shown[0] ?? {})
  }

  async function accept(
    proposals: readonly Proposal[],
    { actor }: Caller,
    trace: string,
    reply: FastifyReply,
  ): Promise<readonly JsonObject[]> {
    await catalog.accepting.accept(proposals, actor, trace)
    void reply.code(202)
    return [...Map.groupBy(proposals, (proposal) => proposal.entityUrn)].map(([urn, own]) =>
      acceptedJson(
        urn,
        own.map(({ aspectName, aspect, changeType }) => [aspectName, changeType === 'PATCH' ? {} : (aspect ?? {})]),
        version,
      ),
    )
  }

  async function ingest(
    proposals: readonly Proposal[],
    { caller, query }: FastifyRequest,
    reply: FastifyReply,
  ): Promise<readonly JsonObject[]> {
    const results = await catalog.ingest(proposals, caller.actor)
    const written = results.filter((result) => result.outcome === 'written').length
    void reply.headers({
      'x-headwater-written': String(written),
      'x-headwater-unchanged': String(results.length - written),
    })
    const withMetadata = isTrue(query, 'systemMetadata')
    return grouped(results).map(({ urn, aspects }) => entityJson(urn, aspects, version, withMetadata))
  }
}

interface AspectPlace {
  readonly type: EntityType
  readonly urn: Urn
  readonly aspect: AspectType
}

function proposalAt(
  { type, urn, aspect }: AspectPlace,
  changeType: ChangeType,
  { value, ...more }: { readonly value: JsonObject } & Pick<Proposal, 'systemMetadata' | 'headers'>,
): Proposal {
  return { entityType: type.name, entityUrn: urn, changeType, aspectName: aspect.name, aspect: value, ...more }
}

/**
 * Version 2 replaces unless told otherwise; version 3 creates, and fails where the aspect exists, unless told otherwise
 * (contract §5.2, §11).
 */
function changeTypeOf(query: unknown, version: Version): ChangeType {
  if (flagIn(query, 'createIfEntityNotExists') ?? flagIn(query, 'createEntityIfNotExists') ?? false)
    return 'CREATE_ENTITY'
  return (flagIn(query, 'createIfNotExists') ?? version === 3) ? 'CREATE' : 'UPSERT'
}

function items(body: unknown) {
  const decoded = decodeItems(body)
  if (decoded.length > MAX_ITEMS) throw new TooLargeError('There are too many entities', MAX_ITEMS, 'a call')
  return decoded
}

/** Results by entity; events, which leave nothing to show, as empty aspects. */
function grouped(results: readonly ChangeResult[]) {
  const byUrn = Map.groupBy(results, (result) => result.urn)
  return [...byUrn].map(([urn, all]) => ({
    urn,
    aspects: all.flatMap((result) => (result.stored === undefined ? [] : [[result.aspect, result.stored] as const])),
  }))
}

function proposalsOf(
  type: EntityType,
  item: Readonly<Record<string, unknown>>,
  version: Version,
  changeType: 'UPSERT' | 'PATCH',
): readonly Proposal[] {
  const { urn: text, aspects: nested, ...beside } = item
  if (typeof text !== 'string') throw new DecodeError('entities: every item needs a urn', { path: '/urn' })
  const entityUrn = asUrn(text)
  const aspects = version === 2 ? nested : beside
  if (!isJsonObject(aspects)) throw new DecodeError('entities: every item needs aspects', { path: '/aspects' })
  const named = Object.entries(aspects)
  // Nothing would be written, and nothing said of it.
  if (named.length === 0) throw new DecodeError(`entities: ${entityUrn} comes without an aspect`, { path: '/' })
  return named.map(([name, body]) => {
    const aspectName = aspectNameOf(type, name)
    const { value, ...more } = wrappedParts(body)
    return { entityType: type.name, entityUrn, changeType, aspectName, aspect: value, ...more }
  })
}

/** An aspect's name as it is; one that the registry lacks goes on to be refused with the names that are like it. */
function aspectNameOf(type: EntityType, name: string): string {
  return carries(type, name) ? name : aspectIn(type, name).name
}

function wrappedParts(body: unknown) {
  const { value, systemMetadata, headers } = wrapped(body)
  return {
    value: withoutNulls(value as JsonObject),
    ...systemMetadataOf(systemMetadata),
    ...(headers === undefined || headers === null ? {} : { headers }),
  }
}

function objectOf(body: unknown): JsonObject {
  if (isJsonObject(body)) return withoutNulls(body)
  throw new DecodeError('the body is not an object', { path: '/' })
}

/** A bare list of operations is a patch too; version 3 may wrap the patch in `value`. */
function patchOf(body: unknown): JsonObject {
  if (Array.isArray(body)) return { patch: body as readonly JsonValue[] }
  const object = objectOf(body)
  return isJsonObject(object.value) && object.patch === undefined ? object.value : object
}
