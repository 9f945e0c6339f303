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
import { Adjacency, type Way } from './adjacency.ts'
import { transaction, type Database, type Queryable } from './database.ts'
import { createSqlGraph, KINDS, tracePaths, type Graph, type Level, type Walk, type WalkQuery } from './graph.ts'
import { readLog, VISIBILITY_KIND, type LogLine } from './lineage-log.ts'

export interface MemoryGraphOptions {
  readonly database: Database
  readonly logger: Logger
  /** Most edges to hold, 8 bytes each and level; with more of them walks go by SQL. */
  readonly maxEdges?: number
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
  let loaded: Loaded | undefined
  let marks = new Int32Array(0)
  let queue = new Int32Array(0)
  let stamp = 0

  async function refresh(): Promise<Loaded | undefined> {
    if (loaded === undefined || changesOf(loaded) > MAX_CHANGES || !(await follow(database, loaded))) {
      loaded = await load(database, maxEdges)
      logger.info({ edges: loaded?.levels.entity.edges, columns: loaded?.levels.column.edges }, 'lineage graph loaded')
    }
    return loaded
  }
  const fresh = coalesced(refresh)

  /** Finds nodes layer by layer. @returns the ends of the layers in the queue; the start is the first layer */
  function search(graph: Loaded, query: WalkQuery, from: Int32Array | undefined): readonly number[] {
    if (marks.length < graph.nodes) {
      marks = new Int32Array(graph.nodes + SPARE_NODES)
      queue = new Int32Array(graph.nodes + SPARE_NODES)
      stamp = 0
    }
    const adjacency = graph.levels[query.level]
    const way: Way = query.direction === 'downstream' ? 'forward' : 'backward'
    const state = { queue, marks, stamp: ++stamp, from }
    marks[query.start] = stamp
    queue[0] = query.start
    const ends = [1]
    for (let start = 0; ends.length <= (query.maxHops ?? Infinity);) {
      const end = ends.at(-1) ?? 0
      const next = adjacency.expand(way, state, start, end)
      if (next === end) break
      ends.push(next)
      start = end
    }
    return ends
  }

  return {
    async walk(query) {
      const graph = await fresh()
      if (graph === undefined) return sql.walk(query)
      const ends = search(graph, query, undefined)
      const end = ends.at(-1) ?? 1
      if (query.seenOnly !== true) {
        return { ids: queue.slice(1, end), starts: ends.map((one) => one - 1) }
      }
      const ids = new Int32Array(end)
      const starts = [0]
      let kept = 0
      for (let layer = 1; layer < ends.length; layer++) {
        for (let at = ends[layer - 1] ?? 0; at < (ends[layer] ?? 0); at++) {
          const node = queue[at] as number
          if (graph.seen[node] === 1) ids[kept++] = node
        }
        starts.push(kept)
      }
      return trimmed({ ids: ids.subarray(0, kept), starts })
    },
    async paths(query, targets) {
      const graph = await fresh()
      if (graph === undefined) return sql.paths(query, targets)
      const from = new Int32Array(graph.nodes)
      search(graph, query, from)
      return tracePaths(targets, query.start, (id) => from[id] || undefined)
    },
  }
}

/** Room for URNs that come while the graph is loaded. */
const SPARE_NODES = 10_000

/** Without the empty distances at the end. */
function trimmed(walk: Walk): Walk {
  const starts = [...walk.starts]
  while (starts.length > 1 && starts.at(-1) === starts.at(-2)) starts.pop()
  return { ids: walk.ids, starts }
}

const changesOf = (graph: Loaded): number => graph.levels.entity.changes + graph.levels.column.changes

/** Applies what was logged since. @returns false when only loading anew helps */
async function follow(database: Queryable, graph: Loaded): Promise<boolean> {
  const tail = await readLog(database, graph.seq, MAX_CHANGES)
  if (tail === undefined) return false
  for (const line of tail.lines) apply(graph, line)
  graph.seq = tail.seq
  return true
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
        (select count(*) from catalog.lineage_edge) as edges`,
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

/** Numbers packed by the database, four bytes each, most significant first: a tenth of the cost of reading rows. */
async function readInts(tx: Queryable, text: string, values: readonly number[]): Promise<Int32Array> {
  const [row] = await tx.rows<{ ints: Buffer | null }>(text, values)
  const bytes = row?.ints
  if (bytes === null || bytes === undefined) return new Int32Array(0)
  bytes.swap32()
  return new Int32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength))
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
