/** Layers of a directed graph: every edge leads from a lower rank to a higher one. */

/** An edge between nodes numbered from 0. */
export interface Arc {
  readonly from: number
  readonly to: number
}

/**
 * The arcs with cycles opened: an arc that closes one is turned round, for the layout only. Loops are dropped, and of
 * arcs between the same two nodes one is kept. Depth first without recursion, so depth costs no stack.
 */
export function withoutCycles(nodes: number, arcs: readonly Arc[]): readonly Arc[] {
  const outgoing = neighbours(nodes, arcs, 'from', 'to')
  const state = new Uint8Array(nodes) // 0 not met, 1 on the way, 2 done
  const next = new Uint32Array(nodes)
  const found = new Map<string, Arc>()
  const keep = (from: number, to: number) => found.set(`${from},${to}`, { from, to })
  for (let root = 0; root < nodes; root++) {
    if (state[root] !== 0) continue
    const way = [root]
    state[root] = 1
    while (way.length > 0) {
      const node = way.at(-1) ?? root
      const to = outgoing[node]?.[next[node]!++]
      if (to === undefined) {
        state[node] = 2
        way.pop()
      } else if (state[to] === 1) {
        if (to !== node) keep(to, node)
      } else {
        keep(node, to)
        if (state[to] === 0) way.push(to)
        if (state[to] === 0) state[to] = 1
      }
    }
  }
  return [...found.values()]
}

/**
 * Rank of each node: the longest way to it. A node without anything before it moves as close as it can to what reads
 * it when `pullSources` says so; else it stands at rank 0.
 */
export function ranksOf(nodes: number, arcs: readonly Arc[], pullSources: (node: number) => boolean): Uint32Array {
  const outgoing = neighbours(nodes, arcs, 'from', 'to')
  const waiting = new Uint32Array(nodes)
  for (const arc of arcs) waiting[arc.to]!++
  const ranks = new Uint32Array(nodes)
  const ready = Array.from({ length: nodes }, (_, node) => node).filter((node) => waiting[node] === 0)
  const sources = [...ready]
  for (let node = ready.pop(); node !== undefined; node = ready.pop()) {
    for (const to of outgoing[node] ?? []) {
      ranks[to] = Math.max(ranks[to]!, ranks[node]! + 1)
      if (--waiting[to]! === 0) ready.push(to)
    }
  }
  for (const source of sources) {
    const readers = outgoing[source] ?? []
    if (readers.length > 0 && pullSources(source)) ranks[source] = Math.min(...readers.map((to) => ranks[to]!)) - 1
  }
  return ranks
}

function neighbours(nodes: number, arcs: readonly Arc[], key: 'from' | 'to', value: 'from' | 'to'): number[][] {
  const lists = Array.from({ length: nodes }, (): number[] => [])
  for (const arc of arcs) lists[arc[key]]?.push(arc[value])
  return lists
}
