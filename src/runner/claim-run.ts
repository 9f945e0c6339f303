import { transaction, type Queryable } from '../store/database.ts'
import {
  finishRun,
  lockResources,
  lockRun,
  postponeRun,
  resourceHolder,
  silenceMs,
  stallRun,
  startAttempt,
} from '../store/ledger/runs.ts'
import type { FinishedRunState, RunRow } from '../store/ledger/types.ts'
import { RUN_PROTOCOL } from './carrier.ts'
import { decideClaim, type Claim } from './claim.ts'
import { settlePlan } from './decide.ts'
import { RunCancelledError, storedErrorOf, WorkerLostError } from './errors.ts'
import { measureEnd } from './measure.ts'
import type { RunnerParts } from './parts.ts'

export interface LeaseSettings {
  /** After this much silence a worker counts as lost. */
  readonly leaseMs: number
  /** Workers that a run may lose before it fails. */
  readonly maxStalls: number
}

/** What a worker does with a run that the queue handed to it. */
export type ClaimedRun =
  | { readonly kind: 'start'; readonly run: RunRow }
  | { readonly kind: 'drop' }
  | { readonly kind: 'wait'; readonly afterMs: number }

/** How long a run waits before it looks again whether a resource is free. */
const RESOURCE_WAIT_MS = 1_000
/** How long a run that this worker is too old for waits before it is handed out again. */
const NEWER_WORKER_WAIT_MS = 2_000

/** Begins the next attempt of a run if it is free, and nobody holds what it needs for itself. */
export function claimRun(
  parts: RunnerParts,
  { runId, carrier }: { readonly runId: string; readonly carrier: number },
  settings: LeaseSettings & { readonly worker: string; readonly protocol?: number },
): Promise<ClaimedRun> {
  const nowMs = parts.clock.now()
  return transaction(parts.database, async (tx) => {
    const run = await lockRun(tx, runId)
    // A newer job carries it, since a worker was lost with this one.
    if (run === undefined || carrier < run.carrier) return { kind: 'drop' }
    if (run.protocol > (settings.protocol ?? RUN_PROTOCOL)) return waitForNewerWorker(tx, run, nowMs)
    const claim = decideClaim(run, { ...settings, nowMs, silentMs: await silenceMs(tx, runId) })
    if (claim.kind === 'drop' || claim.kind === 'wait') return claim
    if (claim.kind === 'start')
      return (await waitForResources(tx, run, nowMs)) ?? start(tx, runId, settings.worker, nowMs)
    await endUnclaimed(parts, tx, run, reasonToEnd(run, claim))
    return { kind: 'drop' }
  })
}

function reasonToEnd(
  run: RunRow,
  claim: Extract<Claim, { kind: 'cancel' | 'give-up' }>,
): RunCancelledError | WorkerLostError {
  return claim.kind === 'cancel'
    ? new RunCancelledError(run.cancelRequestedBy ?? '')
    : new WorkerLostError(claim.stalls)
}

async function start(tx: Queryable, runId: string, worker: string, nowMs: number): Promise<ClaimedRun> {
  return { kind: 'start', run: await startAttempt(tx, { runId, worker, nowMs }) }
}

async function waitForResources(tx: Queryable, run: RunRow, nowMs: number): Promise<ClaimedRun | undefined> {
  if (run.resources.length === 0) return undefined
  await lockResources(tx)
  const holder = await resourceHolder(tx, run)
  if (holder === undefined) return undefined
  await postponeRun(tx, run.id, {
    reason: `waits for ${holder.resource}, which run ${holder.id} has`,
    notBeforeMs: nowMs + RESOURCE_WAIT_MS,
  })
  return { kind: 'wait', afterMs: RESOURCE_WAIT_MS }
}

/** Neither failed nor lost: a worker of the version that asked for it will take it. */
async function waitForNewerWorker(tx: Queryable, run: RunRow, nowMs: number): Promise<ClaimedRun> {
  const reason = `waits for a worker of a newer version (protocol ${run.protocol}; this one knows ${RUN_PROTOCOL})`
  await postponeRun(tx, run.id, { reason, notBeforeMs: nowMs + NEWER_WORKER_WAIT_MS })
  return { kind: 'wait', afterMs: NEWER_WORKER_WAIT_MS }
}

/**
 * A worker has not been heard of: its run becomes `stalled` and waits for another, or ends where it was to be cancelled
 * or too many workers were lost with it.
 * @returns the run where it now waits
 */
export function stallIfSilent(parts: RunnerParts, runId: string, settings: LeaseSettings): Promise<RunRow | undefined> {
  const nowMs = parts.clock.now()
  return transaction(parts.database, async (tx) => {
    const run = await lockRun(tx, runId)
    if (run?.state !== 'running') return undefined
    // A run whose worker was heard of meanwhile has to wait, and so is left alone.
    const claim = decideClaim(run, { ...settings, nowMs, silentMs: await silenceMs(tx, runId) })
    if (claim.kind === 'drop' || claim.kind === 'wait') return undefined
    if (claim.kind === 'start') {
      return { ...(await stallRun(tx, runId, nowMs)), worker: run.worker }
    }
    await endUnclaimed(parts, tx, run, reasonToEnd(run, claim))
    return undefined
  })
}

/** Ends a locked run that no worker holds; its balance stays as its last worker left it. */
async function endUnclaimed(
  parts: RunnerParts,
  tx: Queryable,
  run: RunRow,
  error: RunCancelledError | WorkerLostError,
): Promise<void> {
  const nowMs = parts.clock.now()
  const state: FinishedRunState = error instanceof RunCancelledError ? 'cancelled' : 'failed'
  await finishRun(tx, run.id, {
    state,
    reason: error.message,
    report: null,
    lines: [],
    error: storedErrorOf(error),
    rejectedByCode: {},
    nowMs,
  })
  await settlePlan(tx, run, { succeeded: false, outcome: error.message, nowMs })
  measureEnd(parts, run, state)
}
