/** Rows of `ledger.webhook` and `ledger.notice`: what is told to whom, once per key. */
import type { JsonObject } from '../../model/json.ts'
import type { Queryable } from '../database.ts'
import { LOCK } from '../locks.ts'

export const NOTICE_KINDS = ['failed', 'late', 'zero-rows', 'plan-waiting', 'alarm'] as const
export type NoticeKind = (typeof NOTICE_KINDS)[number]

/** Something worth telling that the receiver has not been told. */
export interface NewsRow {
  readonly kind: NoticeKind
  /** Equal for the same event, whoever finds it. */
  readonly key: string
  /** The schedule, else the job. */
  readonly subject: string
  readonly runId: string | null
  readonly planId: string | null
  /** For a slot that nothing fired. */
  readonly slotMs: number | null
}

export interface NoticeRow {
  readonly webhook: string
  readonly key: string
  readonly kind: NoticeKind
  readonly subject: string
  readonly body: JsonObject
  readonly state: 'waiting' | 'sent' | 'folded' | 'dead'
  readonly attempts: number
  readonly error: string | null
  readonly createdMs: number
  readonly finishedMs: number | null
}

const NOTICE_COLUMNS = `webhook, key, kind, subject, body, state, attempts, error, created_ms as "createdMs",
  finished_ms as "finishedMs"`

/** Lets one transaction at a time decide what is news. */
export async function lockNotices(tx: Queryable): Promise<void> {
  await tx.execute({ name: 'ledger-notice-lock', text: 'select pg_advisory_xact_lock($1)' }, [LOCK.notices])
}

/** Remembers a receiver. @returns since when it is told */
export async function rememberWebhook(tx: Queryable, name: string, nowMs: number): Promise<number> {
  await tx.execute(
    {
      name: 'ledger-webhook-remember',
      text: 'insert into ledger.webhook (name, since_ms) values ($1, $2) on conflict do nothing',
    },
    [name, nowMs],
  )
  const [row] = await tx.rows<{ sinceMs: number }>(
    { name: 'ledger-webhook-read', text: 'select since_ms as "sinceMs" from ledger.webhook where name = $1' },
    [name],
  )
  return row?.sinceMs ?? nowMs
}

/** The queries for news, by kind; each knows $1 webhook, $2 since, $3 what is late by now, $4 jobs quiet when empty. */
const NEWS: Readonly<Record<NoticeKind, string>> = {
  failed: `select 'failed' as kind, 'failed:' || id as key, coalesce(schedule_id, job) as subject, id as "runId",
      null::text as "planId", slot_ms as "slotMs" from ledger.run where state = 'failed' and finished_ms >= $2`,
  // A run that its own plan let loose, and one that only plans, read what the plan says, perhaps nothing.
  'zero-rows': `select 'zero-rows', 'zero-rows:' || id, coalesce(schedule_id, job), id, null::text, slot_ms from ledger.run
      where state in ('succeeded', 'partial') and mode = 'apply' and plan_id is null and records_read = 0
        and proposals_made = 0 and not (job = any($4::text[])) and finished_ms >= $2`,
  late: `select 'late', 'late:' || id, schedule_id, id, null::text, slot_ms from ledger.run
      where finished_ms is null and started_ms is null and trigger = 'schedule' and slot_ms < $3 and created_ms >= $2
    union all select 'late', 'late:' || id || '.' || next_run_ms, id, null, null, next_run_ms from ledger.schedule
      where enabled and not paused and next_run_ms < $3 and next_run_ms >= $2`,
  'plan-waiting': `select 'plan-waiting', 'plan-waiting:' || id, job, run_id, id, null::bigint from ledger.plan
      where state = 'awaiting' and created_ms >= $2`,
  // What a job found that a person should look at, although the run came to its end.
  alarm: `select 'alarm', 'alarm:' || id, coalesce(schedule_id, job), id, null::text, slot_ms from ledger.run
      where finished_ms >= $2 and report -> 'alarms' ->> 0 is not null`,
}

/** What the receiver has not been told, at most `limit` of it. */
export function newsFor(
  tx: Queryable,
  asked: {
    readonly webhook: string
    readonly kinds: readonly NoticeKind[]
    readonly sinceMs: number
    readonly lateBeforeMs: number
    readonly quietJobs: readonly string[]
    readonly limit: number
  },
): Promise<readonly NewsRow[]> {
  const found = NOTICE_KINDS.filter((kind) => asked.kinds.includes(kind)).map((kind) => NEWS[kind])
  return tx.rows<NewsRow>(
    `with news (kind, key, subject, "runId", "planId", "slotMs") as (${found.join('\n union all ')}),
      given as (select $1::text as webhook, $2::bigint, $3::bigint, $4::text[])
     select news.* from news, given where not exists
       (select 1 from ledger.notice n where n.webhook = given.webhook and n.key = news.key)
     order by key limit $5`,
    [asked.webhook, asked.sinceMs, asked.lateBeforeMs, asked.quietJobs, asked.limit],
  )
}

