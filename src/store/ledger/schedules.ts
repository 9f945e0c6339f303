/** Rows of `ledger.schedule`: what the configuration says, and which slot is due next. */
import type { Queryable } from '../database.ts'
import type { ScheduleDefinition, ScheduleRow } from './types.ts'

const SCHEDULE_COLUMNS = `id, cron, time_zone as "timeZone", job, input, apply, catch_up as "catchUp",
  catch_up_max as "catchUpMax", overlap, resources, enabled, paused, next_run_ms as "nextRunMs",
  updated_ms as "updatedMs"`

export function listSchedules(db: Queryable): Promise<readonly ScheduleRow[]> {
  return db.rows<ScheduleRow>({
    name: 'ledger-schedule-list',
    text: `select ${SCHEDULE_COLUMNS} from ledger.schedule order by id`,
  })
}

export async function readSchedule(db: Queryable, id: string): Promise<ScheduleRow | undefined> {
  const [row] = await db.rows<ScheduleRow>(
    { name: 'ledger-schedule-read', text: `select ${SCHEDULE_COLUMNS} from ledger.schedule where id = $1` },
    [id],
  )
  return row
}

/** Reads a schedule and keeps it from changing until the transaction ends. */
export async function lockSchedule(tx: Queryable, id: string): Promise<ScheduleRow | undefined> {
  const [row] = await tx.rows<ScheduleRow>(
    { name: 'ledger-schedule-lock', text: `select ${SCHEDULE_COLUMNS} from ledger.schedule where id = $1 for update` },
    [id],
  )
  return row
}

/** Of these schedules those that are still due, kept from changing until the transaction ends; not those that somebody else keeps. */
export function lockDueSchedules(
  tx: Queryable,
  ids: readonly string[],
  nowMs: number,
): Promise<readonly ScheduleRow[]> {
  return tx.rows<ScheduleRow>(
    {
      name: 'ledger-schedule-lock-due',
      text: `select ${SCHEDULE_COLUMNS} from ledger.schedule
        where id = any($1) and enabled and not paused and next_run_ms <= $2 order by id for update skip locked`,
    },
    [ids, nowMs],
  )
}

/** The schedules with a slot that is due, the most overdue first. */
export async function dueSchedules(db: Queryable, nowMs: number, limit: number): Promise<readonly string[]> {
  const rows = await db.rows<{ id: string }>(
    {
      name: 'ledger-schedule-due',
      text: `select id from ledger.schedule where enabled and not paused and next_run_ms <= $1
        order by next_run_ms, id limit $2`,
    },
    [nowMs, limit],
  )
  return rows.map((row) => row.id)
}

export async function writeSchedule(
  tx: Queryable,
  schedule: ScheduleDefinition & { readonly nextRunMs: number | null },
  nowMs: number,
): Promise<void> {
  await tx.execute(
    {
      name: 'ledger-schedule-write',
      text: `insert into ledger.schedule (id, cron, time_zone, job, input, apply, catch_up, catch_up_max, overlap,
          resources, enabled, next_run_ms, updated_ms)
        values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
        on conflict (id) do update set cron = excluded.cron, time_zone = excluded.time_zone, job = excluded.job,
          input = excluded.input, apply = excluded.apply, catch_up = excluded.catch_up,
          catch_up_max = excluded.catch_up_max, overlap = excluded.overlap, resources = excluded.resources,
          enabled = excluded.enabled, next_run_ms = excluded.next_run_ms, updated_ms = excluded.updated_ms`,
    },
    [
      schedule.id,
      schedule.cron,
      schedule.timeZone,
      schedule.job,
      JSON.stringify(schedule.input),
      schedule.apply,
      schedule.catchUp,
      schedule.catchUpMax,
      schedule.overlap,
      schedule.resources,
      schedule.enabled,
      schedule.nextRunMs,
      nowMs,
    ],
  )
}

/** The slot that a schedule is due at next. */
export interface ScheduleMove {
  readonly id: string
  readonly nextRunMs: number | null
}

/** Sets the slots that are due next of locked schedules. */
export async function advanceSchedules(tx: Queryable, moves: readonly ScheduleMove[]): Promise<void> {
  if (moves.length === 0) return
  await tx.execute(
    {
      name: 'ledger-schedule-advance',
      text: `update ledger.schedule s set next_run_ms = m.next_run_ms
        from unnest($1::text[], $2::bigint[]) m (id, next_run_ms) where s.id = m.id`,
    },
    [moves.map(({ id }) => id), moves.map(({ nextRunMs }) => nextRunMs)],
  )
}

export async function pauseSchedule(
  tx: Queryable,
  id: string,
  pause: { readonly paused: boolean; readonly nextRunMs: number | null; readonly nowMs: number },
): Promise<void> {
  await tx.execute(
    {
      name: 'ledger-schedule-pause',
      text: 'update ledger.schedule set paused = $2, next_run_ms = $3, updated_ms = $4 where id = $1',
    },
    [id, pause.paused, pause.nextRunMs, pause.nowMs],
  )
}

/** Takes away the schedules that the configuration no longer has; their runs stay. */
export async function removeSchedulesExcept(tx: Queryable, ids: readonly string[]): Promise<number> {
  return tx.execute({ name: 'ledger-schedule-prune', text: 'delete from ledger.schedule where not (id = any($1))' }, [
    ids,
  ])
}

/** Runs of schedules that have not ended, oldest first. */
export function openRunsOf(
  tx: Queryable,
  scheduleIds: readonly string[],
): Promise<readonly { readonly id: string; readonly state: string; readonly scheduleId: string }[]> {
  return tx.rows(
    {
      name: 'ledger-schedule-open-runs',
      text: `select id, state, schedule_id as "scheduleId" from ledger.run
        where schedule_id = any($1) and finished_ms is null order by created_ms, id`,
    },
    [scheduleIds],
  )
}
