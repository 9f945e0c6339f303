/**
 * The log of lineage: what each transaction changed of edges, and of which entities are seen. Whoever holds the graph in
 * memory reads what came after the last row that he knows. Bounded: old rows go, and those who needed them load anew.
 */
import type { Logger } from '../observe/logger.ts'
import { transaction, type Database, type Queryable, type Statement, type Transaction } from './database.ts'
import { LOCK } from './locks.ts'

/** One change of the graph. */
export interface LogLine {
  /** {@link VISIBILITY_KIND}, or the kind of the edge. */
  readonly kind: number
  readonly upId: number
  readonly downId: number
  readonly change: 1 | -1
}

/** Kind of those lines that say whether an entity (`upId`) is seen, not what its edges are. */
export const VISIBILITY_KIND = 0

/** Lines that the log keeps for processes that are behind. */
const KEPT_LINES = 1_000_000
/** A process trims the log each time it has added so many lines. */
const TRIM_EVERY_LINES = 200_000

/** Numbers of a packed line. */
const WIDTH = 4

const APPEND: Statement = {
  name: 'lineage_log_append',
  text: `with turn as materialized (select pg_advisory_xact_lock(${LOCK.lineageLog}))
    insert into catalog.lineage_log (size, lines) select $1, $2 from turn`,
}
// Rows come up to the limit, and the one that goes beyond it without its lines.
const READ: Statement = {
  name: 'lineage_log_read',
  text: `select floor as seq, null::bytea as lines from catalog.lineage_log_floor
    union all
    (select seq, case when upto <= $2 then lines end from (
      select seq, size, lines, sum(size) over (order by seq) as upto from catalog.lineage_log where seq > $1) as log
    where upto - size <= $2 order by seq)`,
}

/** Adds what a transaction changed. Others wait until it ends, so this must be the last thing before the commit. */
export function appendLog(tx: Transaction, lines: readonly LogLine[]): void {
  if (lines.length === 0) return
  tx.send(APPEND, [lines.length, pack(lines)])
}

export interface LogTail {
  readonly seq: number
  readonly lines: readonly LogLine[]
}

/**
 * What was logged after `seq`, in order.
 * @returns undefined where rows are missing or there are more than `maxLines` lines: only loading anew helps
 */
export async function readLog(db: Queryable, seq: number, maxLines: number): Promise<LogTail | undefined> {
  const [floor, ...rows] = await db.rows<{ seq: number; lines: Buffer | null }>(READ, [seq, maxLines])
  if (floor === undefined || floor.seq > seq) return undefined
  const lines: LogLine[] = []
  for (const row of rows) {
    if (row.lines === null) return undefined
    unpack(row.lines, lines)
  }
  return { seq: rows.at(-1)?.seq ?? seq, lines }
}

/**
 * Forgets rows beyond the newest `keptLines` lines.
 * @returns how many rows went
 */
export async function trimLog(database: Database, keptLines = KEPT_LINES): Promise<number> {
  return transaction(database, async (tx) => {
    const [row] = await tx.rows<{ seq: number }>(
      `select seq from (select seq, sum(size) over (order by seq desc) as upto from catalog.lineage_log) as log
       where upto > $1 order by seq desc limit 1`,
      [keptLines],
    )
    if (row === undefined) return 0
    await tx.execute('update catalog.lineage_log_floor set floor = greatest(floor, $1)', [row.seq])
    return tx.execute('delete from catalog.lineage_log where seq <= $1', [row.seq])
  })
}

/** Trims the log as this process adds to it. */
export interface LogKeeper {
  /** Says that a committed transaction added so many lines. */
  added(lines: number): void
  /** Waits for a trimming under way. */
  close(): Promise<void>
}

/** @param limits in lines: how many are kept, and after how many new ones the log is trimmed */
export function createLogKeeper(
  database: Database,
  logger: Logger,
  limits: { readonly kept: number; readonly every: number } = { kept: KEPT_LINES, every: TRIM_EVERY_LINES },
): LogKeeper {
  // Trimmed at the first write too, so that processes that do not live long enough to write much leave none behind.
  let untrimmed = limits.every
  let trimming: Promise<void> = Promise.resolve()
  async function trim(): Promise<void> {
    try {
      const rows = await trimLog(database, limits.kept)
      if (rows > 0) logger.info({ rows }, 'log of lineage trimmed')
    } catch (err) {
      logger.warn({ err }, 'log of lineage not trimmed')
    }
  }
  return {
    added(lines) {
      untrimmed += lines
      if (untrimmed < limits.every) return
      untrimmed = 0
      trimming = trimming.then(trim)
    },
    close: () => trimming,
  }
}

function pack(lines: readonly LogLine[]): Buffer {
  const numbers = new Int32Array(lines.length * WIDTH)
  lines.forEach(({ kind, upId, downId, change }, index) => numbers.set([kind, upId, downId, change], index * WIDTH))
  return Buffer.from(numbers.buffer).swap32()
}

function unpack(packed: Buffer, into: LogLine[]): void {
  for (let at = 0; at < packed.length; at += WIDTH * 4) {
    into.push({
      kind: packed.readInt32BE(at),
      upId: packed.readInt32BE(at + 4),
      downId: packed.readInt32BE(at + 8),
      change: packed.readInt32BE(at + 12) === 1 ? 1 : -1,
    })
  }
}
