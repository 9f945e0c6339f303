/** `headwater export KIND`: what a catalog has as the CSV that import-csv reads. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Argument, Command } from 'commander'
import { openExport, type ExportReport } from '../import/export/export-csv.ts'
import { readFilters } from '../import/export/filter.ts'
import type { ExportKind } from '../import/export/rows.ts'
import { withCatalog } from '../main/catalog-access.ts'
import { systemClock } from '../observe/clock.ts'
import { createLogger } from '../observe/logger.ts'
import {
  addCommonFlags,
  endWith,
  levelForResults,
  withExamples,
  type CommandContext,
  type CommonFlags,
} from './command.ts'
import { EXIT, exitCodeOfSignal } from './exit-codes.ts'
import { catalogUrlOf } from './flags.ts'
import { showProgress } from './progress.ts'
import { onStopRequest } from './signals.ts'
import type { Terminal } from './terminal.ts'
import { addForceFlag, refuseExisting, writeWholeFile, type ForceFlag } from './whole-file.ts'

const STDOUT = '-'

interface ExportFlags extends CommonFlags, ForceFlag {
  readonly filter?: readonly string[]
  readonly output: string
  readonly catalog?: string
  readonly to?: string
}

export function exportCommand(): Command {
  const command = addForceFlag(addCommonFlags(new Command('export')))
    .description('write tags, properties, or all that people edit, as the CSV that import-csv reads')
    .addArgument(new Argument('<kind>', 'what to write').choices(['tags', 'properties', 'all']))
    .option('--filter <key=value...>', 'only entities of this type, platform, env, name or urn; * stands for any text')
    .option('-o, --output <file>', 'where to, gzip where it ends in .gz; - is standard output', STDOUT)
    .option('--to <name>', 'read from this connection of config/headwater.yaml instead of our own catalog')
    .option('--catalog <url>', 'read from the catalog at this address', catalogUrlOf)
    .action((kind: ExportKind, flags: ExportFlags) => endWith(flags, (context) => exportTo(kind, flags, context)))
  return withExamples(
    command,
    ['headwater export tags -o tags.csv', 'tags of everything'],
    ['headwater export all --filter platform=hive name=mart.* -o mart.csv', 'one platform, some datasets'],
    ['headwater export properties --catalog http://gms:8080 -o properties.csv', 'from a DataHub'],
  )
}

async function exportTo(
  kind: ExportKind,
  flags: ExportFlags,
  { terminal, loadConfig }: CommandContext,
): Promise<number> {
  const filter = readFilters(flags.filter ?? [])
  if (flags.output !== STDOUT) refuseExisting(flags.output, flags)
  const config = loadConfig()
  const logger = createLogger({ level: levelForResults(config) })
  const folder = await mkdtemp(join(tmpdir(), 'headwater-export-'))
  using stop = onStopRequest()
  const progress = showProgress(terminal, systemClock, 'export')
  try {
    const report = await withCatalog(
      { config, environment: process.env, logger },
      flags.catalog ?? flags.to,
      async (client) => {
        const exported = await openExport({
          client,
          kind,
          filter,
          folder: join(folder, 'rows'),
          signal: stop.signal,
          progress,
        })
        await writeText(exported.text, flags.output, stop.signal)
        return exported.report
      },
    )
    progress.end()
    tell(terminal, report, flags.output)
    return report.leftOut > 0 ? EXIT.partial : EXIT.done
  } catch (error) {
    progress.end()
    if (stop.received === undefined) throw error
    return exitCodeOfSignal(stop.received)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function writeText(text: AsyncIterable<string>, output: string, signal: AbortSignal): Promise<void> {
  if (output !== STDOUT) return writeWholeFile(output, text, { signal })
  await pipeline(Readable.from(text), process.stdout, { signal, end: false })
}

function tell(terminal: Terminal, report: ExportReport, output: string): void {
  const { rows, entities, leftOut, examples, source } = report
  if (terminal.json && output !== STDOUT) return terminal.printJson({ ...report, output })
  terminal.note(`${rows.toLocaleString('en')} rows of ${entities.toLocaleString('en')} entities, by ${source}`)
  if (leftOut === 0) return
  terminal.note(`${leftOut.toLocaleString('en')} values were left out:`)
  for (const example of examples) terminal.note(`  ${example}`)
  if (leftOut > examples.length) terminal.note('  …')
}
