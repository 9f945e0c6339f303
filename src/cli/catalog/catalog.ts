/** `headwater catalog`: the catalog alone, served, handed its tokens, carried away and brought back. */
import { Command } from 'commander'
import { catalogServeCommand } from '../up.ts'
import { tokenCommand } from './token.ts'

export function catalogCommand(): Command {
  return new Command('catalog')
    .enablePositionalOptions()
    .description('the catalog alone: serve it, manage its tokens')
    .addCommand(catalogServeCommand())
    .addCommand(tokenCommand())
}
