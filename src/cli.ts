/**
 * The command line. Each command stands in a file of its own below `src/cli`; only the one that was asked for is
 * loaded, all of them for help and for suggestions.
 */
import { Command } from 'commander'
import { complain } from './cli/complain.ts'
import { exitCodeOf } from './cli/exit-codes.ts'
import { packageVersion } from './cli/package-info.ts'
import { processTerminal } from './cli/terminal.ts'

/** In the order of the help. */
const COMMANDS: Readonly<Record<string, () => Promise<Command>>> = {
  init: async () => (await import('./cli/init.ts')).initCommand(),
  up: async () => (await import('./cli/up.ts')).upCommand(),
  run: async () => (await import('./cli/run/run.ts')).runCommand(),
  recipe: async () => (await import('./cli/recipe.ts')).recipeCommand(),
  demo: async () => (await import('./cli/demo/demo.ts')).demoCommand(),
  runs: async () => (await import('./cli/ledger/runs.ts')).runsCommand(),
  logs: async () => (await import('./cli/ledger/logs.ts')).logsCommand(),
  plans: async () => (await import('./cli/ledger/plans.ts')).plansCommand(),
  approve: async () => (await import('./cli/ledger/plans.ts')).approveCommand(),
  reject: async () => (await import('./cli/ledger/plans.ts')).rejectCommand(),
  dead: async () => (await import('./cli/dead.ts')).deadCommand(),
  export: async () => (await import('./cli/export.ts')).exportCommand(),
  'retry-failed': async () => (await import('./cli/retry-failed.ts')).retryFailedCommand(),
  undo: async () => (await import('./cli/undo.ts')).undoCommand(),
  schedules: async () => (await import('./cli/ledger/schedules.ts')).schedulesCommand(),
  sizes: async () => (await import('./cli/retention/sizes.ts')).sizesCommand(),
  simulate: async () => (await import('./cli/retention/simulate.ts')).simulateCommand(),
  truncate: async () => (await import('./cli/retention/truncate.ts')).truncateCommand(),
  restore: async () => (await import('./cli/retention/restore.ts')).restoreCommand(),
  lineage: async () => (await import('./cli/lineage/lineage.ts')).lineageCommand(),
  catalog: async () => (await import('./cli/catalog/catalog.ts')).catalogCommand(),
  worker: async () => (await import('./cli/up.ts')).workerCommand(),
  scheduler: async () => (await import('./cli/up.ts')).schedulerCommand(),
  connect: async () => (await import('./cli/connect.ts')).connectCommand(),
  doctor: async () => (await import('./cli/doctor/doctor.ts')).doctorCommand(),
  prune: async () => (await import('./cli/prune.ts')).pruneCommand(),
  backup: async () => (await import('./cli/backup.ts')).backupCommand(),
  'restore-backup': async () => (await import('./cli/backup.ts')).restoreBackupCommand(),
  config: async () => (await import('./cli/config-show.ts')).configCommand(),
}

const program = new Command('headwater')
  .description('Batch ingestion and maintenance jobs for metadata catalogs, and a catalog of its own.')
  .version(packageVersion(), '--version', 'print the version')
  .enablePositionalOptions() // so that `runs show ID --data X` hands --data to `show`, not to `runs`
  .showSuggestionAfterError()
  .showHelpAfterError('(add --help for what is possible)')

// A reader that went away (`headwater … | head`) is no error of ours.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
})

// `plans --data X show ID`: what stands before a subcommand's name is meant for the subcommand.
program.hook('preAction', (_, command) => handDown(command))

try {
  for (const load of wanted(process.argv[2])) program.addCommand(await load())
  throwInsteadOfExit(program)
  await program.parseAsync()
} catch (error) {
  // Wrong flags and names, of which commander has said what is wrong, a job module that cannot be loaded; `--help` and
  // `--version` end here too.
  complain(processTerminal(), error)
  process.exitCode = exitCodeOf(error)
}

function wanted(name: string | undefined): readonly (() => Promise<Command>)[] {
  if (name === '--version') return []
  const one = name === undefined ? undefined : COMMANDS[name]
  return one === undefined ? Object.values(COMMANDS) : [one]
}

/** Gives a command the flags that stand before its name, unless it was given them itself. */
function handDown(command: Command): void {
  for (let above = command.parent; above !== null; above = above.parent) {
    for (const option of above.options) {
      const key = option.attributeName()
      if (above.getOptionValueSource(key) !== 'cli') continue
      const known = command.options.some((one) => one.attributeName() === key)
      if (!known) command.error(`error: ${option.long ?? key} belongs to '${above.name()}', not to '${command.name()}'`)
      if (command.getOptionValueSource(key) === 'cli') continue
      command.setOptionValueWithSource(key, above.getOptionValue(key), 'cli')
    }
  }
}

function throwInsteadOfExit(command: Command): void {
  command.exitOverride()
  for (const child of command.commands) throwInsteadOfExit(child)
}
