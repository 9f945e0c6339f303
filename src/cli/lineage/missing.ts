import { Command } from 'commander'
import { endWith, withExamples, type CommandContext } from '../command.ts'
import { EXIT } from '../exit-codes.ts'
import { explainHop, hopLines, nameOf, type HopExplanation } from '../show/hop-text.ts'
import { gapBetween, wayBetween, type Hop } from '../show/way.ts'
import type { Terminal } from '../terminal.ts'
import { addStoreFlags, readBetween, type StoreFlags } from './store.ts'

/** `headwater lineage explain-missing A B`: where the way from one place to another breaks. */
export function missingCommand(): Command {
  const missing = addStoreFlags(new Command('explain-missing'))
    .description(
      'why one column or table of the catalog does not reach another: where the way breaks, and at which statement',
    )
    .argument('<from>', 'table or column with database and schema, or a URN')
    .argument('<to>', 'where it should lead')
    .action((from: string, to: string, flags: StoreFlags) =>
      endWith(flags, (context) => missingAction([from, to], flags, context)),
    )
  return withExamples(
    missing,
    ['headwater lineage explain-missing dwh.raw.orders.amount dwh.mart.sales.total', 'between two columns'],
    ['headwater lineage parse etl.sql --explain-missing raw.orders mart.sales', 'the same for SQL, without a catalog'],
  )
}

async function missingAction(
  names: readonly [string, string],
  flags: StoreFlags,
  { terminal, ...context }: CommandContext,
): Promise<number> {
  const { from, to, graph, complete } = await readBetween(names, flags, { terminal, ...context })
  const way = wayBetween(graph, from, to)?.map(explainHop)
  const { reached, feeding, joints } = gapBetween(graph, from, to)
  const gap = { reached: endsOf(reached, 'to'), feeding: endsOf(feeding, 'from'), joints: joints.map(explainHop) }
  const ends = { from: nameOf(from), to: nameOf(to) }
  if (terminal.json)
    terminal.printJson(way === undefined ? { ...ends, found: false, ...gap } : { ...ends, found: true, hops: way })
  else if (way === undefined) printGap(terminal, ends, gap)
  else {
    terminal.print('there is a way:')
    for (const line of way.flatMap(hopLines)) terminal.print(line)
  }
  if (!complete) terminal.note('there is more lineage around these two than is read at once; the way may be elsewhere')
  return EXIT.done
}

function endsOf(hops: readonly Hop[], end: 'from' | 'to'): readonly string[] {
  return [...new Set(hops.map((hop) => nameOf(hop[end])))].toSorted()
}

/** Names that a list shows on a terminal. */
const MOST_NAMES = 20

interface GapText {
  readonly reached: readonly string[]
  readonly feeding: readonly string[]
  readonly joints: readonly HopExplanation[]
}

function printGap(terminal: Terminal, { from, to }: { from: string; to: string }, gap: GapText): void {
  terminal.print(`no way from ${from} to ${to}`)
  section(terminal, `${from} reaches`, gap.reached)
  section(terminal, `${to} is fed by`, gap.feeding)
  if (gap.joints.length === 0) {
    terminal.print('no statement that was harvested joins the two sides')
    return
  }
  terminal.print('statements that join tables of the two sides, without a column that leads across:')
  for (const line of gap.joints.flatMap(hopLines)) terminal.print(line)
}

function section(terminal: Terminal, title: string, names: readonly string[]): void {
  terminal.print(names.length === 0 ? `${title} nothing` : `${title}:`)
  for (const name of names.slice(0, MOST_NAMES)) terminal.print(`  ${name}`)
  if (names.length > MOST_NAMES) terminal.print(`  and ${names.length - MOST_NAMES} more (--json has them all)`)
}
