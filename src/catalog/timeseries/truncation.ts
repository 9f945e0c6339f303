/**
 * Truncation of a timeseries index: everything strictly older than the cut-off goes (contract §11), in batches or, when
 * more goes than stays, by rebuilding the table. It runs as a task; the caller gets the task's number at once. Whoever
 * works on a task holds a lock, so that a task whose process died is seen to have failed.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { PoolClient } from 'pg'
import { transaction, type Queryable } from '../../store/database.ts'
import { addProgress, addTask, endTask, holdRunning, isHeld, readTask, type TaskRow } from '../../store/task-store.ts'
import { endRebuildTurn, rebuildWithoutOlder, takeRebuildTurn } from '../../store/timeseries-rebuild.ts'
import { deleteOlder, tableOf, type IndexName, type PlatformRows } from '../../store/timeseries-store.ts'
import type { Ports } from '../ports.ts'
import { LOCK } from '../../store/locks.ts'

/** How often a rebuild looks whether that of the same index before it has ended. */
const TURN_ASKED_MS = 50

export type { TaskRow as Task } from '../../store/task-store.ts'

export interface TruncationRequest {
  readonly index: IndexName
  readonly cutoffMs: number
  /** Only these of the rows; all when absent. */
  readonly rows?: PlatformRows
  /** Rows deleted by one statement. */
  readonly batchSize: number
  /** Gives up after this time; what was deleted by then stays deleted. */
  readonly timeoutSeconds?: number
  /** Rows that will go, and rows in all, as counted for the answer. */
  readonly expected: number
  readonly total: number
  /** How the rows go; by share when absent: a rebuild when more go than stay. */
  readonly method?: 'delete' | 'rebuild'
}

export interface Truncation {
  /** Starts a truncation. @returns the number of its task */
  start(request: TruncationRequest): Promise<number>
  /** How a task stands; undefined for an unknown number. */
  task(id: number): Promise<TaskRow | undefined>
  /** Ends a running task at its next batch, or before its rebuilt table takes over. @returns false where it does not run */
  cancel(id: number): Promise<boolean>
  /** Waits for the tasks under way, after telling them to stop at the next batch. */
  stop(): Promise<void>
}

export function createTruncation(ports: Ports, known: (index: IndexName) => Promise<boolean>): Truncation {
  const { database, clock, logger } = ports
  const running = new Set<Promise<void>>()
  const stopping = new AbortController()

  const end = (id: number, state: 'completed' | 'failed', error?: string) =>
    endTask(database, id, { state, endedMs: clock.now(), ...(error === undefined ? {} : { error }) })

  /** @returns why it ended early, undefined when all is gone */
  async function deleteBatches(id: number, request: TruncationRequest): Promise<string | undefined> {
    const { index, cutoffMs, batchSize, timeoutSeconds, rows } = request
    const until = timeoutSeconds === undefined ? Infinity : clock.monotonic() + timeoutSeconds * 1000
    for (;;) {
      if (stopping.signal.aborted) return 'the service was stopped'
      if (clock.monotonic() > until) return `timed out after ${timeoutSeconds} s`
      const deleted = await transaction(database, async (tx) => {
        if (!(await holdRunning(tx, id))) return undefined
        const gone = await deleteOlder(tx, index, cutoffMs, batchSize, rows)
        if (gone > 0) await addProgress(tx, id, gone)
        return gone
      })
      if (deleted === undefined) return 'cancelled'
      if (deleted < batchSize) return undefined
    }
  }

  /** Makes the space of deleted rows free for new ones; the files stay as they are. Before the task counts as done. */
  async function reuseSpace(id: number, index: IndexName): Promise<void> {
    try {
      await database.execute(`vacuum ${tableOf(index)}`)
    } catch (err) {
      logger.warn({ err, task: id, index }, 'rows are gone, their space is not free yet')
    }
  }

  /** @returns as {@link deleteBatches} */
  async function rebuild(
    id: number,
    { index, cutoffMs, rows }: TruncationRequest,
    holder: PoolClient,
  ): Promise<string | undefined> {
    const goOn = async () => !stopping.signal.aborted && (await readTask(database, id))?.state === 'running'
    while (!(await takeRebuildTurn(holder, index))) {
      await sleep(TURN_ASKED_MS)
      if (!(await goOn())) return 'cancelled'
    }
    try {
      const swap = {
        mayBegin: async (tx: Queryable) => !stopping.signal.aborted && (await holdRunning(tx, id)),
        done: (tx: Queryable, deleted: number) => addProgress(tx, id, deleted),
      }
      return (await rebuildWithoutOlder(database, index, cutoffMs, swap, rows)) ? undefined : 'cancelled'
    } finally {
      await endRebuildTurn(holder, index)
    }
  }

  async function truncate(id: number, request: TruncationRequest, holder: PoolClient): Promise<string | undefined> {
    if (!(await known(request.index))) return undefined
    // Of a platform's rows nobody knows what part of the whole they are: deleting them is never far off.
    const most = request.rows === undefined && request.expected * 2 > request.total
    const method = request.method ?? (most ? 'rebuild' : 'delete')
    // A rebuild cannot stop halfway and keep what it did, so a time limit asks for batches.
    if (method === 'rebuild' && request.timeoutSeconds === undefined) return rebuild(id, request, holder)
    const failure = await deleteBatches(id, request)
    if (failure === undefined) await reuseSpace(id, request.index)
    return failure
  }

  async function run(id: number, request: TruncationRequest, holder: PoolClient): Promise<void> {
    try {
      const failure = await truncate(id, request, holder)
      await end(id, failure === undefined ? 'completed' : 'failed', failure)
      logger.info({ task: id, index: request.index, failure }, 'truncation ended')
    } catch (err) {
      logger.error({ err, task: id }, 'truncation failed')
      await end(id, 'failed', err instanceof Error ? err.message : String(err)).catch(() => undefined)
    } finally {
      await holder.query('select pg_advisory_unlock($1, $2)', [LOCK.task, id]).then(
        () => holder.release(),
        (error: Error) => holder.release(error),
      )
    }
  }

  return {
    async start(request) {
      const { index, cutoffMs, rows, expected } = request
      const holder = await database.connect()
      try {
        const subject = { ...index, ...rows, cutoffMs }
        const id = await addTask(database, { kind: 'truncate', subject, total: expected, startedMs: clock.now() })
        await holder.query('select pg_advisory_lock($1, $2)', [LOCK.task, id])
        const work = run(id, request, holder).finally(() => running.delete(work))
        running.add(work)
        return id
      } catch (error) {
        holder.release(true)
        throw error
      }
    },
    async task(id) {
      const row = await readTask(database, id)
      if (row?.state !== 'running' || (await isHeld(database, id))) return row
      // Between the two looks it may have ended; only a task that still runs is failed here.
      await end(id, 'failed', 'the process that ran it ended')
      return readTask(database, id)
    },
    cancel(id) {
      return endTask(database, id, { state: 'cancelled', endedMs: clock.now(), error: 'cancelled' })
    },
    async stop() {
      stopping.abort()
      await Promise.all(running)
    },
  }
}
