/** What the ledger holds now, in figures; for metrics and health, the same whichever process asks. */
import type { JsonObject } from '../../model/json.ts'
import type { Queryable } from '../database.ts'
import type { PlanState, RunState } from './types.ts'

export interface OpenRunsFigure {
  readonly job: string
  readonly state: RunState
  readonly count: number
  /** When the longest waiting or running of them was asked for. */
  readonly oldestCreatedMs: number
}

export function openRunFigures(db: Queryable): Promise<readonly OpenRunsFigure[]> {
  return db.rows<OpenRunsFigure>({
    name: 'ledger-figures-open-runs',
    text: `select job, state, count(*) as count, min(created_ms) as "oldestCreatedMs" from ledger.run
      where finished_ms is null group by job, state`,
  })
}

export function openPlanFigures(
  db: Queryable,
): Promise<readonly { readonly job: string; readonly state: PlanState; readonly count: number }[]> {
  return db.rows({
    name: 'ledger-figures-open-plans',
    text: `select job, state, count(*) as count from ledger.plan where finished_ms is null group by job, state`,
  })
}

/** How long the most overdue slot has been due, in milliseconds; 0 where none is. */
export async function overdueSlotMs(db: Queryable, nowMs: number): Promise<number> {
  const [row] = await db.rows<{ overdue: number | null }>(
    {
      name: 'ledger-figures-overdue',
      text: `select max($1 - next_run_ms) as overdue from ledger.schedule
        where enabled and not paused and next_run_ms <= $1`,
    },
    [nowMs],
  )
  return row?.overdue ?? 0
}

export function deadLetterFigures(
  db: Queryable,
): Promise<readonly { readonly outcome: string; readonly count: number }[]> {
  return db.rows({
    name: 'ledger-figures-dead-letters',
    text: 'select outcome, count(*) as count from ledger.dead_letter group by outcome',
  })
}

/** Bytes on disk of each of our schemas, indexes included, and of the whole database as `(all)`. */
export function sizeFigures(db: Queryable): Promise<readonly { readonly schema: string; readonly bytes: number }[]> {
  return db.rows({
    name: 'ledger-figures-sizes',
    text: `select n.nspname as schema, sum(pg_total_relation_size(c.oid))::bigint as bytes
      from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname in ('catalog', 'ledger', 'bullmq', 'headwater') and c.relkind in ('r', 'm')
      group by n.nspname
      union all select '(all)', pg_database_size(current_database())`,
  })
}

/** What was last measured of each timeseries index, by catalog ('' is our own). */
export function indexFigures(
  db: Queryable,
): Promise<readonly { readonly target: string; readonly index: string; readonly facts: JsonObject }[]> {
  return db.rows({
    name: 'ledger-figures-indexes',
    text: `select distinct on (target, series) target, substr(series, length('index-size/') + 1) as index, facts
      from ledger.measurement where starts_with(series, 'index-size/') order by target, series, at_ms desc`,
  })
}
