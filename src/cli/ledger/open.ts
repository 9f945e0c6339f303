/** How the commands about runs, plans and schedules get at the ledger. */
import type { Config } from '../../config/config.ts'
import type { Database } from '../../store/database.ts'
import { openHeadwater } from '../../main.ts'
import { readInstance } from '../../main/instance-file.ts'
import { openLedger } from '../../main/open-ledger.ts'
import { createLogger } from '../../observe/logger.ts'
import type { RunnerParts } from '../../runner/parts.ts'
import type { CommandContext, CommonFlags } from '../command.ts'

/** Hands the ledger to a command that only looks. */
export async function lookAt<T>(
  flags: CommonFlags,
  { loadConfig }: CommandContext,
  look: (database: Database, config: Config) => Promise<T>,
): Promise<T> {
  const config = loadConfig()
  await using ledger = await openLedger(config, loggerFor(flags, config.log.level))
  return await look(ledger.database, config)
}

/**
 * Hands the runner to a command that changes something.
 * @param carryOut whether what it lets loose is to be worked on here where no instance of this data folder works
 */
export async function actOn<T>(
  flags: CommonFlags,
  { loadConfig }: CommandContext,
  { carryOut }: { readonly carryOut: boolean },
  act: (parts: RunnerParts, config: Config) => Promise<T>,
): Promise<T> {
  const config = loadConfig()
  const works = readInstance(config.dataFolder)?.roles.includes('worker') ?? false
  await using headwater = await openHeadwater({
    config,
    environment: process.env,
    logger: loggerFor(flags, config.log.level),
    roles: carryOut && !works ? ['worker'] : [],
  })
  return await act(headwater.parts, config)
}

/** Commands are quiet unless they are asked not to be. */
function loggerFor(flags: CommonFlags, level: Parameters<typeof createLogger>[0]['level']) {
  return createLogger({ level: flags.logLevel === undefined ? 'warn' : level })
}
