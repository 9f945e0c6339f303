/** The catalog's lineage as a picture. */
import { drawLineage } from '../../harvest/picture/draw.ts'
import type { LineageGraph } from '../show/lineage-graph.ts'
import { FOCUS, LAYERS } from './warehouse.ts'

/** One self-contained SVG of the tables, the focus's way back highlighted. */
export function warehousePicture(graph: LineageGraph): string {
  const datasets = [...graph.datasets.values()].map(({ urn, platform, name }) => ({
    id: urn,
    platform,
    name,
    group: name.split('.')[1] ?? '',
  }))
  const edges = graph.tableEdges.map(({ from, to }) => ({ from, to }))
  const columnEdges = graph.columnEdges.map(({ from, to }) => ({ from, to }))
  return drawLineage({ datasets, edges, columnEdges }, { groups: LAYERS, focus: FOCUS })
}
