/** Lineage as a picture, whatever it was read from. */
import { drawLineage } from '../../harvest/picture/draw.ts'
import type { PictureOptions } from '../../harvest/picture/graph.ts'
import type { LineageGraph } from './lineage-graph.ts'

/**
 * One self-contained SVG. The second part of a dotted name (its schema) is the layer of a table, where it is one of
 * `groups`.
 */
export function lineagePicture(graph: LineageGraph, options: PictureOptions): string {
  const datasets = [...graph.datasets.values()].map(({ urn, platform, name }) => ({
    id: urn,
    platform,
    name,
    group: name.split('.')[1] ?? '',
  }))
  return drawLineage({ datasets, edges: graph.tableEdges, columnEdges: graph.columnEdges }, options)
}
