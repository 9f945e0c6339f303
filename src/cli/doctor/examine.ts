import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../../config/config.ts'
import { openDatabaseAddress } from '../../main/open-database.ts'
import type { Clock } from '../../observe/clock.ts'
import type { Logger } from '../../observe/logger.ts'
import { Resources } from '../../observe/resources.ts'
import { openDatabase, type Database } from '../../store/database.ts'
import { catalogCheck } from './catalog.ts'
import { runCheck, type Check, type CheckResult } from './check.ts'
import { clockCheck } from './clock.ts'
import { databaseCheck } from './database.ts'
import { diskCheck } from './disk.ts'
import { nodeCheck } from './node.ts'
import { queueCheck } from './queue.ts'
import { retentionCheck } from './retention.ts'
import { rightsCheck } from './rights.ts'
import { versionsCheck } from './versions.ts'

/** In the order in which the results are shown. */
export const CHECKS: readonly Check[] = [
  nodeCheck,
  versionsCheck,
  rightsCheck,
  diskCheck,
  databaseCheck,
  clockCheck,
  queueCheck,
  catalogCheck,
  retentionCheck,
]

export interface Examination {
  readonly config: Config
  readonly clock: Clock
  readonly logger: Logger
  readonly environment: Readonly<Record<string, string | undefined>>
  /** For all checks together. Default 20 seconds. */
  readonly timeoutMs?: number
}

/** Runs all checks, side by side. Makes nothing: where no embedded database is, none is made. */
export async function examine(examination: Examination): Promise<readonly CheckResult[]> {
  const { config, clock, environment } = examination
  await using resources = new Resources()
  let opened: Promise<Database | undefined> | undefined
  const patient = {
    config,
    clock,
    environment,
    database: () => (opened ??= openExisting(examination, resources)),
    signal: AbortSignal.timeout(examination.timeoutMs ?? 20_000),
  }
  const results = await Promise.all(CHECKS.map((check) => runCheck(check, patient)))
  await opened?.catch(() => undefined) // what came too late for its check must be closed all the same
  return results
}

async function openExisting(examination: Examination, resources: Resources): Promise<Database | undefined> {
  const { config, clock, logger } = examination
  const isThere = existsSync(join(config.dataFolder, 'postgres', 'PG_VERSION'))
  if (config.databaseUrl === undefined && !isThere) return undefined
  const address = await openDatabaseAddress(config, resources, { logger, clock })
  return resources.use(openDatabase(address, { max: 2, applicationName: 'headwater-doctor', logger }))
}
