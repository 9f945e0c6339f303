import { mkdirSync } from 'node:fs'
import type { Config } from '../config/config.ts'
import { systemClock } from '../observe/clock.ts'
import type { Logger } from '../observe/logger.ts'
import { Resources } from '../observe/resources.ts'
import { openDatabase, type Database } from '../store/database.ts'
import { migrate } from '../store/migrate.ts'
import { openDatabaseAddress } from './open-database.ts'

/** The ledger alone, for commands that only look: needs the database, and neither queue nor catalog. */
export async function openLedger(
  config: Config,
  logger: Logger,
): Promise<AsyncDisposable & { readonly database: Database }> {
  const resources = new Resources()
  try {
    mkdirSync(config.dataFolder, { recursive: true, mode: 0o700 })
    const address = await openDatabaseAddress(config, resources, { logger, clock: systemClock })
    const database = resources.use(openDatabase(address, { max: 2, applicationName: 'headwater-look', logger }))
    await migrate(database)
    return { database, [Symbol.asyncDispose]: () => resources.close() }
  } catch (error) {
    await resources.close()
    throw error
  }
}
