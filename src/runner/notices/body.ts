/** What a notice says: facts for programs, and a sentence for people in `text`, where chat services look for it. */
import { assertNever } from '../../model/errors.ts'
import { stringsAt, type JsonObject } from '../../model/json.ts'
import type { Secret } from '../../model/secret.ts'
import { maskUrls } from '../../observe/logger.ts'
import type { Queryable } from '../../store/database.ts'
import type { NewsRow } from '../../store/ledger/notices.ts'
import { readPlan } from '../../store/ledger/plans.ts'
import { readRun } from '../../store/ledger/runs.ts'
import type { PlanRow, RunRow } from '../../store/ledger/types.ts'
import { asJson } from '../parts.ts'

export async function noticeBody(
  db: Queryable,
  news: NewsRow,
  { nowMs, secrets }: { readonly nowMs: number; readonly secrets: readonly Secret[] },
): Promise<JsonObject> {
  const run = news.runId === null ? undefined : await readRun(db, news.runId)
  const plan = news.planId === null ? undefined : await readPlan(db, news.planId)
  const body = asJson({
    kind: news.kind,
    text: sentence(news, run, plan),
    at: new Date(nowMs).toISOString(),
    subject: news.subject,
    slot: news.slotMs === null ? undefined : new Date(news.slotMs).toISOString(),
    run: run === undefined ? undefined : runFacts(run),
    plan: plan === undefined ? undefined : planFacts(plan),
    alarms: news.kind === 'alarm' ? alarmsOf(run) : undefined,
  })
  return masked(body, secrets)
}

function sentence({ kind, subject, slotMs }: NewsRow, run: RunRow | undefined, plan: PlanRow | undefined): string {
  const slot = slotMs === null ? '' : ` of ${new Date(slotMs).toISOString()}`
  switch (kind) {
    case 'failed':
      return `${subject}: run ${run?.id} failed: ${run?.error?.code} ${run?.error?.message}`
    case 'late':
      return run === undefined
        ? `${subject}: the slot${slot} was not fired: no scheduler ticks`
        : `${subject}: run ${run.id} has not begun: ${run.reason ?? 'no worker takes it'}`
    case 'zero-rows':
      return `${subject}: run ${run?.id} read nothing`
    case 'plan-waiting':
      return `${subject}: plan ${plan?.id} waits for a decision until ${new Date(plan?.expiresMs ?? 0).toISOString()}`
    case 'alarm':
      return `${subject}: run ${run?.id}: ${alarmsOf(run).join('; ')}`
    default:
      return assertNever(kind)
  }
}

/** What the job's report calls `alarms`: sentences. */
function alarmsOf(run: RunRow | undefined): readonly string[] {
  return stringsAt(run?.report ?? undefined, 'alarms')
}

function runFacts({ id, job, state, scheduleId, slotMs, error, reason, attempt, balance }: RunRow): object {
  return { id, job, state, schedule: scheduleId, slotMs, error, reason, attempt, balance }
}

function planFacts({ id, job, state, counts, reasons, expiresMs, hash }: PlanRow): object {
  return { id, job, state, counts, reasons, expiresMs, hash }
}

/** Without passwords in addresses, and without any of the secrets that this process knows. */
function masked(body: JsonObject, secrets: readonly Secret[]): JsonObject {
  let text = JSON.stringify(body, (_, value: unknown) => (typeof value === 'string' ? maskUrls(value) : value))
  for (const secret of secrets) {
    const spelled = JSON.stringify(secret.reveal()).slice(1, -1)
    if (spelled !== '') text = text.replaceAll(spelled, '***')
  }
  return JSON.parse(text) as JsonObject
}
