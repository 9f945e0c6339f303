/**
 * What a run sent and what was answered, its rejected records and dead letters, its checkpoints. Each write names the
 * attempt and does nothing once another worker has taken the run over; the caller learns it by the count.
 */
import type { JsonObject, JsonValue } from '../../model/json.ts'
import type { Queryable } from '../database.ts'
import type { Hold } from './runs.ts'
import type { DeadLetterRow } from './types.ts'

export interface BatchRow {
  readonly state: 'sent' | 'answered'
  readonly members: number
  readonly unchanged: number
  readonly written: number | null
  readonly refused: number | null
  readonly dead: number | null
  /** Of a batch that was not answered. */
  readonly images: Uint8Array | null
}

export async function readBatch(db: Queryable, runId: string, key: string): Promise<BatchRow | undefined> {
  const [row] = await db.rows<BatchRow>(
    {
      name: 'ledger-batch-read',
      text: `select state, members, unchanged, written, refused, dead, case state when 'sent' then images end as images
        from ledger.batch where run_id = $1 and key = $2`,
    },
    [runId, key],
  )
  return row
}

const HELD = `from ledger.run where id = $1 and attempt = $2 and state = 'running'`

/** A second record of the same key keeps the first, but for its images. @returns false where the run is no longer this worker's */
export async function recordSent(
  db: Queryable,
  hold: Hold,
  batch: {
    readonly key: string
    readonly members: number
    readonly unchanged: number
    readonly images: Uint8Array | null
  },
  nowMs: number,
): Promise<boolean> {
  const rows = await db.rows(
    {
      name: 'ledger-batch-sent',
      text: `with held as (select id ${HELD}),
        kept as (insert into ledger.batch as b (run_id, key, state, attempt, members, unchanged, sent_ms, images)
          select id, $3, 'sent', $2, $4, $5, $6, $7 from held
          on conflict (run_id, key) do update set images = excluded.images where b.state = 'sent')
        select 1 from held`,
    },
    [hold.runId, hold.attempt, batch.key, batch.members, batch.unchanged, nowMs, batch.images],
  )
  return rows.length === 1
}

/** @returns false where the run is no longer this worker's */
export async function recordAnswer(
  tx: Queryable,
  hold: Hold,
  key: string,
  counts: { readonly written: number; readonly unchanged: number; readonly refused: number; readonly dead: number },
  nowMs: number,
): Promise<boolean> {
  const { written, unchanged, refused, dead } = counts
  const touched = await tx.execute(
    {
      name: 'ledger-batch-answered',
      text: `insert into ledger.batch (run_id, key, state, attempt, members, unchanged, written, refused, dead, sent_ms,
          answered_ms)
        select id, $3, 'answered', $2, $4, $5, $6, $7, $8, $9, $9 ${HELD}
        on conflict (run_id, key) do update set state = 'answered', members = excluded.members,
          unchanged = excluded.unchanged, written = excluded.written, refused = excluded.refused,
          dead = excluded.dead, attempt = excluded.attempt, answered_ms = excluded.answered_ms`,
    },
    [hold.runId, hold.attempt, key, written + unchanged + refused + dead, unchanged, written, refused, dead, nowMs],
  )
  return touched === 1
}

/** Images of a run's batches, in the order of their keys, after one of them. */
export function listImages(
  db: Queryable,
  runId: string,
  page: { readonly after: string; readonly limit: number },
): Promise<readonly { readonly key: string; readonly images: Uint8Array }[]> {
  return db.rows(
    {
      name: 'ledger-batch-images',
      text: `select key, images from ledger.batch where run_id = $1 and key > $2 and images is not null
        order by key limit $3`,
    },
    [runId, page.after, page.limit],
  )
}

export interface NewDeadLetter {
  /** Equal for the same thing in every attempt of a run. */
  readonly fingerprint: string
  readonly outcome: 'rejected' | 'refused' | 'dead'
  readonly code: string
  readonly reason: string
  readonly place: JsonObject | null
  readonly record: string | null
  readonly entityUrn: string | null
  readonly aspect: string | null
  readonly proposal: JsonObject | null
  /** Hash of the aspect for which the proposal was made, empty where there was none; null where nothing can be sent. */
  readonly base: string | null
}

