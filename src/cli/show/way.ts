/** The way from one place of a lineage graph to another, or what there is on both sides of the gap. */
import { keyOf, type Evidence, type LineageGraph, type Stop } from './lineage-graph.ts'

export interface Hop {
  readonly from: Stop
  readonly to: Stop
  readonly evidence: Evidence
}

export interface Gap {
  /** Hops that lead on from the start. */
  readonly reached: readonly Hop[]
  /** Hops that lead to the end. */
  readonly feeding: readonly Hop[]
  /** Tables of the two sides that are joined as tables, without a column edge: here columns were not understood. */
  readonly joints: readonly Hop[]
}

/** A shortest way; by columns where both ends have one, else by tables. */
export function wayBetween(graph: LineageGraph, from: Stop, to: Stop): readonly Hop[] | undefined {
  const next = Map.groupBy(hopsOf(graph, byColumn(from, to)), (hop) => keyOf(hop.from))
  const cameBy = new Map<string, Hop | undefined>([[keyOf(from), undefined]])
  const open = [keyOf(from)]
  for (const at of open) {
    if (at === keyOf(to)) return trace(at, cameBy)
    for (const hop of next.get(at) ?? []) {
      const key = keyOf(hop.to)
      if (cameBy.has(key)) continue
      cameBy.set(key, hop)
      open.push(key)
    }
  }
  return undefined
}

/** What is known on both sides where there is no way. */
export function gapBetween(graph: LineageGraph, from: Stop, to: Stop): Gap {
  const hops = hopsOf(graph, byColumn(from, to))
  const reached = walk(hops, from, 'from', 'to')
  const feeding = walk(hops, to, 'to', 'from')
  const left = new Set([from, ...reached.map((hop) => hop.to)].map((stop) => stop.dataset))
  const right = new Set([to, ...feeding.map((hop) => hop.from)].map((stop) => stop.dataset))
  const joined = new Set(graph.columnEdges.map((edge) => `${edge.from.dataset} ${edge.to.dataset}`))
  const joints = hopsOf(graph, false).filter(
    (hop) =>
      left.has(hop.from.dataset) &&
      right.has(hop.to.dataset) &&
      hop.from.dataset !== hop.to.dataset &&
      (byColumn(from, to) || !joined.has(`${hop.from.dataset} ${hop.to.dataset}`)),
  )
  return { reached, feeding, joints }
}

function byColumn(from: Stop, to: Stop): boolean {
  return from.column !== undefined && to.column !== undefined
}

function hopsOf(graph: LineageGraph, columns: boolean): readonly Hop[] {
  if (columns) return graph.columnEdges
  return graph.tableEdges.map(({ from, to, evidence }) => ({ from: { dataset: from }, to: { dataset: to }, evidence }))
}

function trace(end: string, cameBy: ReadonlyMap<string, Hop | undefined>): readonly Hop[] {
  const way: Hop[] = []
  for (let hop = cameBy.get(end); hop !== undefined; hop = cameBy.get(keyOf(hop.from))) way.unshift(hop)
  return way
}

/** All hops that go out from a place, however far, each once. */
function walk(hops: readonly Hop[], start: Stop, near: 'from' | 'to', far: 'from' | 'to'): readonly Hop[] {
  const index = Map.groupBy(hops, (hop) => keyOf(hop[near]))
  const seen = new Set([keyOf(start)])
  const open = [keyOf(start)]
  const found: Hop[] = []
  for (const at of open) {
    for (const hop of index.get(at) ?? []) {
      found.push(hop)
      const key = keyOf(hop[far])
      if (seen.has(key)) continue
      seen.add(key)
      open.push(key)
    }
  }
  return found
}
