/** Rows of `ledger.plan`. What a plan says never changes; its state moves only from a state that the caller expects. */
import type { Queryable } from '../database.ts'
import type { NewPlan, PlanRow, PlanState } from './types.ts'

const PLAN_COLUMNS = `id, run_id as "runId", job, state, verdict, reasons, counts, lines, body, artifact, hash,
  expires_ms as "expiresMs", created_ms as "createdMs", decided_by as "decidedBy", decided_ms as "decidedMs",
  apply_run_id as "applyRunId", outcome, finished_ms as "finishedMs"`

/** Adds a plan in state `planned`. */
export async function insertPlan(tx: Queryable, plan: NewPlan): Promise<PlanRow> {
  const [row] = await tx.rows<PlanRow>(
    {
      name: 'ledger-plan-insert',
      text: `insert into ledger.plan (id, run_id, job, state, verdict, reasons, counts, lines, body, artifact, hash,
          expires_ms, created_ms)
        values ($1, $2, $3, 'planned', $4, $5, $6, $7, $8, $9, $10, $11, $12) returning ${PLAN_COLUMNS}`,
    },
    [
      plan.id,
      plan.runId,
      plan.job,
      plan.verdict,
      JSON.stringify(plan.reasons),
      JSON.stringify(plan.counts),
      JSON.stringify(plan.lines),
      JSON.stringify(plan.body),
      plan.artifact,
      plan.hash,
      plan.expiresMs,
      plan.createdMs,
    ],
  )
  if (row === undefined) throw new Error('the insert of a plan gave no row')
  return row
}

export async function readPlan(db: Queryable, id: string): Promise<PlanRow | undefined> {
  const [row] = await db.rows<PlanRow>(
    { name: 'ledger-plan-read', text: `select ${PLAN_COLUMNS} from ledger.plan where id = $1` },
    [id],
  )
  return row
}

/** The plan that a run made. */
export async function readPlanOfRun(db: Queryable, runId: string): Promise<PlanRow | undefined> {
  const [row] = await db.rows<PlanRow>(
    { name: 'ledger-plan-of-run', text: `select ${PLAN_COLUMNS} from ledger.plan where run_id = $1` },
    [runId],
  )
  return row
}

/** Reads a plan and keeps it from changing until the transaction ends. */
export async function lockPlan(tx: Queryable, id: string): Promise<PlanRow | undefined> {
  const [row] = await tx.rows<PlanRow>(
    { name: 'ledger-plan-lock', text: `select ${PLAN_COLUMNS} from ledger.plan where id = $1 for update` },
    [id],
  )
  return row
}

/** Newest first. */
export function listPlans(
  db: Queryable,
  filter: { readonly states?: readonly PlanState[] | undefined; readonly limit: number },
): Promise<readonly PlanRow[]> {
  return db.rows<PlanRow>(
    {
      name: 'ledger-plan-list',
      text: `select ${PLAN_COLUMNS} from ledger.plan where ($1::text[] is null or state = any($1))
        order by created_ms desc, id desc limit $2`,
    },
    [filter.states ?? null, filter.limit],
  )
}

export interface PlanMove {
  readonly from: PlanState
  readonly to: PlanState
  /** Only with a decision. */
  readonly decision?: { readonly by: string; readonly atMs: number }
  readonly applyRunId?: string
  readonly outcome?: string
  readonly finishedMs: number | null
}

/** Moves a plan on if it is still in the state it was seen in. @returns undefined where somebody else was quicker */
export async function movePlan(tx: Queryable, id: string, move: PlanMove): Promise<PlanRow | undefined> {
  const [row] = await tx.rows<PlanRow>(
    {
      name: 'ledger-plan-move',
      text: `update ledger.plan set state = $3, decided_by = coalesce($4, decided_by),
          decided_ms = coalesce($5, decided_ms), apply_run_id = coalesce($6, apply_run_id),
          outcome = coalesce($7, outcome), finished_ms = $8
        where id = $1 and state = $2 returning ${PLAN_COLUMNS}`,
    },
    [
      id,
      move.from,
      move.to,
      move.decision?.by ?? null,
      move.decision?.atMs ?? null,
      move.applyRunId ?? null,
      move.outcome ?? null,
      move.finishedMs,
    ],
  )
  return row
}

/** Plans whose time has passed and that nobody has begun. */
export async function expiredPlans(db: Queryable, nowMs: number, limit: number): Promise<readonly string[]> {
  const rows = await db.rows<{ id: string }>(
    {
      name: 'ledger-plan-expired',
      text: `select id from ledger.plan
        where finished_ms is null and state in ('planned', 'awaiting', 'approved') and expires_ms <= $1
        order by expires_ms limit $2`,
    },
    [nowMs, limit],
  )
  return rows.map((row) => row.id)
}
