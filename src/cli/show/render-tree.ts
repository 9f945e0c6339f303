/** A lineage tree as lines of text: platform, branches and names, tags, and at the right where each edge was read. */
import type { Style } from '../terminal.ts'
import { shortened, widthOf } from './text-table.ts'
import type { TreeNode } from './tree.ts'

export interface TreeStyle {
  /** Characters a line may take; names are never cut, so a deep tree may take more. */
  readonly width: number
  readonly style: (format: Style, text: string) => string
  /** `short` leaves the database away, where a name has one. */
  readonly names?: 'full' | 'short'
}

const PLATFORM_STYLES: readonly Style[] = ['cyan', 'magenta', 'yellow', 'green']
const LEAST_PLACE = 16
const NOTES = { 'shown-above': ' (see above)', 'too-deep': ' …' } as const

interface Line {
  readonly platform: string
  readonly branch: string
  readonly dataset: string
  readonly column: string | undefined
  readonly tags: readonly string[]
  readonly note: string
  readonly place: string
}

export function renderTree(tree: TreeNode, { width, style, names = 'full' }: TreeStyle): readonly string[] {
  const lines = linesOf(tree, '', '').map((line) =>
    names === 'full' ? line : { ...line, dataset: withoutDatabase(line.dataset) },
  )
  const platforms = [...new Set(lines.map((line) => line.platform))].toSorted()
  const platformWidth = Math.max(...platforms.map(widthOf))
  const longest = Math.max(...lines.map((line) => widthOf(leftText(line))))
  const longestPlace = Math.max(0, ...lines.map((line) => widthOf(line.place)))
  const placeWidth = Math.min(longestPlace, Math.max(LEAST_PLACE, width - platformWidth - longest - 4))
  return lines.map((line) => {
    const colour = PLATFORM_STYLES[platforms.indexOf(line.platform) % PLATFORM_STYLES.length] ?? 'cyan'
    const platform = style(colour, line.platform.padEnd(platformWidth))
    if (line.place === '') return `${platform}  ${styledLeft(line, style)}`.trimEnd()
    const space = ' '.repeat(longest - widthOf(leftText(line)))
    const place = style('dim', shortened(line.place, placeWidth, 'start'))
    return `${platform}  ${styledLeft(line, style)}${space}  ${place}`
  })
}

/** @param first what stands before this node's own name, @param rest what stands before its children's branches */
function linesOf(node: TreeNode, first: string, rest: string): readonly Line[] {
  const { platform, dataset, column, tags, evidence, children } = node
  const line = {
    platform,
    branch: first,
    dataset,
    column,
    tags,
    note: node.cut === undefined ? '' : NOTES[node.cut],
    place: evidence?.place ?? '',
  }
  const below = children.flatMap((child, at) => {
    const last = at === children.length - 1
    return linesOf(child, `${rest}${last ? '└─ ' : '├─ '}`, `${rest}${last ? '   ' : '│  '}`)
  })
  return [line, ...below]
}

function withoutDatabase(dataset: string): string {
  const parts = dataset.split('.')
  return parts.length < 3 ? dataset : parts.slice(1).join('.')
}

function leftText({ branch, dataset, column, tags, note }: Line): string {
  const name = column === undefined ? dataset : `${dataset}.${column}`
  return `${branch}${name}${note}${tags.map((tag) => ` #${tag}`).join('')}`
}

function styledLeft(line: Line, style: TreeStyle['style']): string {
  const { branch, dataset, column, tags, note } = line
  const name = column === undefined ? style('bold', dataset) : `${dataset}.${style('bold', column)}`
  const marks = tags.map((tag) => ` ${style('magenta', `#${tag}`)}`).join('')
  return `${style('dim', branch)}${name}${style('dim', note)}${marks}`
}
