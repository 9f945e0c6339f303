/** `headwater schedules`: what fires when, and the means to stop, start and repeat it. */
import { Command } from 'commander'
import { schedulesOf } from '../../main/schedules.ts'
import { DecodeError } from '../../model/errors.ts'
import { systemClock } from '../../observe/clock.ts'
import { backfillSchedule, setPaused, shownSlots, syncSchedules, triggerSchedule } from '../../runner/schedules.ts'
import { waitForRun } from '../../runner/wait.ts'
import { listSchedules } from '../../store/ledger/schedules.ts'
import type { ScheduleRow } from '../../store/ledger/types.ts'
import { addCommonFlags, endWith, withExamples, type CommonFlags } from '../command.ts'
import { exitCodeOfEnding, printEnding } from '../run/ending.ts'
import type { Terminal } from '../terminal.ts'
import { userName } from '../user-name.ts'
import { utcTime, zonedTime } from './format.ts'
import { actOn, lookAt } from './open.ts'

export function schedulesCommand(): Command {
  const schedules = addCommonFlags(new Command('schedules'))
    .enablePositionalOptions()
    .description('list the schedules with their next slots, as the scheduler took them from schedules.yaml')
    .action((flags: CommonFlags) =>
      endWith(flags, async (context) => {
        const found = (await lookAt(flags, context, listSchedules)).map((row) => ({
          ...row,
          slots: shownSlots(row, systemClock.now()),
        }))
        if (context.terminal.json) return context.terminal.printJson({ schedules: found })
        if (found.length === 0) context.terminal.print('no schedules: write some into config/schedules.yaml')
        for (const { slots, ...row } of found) printSchedule(row, slots, context.terminal)
      }),
    )
  withExamples(schedules, ['headwater schedules', 'the next five slots of each, in its zone and in UTC'])
  return schedules
    .addCommand(pauseCommand('pause', true, 'stop firing a schedule until it is resumed'))
    .addCommand(pauseCommand('resume', false, 'go on with a paused schedule, from its next slot'))
    .addCommand(reloadCommand())
    .addCommand(triggerCommand())
    .addCommand(backfillCommand())
}

function pauseCommand(name: string, paused: boolean, description: string): Command {
  return addCommonFlags(new Command(name))
    .description(description)
    .argument('<schedule>', 'id of the schedule')
    .action((id: string, flags: CommonFlags) =>
      endWith(flags, async (context) => {
        await actOn(flags, context, { carryOut: false }, (parts) => setPaused(parts, id, paused))
        if (context.terminal.json) return context.terminal.printJson({ schedule: id, paused })
        context.terminal.print(`${id} ${paused ? 'paused' : 'resumed'}`)
      }),
    )
}

function reloadCommand(): Command {
  const reload = addCommonFlags(new Command('reload'))
    .description('take schedules.yaml anew; only what differs changes, the schedulers go on')
    .action((flags: CommonFlags) =>
      endWith(flags, async (context) => {
        const changes = await actOn(flags, context, { carryOut: false }, async (parts, config) =>
          syncSchedules(parts, await schedulesOf(config, parts.jobs)),
        )
        if (context.terminal.json) return context.terminal.printJson(changes)
        for (const [what, ids] of Object.entries(changes)) {
          context.terminal.print(`${what.padEnd(8)} ${ids.length === 0 ? 'none' : ids.join(', ')}`)
        }
      }),
    )
  return withExamples(reload, ['headwater schedules reload', 'after editing config/schedules.yaml'])
}

function triggerCommand(): Command {
  return addCommonFlags(new Command('trigger'))
    .description('fire a schedule now and wait for the end of its run')
    .argument('<schedule>', 'id of the schedule')
    .action((id: string, flags: CommonFlags) =>
      endWith(flags, (context) =>
        actOn(flags, context, { carryOut: true }, async (parts) => {
          const run = await triggerSchedule(parts, id, userName())
          const ending = await waitForRun(parts, run.id, { signal: new AbortController().signal })
          const job = parts.jobs.get(run.job)
          await printEnding(context.terminal, parts, ending)
          return exitCodeOfEnding(job, ending)
        }),
      ),
    )
}

interface BackfillFlags extends CommonFlags {
  readonly from: string
  readonly to: string
  readonly dryRun?: boolean
}

function backfillCommand(): Command {
  const backfill = addCommonFlags(new Command('backfill'))
    .description('queue the slots of a past span that were not run, oldest first, at most 1,000')
    .argument('<schedule>', 'id of the schedule')
    .requiredOption('--from <time>', 'first moment, for example 2026-11-01 or 2026-11-01T06:00:00Z')
    .requiredOption('--to <time>', 'last moment')
    .option('--dry-run', 'only list the slots')
    .action((id: string, flags: BackfillFlags) =>
      endWith(flags, async (context) => {
        const span = { fromMs: momentOf('--from', flags.from), toMs: momentOf('--to', flags.to) }
        const request = { ...span, person: userName(), dryRun: flags.dryRun ?? false }
        const { slots, runs } = await actOn(flags, context, { carryOut: false }, (parts) =>
          backfillSchedule(parts, id, request),
        )
        if (context.terminal.json) return context.terminal.printJson({ slots, runs: runs.map((run) => run.id) })
        for (const slot of flags.dryRun ? slots : []) context.terminal.print(`${utcTime(slot)} UTC`)
        for (const run of runs) context.terminal.print(run.id)
        context.terminal.print(`${slots.length} slots, ${runs.length} runs queued`)
      }),
    )
  return withExamples(backfill, [
    'headwater schedules backfill nightly --from 2026-11-01 --to 2026-11-07 --dry-run',
    'which slots',
  ])
}

function printSchedule(row: ScheduleRow, slots: readonly number[], terminal: Terminal): void {
  const state = !row.enabled ? 'disabled' : row.paused ? 'paused' : ''
  terminal.print(`${terminal.style('bold', row.id)}  ${row.cron}  ${row.timeZone}  ${row.job}  ${state}`.trimEnd())
  terminal.print(`  catch-up ${row.catchUp}, overlap ${row.overlap}${row.apply ? ', applies' : ''}`)
  for (const slot of slots) {
    const local = row.timeZone === 'UTC' ? '' : `${zonedTime(slot, row.timeZone)}  `
    terminal.print(`  ${local}${utcTime(slot)} UTC`)
  }
}

function momentOf(flag: string, text: string): number {
  const ms = Date.parse(text)
  if (Number.isNaN(ms)) {
    throw new DecodeError(
      `${JSON.stringify(text)} is no time`,
      { path: flag },
      { remedy: 'write 2026-11-01T06:00:00Z' },
    )
  }
  return ms
}
