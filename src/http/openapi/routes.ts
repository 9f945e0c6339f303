/** The REST interface, versions 2 and 3 (contract §5). */
import type { FastifyInstance } from 'fastify'
import type { Catalog } from '../../catalog/catalog.ts'
import { batchGetRoutes } from './batch-get.ts'
import { legacyRoutes } from './legacy.ts'
import { readRoutes } from './reads.ts'
import { registryRoutes } from './registry.ts'
import { relationshipRoutes } from './relationships.ts'
import { timelineRoutes } from './timeline.ts'
import { traceRoutes } from './traces.ts'
import { writeRoutes } from './writes.ts'

export async function openapiRoutes(app: FastifyInstance, { catalog }: { readonly catalog: Catalog }): Promise<void> {
  for (const version of [2, 3] as const) {
    readRoutes(app, catalog, version)
    writeRoutes(app, catalog, version)
  }
  batchGetRoutes(app, catalog)
  traceRoutes(app, catalog)
  relationshipRoutes(app, catalog)
  timelineRoutes(app, catalog)
  registryRoutes(app)
  legacyRoutes(app, catalog)
}
