/**
 * Tells the outside what a person should know: a run failed, a slot is late, a run read nothing, a plan waits. What is
 * news is found in the ledger, so that an event is told whoever saw it, also after all were down; each is told once to
 * each receiver, tried again with growing waits, and the same of the same subject is folded for a while.
 *
 *   ledger ─► news that a receiver was not told ─► notice: waiting ─► sent | dead
 *                                                        └► folded, counted in the next one
 */
import { postNotice, type Webhook } from '../../client/webhook.ts'
import type { Secret } from '../../model/secret.ts'
import type { Closable } from '../../observe/resources.ts'
import { transaction } from '../../store/database.ts'
import {
  claimNotices,
  endNotice,
  foldedBefore,
  insertNotice,
  lockNotices,
  newsFor,
  postponeNotice,
  rememberWebhook,
  toldSince,
  type NoticeKind,
  type NoticeRow,
} from '../../store/ledger/notices.ts'
import type { RunnerParts } from '../parts.ts'
import { repeatUntilClosed } from '../repeat.ts'
import { noticeBody } from './body.ts'

export interface Receiver extends Webhook {
  readonly on: readonly NoticeKind[]
  /** How long after its slot a run must have begun. */
  readonly lateMs: number
  /** How long the same of the same subject is not told again. */
  readonly foldMs: number
}

export interface NoticeSettings {
  readonly receivers: readonly Receiver[]
  /** Texts that must not leave, wherever they stand. */
  readonly secrets: readonly Secret[]
  readonly intervalMs: number
  /** The first wait after a failed try; doubles. */
  readonly firstRetryMs: number
  readonly maxAttempts: number
  /** Between 0 and 1; spreads the tries. */
  readonly chance: () => number
}

export const NOTICE_DEFAULTS = { intervalMs: 5_000, firstRetryMs: 15_000, maxAttempts: 10 } as const

const PASS_LIMIT = 100
const LONGEST_RETRY_MS = 3_600_000
/** How long a process that claimed a notice has for it. */
const LEASE_MS = 60_000
/** News are looked for no further back: older rows may have been pruned, and told long ago. */
const HORIZON_MS = 7 * 24 * 3_600_000

/** One pass: finds what is news, and sends what is due. */
export async function tellNews(parts: RunnerParts, settings: NoticeSettings): Promise<void> {
  for (const receiver of settings.receivers) await findNews(parts, settings, receiver)
  await sendDue(parts, settings)
}

function findNews(parts: RunnerParts, settings: NoticeSettings, receiver: Receiver): Promise<void> {
  const nowMs = parts.clock.now()
  const quietJobs = parts.jobs.all().filter(({ quietWhenEmpty }) => quietWhenEmpty === true)
  return transaction(parts.database, async (tx) => {
    await lockNotices(tx)
    const sinceMs = Math.max(await rememberWebhook(tx, receiver.name, nowMs), nowMs - HORIZON_MS)
    const news = await newsFor(tx, {
      webhook: receiver.name,
      kinds: receiver.on,
      sinceMs,
      lateBeforeMs: nowMs - receiver.lateMs,
      quietJobs: quietJobs.map(({ name }) => name),
      limit: PASS_LIMIT,
    })
    for (const one of news) {
      const about = { webhook: receiver.name, kind: one.kind, subject: one.subject }
      // Each plan wants its own decision.
      const folded = one.kind !== 'plan-waiting' && (await toldSince(tx, about, nowMs - receiver.foldMs))
      const body = await noticeBody(tx, one, { nowMs, secrets: settings.secrets })
      await insertNotice(tx, { ...about, key: one.key, body, folded }, nowMs)
      if (folded) parts.metrics.notices.inc({ webhook: receiver.name, outcome: 'folded' })
    }
  })
}

async function sendDue(parts: RunnerParts, settings: NoticeSettings): Promise<void> {
  const names = settings.receivers.map(({ name }) => name)
  const due = await claimNotices(parts.database, names, {
    nowMs: parts.clock.now(),
    leaseMs: LEASE_MS,
    limit: PASS_LIMIT,
  })
  await Promise.all(due.map((notice) => send(parts, settings, notice)))
}

async function send(parts: RunnerParts, settings: NoticeSettings, notice: NoticeRow): Promise<void> {
  const { database, clock, logger, metrics } = parts
  const receiver = settings.receivers.find(({ name }) => name === notice.webhook)
  if (receiver === undefined) return
  const end = (state: 'sent' | 'dead', error: string | null) => {
    metrics.notices.inc({ webhook: notice.webhook, outcome: state })
    return endNotice(database, notice, { state, error, nowMs: clock.now() })
  }
  try {
    const folded = await foldedBefore(database, notice)
    const body = { ...notice.body, ...(folded === 0 ? {} : { folded }) }
    await postNotice(receiver, { delivery: notice.key, body })
    await end('sent', null)
  } catch (err) {
    const reason = err instanceof Error ? err.message : String(err)
    if (notice.attempts >= settings.maxAttempts) {
      logger.error({ err, notice: notice.key }, 'notice given up')
      return end('dead', reason)
    }
    const longest = Math.min(settings.firstRetryMs * 2 ** (notice.attempts - 1), LONGEST_RETRY_MS)
    const afterMs = Math.round(longest * (0.5 + settings.chance() / 2))
    logger.warn({ err, notice: notice.key, afterMs }, 'notice not taken, another try follows')
    await postponeNotice(database, notice, { error: reason, notBeforeMs: clock.now() + afterMs })
  }
}

/** Tells news until it is closed; several processes do no harm. */
export function openNotices(parts: RunnerParts, settings: NoticeSettings): Closable {
  return repeatUntilClosed(() => tellNews(parts, settings), {
    intervalMs: settings.intervalMs,
    onError: (err) => parts.logger.warn({ err }, 'notices not looked for, the next pass follows'),
  })
}
