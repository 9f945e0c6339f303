import { Command } from 'commander'
import { diffCommand } from './diff.ts'
import { evalCommand } from './eval.ts'
import { missingCommand } from './missing.ts'
import { parseCommand } from './parse.ts'
import { showCommand } from './show.ts'
import { whyCommand } from './why.ts'

/** `headwater lineage …`: SQL in, lineage out, without a catalog; and what a catalog has. */
export function lineageCommand(): Command {
  return new Command('lineage')
    .description('lineage of SQL: read it, explain it, compare it, score it')
    .addCommand(parseCommand())
    .addCommand(diffCommand())
    .addCommand(evalCommand())
    .addCommand(showCommand())
    .addCommand(whyCommand())
    .addCommand(missingCommand())
}
