/** `headwater catalog import`: a file of MCPs into a catalog. */
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { Command } from 'commander'
import { readExport, type ImportReport } from '../../client/export/read-export.ts'
import { withCatalog } from '../../main/catalog-access.ts'
import { numberAt } from '../../model/json.ts'
import { systemClock } from '../../observe/clock.ts'
import { createLogger } from '../../observe/logger.ts'
import { addCommonFlags, endWith, levelForResults, withExamples, type CommonFlags } from '../command.ts'
import { EXIT, exitCodeOfSignal } from '../exit-codes.ts'
import { showProgress } from '../progress.ts'
import { addCatalogFlags } from '../retention/target.ts'
import { onStopRequest } from '../signals.ts'
import type { Terminal } from '../terminal.ts'

interface ImportFlags extends CommonFlags {
  readonly to?: string
  readonly catalog?: string
}

const SHOWN = 10

export function importCommand(): Command {
  const command = addCatalogFlags(addCommonFlags(new Command('import')))
    .description('read a file of MCPs, one a line, into the catalog; run again, it goes on where it stopped')
    .argument('<file>', 'as `headwater catalog export` writes it; gzip where the name ends in .gz, - for stdin')
    .action((file: string, flags: ImportFlags) =>
      endWith(flags, async ({ terminal, loadConfig }) => {
        const config = loadConfig()
        const logger = createLogger({ level: levelForResults(config) })
        const target = flags.catalog ?? flags.to
        const mark = new Bookmark(join(config.dataFolder, 'imports'), file, target)
        using stop = onStopRequest()
        const progress = showProgress(terminal, systemClock, 'import')
        try {
          const report = await withCatalog({ config, environment: process.env, logger }, target, (client) =>
            readExport(client, file, {
              signal: stop.signal,
              progress,
              skipLines: mark.lines,
              onDone: (lines) => mark.save(lines),
            }),
          )
          progress.end()
          await mark.remove()
          return show(report, file, terminal)
        } catch (error) {
          if (stop.received === undefined) throw error
          terminal.note(`${stop.received}: the same command goes on after line ${mark.lines}`)
          return exitCodeOfSignal(stop.received)
        } finally {
          await mark.settled()
        }
      }),
    )
  return withExamples(
    command,
    ['headwater catalog import backup.ndjson.gz', 'into our own catalog, served or not'],
    ['headwater catalog import backup.ndjson.gz --to production', 'into a connection of config/headwater.yaml'],
  )
}

function show(report: ImportReport, file: string, terminal: Terminal): number {
  if (terminal.json) terminal.printJson({ file, ...report })
  else {
    const { sent, present, rejected, resumedAfter } = report
    const more = [
      ...(resumedAfter > 0 ? [`lines up to ${resumedAfter} were sent before`] : []),
      ...(present > 0 ? [`${present} earlier versions were there`] : []),
      ...(rejected > 0 ? [`${rejected} rejected`] : []),
    ]
    terminal.print([`${sent} proposals sent`, ...more].join(', '))
    for (const { line, reason } of report.samples.slice(0, SHOWN)) terminal.complain(`${file}:${line}: ${reason}`)
    if (rejected > SHOWN) terminal.complain(`… and ${rejected - SHOWN} more`)
  }
  return report.rejected > 0 ? EXIT.partial : EXIT.done
}

/** How far a file went into a catalog. For a file that changed since, and for stdin, there is none. */
class Bookmark {
  readonly #folder: string
  readonly #path: string | undefined
  #saving = Promise.resolve()
  lines = 0

  constructor(folder: string, file: string, target: string | undefined) {
    this.#folder = folder
    if (file === '-' || !existsSync(file)) return
    const { size, mtimeMs } = statSync(file)
    const key = createHash('sha256').update(JSON.stringify([resolve(file), size, mtimeMs, target ?? null]))
    this.#path = join(folder, `${key.digest('hex').slice(0, 32)}.json`)
    if (existsSync(this.#path)) this.lines = linesIn(readFileSync(this.#path, 'utf8'))
  }

  /** Whole or not at all, also when the process is killed; one after the other. */
  save(lines: number): Promise<void> {
    const path = this.#path
    if (path === undefined) return Promise.resolve()
    this.#saving = this.#saving.then(async () => {
      await mkdir(this.#folder, { recursive: true, mode: 0o700 })
      await writeFile(`${path}.new`, JSON.stringify({ lines }), { mode: 0o600 })
      await rename(`${path}.new`, path)
      this.lines = lines
    })
    return this.#saving
  }

  settled(): Promise<void> {
    return this.#saving
  }

  async remove(): Promise<void> {
    await this.#saving
    if (this.#path !== undefined) await rm(this.#path, { force: true })
  }
}

function linesIn(text: string): number {
  try {
    return numberAt(JSON.parse(text), 'lines') ?? 0
  } catch {
    return 0
  }
}
