/** Two places of a catalog's lineage and everything that lies between them, for the commands that explain ways. */
import type { Command } from 'commander'
import type { CatalogClient } from '../../client/catalog-client.ts'
import { withCatalog } from '../../main/catalog-access.ts'
import { createLogger } from '../../observe/logger.ts'
import { addCommonFlags, levelForResults, type CommandContext, type CommonFlags } from '../command.ts'
import { catalogUrlOf } from '../flags.ts'
import { checkColumn } from '../show/check-column.ts'
import { findPlace, type NameHints } from '../show/find-place.ts'
import type { LineageGraph, Stop } from '../show/lineage-graph.ts'
import { readLineage, readLineageAround } from '../show/read-lineage.ts'

export interface StoreFlags extends CommonFlags {
  readonly platform?: string
  readonly env?: string
  readonly to?: string
  readonly catalog?: string
}

export function addStoreFlags(command: Command): Command {
  return addCommonFlags(command)
    .option('--platform <name>', 'platform of the tables that are named, for example snowflake')
    .option('--env <name>', 'environment of the tables that are named (default PROD)')
    .option('--to <name>', 'a connection of config/headwater.yaml')
    .option('--catalog <url>', 'an address; its token comes from DATAHUB_GMS_TOKEN', catalogUrlOf)
}

export interface Between {
  readonly from: Stop
  readonly to: Stop
  /** What the start leads to and what leads to the end. */
  readonly graph: LineageGraph
  /** Whether that is all of it. */
  readonly complete: boolean
}

/** Hands a command the catalog that its flags name, and what they say of the tables. */
export function lookInto<T>(
  flags: StoreFlags,
  context: CommandContext,
  look: (client: CatalogClient, hints: NameHints) => Promise<T>,
): Promise<T> {
  const config = context.loadConfig()
  const logger = createLogger({ level: levelForResults(config) })
  const hints = {
    ...(flags.platform === undefined ? {} : { platform: flags.platform }),
    ...(flags.env === undefined ? {} : { env: flags.env }),
  }
  const asked = flags.catalog ?? flags.to
  return withCatalog({ config, environment: process.env, logger }, asked, (client) => look(client, hints))
}

/** Farther than any lineage goes. */
const FAR = 1000

/**
 * Reads what lies between two names.
 * @throws UsageError where a name is not found, or means more than one table
 */
export async function readBetween(
  names: readonly [from: string, to: string],
  flags: StoreFlags,
  context: CommandContext,
): Promise<Between> {
  return lookInto(flags, context, async (client, hints) => {
    const from = await findPlace(client, names[0], hints)
    const to = await findPlace(client, names[1], hints)
    const down = await readLineageAround(client, from.dataset, { direction: 'down', depth: FAR })
    const up = await readLineageAround(client, to.dataset, { direction: 'up', depth: FAR })
    const urns = new Set([...down.graph.datasets.keys(), ...up.graph.datasets.keys()])
    const datasets = new Map([...down.graph.datasets, ...up.graph.datasets])
    const graph = await readLineage(
      client,
      [...urns].flatMap((urn) => datasets.get(urn)?.urn ?? []),
    )
    return {
      from: await checkColumn(client, from, graph),
      to: await checkColumn(client, to, graph),
      graph,
      complete: down.complete && up.complete,
    }
  })
}
