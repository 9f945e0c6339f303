/**
 * Rows of `ledger.run` and `ledger.attempt`. Whoever carries a run out holds its attempt number: every write of a worker
 * names it and touches nothing once another worker has taken over. Heartbeats are told by the database's clock, so that
 * machines need not agree on the time.
 */
import { LOCK } from '../locks.ts'
import type { JsonObject } from '../../model/json.ts'
import type { Queryable } from '../database.ts'
import type {
  AttemptOutcome,
  AttemptRow,
  FinishedRunState,
  LedgerBalance,
  NewRun,
  RunRow,
  RunState,
  StoredError,
} from './types.ts'

const RUN_COLUMNS = `id, job, mode, applies, trigger, requested_by as "requestedBy", schedule_id as "scheduleId",
  slot_ms as "slotMs", plan_id as "planId", retry_of as "retryOf", target, resources, input, input_hash as "inputHash",
  protocol, carrier, state, reason, max_attempts as "maxAttempts", attempt, failures, stalls, not_before_ms as "notBeforeMs", worker,
  heartbeat_ms as "heartbeatMs", cancel_requested_ms as "cancelRequestedMs",
  cancel_requested_by as "cancelRequestedBy", progress,
  json_build_object(
    'records', json_build_object('read', records_read, 'used', records_used, 'duplicate', records_duplicate,
      'noEffect', records_no_effect, 'rejected', records_rejected),
    'proposals', json_build_object('made', proposals_made, 'written', proposals_written,
      'unchanged', proposals_unchanged, 'refused', proposals_refused, 'dead', proposals_dead)) as balance,
  json_build_object('records', records_unsettled, 'proposals', proposals_unsettled) as unsettled,
  rejected_by_code as "rejectedByCode", report, lines, error, created_ms as "createdMs", started_ms as "startedMs",
  finished_ms as "finishedMs"`

const DATABASE_NOW_MS = `(extract(epoch from clock_timestamp()) * 1000)::bigint`

/** Adds a run in state `queued`, or `skipped` with a reason. @returns undefined where the id is taken */
export async function insertRun(
  db: Queryable,
  run: NewRun,
  skipped?: { readonly reason: string },
): Promise<RunRow | undefined> {
  const [row] = await db.rows<RunRow>(
    {
      name: 'ledger-run-insert',
      text: `insert into ledger.run (id, job, mode, applies, trigger, requested_by, schedule_id, slot_ms, plan_id,
          retry_of, target, resources, input, input_hash, state, reason, max_attempts, not_before_ms, created_ms,
          finished_ms, protocol)
        values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $18, $19, $20)
        on conflict (id) do nothing returning ${RUN_COLUMNS}`,
    },
    [
      run.id,
      run.job,
      run.mode,
      run.applies,
      run.trigger,
      run.requestedBy,
      run.scheduleId,
      run.slotMs,
      run.planId,
      run.retryOf,
      run.target,
      run.resources,
      JSON.stringify(run.input),
      run.inputHash,
      skipped === undefined ? 'queued' : 'skipped',
      skipped?.reason ?? null,
      run.maxAttempts,
      run.createdMs,
      skipped === undefined ? null : run.createdMs,
      run.protocol,
    ],
  )
  return row
}

export async function readRun(db: Queryable, id: string): Promise<RunRow | undefined> {
  const [row] = await db.rows<RunRow>(
    { name: 'ledger-run-read', text: `select ${RUN_COLUMNS} from ledger.run where id = $1` },
    [id],
  )
  return row
}

/** Reads a run and keeps it from changing until the transaction ends. */
export async function lockRun(tx: Queryable, id: string): Promise<RunRow | undefined> {
  const [row] = await tx.rows<RunRow>(
    { name: 'ledger-run-lock', text: `select ${RUN_COLUMNS} from ledger.run where id = $1 for update` },
    [id],
  )
  return row
}

export interface RunFilter {
  readonly job?: string | undefined
  readonly states?: readonly RunState[] | undefined
  readonly scheduleId?: string | undefined
  readonly limit: number
}

