/**
 * Housekeeping: what a ledger of years need not keep. Runs that have not ended, and plans that nobody has decided, are
 * never touched, however old.
 */
import { setImmediate as breathe } from 'node:timers/promises'
import type { Database } from '../../store/database.ts'
import { countPrunable, PRUNED, prunePiece, type KeepLimits, type Pruned } from '../../store/ledger/prune.ts'

/** What is kept, as the configuration says it. */
export interface KeepPolicy {
  readonly runDays: number
  readonly runCount: number
  readonly journalDays: number
  readonly deadLetterDays: number
  readonly deadLetterCount: number
  readonly historyDays: number
  readonly historyVersions: number
}

const DAY_MS = 24 * 3_600_000
/** Notices are looked up for a week after their event, so they stay for a month. */
const NOTICE_DAYS = 30
const PIECE = 1_000

export type PruneCounts = Readonly<Record<Pruned, number>>

export function keepLimits(keep: KeepPolicy, nowMs: number): KeepLimits {
  const before = (days: number) => nowMs - days * DAY_MS
  return {
    runsBeforeMs: before(keep.runDays),
    runCount: keep.runCount,
    journalBeforeMs: before(keep.journalDays),
    deadLettersBeforeMs: before(keep.deadLetterDays),
    deadLetterCount: keep.deadLetterCount,
    noticesBeforeMs: before(NOTICE_DAYS),
    historyBeforeMs: before(keep.historyDays),
    historyVersions: keep.historyVersions,
  }
}

/** How much would go now. */
export async function prunable(database: Database, limits: KeepLimits): Promise<PruneCounts> {
  const counts: Partial<Record<Pruned, number>> = {}
  for (const what of PRUNED) counts[what] = await countPrunable(database, what, limits)
  return counts as PruneCounts
}

/**
 * Takes away what may go, piece by piece.
 * @param onPiece is called after each piece; may throw to end at this border
 */
export async function prune(
  database: Database,
  limits: KeepLimits,
  onPiece: (what: Pruned, count: number) => void,
): Promise<void> {
  for (const what of PRUNED) {
    for (let count = PIECE; count === PIECE;) {
      count = await prunePiece(database, what, limits, PIECE)
      onPiece(what, count)
      await breathe()
    }
  }
}
