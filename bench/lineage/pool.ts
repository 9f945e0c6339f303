/**
 * One thread against two, as a user has them: the log is read by `for await`, on the one side with `parseLineage` in this
 * thread and nothing else, on the other through `LineagePool` with `threads: 2`, of which this thread is one. Each side
 * counts the tables and the edges of every lineage. The pool looks for equal statements, as it always does, and finds
 * none: that work counts against it, and one thread is spared it.
 *
 * Both sides read the log part by part in turn, so that a busy machine slows both. Before that each reads as much as it
 * takes to compile the engine, in each thread for itself.
 */
import { DIALECTS, parseLineage, type DialectName, type ScriptLineage } from '../../src/sql/index.ts'
import { MAX_GROUP } from '../../src/sql/workers/line-groups.ts'
import { LineagePool } from '../../src/sql/workers/pool.ts'
import type { LineageRequest } from '../../src/sql/workers/request.ts'
import { median } from './median.ts'
import type { StatementSet } from './statements.ts'

const THREADS = 2
const PARTS = 20
/** Statements in which the engine is compiled. */
const WARM_UP = 30_000
/** Statements of the log that repeats. */
const REPEATED = 500

export interface PoolResult {
  readonly log: number
  readonly readers: readonly Reader[]
  /** How many times as fast the pool is as one thread. */
  readonly gain: number
  readonly repeatingPerSecond: number
}

interface Reader {
  readonly name: string
  readonly perSecond: number
  /** Of all threads, for one statement. */
  readonly cpuMicroseconds: number
}

type Look = (lineage: ScriptLineage) => void
type Read = (requests: readonly LineageRequest[], look: Look) => Promise<void>

/** `length` statements, of which no two are equal, through both. */
export async function comparePool(sets: readonly StatementSet[], length: number): Promise<PoolResult> {
  const requests = logOf(sets, length, 'line')
  const pool = new LineagePool({ threads: THREADS })
  const throughPool: Read = async (part, look) => {
    for await (const lineages of pool.stream(groupsOf(part))) for (const lineage of lineages) look(lineage)
  }
  try {
    const rounds: { readonly one: Reading; readonly two: Reading }[] = []
    const round = async (part: readonly LineageRequest[]) => ({
      one: await timed(part, onOneThread),
      two: await timed(part, throughPool),
    })
    await round(logOf(sets, WARM_UP, 'warm-up'))
    for (let at = 0; at < length; at += length / PARTS)
      rounds.push(await round(requests.slice(at, at + length / PARTS)))
    for (const { one, two } of rounds) {
      if (one.counted !== two.counted)
        throw new Error(`${one.counted} tables and edges on one thread, ${two.counted} on two`)
    }
    const repeating = requests.map((_, i) => requests[i % REPEATED]).filter((request) => request !== undefined)
    return {
      log: length,
      readers: [
        told(
          '1 thread: parseLineage in a loop, equal statements read each time',
          rounds.map(({ one }) => one),
        ),
        told(
          '2 threads: the pool, equal statements looked for',
          rounds.map(({ two }) => two),
        ),
      ],
      gain: median(rounds.map(({ one, two }) => two.perSecond / one.perSecond)),
      repeatingPerSecond: Math.round((await timed(repeating, throughPool)).perSecond),
    }
  } finally {
    await pool.close()
  }
}

interface Reading {
  readonly perSecond: number
  readonly cpuMicroseconds: number
  /** Tables and edges of all lineages. */
  readonly counted: number
}

async function timed(requests: readonly LineageRequest[], read: Read): Promise<Reading> {
  const begun = performance.now()
  const cpu = process.cpuUsage()
  let counted = 0
  await read(requests, (lineage) => {
    counted += tablesAndEdges(lineage)
  })
  const seconds = (performance.now() - begun) / 1000
  const { user, system } = process.cpuUsage(cpu)
  return { perSecond: requests.length / seconds, cpuMicroseconds: (user + system) / requests.length, counted }
}

function tablesAndEdges({ tables, columns }: ScriptLineage): number {
  let count = tables.inputs.length + tables.outputs.length
  for (const { upstreams } of columns) count += upstreams.length
  return count
}

async function onOneThread(requests: readonly LineageRequest[], look: Look): Promise<void> {
  for await (const group of groupsOf(requests)) for (const { sql, options } of group) look(parseLineage(sql, options))
}

async function* groupsOf(requests: readonly LineageRequest[]): AsyncGenerator<readonly LineageRequest[]> {
  for (let i = 0; i < requests.length; i += MAX_GROUP) yield requests.slice(i, i + MAX_GROUP)
}

function told(name: string, readings: readonly Reading[]): Reader {
  return {
    name,
    perSecond: Math.round(median(readings.map(({ perSecond }) => perSecond))),
    cpuMicroseconds: median(readings.map(({ cpuMicroseconds }) => cpuMicroseconds)),
  }
}

/** One object a dialect: equal options are the same object, as in a harvest. */
const OPTIONS = Object.fromEntries(DIALECTS.map((dialect) => [dialect, { dialect }])) as Record<
  DialectName,
  LineageRequest['options']
>

/** Short and long statements in turn, each with a comment of its own so that none is known already. */
function logOf(sets: readonly StatementSet[], length: number, word: string): LineageRequest[] {
  const statements = sets.slice(0, 2).flatMap((set) => set.statements)
  return Array.from({ length }, (_, i) => {
    const { dialect, sql } = statements[i % statements.length] ?? { dialect: 'postgres', sql: 'SELECT 1' }
    // Through bytes: a line that was read from a file is one piece of memory, and none that waits to be joined.
    return { sql: Buffer.from(`${sql}\n/* ${word} ${i} */`).toString(), options: OPTIONS[dialect] }
  })
}
