import { Command } from 'commander'
import { endWith, withExamples, type CommandContext } from '../command.ts'
import { EXIT } from '../exit-codes.ts'
import { explainHop, hopLines, nameOf } from '../show/hop-text.ts'
import { wayBetween } from '../show/way.ts'
import { addStoreFlags, readBetween, type StoreFlags } from './store.ts'

/** `headwater lineage why A B`: the way from one column or table to another, as the catalog has it. */
export function whyCommand(): Command {
  const why = addStoreFlags(new Command('why'))
    .description('how one column or table of the catalog reaches another: each hop with its statement')
    .argument('<from>', 'table or column with database and schema, or a URN')
    .argument('<to>', 'where it is said to lead')
    .action((from: string, to: string, flags: StoreFlags) =>
      endWith(flags, (context) => whyAction([from, to], flags, context)),
    )
  return withExamples(
    why,
    ['headwater lineage why dwh.raw.orders.amount dwh.mart.sales.total', 'between two columns'],
    ['headwater lineage why dwh.raw.orders dwh.mart.sales --json', 'between two tables, for a program'],
  )
}

/** Exit code 1 where there is no way, as of a search that finds nothing. */
async function whyAction(
  names: readonly [string, string],
  flags: StoreFlags,
  { terminal, ...context }: CommandContext,
): Promise<number> {
  const { from, to, graph, complete } = await readBetween(names, flags, { terminal, ...context })
  const way = wayBetween(graph, from, to)
  const hops = way?.map(explainHop) ?? []
  if (terminal.json) terminal.printJson({ from: nameOf(from), to: nameOf(to), found: way !== undefined, hops })
  else for (const line of hops.flatMap(hopLines)) terminal.print(line)
  if (!complete) terminal.note('there is more lineage around these two than is read at once; the way may be elsewhere')
  if (way !== undefined) {
    if (hops.length === 0) terminal.note('both names mean the same place')
    return EXIT.done
  }
  terminal.complain(`the catalog knows no way from ${nameOf(from)} to ${nameOf(to)}`)
  terminal.note(`where it breaks: headwater lineage explain-missing ${names.join(' ')}`)
  return EXIT.failed
}
