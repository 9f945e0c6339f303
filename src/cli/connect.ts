import { Command } from 'commander'
import type { CatalogClient } from '../client/catalog-client.ts'
import { INTERACTIVE } from '../client/retry.ts'
import { CatalogClients } from '../main/connections.ts'
import { ownCatalog } from '../main/own-catalog.ts'
import { HeadwaterError } from '../model/errors.ts'
import { systemClock } from '../observe/clock.ts'
import { addCommonFlags, endWith, withExamples, type CommonFlags } from './command.ts'
import { EXIT } from './exit-codes.ts'
import { catalogUrlOf } from './flags.ts'
import type { Terminal } from './terminal.ts'

interface ConnectFlags extends CommonFlags {
  readonly test?: boolean
  readonly to?: string
  readonly catalog?: string
}

/** `headwater connect --test`: does a catalog answer, does it take our token, what can it do? */
export function connectCommand(): Command {
  const connect = addCommonFlags(new Command('connect'))
    .description('list the connections, or with --test try one: address, token, abilities')
    .option('--test', 'try the connection')
    .option('--to <name>', 'a connection of config/headwater.yaml')
    .option('--catalog <url>', 'an address; its token comes from DATAHUB_GMS_TOKEN', catalogUrlOf)
    .action((flags: ConnectFlags) =>
      endWith(flags, async ({ terminal, loadConfig }) => {
        const config = loadConfig()
        const clients = new CatalogClients(config, ownCatalog(config), process.env, { retry: INTERACTIVE })
        try {
          if (flags.test === true) return await testConnection(clients.client(flags.catalog ?? flags.to), terminal)
          const rows = Object.entries(config.connections).map(([name, { url, token, tokenEnv }]) => ({
            name,
            url,
            token: token === undefined ? `${tokenEnv} is not set` : `from ${tokenEnv}`,
          }))
          if (terminal.json) return terminal.printJson({ connections: rows })
          if (rows.length === 0) terminal.print('no connections: name them in config/headwater.yaml')
          for (const { name, url, token } of rows) terminal.print(`${name}  ${url}  ${token}`)
          return EXIT.done
        } finally {
          await clients.close()
        }
      }),
    )
  return withExamples(
    connect,
    ['headwater connect --test', 'our own catalog'],
    ['headwater connect --test --to production', 'a connection of config/headwater.yaml'],
    ['headwater connect --test --catalog https://datahub.example.com/gms', 'an address'],
  )
}

async function testConnection(client: CatalogClient, terminal: Terminal): Promise<number> {
  const { version, patchCapable } = await client.config()
  const started = systemClock.monotonic()
  const { total, allowed } = await tryReading(client)
  const latencyMs = Math.round(systemClock.monotonic() - started)
  if (terminal.json) {
    terminal.printJson({ url: client.address, version: version ?? null, patchCapable, latencyMs, operations: allowed })
    return EXIT.done
  }
  terminal.print(`${terminal.style('green', 'ok')}  ${client.address}`)
  terminal.print(`    version ${version ?? 'not told'}, JSON patch ${patchCapable ? 'yes' : 'no'}, ${latencyMs} ms`)
  terminal.print(
    allowed
      ? `    operations allowed: ${total} timeseries indexes`
      : '    operations not allowed: retention will not work',
  )
  return EXIT.done
}

/** Reads something that needs the token; operations are a privilege of their own. */
async function tryReading(client: CatalogClient): Promise<{ readonly total: number; readonly allowed: boolean }> {
  try {
    return { total: (await client.timeseries.indexSizes()).length, allowed: true }
  } catch (error) {
    if (error instanceof HeadwaterError && error.code === 'FORBIDDEN') return { total: 0, allowed: false }
    throw error
  }
}