export async function recordDeadLetters(
  tx: Queryable,
  hold: Hold,
  letters: readonly NewDeadLetter[],
  nowMs: number,
): Promise<void> {
  if (letters.length === 0) return
  await tx.execute(
    {
      name: 'ledger-dead-letter-insert',
      text: `insert into ledger.dead_letter (run_id, attempt, created_ms, fingerprint, outcome, code, reason, place,
          record, entity_urn, aspect, proposal, base)
        select id, $2, $3, letter.* from ledger.run, unnest($4::text[], $5::text[], $6::text[], $7::text[], $8::json[],
          $9::text[], $10::text[], $11::text[], $12::json[], $13::text[]) letter
        where id = $1 and attempt = $2 and state = 'running'
        on conflict (run_id, fingerprint) do nothing`,
    },
    [
      hold.runId,
      hold.attempt,
      nowMs,
      letters.map((letter) => letter.fingerprint),
      letters.map((letter) => letter.outcome),
      letters.map((letter) => letter.code),
      letters.map((letter) => letter.reason),
      letters.map((letter) => (letter.place === null ? null : JSON.stringify(letter.place))),
      letters.map((letter) => letter.record),
      letters.map((letter) => letter.entityUrn),
      letters.map((letter) => letter.aspect),
      letters.map((letter) => (letter.proposal === null ? null : JSON.stringify(letter.proposal))),
      letters.map((letter) => letter.base),
    ],
  )
}

const LETTER_COLUMNS = `id, run_id as "runId", outcome, code, reason, place, record, entity_urn as "entityUrn", aspect,
  proposal, base, attempt, created_ms as "createdMs", settled_by as "settledBy"`

/** Which dead letters are meant; whatever is absent does not narrow. */
export interface DeadLetterFilter {
  readonly runId?: string | undefined
  readonly ids?: readonly number[] | undefined
  readonly outcomes?: readonly DeadLetterRow['outcome'][] | undefined
  readonly code?: string | undefined
  /** Only those that no run has sent again with success. */
  readonly open: boolean
}

/** A page of them, by id. */
export function findDeadLetters(
  db: Queryable,
  filter: DeadLetterFilter,
  page: { readonly after: number; readonly limit: number },
): Promise<readonly DeadLetterRow[]> {
  return db.rows<DeadLetterRow>(
    {
      name: 'ledger-dead-letter-find',
      text: `select ${LETTER_COLUMNS} from ledger.dead_letter ${FOUND} and id > $6 order by id limit $7`,
    },
    [...filterValues(filter), page.after, page.limit],
  )
}

/** How many of them each run has, by outcome and code; runs with the newest letters first. */
export function countDeadLetters(db: Queryable, filter: DeadLetterFilter): Promise<readonly DeadLetterCount[]> {
  return db.rows<DeadLetterCount>(
    {
      name: 'ledger-dead-letter-count',
      text: `select run_id as "runId", outcome, code, count(*) as count, count(base) as sendable
        from ledger.dead_letter ${FOUND}
        group by run_id, outcome, code order by max(max(id)) over (partition by run_id) desc, outcome, code`,
    },
    filterValues(filter),
  )
}

export interface DeadLetterCount {
  readonly runId: string
  readonly outcome: DeadLetterRow['outcome']
  readonly code: string
  readonly count: number
  /** Of these, how many hold a proposal that can be sent again. */
  readonly sendable: number
}

const FOUND = `where ($1::text is null or run_id = $1) and ($2::bigint[] is null or id = any($2))
  and ($3::text[] is null or outcome = any($3)) and ($4::text is null or code = $4)
  and (not $5::boolean or settled_by is null)`

function filterValues({ runId, ids, outcomes, code, open }: DeadLetterFilter): readonly unknown[] {
  return [runId ?? null, ids ?? null, outcomes ?? null, code ?? null, open]
}

/** Marks dead letters as sent again with success, but for those whose aspect is among the run's own dead letters. */
export async function settleDeadLetters(
  db: Queryable,
  hold: Hold,
  ids: readonly number[],
  nowMs: number,
): Promise<void> {
  await db.execute(
    {
      name: 'ledger-dead-letter-settle',
      text: `update ledger.dead_letter as old set settled_by = $1, settled_ms = $4
        where old.id = any($3) and old.settled_by is null and exists (select 1 ${HELD}) and not exists (
          select 1 from ledger.dead_letter failed where failed.run_id = $1
            and failed.entity_urn = old.entity_urn and failed.aspect = old.aspect)`,
    },
    [hold.runId, hold.attempt, ids, nowMs],
  )
}

export async function readCheckpoint(db: Queryable, runId: string, name: string): Promise<JsonValue | undefined> {
  const [row] = await db.rows<{ value: JsonValue }>(
    { name: 'ledger-checkpoint-read', text: 'select value from ledger.checkpoint where run_id = $1 and name = $2' },
    [runId, name],
  )
  return row?.value
}

/** @returns false where the run is no longer this worker's */
export async function saveCheckpoint(
  db: Queryable,
  hold: Hold,
  checkpoint: { readonly name: string; readonly value: JsonValue },
  nowMs: number,
): Promise<boolean> {
  const touched = await db.execute(
    {
      name: 'ledger-checkpoint-save',
      text: `insert into ledger.checkpoint (run_id, name, value, saved_ms) select id, $3, $4, $5 ${HELD}
        on conflict (run_id, name) do update set value = excluded.value, saved_ms = excluded.saved_ms`,
    },
    [hold.runId, hold.attempt, checkpoint.name, JSON.stringify(checkpoint.value), nowMs],
  )
  return touched === 1
}
