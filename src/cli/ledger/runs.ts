/** `headwater runs`: what ran, what runs, what waits. */
import { Command } from 'commander'
import { systemClock } from '../../observe/clock.ts'
import { cancelRun } from '../../runner/cancel.ts'
import { RunNotFoundError } from '../../runner/errors.ts'
import { retryRun } from '../../runner/submit.ts'
import { waitForRun } from '../../runner/wait.ts'
import { readPlan, readPlanOfRun } from '../../store/ledger/plans.ts'
import { lettersOfRun } from '../../store/ledger/run-letters.ts'
import { listAttempts, listRuns, readRun } from '../../store/ledger/runs.ts'
import { RUN_STATES, type RunRow, type RunState } from '../../store/ledger/types.ts'
import { addCommonFlags, endWith, withExamples, type CommonFlags } from '../command.ts'
import { UsageError } from '../exit-codes.ts'
import { countOf } from '../flags.ts'
import { exitCodeOfEnding, printEnding } from '../run/ending.ts'
import { textTable } from '../show/text-table.ts'
import type { Terminal } from '../terminal.ts'
import { userName } from '../user-name.ts'
import { grouped, runSpan, utcMinute } from './format.ts'
import { actOn, lookAt } from './open.ts'
import { runDetails } from './run-details.ts'

interface ListFlags extends CommonFlags {
  readonly job?: string
  readonly state?: string
  readonly schedule?: string
  readonly limit: number
}

export function runsCommand(): Command {
  const runs = addCommonFlags(new Command('runs'))
    .enablePositionalOptions()
    .description('list runs, the newest first')
    .option('--job <name>', 'only runs of this job')
    .option('--state <state>', `only runs in this state: ${RUN_STATES.join(', ')}`)
    .option('--schedule <id>', 'only runs of this schedule')
    .option('--limit <count>', 'at most so many', countOf, 20)
    .action((flags: ListFlags) =>
      endWith(flags, async (context) => {
        const filter = { job: flags.job, states: statesOf(flags), scheduleId: flags.schedule, limit: flags.limit }
        const found = await lookAt(flags, context, (database) => listRuns(database, filter))
        if (context.terminal.json) return context.terminal.printJson({ runs: found })
        printRuns(found, context.terminal)
      }),
    )
  withExamples(
    runs,
    ['headwater runs', 'the last 20'],
    ['headwater runs --state failed --job harvest-lineage', 'what went wrong'],
  )
  return runs.addCommand(showCommand()).addCommand(cancelCommand()).addCommand(retryCommand())
}

function showCommand(): Command {
  const show = addCommonFlags(new Command('show'))
    .description('show one run: its input, sums, attempts, what was rejected and why')
    .argument('<run>', 'id of the run')
    .option('--rejects <count>', 'at most so many rejected records and dead letters', countOf, 50)
    .action((id: string, flags: CommonFlags & { readonly rejects: number }) =>
      endWith(flags, async (context) => {
        const found = await lookAt(flags, context, async (database) => {
          const run = await readRun(database, id)
          if (run === undefined) throw new RunNotFoundError(id)
          const plan = run.planId === null ? readPlanOfRun(database, id) : readPlan(database, run.planId)
          return {
            run,
            plan: (await plan) ?? null,
            attempts: await listAttempts(database, id),
            deadLetters: await lettersOfRun(database, run, flags.rejects),
          }
        })
        if (context.terminal.json) return context.terminal.printJson(found)
        for (const line of runDetails(found, context.terminal, systemClock.now())) context.terminal.print(line)
      }),
    )
  return withExamples(show, ['headwater runs show run-20261121T020000-a1b2c3', 'as headwater runs lists it'])
}

function cancelCommand(): Command {
  const cancel = addCommonFlags(new Command('cancel'))
    .description('cancel a run, wherever it runs; it ends at its next batch border')
    .argument('<run>', 'id of the run')
    .action((id: string, flags: CommonFlags) =>
      endWith(flags, async (context) => {
        const { ended } = await actOn(flags, context, { carryOut: false }, (parts) => cancelRun(parts, id, userName()))
        if (context.terminal.json) return context.terminal.printJson({ run: id, ended })
        context.terminal.print(ended ? `${id} cancelled` : `${id} ends at its next batch border`)
      }),
    )
  return withExamples(cancel, ['headwater runs cancel nightly-harvest.20261121T020000Z', 'from any machine'])
}

function retryCommand(): Command {
  const retry = addCommonFlags(new Command('retry'))
    .description('run a finished run once more, with the same input')
    .argument('<run>', 'id of the run')
    .action((id: string, flags: CommonFlags) =>
      endWith(flags, (context) =>
        actOn(flags, context, { carryOut: true }, async (parts) => {
          const run = await retryRun(parts, id, userName())
          context.terminal.note(`${run.id} is ${id} once more`)
          const ending = await waitForRun(parts, run.id, { signal: new AbortController().signal })
          const job = parts.jobs.get(run.job)
          await printEnding(context.terminal, parts, ending)
          return exitCodeOfEnding(job, ending)
        }),
      ),
    )
  return withExamples(retry, ['headwater runs retry run-20261121T020000-a1b2c3', 'waits for its end'])
}

function printRuns(runs: readonly RunRow[], terminal: Terminal): void {
  if (runs.length === 0) return terminal.print('no runs')
  const columns = [
    { title: 'run' },
    { title: 'job' },
    { title: 'mode' },
    { title: 'state' },
    { title: 'asked for (UTC)' },
    { title: 'took', align: 'right' },
    { title: 'read', align: 'right' },
    { title: 'written', align: 'right' },
    { title: 'rejected', align: 'right' },
    { title: 'why', shorten: 'end' },
  ] as const
  const now = systemClock.now()
  const rows = runs.map((run) => [
    run.id,
    run.job,
    run.mode,
    run.state,
    utcMinute(run.createdMs),
    runSpan(run, now),
    grouped(run.balance.records.read),
    grouped(run.balance.proposals.written),
    grouped(run.balance.records.rejected),
    (run.error?.message ?? run.reason ?? '').replaceAll(/\s+/g, ' '),
  ])
  const [head = '', ...lines] = textTable(columns, rows, terminal.tableWidth)
  terminal.print(terminal.style('bold', head))
  for (const line of lines) terminal.print(line)
}

function statesOf({ state }: ListFlags): readonly RunState[] | undefined {
  if (state === undefined) return undefined
  const known = RUN_STATES.find((each) => each === state)
  if (known !== undefined) return [known]
  throw new UsageError(`there is no state ${JSON.stringify(state)}`, {
    remedy: `the states are ${RUN_STATES.join(', ')}`,
  })
}