/** Newest first. */
export function listRuns(db: Queryable, filter: RunFilter): Promise<readonly RunRow[]> {
  return db.rows<RunRow>(
    {
      name: 'ledger-run-list',
      text: `select ${RUN_COLUMNS} from ledger.run
        where ($1::text is null or job = $1) and ($2::text[] is null or state = any($2))
          and ($3::text is null or schedule_id = $3)
        order by created_ms desc, id desc limit $4`,
    },
    [filter.job ?? null, filter.states ?? null, filter.scheduleId ?? null, filter.limit],
  )
}

/** How long ago the worker of a run was last heard of, by the database's clock; undefined where there is none. */
export async function silenceMs(db: Queryable, id: string): Promise<number | undefined> {
  const [row] = await db.rows<{ silence: number | null }>(
    {
      name: 'ledger-run-silence',
      text: `select ${DATABASE_NOW_MS} - heartbeat_ms as silence from ledger.run where id = $1`,
    },
    [id],
  )
  return row?.silence ?? undefined
}

/** Begins the next attempt of a run that the caller has locked. An attempt still open is closed as stalled. */
export async function startAttempt(
  tx: Queryable,
  start: { readonly runId: string; readonly worker: string; readonly nowMs: number },
): Promise<RunRow> {
  await closeAttempt(tx, { runId: start.runId, outcome: 'stalled', error: null, nowMs: start.nowMs })
  const [row] = await tx.rows<RunRow>(
    {
      name: 'ledger-run-start',
      text: `update ledger.run set state = 'running', attempt = attempt + 1, worker = $2, reason = null,
          heartbeat_ms = ${DATABASE_NOW_MS}, started_ms = coalesce(started_ms, $3),
          stalls = stalls + case when state = 'running' then 1 else 0 end
        where id = $1 returning ${RUN_COLUMNS}`,
    },
    [start.runId, start.worker, start.nowMs],
  )
  if (row === undefined) throw new Error(`run ${start.runId} is gone`)
  await tx.execute(
    {
      name: 'ledger-attempt-start',
      text: `insert into ledger.attempt (run_id, number, worker, outcome, started_ms) values ($1, $2, $3, 'running', $4)`,
    },
    [start.runId, row.attempt, start.worker, start.nowMs],
  )
  return row
}

/** The holder of an attempt. */
export interface Hold {
  readonly runId: string
  readonly attempt: number
}

/** Says that the worker lives. @returns undefined where the run is no longer this worker's */
export async function heartbeat(
  db: Queryable,
  hold: Hold,
  facts: { readonly progress: JsonObject | null; readonly balance: LedgerBalance },
): Promise<{ readonly cancelRequestedBy: string | null } | undefined> {
  const [row] = await db.rows<{ cancelRequestedBy: string | null }>(
    {
      name: 'ledger-run-heartbeat',
      text: `update ledger.run set heartbeat_ms = ${DATABASE_NOW_MS}, progress = $3, ${balanceAssignments(4)}
        where id = $1 and attempt = $2 and state = 'running'
        returning case when cancel_requested_ms is null then null
          else coalesce(cancel_requested_by, '') end as "cancelRequestedBy"`,
    },
    [hold.runId, hold.attempt, json(facts.progress), ...balanceValues(facts.balance)],
  )
  return row
}

export interface RunEnd {
  readonly state: FinishedRunState
  readonly reason: string | null
  readonly report: JsonObject | null
  readonly lines: readonly string[]
  readonly error: StoredError | null
  readonly rejectedByCode: Readonly<Record<string, number>>
  readonly nowMs: number
}

/**
 * Ends a run that the caller holds or has locked, and its open attempt. What was taken on and not brought to an end
 * becomes `unsettled`; the table refuses that for a run that succeeded.
 */
