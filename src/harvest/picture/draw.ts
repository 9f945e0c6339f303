/**
 * A lineage graph as one self-contained SVG: datasets as boxes from their sources on the left to what is made of them
 * on the right, in the colour of their platform and the fuller the later their layer; behind them their edges, and,
 * where a column is asked for, its way back in full strength with every column that it passes.
 */
import { boxOf } from './boxes.ts'
import { pathTo } from './focus.ts'
import type { ColumnPlace, PictureGraph, PictureOptions } from './graph.ts'
import { headOf } from './head.ts'
import { layOut, wayKey, type LayoutEdge } from './layout.ts'
import { boxMarkup, flowMarkup, plainEdges } from './markup.ts'
import { flows, type Flow } from './routes.ts'
import { element, escaped } from './svg.ts'
import { styleSheet } from './theme.ts'

const MARGIN = 24
const HEAD = 80
const SPACING = { betweenLayers: 40, betweenNodes: 6 } as const

/** The picture as SVG text. Equal input gives equal bytes. */
export function drawLineage(graph: PictureGraph, options: PictureOptions): string {
  const known = inOrder(graph)
  const path = options.focus === undefined ? undefined : pathTo(options.focus, known)
  const boxes = known.datasets.map((dataset) => boxOf(dataset, path))
  const index = new Map(known.datasets.map((dataset, at) => [dataset.id, at]))
  const platforms = [...new Set(known.datasets.map((dataset) => dataset.platform))].toSorted()
  const lines = path === undefined ? [] : flows(path, index)
  const edges = layoutEdges(known, index, lines)
  const layout = layOut(
    boxes.map((box) => ({
      width: box.width,
      height: box.height,
      band: platforms.indexOf(box.dataset.platform),
      first: options.groups.indexOf(box.dataset.group ?? '') <= 0,
      strong: box.onPath,
    })),
    edges,
    SPACING,
  )
  const head = headOf(known, options, path, platforms, MARGIN)
  const width = Math.max(layout.width, head.width) + 2 * MARGIN
  const height = layout.height + HEAD + 2 * MARGIN
  const shown = [
    element('title', {}, [escaped(head.title)]),
    element('style', {}, [styleSheet(platforms)]),
    element('rect', { class: 'ground', x: 0.5, y: 0.5, width: width - 1, height: height - 1, rx: 10 }),
    ...head.markup,
    element('g', { transform: `translate(${MARGIN + (width - 2 * MARGIN - layout.width) / 2} ${HEAD + MARGIN})` }, [
      ...plainEdges(edges, boxes, layout),
      ...lines.map((line) => flowMarkup(line, boxes, layout, platforms)),
      ...boxes.map((box, at) => boxMarkup(box, layout.nodes[at]!, platforms, options, path)),
    ]),
  ]
  const attributes = {
    xmlns: 'http://www.w3.org/2000/svg',
    viewBox: `0 0 ${Math.ceil(width)} ${Math.ceil(height)}`,
    width: Math.ceil(width),
    height: Math.ceil(height),
    role: 'img',
  }
  return `${element(
    'svg',
    attributes,
    shown.map((line) => `\n${line}`),
  )}\n`
}

/** The graph in an order of its own, each edge once, without edges that lead outside. */
function inOrder(graph: PictureGraph): PictureGraph {
  const datasets = graph.datasets.toSorted((a, b) => byText(a.id, b.id))
  const ids = new Set(datasets.map((dataset) => dataset.id))
  const edges = graph.edges.filter((edge) => ids.has(edge.from) && ids.has(edge.to))
  const columnEdges = graph.columnEdges.filter((edge) => ids.has(edge.from.dataset) && ids.has(edge.to.dataset))
  return {
    datasets,
    edges: sortedOnce(edges, ({ from, to }) => `${from}\u0000${to}`),
    columnEdges: sortedOnce(columnEdges, ({ from, to }) => `${textOf(to)}\u0000${textOf(from)}`),
  }
}

function sortedOnce<T>(items: readonly T[], keyOf: (item: T) => string): readonly T[] {
  const byKey = new Map(items.map((item) => [keyOf(item), item]))
  return [...byKey].toSorted(([a], [b]) => byText(a, b)).map(([, item]) => item)
}

function layoutEdges(graph: PictureGraph, index: ReadonlyMap<string, number>, lines: readonly Flow[]): LayoutEdge[] {
  const strands = Map.groupBy(lines, (line) => wayKey(line.from, line.to))
  const tables = graph.edges.map((edge) => ({ from: index.get(edge.from)!, to: index.get(edge.to)! }))
  const arcs = new Map([...tables, ...lines].map((arc) => [`${arc.from},${arc.to}`, arc]))
  return [...arcs.values()].map(({ from, to }) => {
    const count = strands.get(wayKey(from, to))?.length ?? 0
    return { from, to, strong: count > 0, thickness: count === 0 ? 2 : 4 + count * 4 }
  })
}

function byText(one: string, other: string): number {
  if (one === other) return 0
  return one < other ? -1 : 1
}

function textOf(place: ColumnPlace): string {
  return `${place.dataset}\u0000${place.column}`
}
