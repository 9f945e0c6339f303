/** What became of a write, by the trace id of its answer (contract §5.1). */
import { Type } from 'typebox'
import type { FastifyInstance } from 'fastify'
import type { Catalog } from '../../catalog/catalog.ts'
import type { AcceptedOutcome } from '../../catalog/write/accepted.ts'
import { assertNever } from '../../model/errors.ts'
import { aspectNamed } from '../../model/registry/registry.ts'
import { asUrn, type Urn } from '../../model/urn.ts'
import { decoder } from '../decode.ts'
import { isTrue } from './names.ts'
import { FLAG, reads } from '../route-options.ts'

const shape = Type.Record(Type.String(), Type.Array(Type.String()), { description: 'URN → names of its aspects' })
const traceBody = decoder(shape, 'trace')
const STORAGE = Type.Object({
  writeStatus: Type.Unsafe({
    type: 'string',
    enum: ['ERROR', 'PENDING', 'ACTIVE_STATE', 'HISTORIC_STATE', 'NO_OP', 'UNKNOWN'],
  }),
  writeExceptions: Type.Optional(Type.Array(Type.Object({ message: Type.String() }))),
})
const ROUTE = reads({
  tag: 'others',
  summary: 'What became of the aspects of a write',
  query: Type.Object({ onlyIncludeErrors: FLAG, detailed: FLAG, skipCache: FLAG }),
  body: shape,
  answers: {
    200: Type.Record(
      Type.String(),
      Type.Record(
        Type.String(),
        Type.Object({ success: Type.Boolean(), primaryStorage: STORAGE, searchStorage: STORAGE }),
      ),
    ),
  },
})

export function traceRoutes(app: FastifyInstance, catalog: Catalog): void {
  app.post('/openapi/v1/trace/write/:trace', ROUTE, async (request) => {
    const { trace } = request.params as { readonly trace: string }
    const wanted = Object.entries(traceBody(request.body ?? {})).map(([urn, names]) => ({ urn: asUrn(urn), names }))
    const accepted = (await catalog.accepting.outcomes(trace)) ?? []
    const records = await catalog.read.entities(wanted.map((one) => one.urn))
    const onlyErrors = isTrue(request.query, 'onlyIncludeErrors')
    const stateOf = (urn: Urn, name: string) =>
      traceState(
        accepted.findLast((one) => one.urn === urn && one.aspect === name),
        aspectNamed(name)?.kind === 'timeseries' ? 'event' : records.get(urn)?.aspects.get(name)?.version,
      )
    return Object.fromEntries(
      wanted.map(({ urn, names }) => {
        const states = names.map((name) => [name, stateOf(urn, name)] as const)
        return [urn, Object.fromEntries(states.filter(([, state]) => !onlyErrors || !state.success))]
      }),
    )
  })
}

const state = (success: boolean, writeStatus: string, more: object = {}) => ({
  success,
  primaryStorage: { writeStatus, ...more },
  searchStorage: { writeStatus },
})

/**
 * @param outcome of an asynchronous write; a synchronous one was carried out before its answer, and leaves no trace
 * @param stored the version that is there now
 */
function traceState(outcome: AcceptedOutcome | undefined, stored: number | 'event' | undefined) {
  if (outcome === undefined) return stored === undefined ? state(false, 'UNKNOWN') : state(true, 'ACTIVE_STATE')
  switch (outcome.state) {
    case 'waiting':
      return state(true, 'PENDING')
    case 'refused':
      return state(false, 'ERROR', { writeExceptions: [{ message: outcome.reason }] })
    case 'unchanged':
      return state(true, 'NO_OP')
    case 'written': {
      const replaced = typeof stored === 'number' && outcome.version !== undefined && stored > outcome.version
      return state(true, replaced ? 'HISTORIC_STATE' : 'ACTIVE_STATE')
    }
    default:
      return assertNever(outcome)
  }
}