export async function finishRun(tx: Queryable, runId: string, end: RunEnd): Promise<void> {
  await tx.execute(
    {
      name: 'ledger-run-finish',
      text: `update ledger.run set state = $2, reason = $3, report = $4, lines = $5, error = $6,
          rejected_by_code = $7, finished_ms = $8,
          records_unsettled = records_read - records_used - records_duplicate - records_no_effect - records_rejected,
          proposals_unsettled =
            proposals_made - proposals_written - proposals_unchanged - proposals_refused - proposals_dead
        where id = $1 and finished_ms is null`,
    },
    [
      runId,
      end.state,
      end.reason,
      json(end.report),
      JSON.stringify(end.lines),
      json(end.error),
      JSON.stringify(end.rejectedByCode),
      end.nowMs,
    ],
  )
  const outcome = end.state === 'skipped' ? 'cancelled' : end.state
  await closeAttempt(tx, { runId, outcome, error: end.error, nowMs: end.nowMs })
}

/** Puts a run back: for another attempt after an error (`failed`), or since its worker stops (`stopped`). */
export async function requeueRun(
  tx: Queryable,
  runId: string,
  back: {
    readonly outcome: 'failed' | 'stopped'
    readonly error: StoredError | null
    readonly reason: string
    readonly notBeforeMs: number
    readonly nowMs: number
  },
): Promise<void> {
  await tx.execute(
    {
      name: 'ledger-run-requeue',
      text: `update ledger.run set state = 'queued', worker = null, heartbeat_ms = null, reason = $2, error = $3,
          not_before_ms = $4, failures = failures + $5 where id = $1 and state = 'running'`,
    },
    [runId, back.reason, json(back.error), back.notBeforeMs, back.outcome === 'failed' ? 1 : 0],
  )
  await closeAttempt(tx, { runId, outcome: back.outcome, error: back.error, nowMs: back.nowMs })
}

/**
 * Marks a locked run whose worker was lost; it waits for another one, and a new job of the queue carries it: the old one
 * stays locked there for a while.
 */
export async function stallRun(tx: Queryable, runId: string, nowMs: number): Promise<RunRow> {
  const [row] = await tx.rows<RunRow>(
    {
      name: 'ledger-run-stall',
      text: `update ledger.run set state = 'stalled', stalls = stalls + 1, carrier = carrier + 1,
          reason = 'its worker was lost', not_before_ms = $2 where id = $1 and state = 'running' returning ${RUN_COLUMNS}`,
    },
    [runId, nowMs],
  )
  if (row === undefined) throw new Error(`run ${runId} is gone`)
  await closeAttempt(tx, { runId, outcome: 'stalled', error: null, nowMs })
  return row
}

/** Notes why a queued run has to wait. */
export async function postponeRun(
  tx: Queryable,
  runId: string,
  wait: { readonly reason: string; readonly notBeforeMs: number },
): Promise<void> {
  await tx.execute(
    {
      name: 'ledger-run-postpone',
      text: `update ledger.run set reason = $2, not_before_ms = $3 where id = $1 and state in ('queued', 'stalled')`,
    },
    [runId, wait.reason, wait.notBeforeMs],
  )
}

export async function requestCancel(
  tx: Queryable,
  runId: string,
  by: { readonly person: string; readonly nowMs: number },
): Promise<void> {
  await tx.execute(
    {
      name: 'ledger-run-request-cancel',
      text: `update ledger.run set cancel_requested_ms = coalesce(cancel_requested_ms, $3),
          cancel_requested_by = coalesce(cancel_requested_by, $2) where id = $1 and finished_ms is null`,
    },
    [runId, by.person, by.nowMs],
  )
}

/** Running runs whose worker has not been heard of for `silentMs`, by the database's clock. */
export async function silentRuns(db: Queryable, silentMs: number, limit: number): Promise<readonly string[]> {
  const rows = await db.rows<{ id: string }>(
    {
      name: 'ledger-run-silent',
      text: `select id from ledger.run where state = 'running' and heartbeat_ms < ${DATABASE_NOW_MS} - $1::bigint
        order by heartbeat_ms limit $2`,
    },
    [silentMs, limit],
  )
  return rows.map((row) => row.id)
}

/** A place in the list of runs that wait. */
export interface OverdueRun {
  readonly id: string
  readonly job: string
  readonly carrier: number
  readonly notBeforeMs: number
}

