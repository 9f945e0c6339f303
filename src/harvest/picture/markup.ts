/** Boxes and edges as markup, once their places are known. */
import type { Box } from './boxes.ts'
import type { FocusPath } from './focus.ts'
import type { PictureOptions } from './graph.ts'
import type { Layout, LayoutEdge, PlacedNode } from './layout.ts'
import { curve, type Flow } from './routes.ts'
import { element, escaped } from './svg.ts'
import { platformClass, tintOf } from './theme.ts'

/** Edges between tables that are not on the highlighted path. */
export function plainEdges(edges: readonly LayoutEdge[], boxes: readonly Box[], layout: Layout): readonly string[] {
  const paths = edges
    .filter((edge) => !edge.strong && edge.from !== edge.to)
    .map((edge) =>
      curve(edge, layout, { from: boxes[edge.from]!.height / 2, to: boxes[edge.to]!.height / 2, shift: 0 }),
    )
  return paths.map((d) => element('path', { class: 'edge', d }))
}

/** One edge of the highlighted path, from column to column, in the colour of where it comes from. */
export function flowMarkup(line: Flow, boxes: readonly Box[], layout: Layout, platforms: readonly string[]): string {
  const from = boxes[line.from]!
  const to = boxes[line.to]!
  const ends = { from: rowOf(from, line.fromColumn), to: rowOf(to, line.toColumn), shift: line.shift }
  const d = curve(line, layout, ends)
  const told = `${from.dataset.name}.${line.fromColumn} → ${to.dataset.name}.${line.toColumn}`
  return element('path', { class: `flow ${platformClass(platforms, from.dataset.platform)}`, d }, [
    element('title', {}, [escaped(told)]),
  ])
}

/** A box with its lines; the full name is its tooltip. */
export function boxMarkup(
  box: Box,
  at: PlacedNode,
  platforms: readonly string[],
  options: PictureOptions,
  path: FocusPath | undefined,
): string {
  const { dataset, height } = box
  const { width } = at
  const group = Math.max(0, options.groups.indexOf(dataset.group ?? ''))
  const frame = { width, height, rx: 4 }
  const isTarget = (column: string | undefined) => dataset.id === path?.target.dataset && column === path.target.column
  const rows = box.lines.flatMap((line) => {
    const target = isTarget(line.column)
    const text = element(
      'text',
      {
        class: target ? 'on' : line.role,
        x: 7,
        y: line.baseline,
        'font-size': line.fontSize,
        'font-weight': target ? 600 : undefined,
      },
      [escaped(line.text)],
    )
    if (line.role !== 'column') return [text]
    const bar = { class: target ? 'target' : 'row', x: 3, y: line.middle - 7, width: width - 6, height: 14, rx: 3 }
    return [element('rect', bar), text]
  })
  const told = `${dataset.platform} ${dataset.name}`
  const dim = path !== undefined && !box.onPath
  return element(
    'g',
    {
      class: `box ${platformClass(platforms, dataset.platform)}${dim ? ' dim' : ''}`,
      transform: `translate(${at.x.toFixed(1)} ${at.y.toFixed(1)})`,
    },
    [
      element('title', {}, [escaped(told)]),
      element('rect', { class: 'card', ...frame, 'stroke-width': box.onPath ? 1.6 : 1 }),
      element('rect', { class: 'tint', ...frame, 'fill-opacity': tintOf(group, options.groups.length).toFixed(2) }),
      ...rows,
    ],
  )
}

/** Height of a column's row in its box. */
function rowOf(box: Box, column: string): number {
  return box.lines.find((line) => line.column === column)?.middle ?? box.height / 2
}
