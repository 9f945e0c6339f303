/** Actions of `/aspects`: proposals in, timeseries values out (contract §4.1-4.3). */
import { Type } from 'typebox'
import type { Catalog } from '../../catalog/catalog.ts'
import type { ChangeResult } from '../../catalog/write/write.ts'
import { DecodeError } from '../../model/errors.ts'
import { isJsonObject } from '../../model/json.ts'
import { asUrn } from '../../model/urn.ts'
import { decoder } from '../decode.ts'
import { searchFilter } from '../filter-decoder.ts'
import { decodeProposal } from './proposal-decoder.ts'
import { reading, writing, type ActionResult, type Actions } from './action.ts'

/** Most members of one call; clients send at most 200. */
const MAX_PROPOSALS = 10_000
const DEFAULT_EVENTS = 10_000

const single = decoder(Type.Object({ proposal: Type.Unknown() }), 'ingestProposal')
const batch = decoder(Type.Object({ proposals: Type.Array(Type.Unknown()) }), 'ingestProposalBatch')
const optionalMillis = Type.Optional(Type.Union([Type.Integer(), Type.Null()]))
const valuesRequest = decoder(
  Type.Object({
    urn: Type.String(),
    entity: Type.String(),
    aspect: Type.String(),
    startTimeMillis: optionalMillis,
    endTimeMillis: optionalMillis,
    limit: Type.Optional(Type.Union([Type.Integer({ minimum: 0 }), Type.Null()])),
    latestValue: Type.Optional(Type.Union([Type.Boolean(), Type.Null()])),
    filter: Type.Optional(Type.Unknown()),
    sort: Type.Optional(Type.Unknown()),
  }),
  'getTimeseriesAspectValues',
)
const countRequest = decoder(
  Type.Object({ aspect: Type.String(), urnLike: Type.Optional(Type.Union([Type.String(), Type.Null()])) }),
  'getCount',
)

export function aspectActions(catalog: Catalog): Actions {
  return {
    ingestProposal: writing(async (body, caller) => {
      const proposal = decodeProposal(single(body).proposal, 'doubled')
      return answer(await catalog.ingest([proposal], caller.actor))
    }),

    // One bad member fails the whole call: nothing of it is written (contract §4.2).
    ingestProposalBatch: writing(async (body, caller) => {
      const { proposals } = batch(body)
      if (proposals.length > MAX_PROPOSALS) {
        throw new DecodeError(`ingestProposalBatch: at most ${MAX_PROPOSALS} proposals a call`, { path: '/proposals' })
      }
      const decoded = proposals.map((proposal, index) => located(index, () => decodeProposal(proposal, 'plain')))
      return answer(await catalog.ingest(decoded, caller.actor))
    }),

    getTimeseriesAspectValues: reading(async (body) => {
      const request = valuesRequest(body)
      const limit = request.latestValue === true ? 1 : Math.min(request.limit ?? DEFAULT_EVENTS, DEFAULT_EVENTS)
      const index = catalog.timeseries.indexNamed(request.entity, request.aspect)
      const events = await catalog.timeseries.events({
        urn: asUrn(request.urn),
        aspect: index.aspect,
        limit,
        ...(typeof request.startTimeMillis === 'number' ? { fromMs: request.startTimeMillis } : {}),
        ...(typeof request.endTimeMillis === 'number' ? { toMs: request.endTimeMillis } : {}),
        oldestFirst: request.sort !== undefined && request.sort !== null,
        filter: searchFilter(request.filter),
      })
      return {
        value: {
          entityName: index.entityType,
          aspectName: index.aspect,
          limit,
          ...(isJsonObject(request.filter) ? { filter: request.filter } : {}),
          values: events.map((event) => ({
            aspect: { contentType: 'application/json', value: JSON.stringify(event.value) },
            systemMetadata: { lastObserved: 0, runId: 'no-run-id-provided', ...definedOnly(event.systemMetadata) },
          })),
        },
      }
    }),

    getCount: reading(async (body) => {
      const { aspect, urnLike } = countRequest(body)
      return { value: await catalog.read.count(aspect, urnLike ?? undefined) }
    }),
  }
}

/**
 * `success`, which no client reads. Beyond the contract, headers say how many members were written and how many were
 * stored already and therefore not written again.
 */
function answer(results: readonly ChangeResult[]): ActionResult {
  const written = results.filter((result) => result.outcome === 'written').length
  return {
    value: 'success',
    headers: { 'x-headwater-written': String(written), 'x-headwater-unchanged': String(results.length - written) },
  }
}

/** Says which member of a batch an error is about. */
function located<T>(index: number, decode: () => T): T {
  try {
    return decode()
  } catch (error) {
    if (error instanceof Error) error.message = `proposals[${index}]: ${error.message}`
    throw error
  }
}

function definedOnly(value: object | undefined) {
  return Object.fromEntries(Object.entries(value ?? {}).filter(([, member]) => member !== undefined))
}