/**
 * Runs that should have begun before `beforeMs` and have not: perhaps the queue has lost them.
 * @param from where the last call ended; the beginning when absent
 */
export function overdueRuns(
  db: Queryable,
  beforeMs: number,
  limit: number,
  from?: OverdueRun,
): Promise<readonly OverdueRun[]> {
  return db.rows<OverdueRun>(
    {
      name: 'ledger-run-overdue',
      text: `select id, job, carrier, not_before_ms as "notBeforeMs" from ledger.run
        where state in ('queued', 'stalled') and not_before_ms < $1 and (not_before_ms, id) > ($3::bigint, $4::text)
        order by not_before_ms, id limit $2`,
    },
    [beforeMs, limit, from?.notBeforeMs ?? -1, from?.id ?? ''],
  )
}

/** A run under way (or stalled, its effect perhaps still going on) that shares a resource with this one. */
export async function resourceHolder(
  tx: Queryable,
  run: Pick<RunRow, 'id' | 'resources'>,
): Promise<{ readonly id: string; readonly resource: string } | undefined> {
  const [row] = await tx.rows<{ id: string; resources: readonly string[] }>(
    {
      name: 'ledger-run-resource-holder',
      text: `select id, resources from ledger.run
        where finished_ms is null and state in ('running', 'stalled') and resources && $2::text[] and id <> $1
        order by started_ms limit 1`,
    },
    [run.id, run.resources],
  )
  if (row === undefined) return undefined
  return { id: row.id, resource: run.resources.find((key) => row.resources.includes(key)) ?? '' }
}

/** Lets one transaction at a time decide who gets which resource. */
export async function lockResources(tx: Queryable): Promise<void> {
  await tx.execute({ name: 'ledger-resource-lock', text: 'select pg_advisory_xact_lock($1)' }, [LOCK.runResources])
}

export function listAttempts(db: Queryable, runId: string): Promise<readonly AttemptRow[]> {
  return db.rows<AttemptRow>(
    {
      name: 'ledger-attempt-list',
      text: `select number, worker, outcome, error, started_ms as "startedMs", finished_ms as "finishedMs"
        from ledger.attempt where run_id = $1 order by number`,
    },
    [runId],
  )
}

/** Writes the balance of a run that the caller holds or has locked. */
export async function writeBalance(tx: Queryable, runId: string, balance: LedgerBalance): Promise<void> {
  await tx.execute(
    {
      name: 'ledger-run-balance',
      text: `update ledger.run set ${balanceAssignments(2)} where id = $1 and finished_ms is null`,
    },
    [runId, ...balanceValues(balance)],
  )
}

async function closeAttempt(
  tx: Queryable,
  end: {
    readonly runId: string
    readonly outcome: Exclude<AttemptOutcome, 'running'>
    readonly error: StoredError | null
    readonly nowMs: number
  },
): Promise<void> {
  await tx.execute(
    {
      name: 'ledger-attempt-close',
      text: `update ledger.attempt set outcome = $2, error = $3, finished_ms = $4
        where run_id = $1 and outcome = 'running'`,
    },
    [end.runId, end.outcome, json(end.error), end.nowMs],
  )
}

const BALANCE_COLUMNS = [
  'records_read',
  'records_used',
  'records_duplicate',
  'records_no_effect',
  'records_rejected',
  'proposals_made',
  'proposals_written',
  'proposals_unchanged',
  'proposals_refused',
  'proposals_dead',
] as const

function balanceAssignments(from: number): string {
  return BALANCE_COLUMNS.map((column, i) => `${column} = $${from + i}`).join(', ')
}

function balanceValues({ records, proposals }: LedgerBalance): readonly number[] {
  return [
    records.read,
    records.used,
    records.duplicate,
    records.noEffect,
    records.rejected,
    proposals.made,
    proposals.written,
    proposals.unchanged,
    proposals.refused,
    proposals.dead,
  ]
}

function json(value: object | null): string | null {
  return value === null ? null : JSON.stringify(value)
}
