/**
 * Heights of the cells: each as near as it can be to its neighbours, none on another. Within one layer the order is
 * fixed and the nearest allowed places are found exactly (pooling neighbours that want the same room); a few passes
 * over all layers let the whole come to rest.
 */
import type { Layering } from './order.ts'

const PASSES = 24

export interface CellSizes {
  readonly heights: readonly number[]
  /** Room kept between two neighbouring cells of a layer. */
  readonly gap: (upper: number, lower: number) => number
  /** How much an edge between two cells pulls. */
  readonly pull: (one: number, other: number) => number
}

/** Centre of each cell on the y axis; the topmost edge of all lies at 0. */
export function placeCells(layering: Layering, sizes: CellSizes): Float64Array {
  const centres = new Float64Array(layering.layerOf.length)
  for (const layer of layering.layers) settle(layer, centres, sizes, () => ({ at: 0, weight: 1 }))
  for (let pass = 0; pass < PASSES; pass++) {
    const forward = pass % 2 === 0
    const both = pass >= PASSES - 6
    for (const layer of forward ? layering.layers : layering.layers.toReversed()) {
      settle(layer, centres, sizes, (cell) =>
        wish(cell, layering, centres, sizes, both ? 'both' : forward ? 'before' : 'after'),
      )
    }
  }
  return withoutEmptyStripes(centres, sizes.heights)
}

interface Wish {
  readonly at: number
  readonly weight: number
}

/** Where the neighbours of a cell would have it; where it is, with little weight, when it has none. */
function wish(
  cell: number,
  layering: Layering,
  centres: Float64Array,
  sizes: CellSizes,
  side: 'before' | 'after' | 'both',
): Wish {
  const near = [
    ...(side === 'after' ? [] : layering.before[cell]!),
    ...(side === 'before' ? [] : layering.after[cell]!),
  ]
  let sum = 0
  let weight = 0
  for (const other of near) {
    const pull = sizes.pull(cell, other)
    sum += pull * centres[other]!
    weight += pull
  }
  return weight === 0 ? { at: centres[cell]!, weight: 0.05 } : { at: sum / weight, weight }
}

interface Block {
  sum: number
  weight: number
  readonly first: number
}

/** Moves the cells of one layer to the allowed places with the least weighted squared distance to their wishes. */
function settle(
  layer: readonly number[],
  centres: Float64Array,
  sizes: CellSizes,
  wishOf: (cell: number) => Wish,
): void {
  const offsets: number[] = []
  const blocks: Block[] = []
  for (const [index, cell] of layer.entries()) {
    const upper = layer[index - 1]
    const room = upper === undefined ? 0 : (sizes.heights[upper]! + sizes.heights[cell]!) / 2 + sizes.gap(upper, cell)
    offsets.push((offsets[index - 1] ?? 0) + room)
    const { at, weight } = wishOf(cell)
    blocks.push({ sum: (at - offsets[index]!) * weight, weight, first: index })
    while (blocks.length > 1 && meanOf(blocks.at(-2)!) > meanOf(blocks.at(-1)!)) {
      const last = blocks.pop()!
      const merged = blocks.at(-1)!
      merged.sum += last.sum
      merged.weight += last.weight
    }
  }
  for (const [number, block] of blocks.entries()) {
    const end = blocks[number + 1]?.first ?? layer.length
    for (let index = block.first; index < end; index++) centres[layer[index]!] = meanOf(block) + offsets[index]!
  }
}

function meanOf(block: Block): number {
  return block.sum / block.weight
}

const WIDEST_STRIPE = 14

/** Parts of the graph that nothing joins may rest far apart: heights where no cell lies are taken out. */
function withoutEmptyStripes(centres: Float64Array, heights: readonly number[]): Float64Array {
  const cells = Array.from(centres, (_, cell) => cell)
  const topOf = (cell: number): number => centres[cell]! - heights[cell]! / 2
  const moved = new Float64Array(centres.length)
  let shift = 0
  let bottom: number | undefined
  for (const cell of cells.toSorted((a, b) => topOf(a) - topOf(b) || a - b)) {
    if (bottom === undefined) shift = topOf(cell)
    else shift += Math.max(0, topOf(cell) - bottom - WIDEST_STRIPE)
    moved[cell] = centres[cell]! - shift
    bottom = Math.max(bottom ?? -Infinity, topOf(cell) + heights[cell]!)
  }
  return moved
}
