/** What there is: entity types with their aspects; and queues, of which there are none (contract §5.5). */
import { Type } from 'typebox'
import type { FastifyInstance } from 'fastify'
import { aspectNamed, entityTypes } from '../../model/registry/registry.ts'
import { NUMBER, reads } from '../route-options.ts'
import { wholeNumber } from './numbers.ts'

const SPECIFICATIONS = reads({
  tag: 'others',
  summary: 'Entity types with their aspects, page by page',
  query: Type.Object({ start: NUMBER, count: NUMBER }),
  answers: {
    200: Type.Object({
      elements: Type.Array(
        Type.Object({
          name: Type.String(),
          keyAspectName: Type.String(),
          aspectSpecs: Type.Array(
            Type.Object({ aspectAnnotation: Type.Object({ name: Type.String(), timeseries: Type.Boolean() }) }),
          ),
        }),
      ),
      start: Type.Integer(),
      count: Type.Integer(),
      total: Type.Integer(),
    }),
  },
})
const LAG = reads({ tag: 'others', summary: 'Lag of a queue; there is none', answers: { 200: Type.Object({}) } })

export function registryRoutes(app: FastifyInstance): void {
  app.get('/openapi/v1/registry/models/entity/specifications', SPECIFICATIONS, (request) => {
    const { start = '0', count = '20' } = request.query as Readonly<Record<string, string | undefined>>
    const all = entityTypes()
    const elements = all.slice(wholeNumber(start), wholeNumber(start) + wholeNumber(count)).map((type) => ({
      name: type.name,
      keyAspectName: type.keyAspect,
      aspectSpecs: [type.keyAspect, ...type.aspects].map((name) => ({
        aspectAnnotation: { name, timeseries: aspectNamed(name)?.kind === 'timeseries' },
      })),
    }))
    return { elements, start: wholeNumber(start), count: elements.length, total: all.length }
  })

  // Nothing waits between a write and its visibility, so nothing lags behind.
  for (const queue of ['mcp', 'mcl', 'mcl-timeseries']) {
    app.get(`/openapi/operations/messaging/${queue}/consumer/lag`, LAG, () => ({}))
  }
}
