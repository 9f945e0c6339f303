/** `headwater undo RUN`: what a run wrote as it was before, where nobody wrote since; a plan unless `--apply`. */
import { Command, Option } from 'commander'
import undo from '../../jobs/undo.ts'
import { readRun } from '../store/ledger/runs.ts'
import { addCommonFlags, endWith, withExamples, type CommandContext, type CommonFlags } from './command.ts'
import { UsageError } from './exit-codes.ts'
import { catalogUrlOf } from './flags.ts'
import { lookAt } from './ledger/open.ts'
import { runAndWait } from './run/at-hand.ts'

interface UndoFlags extends CommonFlags {
  readonly apply?: boolean
  readonly from: string
  readonly catalog?: string
  readonly to?: string
}

export function undoCommand(): Command {
  const command = addCommonFlags(new Command('undo'))
    .description('take a run back: what it wrote reads as before, where nobody wrote since')
    .argument('<run>', 'id of the run')
    .option('--apply', 'do it; without, what would be done is shown, and can be approved')
    .addOption(
      new Option('--from <source>', 'where what was before comes from')
        .choices(['auto', 'ledger', 'catalog'])
        .default('auto'),
    )
    .option('--to <name>', 'connection of the catalog, for a run that this ledger does not know')
    .option('--catalog <url>', 'address of the catalog, for a run that this ledger does not know', catalogUrlOf)
    .action((run: string, flags: UndoFlags) => endWith(flags, (context) => undoRun(run, flags, context)))
  return withExamples(
    command,
    ['headwater undo run-20261121T020000-a1b2c3', 'what would be taken back, and what was changed since'],
    ['headwater undo run-20261121T020000-a1b2c3 --apply', 'do it'],
    ['headwater undo nightly-2026-11-20 --from catalog --catalog http://gms:8080', 'a run of somebody else'],
  )
}

/** Goes to the catalog that the run wrote to. */
async function undoRun(run: string, flags: UndoFlags, context: CommandContext): Promise<number> {
  const known = await lookAt(flags, context, (database) => readRun(database, run))
  const asked = flags.catalog ?? flags.to
  if (known !== undefined && asked !== undefined && asked !== known.target) {
    throw new UsageError(`${run} wrote to ${known.target ?? 'our own catalog'}, not to ${asked}`, {
      remedy: 'leave --to and --catalog out: undo goes to the catalog of the run',
    })
  }
  return runAndWait(
    undo,
    { input: { run, from: flags.from }, mode: flags.apply === true ? 'apply' : 'plan', target: known?.target ?? asked },
    context,
  )
}
