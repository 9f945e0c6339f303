/**
 * The order of cells within each layer, chosen so that few edges cross: barycentre sweeps, the best order kept.
 * A cell is a node, or a bend where an edge passes a layer that it has no node in.
 */
import type { Arc } from './rank.ts'

export interface Layering {
  /** Cells of each layer, in order. Cells below the number of nodes are the nodes. */
  readonly layers: readonly (readonly number[])[]
  readonly layerOf: readonly number[]
  /** Neighbours of each cell in the layer before and in the layer after. */
  readonly before: readonly (readonly number[])[]
  readonly after: readonly (readonly number[])[]
  /** Cells that each arc goes through, its two ends included. */
  readonly routes: readonly (readonly number[])[]
}

const SWEEPS = 12

/** @param initial cells of one layer are first put in the order of this number of their node, lowest first */
export function orderLayers(ranks: Uint32Array, arcs: readonly Arc[], initial: readonly number[]): Layering {
  const start = cellsOf(ranks, arcs, initial)
  let best = start.layers
  let fewest = crossings(best, start.after)
  let current: readonly (readonly number[])[] = best
  for (let sweep = 0; sweep < SWEEPS && fewest > 0; sweep++) {
    current = swept(current, start, sweep % 2 === 0)
    const count = crossings(current, start.after)
    if (count >= fewest) continue
    best = current
    fewest = count
  }
  return { ...start, layers: best }
}

function cellsOf(ranks: Uint32Array, arcs: readonly Arc[], initial: readonly number[]): Layering {
  const layerOf = Array.from(ranks)
  const weights = [...initial]
  const before = Array.from(ranks, (): number[] => [])
  const after = Array.from(ranks, (): number[] => [])
  const routes = arcs.map(({ from, to }) => {
    const route = [from]
    for (let layer = layerOf[from]! + 1; layer < layerOf[to]!; layer++) {
      route.push(layerOf.length)
      layerOf.push(layer)
      weights.push(((initial[from] ?? 0) + (initial[to] ?? 0)) / 2)
      before.push([])
      after.push([])
    }
    route.push(to)
    for (let at = 1; at < route.length; at++) {
      after[route[at - 1]!]!.push(route[at]!)
      before[route[at]!]!.push(route[at - 1]!)
    }
    return route
  })
  const depth = layerOf.reduce((deepest, layer) => Math.max(deepest, layer), -1) + 1
  const layers = Array.from({ length: depth }, (): number[] => [])
  for (const [cell, layer] of layerOf.entries()) layers[layer]?.push(cell)
  for (const layer of layers) layer.sort((a, b) => weights[a]! - weights[b]! || a - b)
  return { layers, layerOf, before, after, routes }
}

/** One pass through the layers: each cell goes to the mean place of its neighbours in the layer just passed. */
function swept(layers: readonly (readonly number[])[], graph: Layering, forward: boolean): number[][] {
  const next = layers.map((layer) => [...layer])
  const places = new Float64Array(graph.layerOf.length)
  const note = (layer: readonly number[]) => {
    for (const [place, cell] of layer.entries()) places[cell] = place
  }
  for (const layer of next) note(layer)
  const neighbours = forward ? graph.before : graph.after
  for (const layer of forward ? next : next.toReversed()) {
    const wanted = new Map(layer.map((cell) => [cell, meanOf(neighbours[cell]!, places) ?? places[cell]!]))
    layer.sort((a, b) => wanted.get(a)! - wanted.get(b)! || places[a]! - places[b]!)
    note(layer)
  }
  return next
}

function meanOf(cells: readonly number[], places: Float64Array): number | undefined {
  if (cells.length === 0) return undefined
  return cells.reduce((sum, cell) => sum + places[cell]!, 0) / cells.length
}

/** Number of pairs of edges that cross, over all neighbouring layers; a counting tree makes it n log n. */
function crossings(layers: readonly (readonly number[])[], after: readonly (readonly number[])[]): number {
  let count = 0
  for (let at = 0; at + 1 < layers.length; at++) {
    const right = new Map((layers[at + 1] ?? []).map((cell, place) => [cell, place]))
    const size = right.size
    const tree = new Uint32Array(size + 1)
    let seen = 0
    for (const cell of layers[at] ?? []) {
      const ends = after[cell]!.map((to) => right.get(to)!).toSorted((a, b) => a - b)
      for (const end of ends) count += seen - prefix(tree, end + 1)
      for (const end of ends) for (let i = end + 1; i <= size; i += i & -i) tree[i]!++
      seen += ends.length
    }
  }
  return count
}

function prefix(tree: Uint32Array, end: number): number {
  let sum = 0
  for (let i = end; i > 0; i -= i & -i) sum += tree[i]!
  return sum
}
