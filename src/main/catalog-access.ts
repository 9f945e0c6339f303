/**
 * Our own catalog: served by this process, or that of the instance that runs on this data folder, or, where none runs,
 * one on a free port for this process alone. Catalogs have no state besides the database, so several do no harm.
 */
import { createCatalog } from '../catalog/catalog.ts'
import type { CatalogClient } from '../client/catalog-client.ts'
import type { Config } from '../config/config.ts'
import type { Environment } from '../config/load.ts'
import { startCatalogServer } from '../http/server.ts'
import { systemClock, type Clock } from '../observe/clock.ts'
import { randomIds } from '../observe/ids.ts'
import type { Logger } from '../observe/logger.ts'
import { Resources } from '../observe/resources.ts'
import type { Database } from '../store/database.ts'
import { CatalogClients, type OwnCatalog } from './connections.ts'
import { claimInstance, readInstance, type InstanceRole } from './instance-file.ts'
import { openMigratedDatabase } from './open-database.ts'
import { ownCatalog } from './own-catalog.ts'

export interface CatalogAccessOptions {
  readonly config: Config
  readonly logger: Logger
  /** With `catalog` among them this process serves the data folder and owns the instance. */
  readonly roles: readonly InstanceRole[]
  readonly clock: Clock
}

/** @throws AlreadyRunningError where another process owns the instance */
export async function openOwnCatalog(
  { config, logger, roles, clock }: CatalogAccessOptions,
  database: Database,
  resources: Resources,
): Promise<OwnCatalog> {
  const owner = roles.includes('catalog')
  if (!owner && (await answers(config))) return ownCatalog(config)
  const instance = owner ? resources.use(await claimInstance(database, config.dataFolder)) : undefined
  const catalog = resources.use(
    createCatalog({ database, clock, ids: randomIds, logger, graphEdges: config.catalog.graphEdges }),
  )
  const server = resources.use(
    await startCatalogServer({
      catalog,
      host: owner ? config.catalog.host : '127.0.0.1',
      port: owner ? config.catalog.port : 0,
      token: config.token?.reveal(),
      logger,
    }),
  )
  const startedAt = new Date(clock.now()).toISOString()
  const record = { pid: process.pid, catalogUrl: server.url, roles: [...roles], startedAt }
  instance?.announce(record)
  return {
    url: server.url,
    token: config.token,
    announce: (consoleUrl) => instance?.announce({ ...record, consoleUrl }),
  }
}

/** True where an instance of this data folder serves a catalog that answers. */
async function answers(config: Config): Promise<boolean> {
  if (readInstance(config.dataFolder) === undefined) return false
  const clients = new CatalogClients(config, ownCatalog(config), {})
  try {
    await clients.client().health(AbortSignal.timeout(2_000))
    return true
  } catch {
    return false
  } finally {
    await clients.close()
  }
}

/**
 * Runs `work` with a client of one catalog, for commands that only read or ask: our own is started where none runs, for
 * one elsewhere nothing is opened.
 * @param target as in CatalogClients
 */
export async function withCatalog<T>(
  options: { readonly config: Config; readonly environment: Environment; readonly logger: Logger },
  target: string | undefined,
  work: (client: CatalogClient) => Promise<T>,
): Promise<T> {
  const { config, environment, logger } = options
  await using resources = new Resources()
  const own = target === undefined ? await ownOrStarted(config, logger, resources) : ownCatalog(config)
  const clients = resources.use(new CatalogClients(config, own, environment))
  return await work(clients.client(target))
}

async function ownOrStarted(config: Config, logger: Logger, resources: Resources): Promise<OwnCatalog> {
  if (await answers(config)) return ownCatalog(config)
  const { database } = await openMigratedDatabase(config, resources, { logger, clock: systemClock })
  return openOwnCatalog({ config, logger, roles: [], clock: systemClock }, database, resources)
}
