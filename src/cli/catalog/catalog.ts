/** `headwater catalog`: the catalog alone, served, handed its tokens, carried away and brought back. */
import { Command } from 'commander'
import { catalogServeCommand } from '../up.ts'
import { exportCommand } from './export.ts'
import { importCommand } from './import.ts'
import { tokenCommand } from './token.ts'

export function catalogCommand(): Command {
  return new Command('catalog')
    .enablePositionalOptions()
    .description('the catalog alone: serve it, manage its tokens, carry it away and bring it back')
    .addCommand(catalogServeCommand())
    .addCommand(tokenCommand())
    .addCommand(exportCommand())
    .addCommand(importCommand())
}