/** Whether the receiver was told, or is about to be told, the same of this subject since a moment. */
export async function toldSince(
  tx: Queryable,
  about: Pick<NoticeRow, 'webhook' | 'kind' | 'subject'>,
  sinceMs: number,
): Promise<boolean> {
  const rows = await tx.rows(
    {
      name: 'ledger-notice-told-since',
      text: `select 1 from ledger.notice where webhook = $1 and kind = $2 and subject = $3 and created_ms > $4
        and state in ('waiting', 'sent') limit 1`,
    },
    [about.webhook, about.kind, about.subject, sinceMs],
  )
  return rows.length > 0
}

export async function insertNotice(
  tx: Queryable,
  notice: Pick<NoticeRow, 'webhook' | 'key' | 'kind' | 'subject' | 'body'> & { readonly folded: boolean },
  nowMs: number,
): Promise<void> {
  const { webhook, key, kind, subject, body, folded } = notice
  await tx.execute(
    {
      name: 'ledger-notice-insert',
      text: `insert into ledger.notice (webhook, key, kind, subject, body, state, not_before_ms, created_ms, finished_ms)
        values ($1, $2, $3, $4, $5, $6, $7, $7, $8) on conflict do nothing`,
    },
    [webhook, key, kind, subject, JSON.stringify(body), folded ? 'folded' : 'waiting', nowMs, folded ? nowMs : null],
  )
}

/** Takes notices that are due, for the caller to send; another process sees them again only after `leaseMs`. */
export function claimNotices(
  db: Queryable,
  names: readonly string[],
  { nowMs, leaseMs, limit }: { readonly nowMs: number; readonly leaseMs: number; readonly limit: number },
): Promise<readonly NoticeRow[]> {
  return db.rows<NoticeRow>(
    {
      name: 'ledger-notice-claim',
      text: `update ledger.notice n set attempts = attempts + 1, not_before_ms = $2::bigint + $3
        from (select webhook, key from ledger.notice where state = 'waiting' and not_before_ms <= $2
          and webhook = any($1) order by not_before_ms limit $4 for update skip locked) due
        where n.webhook = due.webhook and n.key = due.key
        returning n.webhook, n.key, n.kind, n.subject, n.body, n.state, n.attempts, n.error,
          n.created_ms as "createdMs", n.finished_ms as "finishedMs"`,
    },
    [names, nowMs, leaseMs, limit],
  )
}

/** How many notices of the subject were folded since the receiver was last told. */
export async function foldedBefore(
  db: Queryable,
  about: Pick<NoticeRow, 'webhook' | 'kind' | 'subject' | 'createdMs'>,
) {
  const [row] = await db.rows<{ count: number }>(
    {
      name: 'ledger-notice-folded-before',
      text: `select count(*) as count from ledger.notice where webhook = $1 and kind = $2 and subject = $3
        and state = 'folded' and created_ms <= $4 and created_ms > coalesce((select max(created_ms)
          from ledger.notice where webhook = $1 and kind = $2 and subject = $3 and state = 'sent'), 0)`,
    },
    [about.webhook, about.kind, about.subject, about.createdMs],
  )
  return row?.count ?? 0
}

export async function endNotice(
  db: Queryable,
  { webhook, key }: Pick<NoticeRow, 'webhook' | 'key'>,
  end: { readonly state: 'sent' | 'dead'; readonly error: string | null; readonly nowMs: number },
): Promise<void> {
  await db.execute(
    {
      name: 'ledger-notice-end',
      text: `update ledger.notice set state = $3, error = $4, finished_ms = $5
        where webhook = $1 and key = $2 and state = 'waiting'`,
    },
    [webhook, key, end.state, end.error, end.nowMs],
  )
}

export async function postponeNotice(
  db: Queryable,
  { webhook, key }: Pick<NoticeRow, 'webhook' | 'key'>,
  wait: { readonly error: string; readonly notBeforeMs: number },
): Promise<void> {
  await db.execute(
    {
      name: 'ledger-notice-postpone',
      text: `update ledger.notice set error = $3, not_before_ms = $4
        where webhook = $1 and key = $2 and state = 'waiting'`,
    },
    [webhook, key, wait.error, wait.notBeforeMs],
  )
}

/** Newest first. */
export function listNotices(db: Queryable, limit: number): Promise<readonly NoticeRow[]> {
  return db.rows<NoticeRow>(
    {
      name: 'ledger-notice-list',
      text: `select ${NOTICE_COLUMNS} from ledger.notice order by created_ms desc, webhook, key limit $1`,
    },
    [limit],
  )
}
