import type { Config } from '../config/config.ts'
import { systemClock } from '../observe/clock.ts'
import type { Logger } from '../observe/logger.ts'
import { Resources } from '../observe/resources.ts'
import type { Database } from '../store/database.ts'
import { openMigratedDatabase } from './open-database.ts'

/** The ledger alone, for commands that only look: needs the database, and neither queue nor catalog. */
export async function openLedger(
  config: Config,
  logger: Logger,
): Promise<AsyncDisposable & { readonly database: Database }> {
  const resources = new Resources()
  try {
    const { database } = await openMigratedDatabase(config, resources, { logger, clock: systemClock, max: 2 })
    return { database, [Symbol.asyncDispose]: () => resources.close() }
  } catch (error) {
    await resources.close()
    throw error
  }
}
