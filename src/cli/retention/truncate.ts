/** `headwater truncate`: one truncation by hand, through the same plan and gate as the retention job. */
import { Command } from 'commander'
import retention from '../../../jobs/retention.ts'
import { addCommonFlags, endWith, withExamples } from '../command.ts'
import { UsageError } from '../exit-codes.ts'
import { runAndWait } from '../run/at-hand.ts'
import { addCatalogFlags, type IndexFlags } from './target.ts'

interface TruncateFlags extends IndexFlags {
  readonly keep?: string
  readonly before?: string
  readonly apply?: boolean
}

export function truncateCommand(): Command {
  const truncate = addCatalogFlags(addCommonFlags(new Command('truncate')))
    .description('delete old rows of one index, or of those that a pattern fits, as far as the gate lets it')
    .requiredOption('--aspect <name>', 'aspect of the index, in any case; * for any characters')
    .option('--entity-type <name>', 'entity type of the index; * for any characters', '*')
    .option('--keep <span>', 'how much is kept: 14d, 36h, 8w')
    .option('--before <moment>', 'or: what is older than this goes: 2026-01-01, 2026-01-01T06:00Z')
    .option('--policy <file>', 'policy whose limits hold (default config/retention.yaml; without it a person is asked)')
    .option('--apply', 'truncate; without it the plan is all there is')
    .action((flags: TruncateFlags) =>
      endWith(flags, (context) => {
        const { aspect, entityType, keep, before, policy } = flags
        if ((keep === undefined) === (before === undefined)) {
          throw new UsageError('either --keep or --before must be given', { remedy: 'for example --keep 90d' })
        }
        const given = { aspect, entityType, keep, before, policy }
        const input = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
        const mode = flags.apply === true ? ('apply' as const) : ('plan' as const)
        return runAndWait(retention, { input, mode, target: flags.catalog ?? flags.to }, context)
      }),
    )
  return withExamples(
    truncate,
    ['headwater truncate --aspect operation --keep 90d', 'the plan'],
    ['headwater truncate --aspect operation --keep 90d --apply', 'carry it out as far as the gate lets it'],
    ['headwater truncate --aspect datasetprofile --before 2026-01-01 --to production', 'on a connection'],
  )
}
