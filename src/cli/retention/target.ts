/** What the commands about timeseries indexes share: which catalog, which indexes. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import { readSourceText } from '../../client/source-file.ts'
import type { Config } from '../../config/config.ts'
import { readPolicy, type RetentionPolicy } from '../../retention/policy.ts'
import type { CommonFlags } from '../command.ts'
import { catalogUrlOf } from '../flags.ts'

export interface IndexFlags extends CommonFlags {
  readonly to?: string
  readonly catalog?: string
  readonly aspect: string
  readonly entityType: string
  readonly policy?: string
}

export function addCatalogFlags(command: Command): Command {
  return command
    .option('--to <name>', 'a connection of config/headwater.yaml instead of our own catalog')
    .option('--catalog <url>', 'an address instead; its token comes from DATAHUB_GMS_TOKEN', catalogUrlOf)
}

export function addIndexFlags(command: Command): Command {
  return addCatalogFlags(command)
    .option('--aspect <name>', 'only indexes of this aspect, in any case; * for any characters', '*')
    .option('--entity-type <name>', 'only indexes of this entity type; * for any characters', '*')
}

/** The policy that was named, else the one of the configuration folder; undefined where there is none. */
export async function policyAtHand(flags: IndexFlags, config: Config): Promise<RetentionPolicy | undefined> {
  const file = flags.policy ?? join(config.configFolder, 'retention.yaml')
  if (flags.policy === undefined && !existsSync(file)) return undefined
  return readPolicy(await readSourceText(file), file)
}
