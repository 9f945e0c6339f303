/** What stands above the picture: a headline, one line of figures, and the legend. */
import type { FocusPath } from './focus.ts'
import type { PictureGraph, PictureOptions } from './graph.ts'
import { element, escaped } from './svg.ts'
import { textWidth } from './text.ts'
import { platformClass, tintOf } from './theme.ts'

export interface Head {
  readonly title: string
  readonly width: number
  readonly markup: readonly string[]
}

/** Headline, one line of figures, and the legend. */
export function headOf(
  graph: PictureGraph,
  options: PictureOptions,
  path: FocusPath | undefined,
  platforms: readonly string[],
  margin: number,
): Head {
  const title = options.title ?? (path === undefined ? `${graph.datasets.length} tables` : headline(graph, path))
  const figures = `${graph.datasets.length} tables, ${graph.edges.length} edges between tables, ${graph.columnEdges.length} between columns`
  const legend = legendOf(platforms, options.groups)
  const markup = [
    element('text', { class: 'title', x: margin, y: 40, 'font-size': 20 }, [escaped(title)]),
    element('text', { class: 'note', x: margin, y: 61, 'font-size': 13 }, [escaped(figures)]),
    element('g', { transform: `translate(${margin} 76)` }, legend.markup),
  ]
  return { title, markup, width: Math.max(textWidth(title, 20, true), textWidth(figures, 13), legend.width) }
}

function headline(graph: PictureGraph, path: FocusPath): string {
  const target = graph.datasets.find((dataset) => dataset.id === path.target.dataset)
  const tables = new Set(path.origins.map((origin) => origin.dataset))
  const platforms = new Set(
    graph.datasets.filter((dataset) => tables.has(dataset.id)).map((dataset) => dataset.platform),
  )
  const name = `${target?.name.split('.').at(-1) ?? ''}.${path.target.column}`
  const from = `${path.origins.length} columns of ${tables.size} tables`
  return `${name}: ${path.hops} hops back to ${from}${platforms.size > 1 ? ` on ${platforms.size} platforms` : ''}`
}

function legendOf(
  platforms: readonly string[],
  groups: readonly string[],
): { width: number; markup: readonly string[] } {
  let x = 0
  const markup: string[] = []
  const entry = (swatch: (x: number) => string, text: string): void => {
    markup.push(swatch(x), element('text', { class: 'note', x: x + 24, y: 11, 'font-size': 12 }, [escaped(text)]))
    x += 24 + textWidth(text, 12) + 18
  }
  for (const platform of platforms) {
    const shape = { x: 0, y: 1, width: 18, height: 11, rx: 3 }
    entry((at) => element('rect', { ...shape, x: at, class: `bar ${platformClass(platforms, platform)}` }), platform)
  }
  for (const [group, name] of groups.entries()) {
    const opacity = tintOf(group, groups.length).toFixed(2)
    const shape = { y: 1, width: 18, height: 11, rx: 3 }
    entry(
      (at) =>
        element('g', { class: 'grey' }, [
          element('rect', { ...shape, x: at, class: 'card' }),
          element('rect', { ...shape, x: at, class: 'tint', 'fill-opacity': opacity }),
        ]),
      name,
    )
  }
  return { width: x, markup }
}
