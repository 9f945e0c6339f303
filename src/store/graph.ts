/** Walking lineage edges. */
import type { Queryable, Statement } from './database.ts'

export type Direction = 'upstream' | 'downstream'
export type Level = 'entity' | 'column'

export interface WalkQuery {
  readonly start: number
  readonly direction: Direction
  readonly level: Level
  /** Furthest distance from the start; unlimited when absent. */
  readonly maxHops?: number
}

/** What a walk reached, nearest first, the start left out. */
export interface Walk {
  readonly ids: readonly number[]
  /** Distance from the start of each of the ids. */
  readonly degrees: readonly number[]
}

export interface Graph {
  /** Everything that lineage connects with the start; sees every write acknowledged before the call. */
  walk(query: WalkQuery): Promise<Walk>
  /** Shortest ways from the start to each target, both ends included; a target that is not reached has none. */
  paths(query: WalkQuery, targets: readonly number[]): Promise<ReadonlyMap<number, readonly number[]>>
}

const STEP: Readonly<Record<Direction, Statement>> = {
  downstream: {
    name: 'graph_step_down',
    text: `select distinct down_id as id, up_id as "from" from catalog.lineage_edge where up_id = any($1) and kind >= $2 and kind < $3`,
  },
  upstream: {
    name: 'graph_step_up',
    text: `select distinct up_id as id, down_id as "from" from catalog.lineage_edge where down_id = any($1) and kind >= $2 and kind < $3`,
  },
}

/** Kinds below 100 connect entities, those from 100 on connect columns (src/catalog/lineage/edges.ts). */
const KINDS: Readonly<Record<Level, readonly [number, number]>> = { entity: [1, 100], column: [100, 200] }

/** Breadth first in SQL, one statement a hop: no memory between calls, exact distances. */
export function createSqlGraph(database: Queryable): Graph {
  async function search(
    query: WalkQuery,
  ): Promise<{ readonly degrees: Map<number, number>; readonly from: Map<number, number> }> {
    const degrees = new Map<number, number>([[query.start, 0]])
    const from = new Map<number, number>()
    const [least, below] = KINDS[query.level]
    let frontier = [query.start]
    for (let hop = 1; frontier.length > 0 && hop <= (query.maxHops ?? Infinity); hop++) {
      const rows = await database.rows<{ id: number; from: number }>(STEP[query.direction], [frontier, least, below])
      const next: number[] = []
      for (const row of rows.toSorted((a, b) => a.id - b.id)) {
        if (degrees.has(row.id)) continue
        degrees.set(row.id, hop)
        from.set(row.id, row.from)
        next.push(row.id)
      }
      frontier = next
    }
    degrees.delete(query.start)
    return { degrees, from }
  }

  return {
    async walk(query) {
      const { degrees } = await search(query)
      return { ids: [...degrees.keys()], degrees: [...degrees.values()] }
    },
    async paths(query, targets) {
      const { degrees, from } = await search(query)
      return new Map(targets.filter((id) => degrees.has(id)).map((id) => [id, trace(id, query.start, from)]))
    },
  }
}

function trace(target: number, start: number, from: ReadonlyMap<number, number>): readonly number[] {
  const path = [target]
  for (let at = from.get(target); at !== undefined; at = at === start ? undefined : from.get(at)) path.push(at)
  return path.toReversed()
}
