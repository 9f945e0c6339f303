import type { ColumnEdge, ColumnPlace, PictureGraph } from './graph.ts'

/** The way of one column back to the columns that nothing feeds. */
export interface FocusPath {
  readonly target: ColumnPlace
  /** Columns on the way, by dataset, in the order in which they were met; the target's dataset comes first. */
  readonly columns: ReadonlyMap<string, readonly string[]>
  readonly edges: readonly ColumnEdge[]
  /** Columns where the way begins. */
  readonly origins: readonly ColumnPlace[]
  /** Edges on the shortest way to the farthest column. */
  readonly hops: number
}

/** Walks the column edges against their direction, each column once. */
export function pathTo(target: ColumnPlace, graph: PictureGraph): FocusPath {
  const incoming = Map.groupBy(graph.columnEdges, (edge) => keyOf(edge.to))
  const seen = new Set([keyOf(target)])
  const columns = new Map<string, string[]>([[target.dataset, [target.column]]])
  const edges: ColumnEdge[] = []
  const origins: ColumnPlace[] = []
  let hops = 0
  let frontier: readonly ColumnPlace[] = [target]
  while (frontier.length > 0) {
    const next: ColumnPlace[] = []
    for (const place of frontier) {
      const upstream = incoming.get(keyOf(place)) ?? []
      if (upstream.length === 0) origins.push(place)
      for (const edge of upstream) {
        edges.push(edge)
        if (seen.has(keyOf(edge.from))) continue
        seen.add(keyOf(edge.from))
        next.push(edge.from)
        columns.set(edge.from.dataset, [...(columns.get(edge.from.dataset) ?? []), edge.from.column])
      }
    }
    if (next.length > 0) hops++
    frontier = next
  }
  return { target, columns, edges, origins, hops }
}

function keyOf(place: ColumnPlace): string {
  return `${place.dataset}\u0000${place.column}`
}
