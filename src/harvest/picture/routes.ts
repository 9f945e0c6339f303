/** The lines of the picture: curves that leave and enter level, and pass other layers straight. */
import type { FocusPath } from './focus.ts'
import { wayKey, type Layout } from './layout.ts'
import type { Arc } from './rank.ts'
import { rounded } from './svg.ts'

/** One column edge of the highlighted path, between datasets by their number. */
export interface Flow extends Arc {
  readonly fromColumn: string
  readonly toColumn: string
  /** Distance from the middle of the bundle of all flows between the same two datasets. */
  readonly shift: number
}

const STRAND = 4
/** How far a line bends already beside the boxes that it passes, so that steps between layers are soft. */
const EASE = 16

/** The path's edges; those between the same two datasets run side by side. */
export function flows(path: FocusPath, index: ReadonlyMap<string, number>): readonly Flow[] {
  const between = Map.groupBy(path.edges, (edge) => `${edge.from.dataset}\u0000${edge.to.dataset}`)
  return [...between.values()].flatMap((strands) =>
    strands.map((edge, place) => ({
      from: index.get(edge.from.dataset)!,
      to: index.get(edge.to.dataset)!,
      fromColumn: edge.from.column,
      toColumn: edge.to.column,
      shift: (place - (strands.length - 1) / 2) * STRAND,
    })),
  )
}

export interface Ends {
  /** Where the line leaves and enters, counted from the upper edge of the box. */
  readonly from: number
  readonly to: number
  readonly shift: number
}

/** The `d` of a line from the right side of one box to the left side of another, through the passages of its way. */
export function curve(arc: Arc, layout: Layout, ends: Ends): string {
  const start = layout.nodes[arc.from]!
  const end = layout.nodes[arc.to]!
  const first = { x: start.x + start.width, y: start.y + ends.from }
  const last = { x: end.x, y: end.y + ends.to }
  const passages = layout.passages.get(wayKey(arc.from, arc.to)) ?? []
  // An edge that closes a cycle runs against the layers; its passages come in the other direction.
  const along = first.x <= last.x ? passages : []
  const parts = [`M${rounded(first.x)} ${rounded(first.y)}`]
  let at = first
  for (const { left, right, y } of along) {
    const level = { left: left + EASE, right: Math.max(left + EASE, right - EASE), y: y + ends.shift }
    parts.push(bend(at, { x: level.left, y: level.y }), `H${rounded(level.right)}`)
    at = { x: level.right, y: level.y }
  }
  parts.push(bend(at, last))
  return parts.join('')
}

interface Point {
  readonly x: number
  readonly y: number
}

function bend(from: Point, to: Point): string {
  const reach = Math.max(18, Math.abs(to.x - from.x) / 2)
  const points = [from.x + reach, from.y, to.x - reach, to.y, to.x, to.y].map(rounded)
  return `C${points[0]} ${points[1]} ${points[2]} ${points[3]} ${points[4]} ${points[5]}`
}
