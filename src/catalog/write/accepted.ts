/**
 * Asynchronous writes (contract §5.1): what a proposal alone shows to be wrong, or the rules of structured properties say
 * at this moment, is refused at once with its whole call; the rest is kept in the database, acknowledged, and carried out soon, in the order of acceptance:
 *
 *   accept ─► row ─► acknowledged ─► carried out, with its outcomes in the same transaction ─► known by the trace
 *
 * Each proposal stands alone: one that its stored aspect or its rules refuse does not hinder the others. One process at a
 * time carries out, whoever accepted; what a process that died had accepted, the next one carries out.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { HeadwaterError } from '../../model/errors.ts'
import type { Proposal } from '../../model/proposal.ts'
import { asUrn, type Urn } from '../../model/urn.ts'
import type { Queryable } from '../../store/database.ts'
import {
  addAccepted,
  endAccepted,
  forgetAccepted,
  readAccepted,
  waitingAccepted,
  type AcceptedRow,
} from '../../store/accepted-store.ts'
import { BusyError, InvalidWriteError, NotApplicableError } from '../errors.ts'
import type { Ports } from '../ports.ts'
import { hasRules } from './aspect-rules.ts'
import { rehearse } from './commit.ts'
import { writeOfProposals } from './proposal-changes.ts'
import type { Write, WriteOutcome } from './write.ts'
import { LOCK } from '../../store/locks.ts'

/** What became of one proposal. */
export type AcceptedOutcome =
  | { readonly urn: Urn; readonly aspect: string; readonly state: 'waiting' }
  | { readonly urn: Urn; readonly aspect: string; readonly state: 'refused'; readonly reason: string }
  | {
      readonly urn: Urn
      readonly aspect: string
      readonly state: 'written' | 'unchanged'
      /** The version that it left; absent for events. */
      readonly version?: number
    }

export interface Accepting {
  /**
   * Keeps proposals to be carried out soon; none of them is a DELETE.
   * @param trace by which their outcome is asked for
   * @throws InvalidUrnError, InvalidWriteError; BusyError where too much waits already
   */
  accept(proposals: readonly Proposal[], actor: Urn, trace: string): Promise<void>
  /** What became of the proposals of a trace; undefined where it is unknown, or forgotten after a week. */
  outcomes(trace: string): Promise<readonly AcceptedOutcome[] | undefined>
  /** Whether nothing that this process accepted waits. */
  isSettled(): boolean
  /** Resolves when nothing that this process accepted waits any more, or after the time given. */
  settled(withinMs: number): Promise<void>
  /**
   * Resolves when nothing that this process accepted for these entities waits any more, so that a write that is carried
   * out at once comes after it.
   * @throws BusyError when that takes too long
   */
  before(urns: readonly Urn[]): Promise<void>
  /** Ends after what is being carried out; what waits is kept. */
  stop(): Promise<void>
}

/** Calls that this process lets wait before it asks clients for patience. */
const MAX_WAITING = 1000
const CALLS_TOGETHER = 20
/** How long a write waits for what was accepted for its entities before. */
const BEFORE_WITHIN_MS = 30_000
/** How long a read waits for what was accepted before it. */
export const SETTLED_WITHIN_MS = 1000
const LOOK_AGAIN_MS = 10_000
const PAUSE_AFTER_FAILURE_MS = 1000
const REMEMBERED_MS = 7 * 86_400_000

type Commit = (
  writes: readonly Write[],
  also: (tx: Queryable, outcomes: readonly WriteOutcome[]) => Promise<void>,
) => Promise<unknown>

