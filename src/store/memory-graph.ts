/**
 * The lineage graph in memory: 100,000 nodes are walked in 3 to 5 ms, where SQL takes 160 to 390 (measured).
 *
 *   lineage_edge, entity ──(whole, once, in one snapshot)──► typed arrays, and seq: how far the log was applied
 *   lineage_log ──(before each walk: what came after seq)──► changes laid over the arrays; many changes: loaded anew
 *
 * Writers append to the log in the transaction that changes the edges, so a walk sees every acknowledged write, also
 * of other processes. Beyond `maxEdges`, walks go by SQL.
 */
import type { Logger } from '../observe/logger.ts'
import { Adjacency } from './adjacency.ts'
import { packedInts } from './arrays.ts'
import { transaction, type Database, type Queryable } from './database.ts'
import { createSqlGraph, KINDS, tracePaths, type Graph, type Level, type Walk, type WalkQuery } from './graph.ts'
import { readLog, VISIBILITY_KIND, type LogLine } from './lineage-log.ts'
import { Gate, Walks, type Found } from './walks.ts'

export interface MemoryGraphOptions {
  readonly database: Database
  readonly logger: Logger
  /** Most edges to hold, 8 bytes each and level; with more of them walks go by SQL. */
  readonly maxEdges?: number | undefined
  /** Nodes that a walk visits before others have the thread. */
  readonly nodesATurn?: number
}

const DEFAULT_MAX_EDGES = 30_000_000
/** Changes after which loading anew is cheaper than carrying them along. */
const MAX_CHANGES = 200_000
/** Edges read by one statement while loading. */
const CHUNK = 500_000

interface Loaded {
  readonly levels: Readonly<Record<Level, Adjacency>>
  /** 1 for entities that exist and are not soft-deleted. */
  seen: Uint8Array
  /** One more than the largest node that any edge or entity names. */
  nodes: number
  /** Last line of the log that is applied. */
  seq: number
}

export function createMemoryGraph(options: MemoryGraphOptions): Graph {
  const { database, logger, maxEdges = DEFAULT_MAX_EDGES } = options
  const sql = createSqlGraph(database)
  const walks = new Walks(options.nodesATurn)
  const gate = new Gate()
  let loaded: Loaded | undefined
  /** The estimate of the number of edges with which loading was given up. */
  let tooMany: number | undefined

  async function refresh(): Promise<Loaded | undefined> {
    if (loaded !== undefined && changesOf(loaded) <= MAX_CHANGES && edgesOf(loaded) <= maxEdges) {
      if (await follow(database, loaded, gate)) return loaded
    }
    loaded = undefined
    const estimate = await estimatedEdges(database)
    if (estimate > maxEdges || estimate === tooMany) return undefined
    loaded = await load(database, maxEdges)
    tooMany = loaded === undefined ? estimate : undefined
    if (loaded === undefined) logger.warn({ maxEdges }, 'lineage graph is too large for memory: walks go by SQL')
    else logger.info({ edges: loaded.levels.entity.edges, columns: loaded.levels.column.edges }, 'lineage graph loaded')
    return loaded
  }
  const fresh = coalesced(refresh)

  /** Walks in memory, or by SQL where the graph is not in memory. */
  async function walked<T>(
    query: WalkQuery,
    use: (graph: Loaded, found: Found) => T,
    instead: () => Promise<T>,
    fromOf?: (graph: Loaded) => Int32Array,
  ): Promise<T> {
    const graph = await fresh()
    if (graph === undefined) return instead()
    const order = {
      adjacency: graph.levels[query.level],
      nodes: Math.max(graph.nodes, query.start + 1),
      start: query.start,
      way: query.direction === 'downstream' ? 'forward' : 'backward',
      maxHops: query.maxHops,
      ...(fromOf === undefined ? {} : { from: fromOf(graph) }),
    } as const
    return gate.use(() => walks.walk(order, (found) => use(graph, found)))
  }

  return {
    walk(query) {
      const result = query.seenOnly === true ? seenOf : allOf
      return walked(query, result, () => sql.walk(query))
    },
    async paths(query, targets) {
      let from = new Int32Array(0)
      const trace = () => tracePaths(targets, query.start, (id) => from[id] || undefined)
      const fromOf = (graph: Loaded) => (from = new Int32Array(graph.nodes))
      return walked(query, trace, () => sql.paths(query, targets), fromOf)
    },
  }
}

function allOf(_graph: Loaded, { queue, ends }: Found): Walk {
  return { ids: queue.slice(1, ends.at(-1)), starts: ends.map((end) => end - 1) }
}

function seenOf({ seen }: Loaded, { queue, ends }: Found): Walk {
  const ids = new Int32Array(ends.at(-1) ?? 1)
  const starts = [0]
  let kept = 0
  for (let layer = 1; layer < ends.length; layer++) {
    const end = ends[layer] ?? 0
    for (let at = ends[layer - 1] ?? 0; at < end; at++) {
      const node = queue[at] as number
      if (seen[node] === 1) ids[kept++] = node
    }
    starts.push(kept)
  }
  return trimmed({ ids: ids.subarray(0, kept), starts })
}

/** Without the empty distances at the end. */
function trimmed(walk: Walk): Walk {
  const starts = [...walk.starts]
  while (starts.length > 1 && starts.at(-1) === starts.at(-2)) starts.pop()
  return { ids: walk.ids, starts }
}

