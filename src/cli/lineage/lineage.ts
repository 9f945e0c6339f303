import { Command } from 'commander'
import { diffCommand } from './diff.ts'
import { evalCommand } from './eval.ts'
import { parseCommand } from './parse.ts'

/** `headwater lineage …`: SQL in, lineage out, without a catalog. */
export function lineageCommand(): Command {
  return new Command('lineage')
    .description('lineage of SQL: read it, explain it, compare it, score it')
    .addCommand(parseCommand())
    .addCommand(diffCommand())
    .addCommand(evalCommand())
}
