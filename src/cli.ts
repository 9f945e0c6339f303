/**
 * The command line. Each command stands in a file of its own below `src/cli`; a command loads what it composes only
 * when it runs, so that `headwater --help` stays quick.
 */
import { Command, CommanderError } from 'commander'
import { configCommand } from './cli/config-show.ts'
import { connectCommand } from './cli/connect.ts'
import { EXIT } from './cli/exit-codes.ts'
import { initCommand } from './cli/init.ts'
import { packageVersion } from './cli/package-info.ts'

const program = new Command('headwater')
  .description('Batch ingestion and maintenance jobs for metadata catalogs, and a catalog of its own.')
  .version(packageVersion(), '--version', 'print the version')
  .showSuggestionAfterError()
  .showHelpAfterError('(add --help for what is possible)')

for (const command of [initCommand(), configCommand(), connectCommand()]) program.addCommand(command)
throwInsteadOfExit(program)

// A reader that went away (`headwater … | head`) is no error of ours.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
})

try {
  await program.parseAsync()
} catch (error) {
  // Wrong flags and names; commander has said what is wrong. `--help` and `--version` end here too.
  if (!(error instanceof CommanderError)) throw error
  process.exitCode = error.exitCode === 0 ? EXIT.done : EXIT.badInput
}

function throwInsteadOfExit(command: Command): void {
  command.exitOverride()
  for (const child of command.commands) throwInsteadOfExit(child)
}
