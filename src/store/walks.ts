/**
 * Walks over an adjacency, breadth first. A layer is walked in the order of its nodes' numbers: neighbours lie near each
 * other then (half the time, measured), and pages of an answer are the same in every process. A long walk lets others
 * have the thread in between; what it walks over must not change meanwhile (`Gate`).
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Adjacency, Way } from './adjacency.ts'
import { Bits } from './bits.ts'

/** Nodes that are walked in one go: some milliseconds. */
const NODES_A_TURN = 50_000
/** Room for nodes that come while work arrays live. */
const SPARE_NODES = 10_000
/** Work arrays kept for the next walks, five bytes a node each. */
const KEPT = 2

/** What one walk writes to. */
interface Work {
  readonly nodes: number
  readonly queue: Int32Array
  readonly found: Bits
  readonly sorter: Bits
}

export interface Found {
  /** Nodes, nearest first, the start included; good until the callback ends. */
  readonly queue: Int32Array
  /** Where each layer ends in the queue; the start is the first layer. */
  readonly ends: readonly number[]
}

export interface WalkOrder {
  readonly adjacency: Adjacency
  /** One more than the largest node. */
  readonly nodes: number
  readonly start: number
  readonly way: Way
  readonly maxHops?: number | undefined
  /** Gets for each node found the node before it. */
  readonly from?: Int32Array
}

export class Walks {
  readonly #nodesATurn: number
  #kept: Work[] = []

  /** @param nodesATurn nodes that are walked before others have the thread */
  constructor(nodesATurn = NODES_A_TURN) {
    this.#nodesATurn = nodesATurn
  }

  /** Walks and hands what was found to `use`. */
  async walk<T>(order: WalkOrder, use: (found: Found) => T): Promise<T> {
    const work = this.#take(order.nodes)
    try {
      return use({ queue: work.queue, ends: await search(order, work, this.#nodesATurn) })
    } finally {
      if (this.#kept.length < KEPT) this.#kept.push(work)
    }
  }

  #take(nodes: number): Work {
    const known = this.#kept.pop()
    if (known !== undefined && known.nodes >= nodes) return known
    this.#kept = []
    const room = nodes + SPARE_NODES
    return { nodes: room, queue: new Int32Array(room), found: new Bits(room), sorter: new Bits(room) }
  }
}

async function search(
  order: WalkOrder,
  { queue, found, sorter }: Work,
  nodesATurn: number,
): Promise<readonly number[]> {
  const { adjacency, way, start, from, maxHops = Infinity } = order
  found.clear()
  found.add(start)
  queue[0] = start
  const state = { queue, found, from }
  const ends = [1]
  let walked = 0
  for (let layer = 0, end = 1; ends.length <= maxHops;) {
    let last = end
    for (let at = layer; at < end; at += nodesATurn) {
      const stop = Math.min(end, at + nodesATurn)
      last = adjacency.expand(way, state, at, stop, last)
      walked += stop - at
      if (walked < nodesATurn) continue
      walked = 0
      await nextTurn()
    }
    if (last === end) break
    sorter.sort(queue.subarray(end, last))
    layer = end
    end = last
    ends.push(end)
  }
  return ends
}

/** Lets any number of users in; changes of what they use are made when all are out. */
export class Gate {
  #users = 0
  #waiting: (() => void)[] = []

  async use<T>(work: () => Promise<T>): Promise<T> {
    this.#users++
    try {
      return await work()
    } finally {
      this.#users--
      // At once: nobody may come in between.
      if (this.#users === 0) for (const change of this.#waiting.splice(0)) change()
    }
  }

  /** Resolves when `work` was done, now or right after the last user. */
  async change(work: () => void): Promise<void> {
    if (this.#users === 0) return work()
    await new Promise<void>((resolve, reject) => {
      this.#waiting.push(() => {
        try {
          resolve(work())
        } catch (error) {
          reject(error)
        }
      })
    })
  }
}
