/** What the demo shows at its end. */
import type { Reject } from '../../runner/define-job.ts'
import { renderTree } from '../show/render-tree.ts'
import { renderRejects, renderRuns } from '../show/run-table.ts'
import { renderSizes } from '../show/size-table.ts'
import { lineageTree, summarize } from '../show/tree.ts'
import type { Terminal } from '../terminal.ts'
import type { Played } from './play.ts'
import { shortPath } from './short-path.ts'
import { FOCUS } from './warehouse.ts'

const DEPTH = 50
const SHOWN_REJECTS = 12

export function present(
  terminal: Terminal,
  played: Played,
  files: { readonly svg: string; readonly data: string },
): void {
  const tree = lineageTree(played.graph, FOCUS, { direction: 'up', depth: DEPTH })
  const { places, ends, hops } = summarize(tree)
  section(
    terminal,
    `Where ${tree.dataset}.${FOCUS.column} comes from`,
    renderTree(tree, { ...terminal, names: 'short' }),
  )
  terminal.print(`${places} columns, ${hops} hops, back to ${ends.length} columns that nothing else feeds`)
  section(terminal, 'What each run did', renderRuns(played.runs, terminal))
  const rejects = played.runs
    .flatMap((run) => run.rejects)
    .map(withShortPath)
    .toSorted(byPlace)
  if (rejects.length > 0) {
    section(terminal, 'What was rejected, and why', renderRejects(rejects.slice(0, SHOWN_REJECTS), terminal))
    const more = rejects.length - SHOWN_REJECTS
    if (more > 0) terminal.print(`… and ${more} more`)
  }
  section(terminal, 'Timeseries indexes', renderSizes(played.sizesBefore, played.sizesAfter, terminal))
  section(terminal, 'See more', [
    `picture of the lineage:  ${files.svg}`,
    `the other way:           headwater lineage show ops.raw.wagon.tare_kg --down --data ${files.data}`,
    `serve this catalog:      headwater up --data ${files.data}`,
  ])
}

/** The same for programs. */
export function presentJson(terminal: Terminal, played: Played, files: { readonly svg: string }): void {
  const tree = lineageTree(played.graph, FOCUS, { direction: 'up', depth: DEPTH })
  const { runs, sizesBefore, sizesAfter } = played
  terminal.printJson({ tree, runs, sizesBefore, sizesAfter, picture: files.svg })
}

function byPlace(one: Reject, other: Reject): number {
  const [a, b] = [one.place, other.place]
  if (a.file !== b.file) return (a.file ?? '') < (b.file ?? '') ? -1 : 1
  return (a.line ?? 0) - (b.line ?? 0)
}

function withShortPath(reject: Reject): Reject {
  const { file } = reject.place
  return file === undefined ? reject : { ...reject, place: { ...reject.place, file: shortPath(file) } }
}

function section(terminal: Terminal, title: string, lines: readonly string[]): void {
  terminal.print()
  terminal.print(terminal.style('bold', title))
  terminal.print()
  for (const line of lines) terminal.print(line)
}
