/** What a column comes from, or what comes of it, as a tree: hop by hop, each place once in full. */
import { datasetParts } from '../../model/urn.ts'
import { keyOf, type Direction, type Evidence, type LineageGraph, type Stop } from './lineage-graph.ts'

export interface TreeNode {
  readonly platform: string
  /** Dotted name of the dataset; with `column`, of the column in it. */
  readonly dataset: string
  readonly column?: string
  readonly tags: readonly string[]
  /** Of the edge that leads here from the line above; absent at the root. */
  readonly evidence?: Evidence
  readonly children: readonly TreeNode[]
  /** Why there is nothing below: it stands elsewhere in the tree, or the depth that was asked for is reached. */
  readonly cut?: 'shown-above' | 'too-deep'
}

export interface TreeSummary {
  /** Columns or datasets in the tree, the root included. */
  readonly places: number
  /** Ends: nothing feeds them (`up`), or nothing is made of them (`down`). */
  readonly ends: readonly { readonly dataset: string; readonly column?: string }[]
  readonly hops: number
}

interface Step {
  readonly next: Stop
  readonly evidence: Evidence
}

/**
 * The tree from one place on. Without a column it goes by datasets.
 * @param depth hops at most
 */
export function lineageTree(
  graph: LineageGraph,
  start: Stop,
  options: { readonly direction: Direction; readonly depth: number },
): TreeNode {
  const stepsFrom = stepIndex(graph, start.column !== undefined, options.direction)
  const shown = new Set<string>()
  const grow = (stop: Stop, evidence: Evidence | undefined, depth: number): TreeNode => {
    const known = shown.has(keyOf(stop))
    shown.add(keyOf(stop))
    const steps = stepsFrom(stop)
    const node = { ...described(graph, stop), ...(evidence === undefined ? {} : { evidence }), children: [] }
    if (steps.length === 0) return node
    if (known) return { ...node, cut: 'shown-above' }
    if (depth === 0) return { ...node, cut: 'too-deep' }
    return { ...node, children: steps.map((step) => grow(step.next, step.evidence, depth - 1)) }
  }
  return grow(start, undefined, options.depth)
}

/** Figures of a tree. */
export function summarize(tree: TreeNode): TreeSummary {
  const places = new Set<string>()
  const ends = new Map<string, TreeSummary['ends'][number]>()
  let hops = 0
  const visit = (node: TreeNode, depth: number): void => {
    const stop = { dataset: node.dataset, ...(node.column === undefined ? {} : { column: node.column }) }
    const key = `${node.platform}\u0000${stop.dataset}\u0000${stop.column ?? ''}`
    places.add(key)
    hops = Math.max(hops, depth)
    if (node.children.length === 0 && node.cut === undefined) ends.set(key, stop)
    for (const child of node.children) visit(child, depth + 1)
  }
  visit(tree, 0)
  return { places: places.size, ends: [...ends.values()], hops }
}

function stepIndex(graph: LineageGraph, byColumn: boolean, direction: Direction): (stop: Stop) => readonly Step[] {
  const edges = byColumn ? graph.columnEdges : graph.tableEdges.map(asPlaces)
  const [near, far] = direction === 'up' ? (['to', 'from'] as const) : (['from', 'to'] as const)
  const index = Map.groupBy(edges, (edge) => keyOf(edge[near]))
  return (stop) => {
    const steps = (index.get(keyOf(stop)) ?? []).map((edge) => {
      const { statement: _, ...evidence } = edge.evidence
      return { next: edge[far], evidence }
    })
    const others = steps.filter((step) => keyOf(step.next) !== keyOf(stop))
    const once = new Map<string, Step>()
    for (const step of others) {
      const known = once.get(keyOf(step.next))
      once.set(keyOf(step.next), known === undefined ? step : plainer(known, step))
    }
    return [...once.values()].toSorted((a, b) => (keyOf(a.next) < keyOf(b.next) ? -1 : 1))
  }
}

/** Of two readings of one edge the one from a file of SQL, which says more to a person than an entry of a log. */
function plainer(one: Step, other: Step): Step {
  const isFile = (step: Step): boolean => /\.sql(:|$)/.test(step.evidence.place ?? '')
  return isFile(other) && !isFile(one) ? other : one
}

function asPlaces(edge: LineageGraph['tableEdges'][number]) {
  return { from: { dataset: edge.from }, to: { dataset: edge.to }, evidence: edge.evidence }
}

function described(graph: LineageGraph, stop: Stop): Pick<TreeNode, 'platform' | 'dataset' | 'column' | 'tags'> {
  const facts = graph.datasets.get(stop.dataset)
  const { platform, name } = facts ?? datasetParts(stop.dataset)
  const shared = { platform, dataset: name }
  if (stop.column === undefined) return { ...shared, tags: facts?.tags ?? [] }
  return { ...shared, column: stop.column, tags: facts?.columnTags.get(stop.column) ?? [] }
}
