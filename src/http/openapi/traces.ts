/** What became of a write, by the trace id of its answer (contract §5.1). */
import { Type } from 'typebox'
import type { FastifyInstance } from 'fastify'
import type { Catalog } from '../../catalog/catalog.ts'
import { aspectNamed } from '../../model/registry/registry.ts'
import { asUrn } from '../../model/urn.ts'
import { decoder } from '../decode.ts'
import { FLAG, reads } from '../route-options.ts'

const shape = Type.Record(Type.String(), Type.Array(Type.String()), { description: 'URN → names of its aspects' })
const traceBody = decoder(shape, 'trace')
const STORAGE = Type.Object({ writeStatus: Type.String() })
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
  // Writes are carried out before they are answered, so a trace is done when its aspect is there.
  app.post('/openapi/v1/trace/write/:trace', ROUTE, async (request) => {
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
}
