/** Rows of asynchronous work: truncations. */
import type { Queryable } from './database.ts'
import { LOCK } from './locks.ts'

export type TaskState = 'running' | 'completed' | 'failed' | 'cancelled'

export interface TaskRow {
  readonly id: number
  readonly kind: string
  readonly state: TaskState
  /** Rows to be deleted, rows deleted so far, batches carried out. */
  readonly total: number
  readonly deleted: number
  readonly batches: number
  readonly error: string | null
  readonly startedMs: number
  readonly endedMs: number | null
}

export async function addTask(
  db: Queryable,
  task: { readonly kind: string; readonly subject: object; readonly total: number; readonly startedMs: number },
): Promise<number> {
  const [row] = await db.rows<{ id: number }>(
    `insert into catalog.task (kind, subject, state, total, started_ms) values ($1, $2, 'running', $3, $4) returning id`,
    [task.kind, JSON.stringify(task.subject), task.total, task.startedMs],
  )
  return row?.id ?? Number.NaN
}

export async function readTask(db: Queryable, id: number): Promise<TaskRow | undefined> {
  const [row] = await db.rows<TaskRow>(
    `select id, kind, state, total, deleted, batches, error, started_ms as "startedMs", ended_ms as "endedMs"
     from catalog.task where id = $1`,
    [id],
  )
  return row
}

/**
 * Holds a task as it stands until the transaction ends: whoever cancels it waits, and then finds what was done meanwhile.
 * @returns false when the task runs no more (cancelled, or ended elsewhere)
 */
export async function holdRunning(tx: Queryable, id: number): Promise<boolean> {
  const [row] = await tx.rows<{ state: TaskState }>('select state from catalog.task where id = $1 for update', [id])
  return row?.state === 'running'
}

/** Adds one batch to a task; in the transaction that deletes the rows, so that it tells of all that went and no more. */
export async function addProgress(tx: Queryable, id: number, deleted: number): Promise<void> {
  await tx.execute('update catalog.task set deleted = deleted + $2, batches = batches + 1 where id = $1', [id, deleted])
}

/** @returns false when it ran no more */
export async function endTask(
  db: Queryable,
  id: number,
  end: { readonly state: TaskState; readonly endedMs: number; readonly error?: string },
): Promise<boolean> {
  const ended = await db.execute(
    `update catalog.task set state = $2, ended_ms = $3, error = $4 where id = $1 and state = 'running'`,
    [id, end.state, end.endedMs, end.error ?? null],
  )
  return ended === 1
}

/** Whether some process works on the task. */
export async function isHeld(db: Queryable, id: number): Promise<boolean> {
  const [row] = await db.rows<{ held: boolean }>(
    `select exists (select 1 from pg_locks where locktype = 'advisory' and granted
       and database = (select oid from pg_database where datname = current_database())
       and classid = $1 and objid = $2) as held`,
    [LOCK.task, id],
  )
  return row?.held ?? false
}
