/**
 * What may go from the ledger. Each statement takes a bounded piece, so that no lock is held for long; the caller repeats
 * until a piece comes back smaller. A run goes with its attempts, journal, dead letters, checkpoints and plan; never one
 * that has not ended, nor one whose plan, made or carried out, has not.
 */
import type { Queryable } from '../database.ts'

/** What is kept; what is older, or beyond the count of the newest, may go. */
export interface KeepLimits {
  readonly runsBeforeMs: number
  readonly runCount: number
  readonly journalBeforeMs: number
  readonly deadLettersBeforeMs: number
  readonly deadLetterCount: number
  readonly noticesBeforeMs: number
  readonly historyBeforeMs: number
  readonly historyVersions: number
}

export const PRUNED = ['runs', 'journal', 'deadLetters', 'notices', 'history'] as const
export type Pruned = (typeof PRUNED)[number]

const ENDED_RUNS = `select r.id from ledger.run r where r.finished_ms is not null
  and (r.finished_ms < $1 or (r.finished_ms, r.id) <= (select finished_ms, id from ledger.run
    where finished_ms is not null order by finished_ms desc, id desc offset $2 limit 1))
  and not exists (select 1 from ledger.plan p
    where p.finished_ms is null and (p.run_id = r.id or p.apply_run_id = r.id or p.id = r.plan_id))`

/** Of runs that have ended: what an open one sent before is how its next attempt goes on. */
const ENDED_JOURNAL = `select b.run_id, b.key from ledger.batch b join ledger.run r on r.id = b.run_id
  where r.finished_ms < $1`

const OLD_LETTERS = `select d.id from ledger.dead_letter d join ledger.run r on r.id = d.run_id
  where r.finished_ms is not null and (d.created_ms < $1
    or d.id <= (select id from ledger.dead_letter order by id desc offset $2 limit 1))`

const OLD_NOTICES = `select webhook, key from ledger.notice where finished_ms < $1`

/** The newest stands in catalog.aspect and is never touched. */
const OLD_HISTORY = `select h.urn_id, h.name, h.version from catalog.aspect_history h
  join catalog.aspect a on a.urn_id = h.urn_id and a.name = h.name
  where h.written_ms < $1 and h.version <= a.version - $2::int`

interface Piece {
  /** Selects the keys of what may go. */
  readonly found: string
  readonly table: string
  readonly keys: readonly string[]
  readonly values: (keep: KeepLimits) => readonly number[]
}

const PIECES: Readonly<Record<Pruned, Piece>> = {
  runs: {
    found: ENDED_RUNS,
    table: 'ledger.run',
    keys: ['id'],
    values: (keep) => [keep.runsBeforeMs, keep.runCount],
  },
  journal: {
    found: ENDED_JOURNAL,
    table: 'ledger.batch',
    keys: ['run_id', 'key'],
    values: (keep) => [keep.journalBeforeMs],
  },
  deadLetters: {
    found: OLD_LETTERS,
    table: 'ledger.dead_letter',
    keys: ['id'],
    values: (keep) => [keep.deadLettersBeforeMs, keep.deadLetterCount],
  },
  notices: {
    found: OLD_NOTICES,
    table: 'ledger.notice',
    keys: ['webhook', 'key'],
    values: (keep) => [keep.noticesBeforeMs],
  },
  history: {
    found: OLD_HISTORY,
    table: 'catalog.aspect_history',
    keys: ['urn_id', 'name', 'version'],
    values: (keep) => [keep.historyBeforeMs, keep.historyVersions],
  },
}

/** How much may go. */
export async function countPrunable(db: Queryable, what: Pruned, keep: KeepLimits): Promise<number> {
  const { found, values } = PIECES[what]
  const [row] = await db.rows<{ count: number }>(`select count(*) as count from (${found}) found`, values(keep))
  return row?.count ?? 0
}

/** Takes away one piece. @returns how many rows, without those that went along with them */
export function prunePiece(db: Queryable, what: Pruned, keep: KeepLimits, limit: number): Promise<number> {
  const { found, table, keys, values } = PIECES[what]
  const match = keys.map((key) => `t.${key} = gone.${key}`).join(' and ')
  return db.execute(`delete from ${table} t using (${found} limit ${limit}) gone where ${match}`, values(keep))
}

/** Which of these runs the ledger does not have any more. */
export async function forgottenRuns(db: Queryable, ids: readonly string[]): Promise<readonly string[]> {
  const rows = await db.rows<{ id: string }>(
    {
      name: 'ledger-prune-forgotten',
      text: `select id from unnest($1::text[]) as asked (id)
        where not exists (select 1 from ledger.run r where r.id = asked.id)`,
    },
    [ids],
  )
  return rows.map(({ id }) => id)
}
