/** The ledger's rows as the program sees them. Times are milliseconds since the epoch; what is absent is null. */
import type { Place } from '../../model/errors.ts'
import type { JsonObject, JsonValue } from '../../model/json.ts'
import type { ProgressReport } from '../../observe/progress.ts'

export const RUN_STATES = [
  'queued',
  'running',
  'stalled',
  'succeeded',
  'partial',
  'failed',
  'cancelled',
  'skipped',
] as const
export type RunState = (typeof RUN_STATES)[number]

/** The states that a run does not leave. */
export const FINISHED_RUN_STATES = ['succeeded', 'partial', 'failed', 'cancelled', 'skipped'] as const
export type FinishedRunState = (typeof FINISHED_RUN_STATES)[number]

export function isFinished(state: RunState): state is FinishedRunState {
  return (FINISHED_RUN_STATES as readonly string[]).includes(state)
}

export type RunTrigger = 'hand' | 'schedule' | 'backfill' | 'plan' | 'retry'

/** `read = used + duplicate + noEffect + rejected`, `made = written + unchanged + refused + dead`. */
export interface LedgerBalance {
  readonly records: {
    readonly read: number
    readonly used: number
    readonly duplicate: number
    readonly noEffect: number
    readonly rejected: number
  }
  readonly proposals: {
    readonly made: number
    readonly written: number
    readonly unchanged: number
    readonly refused: number
    readonly dead: number
  }
}

export const EMPTY_BALANCE: LedgerBalance = {
  records: { read: 0, used: 0, duplicate: 0, noEffect: 0, rejected: 0 },
  proposals: { made: 0, written: 0, unchanged: 0, refused: 0, dead: 0 },
}

/** An error as it is kept in a row. */
export interface StoredError {
  readonly code: string
  readonly message: string
  readonly remedy?: string
  readonly retryable: boolean
  /** True when the run's input is what is wrong. */
  readonly badInput?: boolean
}

export interface NewRun {
  readonly id: string
  readonly job: string
  readonly mode: 'plan' | 'apply'
  readonly applies: boolean
  readonly trigger: RunTrigger
  readonly requestedBy: string | null
  readonly scheduleId: string | null
  readonly slotMs: number | null
  readonly planId: string | null
  readonly retryOf: string | null
  readonly target: string | null
  readonly resources: readonly string[]
  readonly input: JsonObject
  readonly inputHash: string
  readonly maxAttempts: number
  /** The least protocol of a worker that can carry it out. */
  readonly protocol: number
  readonly createdMs: number
}

export interface RunRow extends NewRun {
  readonly state: RunState
  readonly reason: string | null
  /** Number of the attempt under way or of the last one; 0 before the first. */
  readonly attempt: number
  readonly failures: number
  readonly stalls: number
  /** Which of its jobs in the queue carries it. */
  readonly carrier: number
  readonly notBeforeMs: number
  readonly worker: string | null
  readonly heartbeatMs: number | null
  readonly cancelRequestedMs: number | null
  readonly cancelRequestedBy: string | null
  readonly progress: ProgressReport | null
  readonly balance: LedgerBalance
  /** What a run that was stopped in the middle had taken on and not brought to an end. */
  readonly unsettled: { readonly records: number; readonly proposals: number }
  readonly rejectedByCode: Readonly<Record<string, number>>
  readonly report: JsonObject | null
  readonly lines: readonly string[]
  readonly error: StoredError | null
  readonly startedMs: number | null
  readonly finishedMs: number | null
}

export type AttemptOutcome = 'running' | 'succeeded' | 'partial' | 'failed' | 'cancelled' | 'stalled' | 'stopped'

export interface AttemptRow {
  readonly number: number
  readonly worker: string
  readonly outcome: AttemptOutcome
  readonly error: StoredError | null
  readonly startedMs: number
  readonly finishedMs: number | null
}

export const PLAN_STATES = [
  'planned',
  'awaiting',
  'approved',
  'rejected',
  'applying',
  'applied',
  'failed',
  'expired',
  'empty',
] as const
export type PlanState = (typeof PLAN_STATES)[number]

export interface NewPlan {
  readonly id: string
  readonly runId: string
  readonly job: string
  readonly verdict: 'auto' | 'ask' | 'deny' | null
  readonly reasons: readonly string[]
  readonly counts: Readonly<Record<string, number>>
  readonly lines: readonly string[]
  readonly body: JsonObject
  readonly artifact: string | null
  readonly hash: string
  readonly expiresMs: number
  readonly createdMs: number
}

export interface PlanRow extends NewPlan {
  readonly state: PlanState
  /** A person, or `policy`. */
  readonly decidedBy: string | null
  readonly decidedMs: number | null
  readonly applyRunId: string | null
  /** Why it failed. */
  readonly outcome: string | null
  readonly finishedMs: number | null
}

export interface ScheduleDefinition {
  readonly id: string
  readonly cron: string
  readonly timeZone: string
  readonly job: string
  readonly input: JsonObject
  readonly apply: boolean
  readonly catchUp: 'none' | 'latest' | 'all'
  readonly catchUpMax: number
  readonly overlap: 'skip' | 'queue' | 'cancel-old' | 'allow'
  readonly resources: readonly string[]
  readonly enabled: boolean
}

export interface ScheduleRow extends ScheduleDefinition {
  readonly paused: boolean
  readonly nextRunMs: number | null
  readonly updatedMs: number
}

export interface DeadLetterRow {
  readonly id: number
  readonly runId: string
  readonly outcome: 'rejected' | 'refused' | 'dead'
  readonly code: string
  readonly reason: string
  readonly place: Place | null
  readonly record: string | null
  readonly entityUrn: string | null
  readonly aspect: string | null
  /** Without an aspect where nothing can be sent again. */
  readonly proposal: JsonValue
  /** Hash of the aspect for which the proposal was made, empty where there was none; null where nothing can be sent. */
  readonly base: string | null
  readonly attempt: number
  readonly createdMs: number
  /** The run that sent it again with success. */
  readonly settledBy: string | null
}
