/** `headwater restore FILE`: puts the rows of an archive back. */
import { Command } from 'commander'
import restoreArchive from '../../../jobs/restore-archive.ts'
import { addCommonFlags, endWith, withExamples, type CommonFlags } from '../command.ts'
import { runAndWait } from '../run/at-hand.ts'
import { addCatalogFlags } from './target.ts'

interface RestoreFlags extends CommonFlags {
  readonly to?: string
  readonly catalog?: string
}

export function restoreCommand(): Command {
  const restore = addCatalogFlags(addCommonFlags(new Command('restore')))
    .description('put back rows that retention archived; checksum and rows are verified, a second time changes nothing')
    .argument('<file>', 'archive (.ndjson.gz), its manifest (.ndjson.gz.json) beside it')
    .action((file: string, flags: RestoreFlags) =>
      endWith(flags, (context) =>
        runAndWait(restoreArchive, { input: { file }, mode: 'apply', target: flags.catalog ?? flags.to }, context),
      ),
    )
  return withExamples(restore, [
    'headwater restore .headwater/archive/dataset_operationaspect_v1-….ndjson.gz',
    'as the report of the run names it',
  ])
}