const changesOf = (graph: Loaded): number => graph.levels.entity.changes + graph.levels.column.changes
const edgesOf = ({ levels }: Loaded): number => levels.entity.edges + levels.column.edges

/** Applies what was logged since, once no walk is under way. @returns false when only loading anew helps */
async function follow(database: Queryable, graph: Loaded, gate: Gate): Promise<boolean> {
  const tail = await readLog(database, graph.seq, MAX_CHANGES)
  if (tail === undefined) return false
  if (tail.seq === graph.seq) return true
  await gate.change(() => {
    for (const line of tail.lines) apply(graph, line)
    graph.seq = tail.seq
  })
  return true
}

/** As the planner sees it, which costs nothing; -1 where nobody counted yet. */
async function estimatedEdges(database: Queryable): Promise<number> {
  const [row] = await database.rows<{ edges: number }>(
    `select reltuples::float8 as edges from pg_class where oid = 'catalog.lineage_edge'::regclass`,
  )
  return row?.edges ?? -1
}

function apply(graph: Loaded, line: LogLine): void {
  graph.nodes = Math.max(graph.nodes, line.upId + 1, line.downId + 1)
  if (line.kind === VISIBILITY_KIND) {
    if (line.upId >= graph.seen.length) graph.seen = grown(graph.seen, line.upId)
    graph.seen[line.upId] = line.change === 1 ? 1 : 0
    return
  }
  const adjacency = graph.levels[line.kind >= KINDS.column[0] ? 'column' : 'entity']
  if (line.change === 1) adjacency.add(line.upId, line.downId)
  else adjacency.remove(line.upId, line.downId)
}

/** Reads everything in one snapshot. @returns undefined when there are more edges than may be held */
async function load(database: Database, maxEdges: number): Promise<Loaded | undefined> {
  return transaction(database, async (tx) => {
    await tx.execute('set transaction isolation level repeatable read, read only')
    const [sizes] = await tx.rows<{ seq: number; nodes: number; edges: number }>(
      `select (select coalesce(max(seq), (select floor from catalog.lineage_log_floor)) from catalog.lineage_log) as seq,
        (select coalesce(max(id), 0) + 1 from catalog.urn) as nodes,
        (select count(*) from (select 1 from catalog.lineage_edge limit $1) as e) as edges`,
      [maxEdges + 1],
    )
    if (sizes === undefined || sizes.edges > maxEdges) return undefined
    const { seq, nodes, edges } = sizes
    const step = Math.max(1, Math.ceil(nodes / Math.max(1, Math.ceil(edges / CHUNK))))
    const seen = new Uint8Array(nodes)
    for (let low = 0; low < nodes; low += CHUNK) {
      for (const id of await readInts(tx, SEEN_IDS, [low, low + CHUNK])) seen[id] = 1
    }
    const level = async (name: Level) => {
      const chunks: Int32Array[] = []
      for (let low = 0; low < nodes; low += step) {
        chunks.push(await readInts(tx, EDGES, [low, low + step, ...KINDS[name]]))
      }
      return adjacencyOf(chunks, nodes)
    }
    return { levels: { entity: await level('entity'), column: await level('column') }, seen, nodes, seq }
  })
}

const SEEN_IDS = `select string_agg(int4send(urn_id), '') as ints from catalog.entity
  where urn_id >= $1 and urn_id < $2 and not removed`
const EDGES = `select string_agg(int4send(up_id) || int4send(down_id), '') as ints from catalog.lineage_edge
  where up_id >= $1 and up_id < $2 and kind >= $3 and kind < $4`

async function readInts(tx: Queryable, text: string, values: readonly number[]): Promise<Int32Array> {
  const [row] = await tx.rows<{ ints: Buffer | null }>(text, values)
  return packedInts(row?.ints)
}

function adjacencyOf(chunks: readonly Int32Array[], nodes: number): Adjacency {
  const edges = chunks.reduce((sum, chunk) => sum + chunk.length / 2, 0)
  const from = new Int32Array(edges)
  const to = new Int32Array(edges)
  let at = 0
  for (const chunk of chunks) {
    for (let i = 0; i < chunk.length; i += 2) {
      from[at] = chunk[i] as number
      to[at++] = chunk[i + 1] as number
    }
  }
  return new Adjacency(from, to, nodes)
}

function grown<T extends Int32Array | Uint8Array>(array: T, node: number): T {
  const larger = new (array.constructor as new (length: number) => T)(Math.max(node + 1, array.length * 2))
  larger.set(array)
  return larger
}

/**
 * At most one run at a time. A call while one is under way gets the result of the next one, which starts after the
 * call: a run that began earlier may have missed what the caller must see.
 */
function coalesced<T>(run: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | undefined
  let queued: Promise<T> | undefined
  const start = (): Promise<T> => {
    running = run().finally(() => {
      running = undefined
    })
    return running
  }
  return () => {
    // Looked at first: between the end of one run and the start of the queued one, nothing is running.
    if (queued !== undefined) return queued
    if (running === undefined) return start()
    queued = running
      .catch(() => undefined)
      .then(() => {
        queued = undefined
        return start()
      })
    return queued
  }
}
