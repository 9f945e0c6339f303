/** What all commands share: the common flags, the configuration they lead to, and one way to end. */
import type { Command } from 'commander'
import type { Config } from '../config/config.ts'
import { loadConfig } from '../config/load.ts'
import { complain } from './complain.ts'
import { exitCodeOf } from './exit-codes.ts'
import { processTerminal, type Terminal } from './terminal.ts'

/** Flags that every command understands. */
export interface CommonFlags {
  readonly data?: string
  readonly config?: string
  readonly logLevel?: string
  readonly quiet?: boolean
  readonly json?: boolean
  readonly host?: string
  readonly port?: number
  readonly consoleHost?: string
  readonly consolePort?: number
}

export function addCommonFlags(command: Command, dataFolder = './.headwater'): Command {
  return command
    .option('--data <folder>', `folder of all state (default ${dataFolder})`)
    .option('--config <folder>', 'folder of the configuration files (default ./config)')
    .option('--log-level <level>', 'least level that is logged: trace, debug, info, warn, error, silent')
    .option('--quiet', 'say nothing but results and errors')
    .option('--json', 'one JSON object as the result')
}

/** What an action is handed. */
export interface CommandContext {
  readonly terminal: Terminal
  /** Reads and checks the configuration; call it once. */
  readonly loadConfig: () => Config
}

/**
 * Runs an action and ends with its exit code. Errors are said on stderr, never thrown further. The process is not
 * killed: it ends when nothing is open any more, so that a leak shows.
 */
export async function endWith(
  flags: CommonFlags,
  action: (context: CommandContext) => Promise<number | void> | number | void,
): Promise<void> {
  const terminal = processTerminal(flags)
  const context: CommandContext = {
    terminal,
    loadConfig: () => loadConfig({ workingFolder: process.cwd(), environment: process.env, flags }),
  }
  try {
    process.exitCode = (await action(context)) ?? 0
  } catch (error) {
    complain(terminal, error)
    process.exitCode = exitCodeOf(error)
  }
}

/** What a command logs beside its results: nothing below a warning, unless it was asked for. */
export function levelForResults({ log, origins }: Config): Config['log']['level'] {
  const asked = /^(--|HEADWATER_)/.test(origins['log.level'] ?? '')
  return log.level === 'info' && !asked ? 'warn' : log.level
}

/** Examples below a command's help. */
export function withExamples(
  command: Command,
  ...examples: readonly (readonly [line: string, what: string])[]
): Command {
  const width = Math.max(...examples.map(([line]) => line.length))
  const lines = examples.map(([line, what]) => `  $ ${line.padEnd(width)}  # ${what}`)
  return command.addHelpText('after', `\nExamples:\n${lines.join('\n')}`)
}
