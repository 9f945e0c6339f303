/** `headwater retry-failed RUN`: harvests again the statements that a harvest did not understand. */
import { existsSync } from 'node:fs'
import { Command, Option } from 'commander'
import harvest from '../../jobs/harvest-lineage.ts'
import { LOG_FIELDS } from '../harvest/log/shape.ts'
import { DIALECTS } from '../harvest/naming.ts'
import { isJsonObject, textAt, type JsonObject } from '../model/json.ts'
import { readRun } from '../store/ledger/runs.ts'
import type { RunRow } from '../store/ledger/types.ts'
import { addCommonFlags, endWith, withExamples, type CommandContext, type CommonFlags } from './command.ts'
import { EXIT, UsageError } from './exit-codes.ts'
import { lookAt } from './ledger/open.ts'
import { runAndWait } from './run/at-hand.ts'

interface RetryFlags extends CommonFlags {
  readonly plan?: boolean
  readonly dialect?: string
  readonly database?: string
  readonly schema?: string
}

export function retryFailedCommand(): Command {
  const command = addCommonFlags(new Command('retry-failed'))
    .description('harvest again the statements that a harvest did not understand')
    .argument('<run>', 'id of the harvest')
    .option('--plan', 'show what would change, write nothing')
    .addOption(new Option('--dialect <name>', 'read them in this dialect instead of their own').choices(DIALECTS))
    .option('--database <name>', 'database of names that have none, instead of their own')
    .option('--schema <name>', 'schema of names that have none, instead of their own')
    .action((run: string, flags: RetryFlags) => endWith(flags, (context) => retryFailed(run, flags, context)))
  return withExamples(
    command,
    ['headwater retry-failed run-20261121T020000-a1b2c3', 'after an update of headwater'],
    ['headwater retry-failed run-20261121T020000-a1b2c3 --dialect mysql', 'they were read in the wrong dialect'],
    ['headwater retry-failed run-20261121T020000-a1b2c3 --plan', 'what would come of it'],
  )
}

async function retryFailed(id: string, flags: RetryFlags, context: CommandContext): Promise<number> {
  const run = await lookAt(flags, context, (database) => readRun(database, id))
  if (run?.job !== harvest.name) {
    throw new UsageError(run === undefined ? `there is no run ${JSON.stringify(id)}` : `${id} is no harvest`, {
      remedy: `look for it with: headwater runs --job ${harvest.name}`,
    })
  }
  const failures = failuresOf(run)
  if (failures === undefined) {
    context.terminal.note(`${id} understood every statement`)
    return EXIT.done
  }
  if (!existsSync(failures)) {
    throw new UsageError(`${failures} is no longer there`, { remedy: 'it went with its run: harvest the source again' })
  }
  return runAndWait(
    harvest,
    {
      input: inputFor(run, failures, flags),
      mode: flags.plan === true ? 'plan' : 'apply',
      target: run.target ?? undefined,
    },
    context,
  )
}

/** The file that the harvest left, where it failed to understand something. */
function failuresOf({ report }: RunRow): string | undefined {
  return isJsonObject(report?.['files']) ? textAt(report['files'], 'failures') : undefined
}

/**
 * The harvest's own settings: each statement brings its names and dialect along, unless something else is asked for, and
 * what is there stays.
 */
function inputFor({ input, report }: RunRow, failures: string, { dialect, database, schema }: RetryFlags): JsonObject {
  const { include: _i, exclude: _e, naming: _n, preset: _p, columns: _c, declared: _d, session: _s, ...kept } = input
  const asked: JsonObject = JSON.parse(JSON.stringify({ dialect, database, schema }))
  const columns = LOG_FIELDS.filter((field) => !(field in asked)).map((field) => [field, field] as const)
  const origin = textAt(input, 'origin') ?? textAt(report ?? undefined, 'origin')
  return {
    ...kept,
    ...asked,
    columns: Object.fromEntries(columns),
    ...(origin === undefined ? {} : { origin }),
    source: failures,
    format: 'log',
    removeGone: false,
    full: true,
    partial: true,
  }
}
