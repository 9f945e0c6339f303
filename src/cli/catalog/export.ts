/** `headwater catalog export`: everything in a catalog into a file of MCPs. */
import { Command } from 'commander'
import { writeExport } from '../../client/export/write-export.ts'
import { withCatalog } from '../../main/catalog-access.ts'
import { systemClock } from '../../observe/clock.ts'
import { createLogger } from '../../observe/logger.ts'
import { addCommonFlags, endWith, levelForResults, withExamples, type CommonFlags } from '../command.ts'
import { exitCodeOfSignal, UsageError } from '../exit-codes.ts'
import { showProgress } from '../progress.ts'
import { addCatalogFlags } from '../retention/target.ts'
import { onStopRequest } from '../signals.ts'
import { addForceFlag, refuseExisting, type ForceFlag } from '../whole-file.ts'

interface ExportFlags extends CommonFlags, ForceFlag {
  readonly to?: string
  readonly catalog?: string
  readonly history: boolean
}

export function exportCommand(): Command {
  const command = addForceFlag(addCatalogFlags(addCommonFlags(new Command('export'))))
    .description('write everything in the catalog to a file, one MCP a line; run again, it goes on where it stopped')
    .argument('<file>', 'gzip where the name ends in .gz')
    .option('--no-history', 'newest versions of aspects only')
    .action((file: string, flags: ExportFlags) =>
      endWith(flags, async ({ terminal, loadConfig }) => {
        refuseExisting(file, flags)
        const config = loadConfig()
        const logger = createLogger({ level: levelForResults(config) })
        using stop = onStopRequest()
        const progress = showProgress(terminal, systemClock, 'export')
        try {
          const report = await withCatalog(
            { config, environment: process.env, logger },
            flags.catalog ?? flags.to,
            async (client) => {
              if (!(await client.config(stop.signal)).abilities.has('export')) {
                throw new UsageError(`the catalog at ${client.address} cannot be exported over HTTP`, {
                  remedy: 'only a catalog of ours offers this; a DataHub has tools of its own',
                })
              }
              return writeExport(client, file, {
                history: flags.history,
                replaces: flags.force === true,
                signal: stop.signal,
                progress,
              })
            },
          )
          progress.end()
          if (terminal.json) return terminal.printJson({ file, ...report })
          const resumed = report.resumedAfter > 0 ? `, ${report.resumedAfter} of them before it was broken off` : ''
          terminal.print(`${report.proposals} proposals${resumed}, ${report.bytes} bytes: ${file}`)
        } catch (error) {
          if (stop.received === undefined) throw error
          terminal.note(`${stop.received}: the same command goes on with ${file}.partial`)
          return exitCodeOfSignal(stop.received)
        }
      }),
    )
  return withExamples(
    command,
    ['headwater catalog export backup.ndjson.gz', 'our own catalog, served or not'],
    ['headwater catalog export all.ndjson --to production', 'a connection of config/headwater.yaml'],
  )
}
