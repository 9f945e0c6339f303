/** Actions of `/aspects`: proposals in, timeseries values out (contract §4.1-4.3). */
import { Type } from 'typebox'
import type { Catalog } from '../../catalog/catalog.ts'
import type { ChangeResult } from '../../catalog/write/write.ts'
import { isJsonObject } from '../../model/json.ts'
import { asUrn } from '../../model/urn.ts'
import type { Proposal } from '../../model/proposal.ts'
import type { Caller } from '../caller.ts'
import { newTrace, traceparent } from '../trace.ts'
import { TooLargeError } from '../errors.ts'
import { decoder } from '../decode.ts'
import { searchFilter } from '../filter-decoder.ts'
import { decodeProposal } from './proposal-decoder.ts'
import { reading, writing, type ActionResult, type Actions } from './action.ts'

/** Most members of one call; clients send at most 200. */
const MAX_PROPOSALS = 10_000
const DEFAULT_EVENTS = 10_000

/** Text in clients, which also may leave it out; a boolean is as good. */
const ASYNC = Type.Optional(Type.Union([Type.String(), Type.Boolean(), Type.Null()]))
const single = decoder(Type.Object({ proposal: Type.Unknown(), async: ASYNC }), 'ingestProposal')
const batch = decoder(Type.Object({ proposals: Type.Array(Type.Unknown()), async: ASYNC }), 'ingestProposalBatch')
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
  /** A call with a DELETE is carried out at once, whatever it asks for. */
  async function write(
    proposals: readonly Proposal[],
    mode: string | boolean | null | undefined,
    { actor }: Caller,
  ): Promise<ActionResult> {
    const trace = newTrace(catalog.clock.now())
    const headers = { traceparent: traceparent(trace) }
    const later = String(mode) === 'true' && proposals.every((proposal) => proposal.changeType !== 'DELETE')
    if (!later) return answer(await catalog.ingest(proposals, actor), headers)
    await catalog.accepting.accept(proposals, actor, trace)
    return { value: 'success', headers }
  }

  return {
    ingestProposal: writing(async (body, caller) => {
      const request = single(body)
      return write([decodeProposal(request.proposal, 'doubled')], request.async, caller)
    }),

    // One bad member fails the whole call: nothing of it is written (contract §4.2).
    ingestProposalBatch: writing(async (body, caller) => {
      const { proposals, async: mode } = batch(body)
      if (proposals.length > MAX_PROPOSALS) {
        throw new TooLargeError('ingestProposalBatch has too many proposals', MAX_PROPOSALS, 'a call')
      }
      const decoded = proposals.map((proposal, index) => located(index, () => decodeProposal(proposal, 'plain')))
      return write(decoded, mode, caller)
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
function answer(results: readonly ChangeResult[], headers: Readonly<Record<string, string>>): ActionResult {
  const written = results.filter((result) => result.outcome === 'written').length
  return {
    value: 'success',
    headers: {
      ...headers,
      'x-headwater-written': String(written),
      'x-headwater-unchanged': String(results.length - written),
    },
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
