/**
 * A directed graph over small whole numbers in typed arrays (compressed sparse rows), both directions: 4 bytes an edge
 * and direction. Changes since it was built lie over it, node by node.
 */
import type { Bits } from './bits.ts'

/** One direction: the neighbours of node n are `targets[offsets[n]] … targets[offsets[n + 1] - 1]`. */
interface Rows {
  readonly offsets: Int32Array
  readonly targets: Int32Array
}

/** What a walk writes to; as long as there are nodes, so that nothing grows on the way. */
export interface WalkState {
  /** Nodes in the order in which they were found. */
  readonly queue: Int32Array
  readonly found: Bits
  /** Where there, gets for each node found the node before it. */
  readonly from: Int32Array | undefined
}

export type Way = 'forward' | 'backward'

export class Adjacency {
  readonly #rows: Readonly<Record<Way, Rows>>
  /** Whole neighbour lists of the nodes that changed. */
  readonly #changed: Readonly<Record<Way, Map<number, number[]>>> = { forward: new Map(), backward: new Map() }
  #changes = 0
  #edges: number

  /** @param from, to the two ends of each edge; @param nodes one more than the largest node */
  constructor(from: Int32Array, to: Int32Array, nodes: number) {
    this.#edges = from.length
    this.#rows = { forward: rowsOf(from, to, nodes), backward: rowsOf(to, from, nodes) }
  }

  /** How many edges were added and removed since it was built. */
  get changes(): number {
    return this.#changes
  }

  get edges(): number {
    return this.#edges
  }

  add(from: number, to: number): void {
    this.#changes++
    this.#edges++
    this.#own('forward', from).push(to)
    this.#own('backward', to).push(from)
  }

  /** Removes one of possibly several equal edges. */
  remove(from: number, to: number): void {
    this.#changes++
    this.#edges--
    drop(this.#own('forward', from), to)
    drop(this.#own('backward', to), from)
  }

  /**
   * A part of one hop of a walk: appends to the queue what was not found yet of the neighbours of
   * `queue[start] … queue[end - 1]`.
   * @param last the end of the queue
   * @returns the new end of the queue
   */
  expand(way: Way, { queue, found, from }: WalkState, start: number, end: number, last: number): number {
    const { offsets, targets } = this.#rows[way]
    const changed = this.#changed[way]
    for (let i = start; i < end; i++) {
      const node = queue[i] as number
      const own = changed.size === 0 ? undefined : changed.get(node)
      if (own !== undefined) {
        for (const neighbour of own) {
          if (!found.add(neighbour)) continue
          if (from !== undefined) from[neighbour] = node
          queue[last++] = neighbour
        }
        continue
      }
      const stop = offsets[node + 1] ?? 0
      for (let at = offsets[node] ?? 0; at < stop; at++) {
        const neighbour = targets[at] as number
        if (!found.add(neighbour)) continue
        if (from !== undefined) from[neighbour] = node
        queue[last++] = neighbour
      }
    }
    return last
  }

  #own(way: Way, node: number): number[] {
    const known = this.#changed[way].get(node)
    if (known !== undefined) return known
    const { offsets, targets } = this.#rows[way]
    const list = Array.from(targets.subarray(offsets[node] ?? 0, offsets[node + 1] ?? 0))
    this.#changed[way].set(node, list)
    return list
  }
}

function rowsOf(from: Int32Array, to: Int32Array, nodes: number): Rows {
  const offsets = new Int32Array(nodes + 1)
  for (const node of from) offsets[node + 1] = (offsets[node + 1] ?? 0) + 1
  for (let i = 0; i < nodes; i++) offsets[i + 1] = (offsets[i + 1] ?? 0) + (offsets[i] ?? 0)
  const next = offsets.slice()
  const targets = new Int32Array(from.length)
  for (let i = 0; i < from.length; i++) {
    const node = from[i] as number
    targets[next[node] as number] = to[i] as number
    next[node] = (next[node] as number) + 1
  }
  return { offsets, targets }
}

function drop(list: number[], value: number): void {
  const index = list.indexOf(value)
  if (index >= 0) list.splice(index, 1)
}