/** @param commit carries out writes in one transaction, their indexes made beforehand */
export function createAccepting({ database, urnIds, clock, logger }: Ports, commit: Commit): Accepting {
  const stopping = new AbortController()
  let waiting = 0
  /** Entities of what this process accepted and nobody has carried out yet, by trace. */
  const targets = new Map<string, ReadonlySet<Urn>>()
  let working: Promise<void> | undefined
  let again = false

  /** Starts carrying out, or makes whoever is at it look once more. */
  function poke(): Promise<void> {
    again = true
    working ??= work().finally(() => {
      working = undefined
    })
    return working
  }

  async function work(): Promise<void> {
    while (again && !stopping.signal.aborted) {
      again = false
      try {
        await withLock(carryOutAll)
        if (!again) waiting = 0
      } catch (err) {
        logger.warn({ err }, 'accepted writes are tried again')
        again = true
        await sleep(PAUSE_AFTER_FAILURE_MS, undefined, { signal: stopping.signal }).catch(() => undefined)
      }
    }
  }

  async function withLock(run: () => Promise<void>): Promise<void> {
    const holder = await database.connect()
    try {
      await holder.query('select pg_advisory_lock($1)', [LOCK.accepted])
      await run()
      await holder.query('select pg_advisory_unlock($1)', [LOCK.accepted])
      holder.release()
    } catch (error) {
      // The lock goes with the connection.
      holder.release(true)
      throw error
    }
  }

  async function carryOutAll(): Promise<void> {
    while (!stopping.signal.aborted) {
      const known = [...targets.keys()]
      const rows = await waitingAccepted(database, CALLS_TOGETHER)
      // Another process may have carried out what this one accepted.
      if (rows.length === 0) return known.forEach((trace) => targets.delete(trace))
      for (const row of rows) await carryOut(row)
      await forgetAccepted(database, clock.now() - REMEMBERED_MS)
    }
  }

  async function carryOut(row: AcceptedRow): Promise<void> {
    const proposals = proposalsOf(row)
    const actor = asUrn(row.actor)
    await carryOutProposals(row, proposals, actor)
    targets.delete(row.trace)
  }

  async function carryOutProposals(row: AcceptedRow, proposals: readonly Proposal[], actor: Urn): Promise<void> {
    const end = (db: Queryable, outcomes: readonly AcceptedOutcome[]) =>
      endAccepted(db, row.trace, { outcomes: JSON.stringify(outcomes), appliedMs: clock.now() })
    try {
      const writes = proposals.map((proposal) => writeOfProposals([proposal], actor))
      await commit(writes, (tx, outcomes) =>
        end(
          tx,
          outcomes.map((outcome, i) => outcomeOf(proposals[i]!, outcome)),
        ),
      )
    } catch (error) {
      // The database is away, or a fault of ours: only the first mends itself.
      if (error instanceof HeadwaterError && error.retryable) throw error
      logger.error({ err: error, trace: row.trace }, 'an accepted write failed')
      await end(
        database,
        proposals.map((proposal) => refused(proposal, error)),
      )
    }
  }

  /** @throws what a proposal alone shows to be wrong, and what the rules of its aspect say at this moment */
  async function refuseBad(proposals: readonly Proposal[], actor: Urn): Promise<void> {
    const writes = proposals.map((proposal) => writeOfProposals([proposal], actor))
    if (!proposals.some((proposal) => hasRules(proposal.aspectName))) return
    // A definition that waits is there for the values that follow it.
    await settled(SETTLED_WITHIN_MS)
    const outcomes = await rehearse({ database, urnIds, clock }, writes)
    for (const [i, outcome] of outcomes.entries()) {
      if (outcome.ok || !hasRules(proposals[i]?.aspectName ?? '')) continue
      const { error } = outcome
      if (error instanceof InvalidWriteError || error instanceof NotApplicableError) throw error
    }
  }

  async function settled(withinMs: number): Promise<void> {
    if (working === undefined) return
    const enough = new AbortController()
    await Promise.race([working, sleep(withinMs, undefined, { signal: enough.signal }).catch(() => undefined)])
    enough.abort()
  }

  const timer = setInterval(() => void lookForOthers(), LOOK_AGAIN_MS).unref()
  /** What processes that died had accepted. */
  async function lookForOthers(): Promise<void> {
    try {
      if ((await waitingAccepted(database, 1)).length > 0) await poke()
    } catch (err) {
      logger.debug({ err }, 'accepted writes could not be looked for')
    }
  }

  return {
    async accept(proposals, actor, trace) {
      if (waiting >= MAX_WAITING) throw new BusyError(`${waiting} asynchronous writes wait already`)
      await refuseBad(proposals, actor)
      waiting++
      try {
        await addAccepted(database, { trace, actor, proposals: JSON.stringify(proposals), acceptedMs: clock.now() })
      } catch (error) {
        waiting--
        throw error
      }
      targets.set(trace, new Set(proposals.map((proposal) => proposal.entityUrn)))
      void poke()
    },
    async outcomes(trace) {
      const row = await readAccepted(database, trace)
      if (row === undefined) return undefined
      if (row.outcomes !== null) return JSON.parse(row.outcomes) as readonly AcceptedOutcome[]
      return proposalsOf(row).map(({ entityUrn, aspectName }) => ({
        urn: entityUrn,
        aspect: aspectName,
        state: 'waiting' as const,
      }))
    },
    isSettled: () => working === undefined,
    settled,
    async before(urns) {
      const untilMs = clock.monotonic() + BEFORE_WITHIN_MS
      while ([...targets.values()].some((set) => urns.some((urn) => set.has(urn)))) {
        if (clock.monotonic() > untilMs) throw new BusyError('asynchronous writes for the same entities wait')
        await settled(SETTLED_WITHIN_MS)
      }
    },
    async stop() {
      clearInterval(timer)
      stopping.abort()
      await working
    },
  }
}

function proposalsOf(row: AcceptedRow): readonly Proposal[] {
  return row.proposals === null ? [] : (JSON.parse(row.proposals) as readonly Proposal[])
}

function outcomeOf(proposal: Proposal, outcome: WriteOutcome): AcceptedOutcome {
  if (!outcome.ok) return refused(proposal, outcome.error)
  const [result] = outcome.results
  const version = result?.stored?.version
  return {
    urn: proposal.entityUrn,
    aspect: proposal.aspectName,
    state: result?.outcome ?? 'unchanged',
    ...(version === undefined ? {} : { version }),
  }
}

function refused(proposal: Proposal, error: unknown): AcceptedOutcome {
  // What is not ours may tell of statements and addresses.
  const reason = error instanceof HeadwaterError ? error.message : 'Internal server error occurred'
  return { urn: proposal.entityUrn, aspect: proposal.aspectName, state: 'refused', reason }
}
