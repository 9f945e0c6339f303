import { join } from 'node:path'
import type { Config } from '../config/config.ts'
import { openEmbeddedPostgres } from '../embedded/embedded-postgres.ts'
import type { DatabaseAddress } from '../model/database-address.ts'
import type { Clock } from '../observe/clock.ts'
import type { Logger } from '../observe/logger.ts'
import type { Resources } from '../observe/resources.ts'
import { openDatabase, type Database } from '../store/database.ts'
import { migrate } from '../store/migrate.ts'
import { makeDataFolder } from './data-folder.ts'

/** Opens the database and brings it to the newest schema; makes the data folder where there is none. */
export async function openMigratedDatabase(
  config: Config,
  resources: Resources,
  { logger, clock, max = 16 }: { readonly logger: Logger; readonly clock: Clock; readonly max?: number },
): Promise<{ readonly address: DatabaseAddress; readonly database: Database }> {
  makeDataFolder(config.dataFolder)
  const address = await openDatabaseAddress(config, resources, { logger, clock })
  const database = resources.use(openDatabase(address, { max, applicationName: 'headwater', logger }))
  await migrate(database)
  return { address, database }
}

/**
 * Where the database is: DATABASE_URL, else the embedded server of the data folder, started if nobody has yet.
 * Nothing behind this knows which of the two it is.
 */
export async function openDatabaseAddress(
  config: Config,
  resources: Resources,
  { logger, clock }: { readonly logger: Logger; readonly clock: Clock },
): Promise<DatabaseAddress> {
  if (config.databaseUrl !== undefined) return { kind: 'url', url: config.databaseUrl.reveal() }
  const dataDir = join(config.dataFolder, 'postgres')
  return resources.use(await openEmbeddedPostgres({ dataDir, logger, clock })).address
}
