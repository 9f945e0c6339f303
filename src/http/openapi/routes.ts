/** The REST interface, versions 2 and 3 (contract §5). */
import type { FastifyInstance } from 'fastify'
import type { Catalog } from '../../catalog/catalog.ts'
import { batchGetRoutes } from './batch-get.ts'

export async function openapiRoutes(app: FastifyInstance, { catalog }: { readonly catalog: Catalog }): Promise<void> {
  batchGetRoutes(app, catalog)
}
