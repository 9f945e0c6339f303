/** Ingestion sources and their executions, which DataHub's own ingestion writes about itself (contract §12). */
import { textOf } from '../../model/json.ts'
import { keyPart, textOrNull, type Node } from './nodes.ts'
import type { FieldResolvers } from './resolver.ts'

const SOURCE = 'dataHubIngestionSource'

export const INGESTION_QUERIES: FieldResolvers<unknown> = {
  listIngestionSources: async (_, { input }, context) => {
    const range = { start: input.start ?? 0, count: Math.min(input.count ?? 10, 1000) }
    const page = await context.catalog.search.page({ query: input.query ?? '*', types: [SOURCE] }, range)
    return {
      start: range.start,
      count: page.urns.length,
      total: page.total,
      ingestionSources: page.urns.map((urn) => ({ urn })),
    }
  },
}

export const INGESTION_FIELDS: Readonly<Record<string, FieldResolvers<Node>>> = {
  IngestionSource: {
    name: async ({ urn }, _, context) =>
      textOrNull(await context.aspect(urn, 'dataHubIngestionSourceInfo'), 'name') ?? keyPart(urn, 0),
    type: async ({ urn }, _, context) => textOf((await context.aspect(urn, 'dataHubIngestionSourceInfo'))?.type),
    executions: async ({ urn }, { start = 0, count = 10 }, context) => {
      const page = await context.catalog.relationships.of(
        { urn, types: ['ingestionSource'], direction: 'incoming' },
        { start, count: Math.min(count, 1000) },
      )
      const executionRequests = page.relationships.map((one) => ({ urn: one.urn }))
      return { start, count: executionRequests.length, total: page.total, executionRequests }
    },
  },
  ExecutionRequest: {
    id: ({ urn }) => keyPart(urn, 0),
    result: async ({ urn }, _, context) => {
      const result = await context.aspect(urn, 'dataHubExecutionRequestResult')
      if (result === undefined) return null
      const { startTimeMs = null, durationMs = null } = result
      return { status: textOf(result.status), startTimeMs, durationMs, report: textOrNull(result, 'report') }
    },
  },
}
