import { writeFileSync } from 'node:fs'
import { Command, InvalidArgumentError } from 'commander'
import { datasetParts } from '../../model/urn.ts'
import { endWith, withExamples, type CommandContext } from '../command.ts'
import { EXIT } from '../exit-codes.ts'
import { checkColumn } from '../show/check-column.ts'
import { findPlace, type FoundPlace } from '../show/find-place.ts'
import type { Direction, LineageGraph } from '../show/lineage-graph.ts'
import { lineagePicture } from '../show/picture.ts'
import { readLineageAround } from '../show/read-lineage.ts'
import { renderTree } from '../show/render-tree.ts'
import { lineageTree, summarize, type TreeNode } from '../show/tree.ts'
import type { Terminal } from '../terminal.ts'
import { addStoreFlags, lookInto, type StoreFlags } from './store.ts'

interface ShowFlags extends StoreFlags {
  readonly up?: boolean
  readonly down?: boolean
  readonly depth: number
  readonly svg?: string
}

/** `headwater lineage show TABLE[.COLUMN]`: the catalog's lineage of a table or column, hop by hop. */
export function showCommand(): Command {
  const show = addStoreFlags(new Command('show'))
    .description('lineage of a table or column as the catalog has it, hop by hop')
    .argument('<table[.column]>', 'name with database and schema, or a URN')
    .option('--up', 'where it comes from (the default)')
    .option('--down', 'what is made of it')
    .option('--depth <hops>', 'hops at most', hops, 20)
    .option('--svg <file>', 'draw it, too; the way of a column back to its sources stands out')
    .action((name: string, flags: ShowFlags) => endWith(flags, (context) => showAction(name, flags, context)))
  return withExamples(
    show,
    ['headwater lineage show dwh.mart.sales.total', 'where a column comes from'],
    ['headwater lineage show dwh.raw.orders --down --depth 3', 'what is made of a table'],
    ['headwater lineage show dwh.mart.sales.total --svg sales.svg', 'as a picture'],
    ['headwater lineage show dwh.mart.sales --platform snowflake --json', 'for a program'],
  )
}

async function showAction(name: string, flags: ShowFlags, context: CommandContext): Promise<number> {
  return lookInto(flags, context, async (client, hints) => {
    const found = await findPlace(client, name, hints)
    const trees: TreeNode[] = []
    for (const direction of directionsOf(flags)) {
      const range = { direction, depth: flags.depth }
      const { graph, complete } = await readLineageAround(client, found.dataset, range)
      if (!complete) context.terminal.note('there is more lineage than can be shown; a smaller --depth shows all of it')
      const place = await checkColumn(client, found, graph)
      trees.push(lineageTree(graph, place, range))
      if (flags.svg !== undefined) draw(flags.svg, graph, place, direction)
    }
    if (context.terminal.json) context.terminal.printJson({ trees })
    else for (const tree of trees) print(context.terminal, tree)
    return EXIT.done
  })
}

/** With `--up` and `--down` at once the later one is the picture. */
function draw(file: string, graph: LineageGraph, { dataset, column }: FoundPlace, direction: Direction): void {
  const { name } = datasetParts(dataset)
  const title = direction === 'up' ? `Where ${name} comes from` : `What is made of ${name}`
  const options = column === undefined ? { title } : { focus: { dataset, column } }
  writeFileSync(file, lineagePicture(graph, { groups: [], ...options }))
}

function directionsOf(flags: ShowFlags): readonly Direction[] {
  const wanted = (['up', 'down'] as const).filter((direction) => flags[direction] === true)
  return wanted.length === 0 ? ['up'] : wanted
}

function print(terminal: Terminal, tree: TreeNode): void {
  for (const line of renderTree(tree, terminal)) terminal.print(line)
  const { places, hops: farthest } = summarize(tree)
  const noun = tree.column === undefined ? 'tables' : 'columns'
  terminal.note(
    places === 1
      ? `the catalog knows no edges here`
      : `${places} ${noun}, ${farthest} ${farthest === 1 ? 'hop' : 'hops'}`,
  )
}

function hops(text: string): number {
  const value = Number(text)
  if (Number.isInteger(value) && value >= 1 && value <= 1000) return value
  throw new InvalidArgumentError('It is a whole number from 1 to 1000.')
}
