/** The commands that serve until they are told to stop: `up` (all in one), and its pieces for many machines. */
import { once } from 'node:events'
import { Command } from 'commander'
import { openHeadwater, type Headwater } from '../main.ts'
import type { InstanceRole } from '../main/instance-file.ts'
import { createLogger } from '../observe/logger.ts'
import { addCommonFlags, endWith, withExamples, type CommonFlags } from './command.ts'
import { EXIT, UsageError } from './exit-codes.ts'
import { portOf } from './flags.ts'
import { onStopRequest } from './signals.ts'
import type { Terminal } from './terminal.ts'

function addAddressFlags(command: Command): Command {
  return command
    .option('--host <address>', 'address of the catalog; beyond loopback it needs HEADWATER_TOKEN')
    .option('--port <port>', 'port of the catalog; 0 takes a free one', portOf)
}

export function upCommand(): Command {
  const up = addConsoleFlags(addAddressFlags(addCommonFlags(new Command('up'))))
    .description('serve everything in one process: database, catalog, workers, scheduler')
    .action((flags: CommonFlags) => serve(flags, ['catalog', 'worker', 'scheduler']))
  return withExamples(
    up,
    ['headwater up', 'state in ./.headwater, catalog on 127.0.0.1:8080, console on 127.0.0.1:8090'],
    ['headwater up --data /srv/headwater --port 0', 'another folder, a free port'],
    ['DATABASE_URL=postgres://… QUEUE_URL=redis://… headwater up', 'your own servers'],
  )
}

export function catalogServeCommand(): Command {
  const serveCatalog = addAddressFlags(addCommonFlags(new Command('serve')))
    .description('serve the catalog alone')
    .action((flags: CommonFlags) => serve(flags, ['catalog']))
  return withExamples(
    serveCatalog,
    ['headwater catalog serve', 'on 127.0.0.1:8080'],
    ['HEADWATER_TOKEN=… headwater catalog serve', 'with catalog.host beyond loopback in config/headwater.yaml'],
  )
}

export function workerCommand(): Command {
  const worker = addConsoleFlags(addCommonFlags(new Command('worker')))
    .description('take runs from the queue and carry them out')
    .action((flags: CommonFlags) => serve(flags, ['worker']))
  return withExamples(worker, ['DATABASE_URL=… QUEUE_URL=redis://… headwater worker', 'as many as you like'])
}

export function schedulerCommand(): Command {
  const scheduler = addConsoleFlags(addCommonFlags(new Command('scheduler')))
    .description('queue the runs of config/schedules.yaml when they are due; several do no harm')
    .action((flags: CommonFlags) => serve(flags, ['scheduler']))
  return withExamples(scheduler, ['DATABASE_URL=… QUEUE_URL=redis://… headwater scheduler', 'one or more'])
}

function addConsoleFlags(command: Command): Command {
  return command
    .option('--console-host <address>', 'address of the console; beyond loopback it needs HEADWATER_TOKEN')
    .option('--console-port <port>', 'port of the console (runs, plans, metrics, health); 0 takes a free one', portOf)
}

/** `up` always has a console; the pieces, of which many may stand on one machine, where a port was given. */
function hasConsole(flags: CommonFlags, roles: readonly InstanceRole[]): boolean {
  return flags.consolePort !== undefined || (roles.includes('catalog') && roles.length > 1)
}

function serve(flags: CommonFlags, roles: readonly InstanceRole[]): Promise<void> {
  return endWith(flags, async ({ terminal, loadConfig }) => {
    const config = loadConfig()
    const logger = createLogger({ level: flags.quiet === true ? 'error' : config.log.level })
    let headwater: Headwater | undefined
    using stop = onStopRequest(() => headwater?.workers?.abandon())
    const console = hasConsole(flags, roles)
    headwater = await openHeadwater({ config, environment: process.env, logger, roles, console }).catch(
      (error: unknown) => {
        throw isPortTaken(error) ? portTaken(error) : error
      },
    )
    try {
      announce(terminal, headwater, roles)
      const ending = AbortSignal.any([stop.signal, headwater.unfit])
      if (!ending.aborted) await once(ending, 'abort')
      const why = stop.received ?? 'the database is of a newer version'
      terminal.note(`${why}: stopping at the next batch border; once more to stop at once`)
    } finally {
      await headwater.close()
    }
    if (!stop.signal.aborted) throw headwater.unfit.reason
    // Being told to stop is how a server ends.
    return EXIT.done
  })
}

interface PortTaken extends Error {
  readonly address?: string
  readonly port?: number
}

function isPortTaken(error: unknown): error is PortTaken {
  return error instanceof Error && (error as NodeJS.ErrnoException).code === 'EADDRINUSE'
}

function portTaken(error: PortTaken): UsageError {
  return new UsageError(`another program listens on ${error.address}:${error.port} already`, {
    cause: error,
    remedy: 'stop it, or take another port with --port or --console-port (0 takes a free one)',
  })
}

function announce(terminal: Terminal, headwater: Headwater, roles: readonly InstanceRole[]): void {
  if (terminal.json) {
    terminal.printJson({ catalog: headwater.catalogUrl, console: headwater.consoleUrl ?? null, roles })
    return
  }
  if (roles.includes('catalog')) terminal.print(`catalog listening on ${headwater.catalogUrl}`)
  if (headwater.consoleUrl !== undefined) terminal.print(`console listening on ${headwater.consoleUrl}`)
  if (roles.includes('worker')) terminal.print(`worker ready for ${headwater.parts.jobs.names.join(', ')}`)
  if (roles.includes('scheduler')) terminal.print('scheduler ready')
}
