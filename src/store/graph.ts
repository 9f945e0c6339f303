/** Walking lineage edges: what a walk is, and walking in SQL. The graph in memory is in `memory-graph.ts`. */
import type { Queryable, Statement } from './database.ts'

export type Direction = 'upstream' | 'downstream'
export type Level = 'entity' | 'column'

export interface WalkQuery {
  readonly start: number
  readonly direction: Direction
  readonly level: Level
  /** Furthest distance from the start; unlimited when absent. */
  readonly maxHops?: number
  /** Leaves out, but walks through, what does not exist as an entity or is soft-deleted. */
  readonly seenOnly?: boolean
}

/** What a walk reached, nearest first, the start left out. */
export interface Walk {
  readonly ids: Int32Array
  /** Where each distance begins: the ids at distance d are those from `starts[d - 1]` to before `starts[d]`. */
  readonly starts: readonly number[]
}

export interface Graph {
  /** Everything that lineage connects with the start; sees every write acknowledged before the call. */
  walk(query: WalkQuery): Promise<Walk>
  /** Shortest ways from the start to each target, both ends included; a target that is not reached has none. */
  paths(query: WalkQuery, targets: readonly number[]): Promise<ReadonlyMap<number, readonly number[]>>
}

/** Kinds below 100 connect entities, those from 100 on connect columns (src/catalog/lineage/edges.ts). */
export const KINDS: Readonly<Record<Level, readonly [least: number, below: number]>> = {
  entity: [1, 100],
  column: [100, 200],
}

const STEP: Readonly<Record<Direction, Statement>> = {
  downstream: {
    name: 'graph_step_down',
    text: `select distinct down_id as id, up_id as "from" from catalog.lineage_edge
      where up_id = any($1) and kind >= $2 and kind < $3`,
  },
  upstream: {
    name: 'graph_step_up',
    text: `select distinct up_id as id, down_id as "from" from catalog.lineage_edge
      where down_id = any($1) and kind >= $2 and kind < $3`,
  },
}

const SEEN: Statement = {
  name: 'graph_seen',
  text: 'select urn_id as id from catalog.entity where urn_id = any($1) and not removed',
}

/** Breadth first in SQL, one statement a hop: nothing is kept between calls, distances are exact. */
export function createSqlGraph(database: Queryable): Graph {
  async function search(query: WalkQuery) {
    const from = new Map<number, number>([[query.start, query.start]])
    const layers: number[][] = []
    const [least, below] = KINDS[query.level]
    let frontier = [query.start]
    while (frontier.length > 0 && layers.length < (query.maxHops ?? Infinity)) {
      const rows = await database.rows<{ id: number; from: number }>(STEP[query.direction], [frontier, least, below])
      const next: number[] = []
      for (const row of rows.toSorted((a, b) => a.id - b.id)) {
        if (from.has(row.id)) continue
        from.set(row.id, row.from)
        next.push(row.id)
      }
      if (next.length > 0) layers.push(next)
      frontier = next
    }
    return { layers, from }
  }

  return {
    async walk(query) {
      const { layers } = await search(query)
      if (query.seenOnly !== true) return walkOf(layers)
      const rows = await database.rows<{ id: number }>(SEEN, [layers.flat()])
      const seen = new Set(rows.map((row) => row.id))
      return walkOf(layers.map((layer) => layer.filter((id) => seen.has(id))))
    },
    async paths(query, targets) {
      const { from } = await search(query)
      return tracePaths(targets, query.start, (id) => from.get(id))
    },
  }
}

export function walkOf(layers: readonly (readonly number[])[]): Walk {
  const starts = [0]
  for (const layer of layers) starts.push((starts.at(-1) ?? 0) + layer.length)
  return { ids: Int32Array.from(layers.flat()), starts }
}

/** The ways back from the targets to the start; `fromOf` gives the step before, undefined where there is none. */
export function tracePaths(
  targets: readonly number[],
  start: number,
  fromOf: (id: number) => number | undefined,
): ReadonlyMap<number, readonly number[]> {
  const paths = new Map<number, readonly number[]>()
  for (const target of targets) {
    const path = [target]
    let at: number | undefined = target
    while (at !== undefined && at !== start) {
      at = fromOf(at)
      if (at !== undefined) path.push(at)
    }
    if (at === start && path.length > 1) paths.set(target, path.toReversed())
  }
  return paths
}
