/** `headwater prune`: the upkeep that the nightly schedule does, now. */
import { Command } from 'commander'
import { openLedger } from '../main/open-ledger.ts'
import { pruneJob } from '../main/prune-job.ts'
import { addCommonFlags, endWith, withExamples, type CommonFlags, levelForResults } from './command.ts'
import { runAndWait } from './run/at-hand.ts'
import { createLogger } from '../observe/logger.ts'
import { systemClock } from '../observe/clock.ts'
import { keepLimits, prunable } from '../runner/upkeep/prune.ts'
import { PRUNED } from '../store/ledger/prune.ts'

export function pruneCommand(): Command {
  const command = addCommonFlags(new Command('prune'))
    .description('forget old runs, journals, dead letters and aspect versions, by keep: of config/headwater.yaml')
    .option('--dry-run', 'only say how much would go')
    .action((flags: CommonFlags & { readonly dryRun?: boolean }) =>
      endWith(flags, async (context) => {
        const { terminal } = context
        const config = context.loadConfig()
        await using ledger = await openLedger(config, createLogger({ level: levelForResults(config) }))
        if (flags.dryRun !== true) {
          const request = { input: {}, mode: 'apply', target: undefined } as const
          return runAndWait(pruneJob(ledger.database, config.keep), request, context)
        }
        const counts = await prunable(ledger.database, keepLimits(config.keep, systemClock.now()))
        if (terminal.json) return terminal.printJson({ prunable: counts })
        for (const what of PRUNED) terminal.print(`${what.padEnd(12)} ${counts[what].toLocaleString('en')}`)
      }),
    )
  return withExamples(
    command,
    ['headwater prune --dry-run', 'how much would go'],
    ['headwater prune', 'now, instead of tonight'],
  )
}
