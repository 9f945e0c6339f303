/**
 * Gets a group of compared changes into the catalog, whatever happens on the way:
 *
 *     write ──ok──► written
 *       │
 *       ├─ 429 ................. wait as told, write again
 *       ├─ away, timeout, 5xx .. wait, read again: what reads as wanted was written (the answer was lost); the rest again
 *       ├─ changed in between .. read again, merge again, write
 *       ├─ refused, too large .. read again, halve, down to the one member that is to blame; it alone is refused
 *       └─ 401, no catalog ..... the run fails; nobody's fault but the configuration's
 *
 * A 500 that stays is treated like a refusal, since DataHub answers some bad proposals so (contract §4); the member to
 * blame is then dead, not refused. When one after another dies and nothing succeeds, the catalog itself is broken, and
 * the run fails.
 */
import { HeadwaterError } from '../model/errors.ts'
import type { Proposal, SystemMetadata } from '../model/proposal.ts'
import { entityTypeOf } from '../model/urn.ts'
import type { Logger } from '../observe/logger.ts'
import type { Clock } from '../observe/clock.ts'
import { othersTurn } from '../observe/turns.ts'
import { ABSENT, compare, isEvent, type AspectChange, type Comparison } from './change.ts'
import {
  CatalogAwayError,
  CatalogFailedError,
  CatalogTimeoutError,
  ForbiddenError,
  PayloadTooLargeError,
  RefusedError,
  ThrottledError,
  VersionConflictError,
} from './errors.ts'
import type { BeforeImage, DeadLetter } from './journal.ts'
import type { Pace } from './pace.ts'
import { backOffMs, pause, type OnWait, type Random, type RetryPolicy } from './retry.ts'
import { aspectHash, aspectId, type Sink, type StoredAspect } from './sink.ts'
import { wireProposal } from './wire.ts'

export interface Delivery {
  readonly written: number
  readonly deadLetters: readonly DeadLetter[]
}

export interface DelivererOptions {
  readonly sink: Sink
  readonly pace: Pace
  readonly policy: RetryPolicy
  readonly clock: Clock
  readonly random: Random
  readonly logger: Logger
  readonly systemMetadata: SystemMetadata
  /** Of one request on the wire. */
  readonly maxBatchBytes: number
  readonly signal: AbortSignal
  readonly onWait: OnWait
}

/** How writes were kept from overwriting what came in between. */
export interface Conditions {
  /** Named the version that they were made for, which the catalog compares itself. */
  readonly checked: number
  /** Made right after reading the aspect, since the catalog compares nothing. */
  readonly reread: number
}

export type Differing = Extract<Comparison, { kind: 'differs' }>

/** Keeps what the aspects are before they are written, durably. */
type Remember = (members: readonly Differing[]) => Promise<void>

/** Tries of one group that only ever meets server errors, before it is halved. */
const SERVER_ERROR_TRIES = 3
/** Rounds of merging again, before a member is given up. */
const CONFLICT_ROUNDS = 5
/** Members given up in a row, without one success, before the catalog itself is taken for broken. */
const BROKEN_AFTER = 10

export class Deliverer {
  readonly #options: DelivererOptions
  #failedInARow = 0
  #conditions: Conditions = { checked: 0, reread: 0 }

  constructor(options: DelivererOptions) {
    this.#options = options
  }

  /** Of what was written so far. */
  get conditions(): Conditions {
    return this.#conditions
  }

  /**
   * Reads what is there and compares.
   * @param asPlanned true to take what a plan found as it is, where the catalog notices that it is so no longer
   */
  async compareAll(changes: readonly AspectChange[], asPlanned = false): Promise<readonly Comparison[]> {
    const { sink, pace, signal } = this.#options
    const trusts = asPlanned && sink.checksConditions === true
    const open = changes.filter((change) => !isEvent(change) && !(trusts && change.found !== undefined))
    const stored =
      open.length === 0
        ? new Map<string, StoredAspect>()
        : await pace.run((slowDown) => sink.read(open, signal, slowDown), overload, signal)
    const comparisons: Comparison[] = []
    for (const change of changes) {
      await othersTurn()
      if (trusts && change.found === 'same') comparisons.push({ kind: 'same', change, before: undefined })
      else comparisons.push(compare(change, stored.get(aspectId(change))))
    }
    return comparisons
  }

  /**
   * Writes what differs, in its order.
   * @param remember called before each write that was made for another state of its aspect than the one before
   * @throws what makes going on pointless; the signal's reason when aborted
   */
  async deliver(members: readonly Differing[], remember: Remember): Promise<Delivery> {
    await remember(members)
    const total = { written: 0, deadLetters: [] as DeadLetter[] }
    for (const group of this.#groupsByBytes(members)) {
      const delivery = await this.#deliverGroup(group, remember)
      total.written += delivery.written
      total.deadLetters.push(...delivery.deadLetters)
    }
    return total
  }

  async #deliverGroup(group: readonly Differing[], remember: Remember): Promise<Delivery> {
    const { policy, clock, random, signal, logger, onWait } = this.#options
    const startedAt = clock.monotonic()
    const lost: DeadLetter[] = []
    let members = group
    let written = 0
    let serverErrors = 0
    let conflicts = 0
    for (let attempt = 1; members.length > 0; attempt++) {
      const failure = await this.#tryWrite(members)
      if (failure === undefined) {
        this.#failedInARow = 0
        this.#count(members)
        return { written: written + members.length, deadLetters: lost }
      }
      if (mayBeBlame(failure)) serverErrors++
      if (failure instanceof VersionConflictError) conflicts++
      const isToBlame = isBlame(failure) || serverErrors >= SERVER_ERROR_TRIES || conflicts > CONFLICT_ROUNDS
      if (!isToBlame && !(failure instanceof VersionConflictError)) {
        const delayMs = backOffMs(policy, attempt + 1, random, retryAfterOf(failure))
        if (clock.monotonic() - startedAt + delayMs > policy.deadlineMs) throw failure
        logger.warn({ err: failure, delayMs, members: members.length }, 'batch is tried again')
        onWait({ failure, delayMs })
        await pause(delayMs, signal)
      }
      if (isSurelyUndone(failure)) continue
      const again = await this.compareAll(members.map((member) => member.change))
      const arrived = members.filter((_, index) => again[index]?.kind === 'same')
      this.#count(arrived)
      written += arrived.length
      lost.push(...again.flatMap((comparison) => (comparison.kind === 'refused' ? [refusal(comparison)] : [])))
      members = again.filter((comparison) => comparison.kind === 'differs')
      if (members.length > 0) await remember(members)
      if (!isToBlame || members.length === 0) continue
      const rest = members.length === 1 ? this.#giveUp(members, failure) : await this.#deliverHalves(members, remember)
      return { written: written + rest.written, deadLetters: [...lost, ...rest.deadLetters] }
    }
    return { written, deadLetters: lost }
  }

  /** @returns the failure, if it is one that can be dealt with */
  async #tryWrite(members: readonly Differing[]): Promise<HeadwaterError | undefined> {
    const { sink, pace, signal } = this.#options
    try {
      const proposals = members.map((member) => this.#proposal(member))
      await pace.run(() => sink.write(proposals, signal), overload, signal)
      return undefined
    } catch (failure) {
      signal.throwIfAborted()
      if (
        failure instanceof HeadwaterError &&
        (failure.retryable || isBlame(failure) || failure instanceof VersionConflictError)
      ) {
        return failure
      }
      throw failure
    }
  }

  /** One half after the other, since members of one entity must keep their order. */
  async #deliverHalves(members: readonly Differing[], remember: Remember): Promise<Delivery> {
    const middle = Math.ceil(members.length / 2)
    const first = await this.#deliverGroup(members.slice(0, middle), remember)
    const second = await this.#deliverGroup(members.slice(middle), remember)
    return {
      written: first.written + second.written,
      deadLetters: [...first.deadLetters, ...second.deadLetters],
    }
  }

  #giveUp(members: readonly Differing[], failure: HeadwaterError): Delivery {
    const sparesOthers = failure instanceof RefusedError || failure instanceof PayloadTooLargeError
    if (!sparesOthers && ++this.#failedInARow >= BROKEN_AFTER) throw failure
    const outcome = failure instanceof CatalogFailedError ? 'dead' : 'refused'
    const deadLetters = members.map((member) => ({
      ...deadLetter(this.#proposal(member), outcome, failure),
      base: member.before === undefined ? null : aspectHash(member.before.value),
    }))
    return { written: 0, deadLetters }
  }

  #proposal(member: Differing): Proposal {
    const { change, after } = member
    const version = this.#versionFor(member)
    return {
      ...envelope(change),
      ...(after === ABSENT ? { changeType: 'DELETE' } : { aspect: after }),
      systemMetadata: this.#options.systemMetadata,
      ...(version === undefined ? {} : { headers: { 'If-Version-Match': version } }),
    }
  }

  /** Of an aspect that is not there only for a catalog that checks conditions: no other takes a proposal that names one. */
  #versionFor({ change, before }: Differing): string | undefined {
    if (isEvent(change)) return undefined
    if (before !== undefined) return before.version
    return this.#options.sink.checksConditions === true ? NOT_THERE : undefined
  }

  #count(written: readonly Differing[]): void {
    const { checked, reread } = this.#conditions
    // A removal has no place for a condition (contract §5.2).
    const named = written.filter((member) => member.after !== ABSENT && this.#versionFor(member) !== undefined)
    this.#conditions = { checked: checked + named.length, reread: reread + written.length - named.length }
  }

  #groupsByBytes(members: readonly Differing[]): readonly (readonly Differing[])[] {
    const { maxBatchBytes } = this.#options
    // Encoding twice only to measure would cost as much as sending; nearly every batch is far below the limit.
    const most = members.reduce((sum, member) => sum + mostBytes(member), 0)
    if (most <= maxBatchBytes) return members.length === 0 ? [] : [members]
    const groups: Differing[][] = []
    let bytes = Infinity
    for (const member of members) {
      const size = wireProposal(this.#proposal(member)).length + 1
      if (bytes + size > maxBatchBytes) {
        groups.push([])
        bytes = 0
      }
      bytes += size
      groups.at(-1)?.push(member)
    }
    return groups
  }
}

/** No more than this on the wire: a character becomes `\\"`, or at most `\\u00e9`, seven of them, where it is not ASCII. */
function mostBytes({ change, after }: Differing): number {
  if (after === ABSENT) return ENVELOPE_BYTES
  const text = JSON.stringify(after)
  return (NOT_ASCII.test(text) ? 7 : 2) * text.length + 7 * change.urn.length + ENVELOPE_BYTES
}

const NOT_ASCII = /[\u0080-\uffff]/

const ENVELOPE_BYTES = 1000

/** The version of an aspect that does not exist (contract §6). */
const NOT_THERE = '-1'

/** What has to be kept so that a write can be undone: nothing of an event, or where the run itself wrote what stands there. */
export function imageOf({ change, before, after }: Differing, runId: string): BeforeImage | undefined {
  if (before?.runId === runId || isEvent(change)) return undefined
  return {
    urn: change.urn,
    aspectName: change.aspectName,
    before: before?.value ?? null,
    ...(after === ABSENT ? { removed: true } : {}),
  }
}

/** A change that its own merge refuses: there is nothing that could be sent again. */
export function refusal({ change, error }: Extract<Comparison, { kind: 'refused' }>): DeadLetter {
  return { ...deadLetter(envelope(change), 'refused', error), intent: change.intent }
}

function envelope(change: AspectChange): Proposal {
  return {
    entityType: entityTypeOf(change.urn),
    entityUrn: change.urn,
    changeType: change.changeType ?? 'UPSERT',
    aspectName: change.aspectName,
  }
}

function deadLetter(proposal: Proposal, outcome: DeadLetter['outcome'], error: unknown): DeadLetter {
  const code = error instanceof HeadwaterError ? error.code : 'UNEXPECTED'
  return { proposal, outcome, code, reason: error instanceof Error ? error.message : String(error) }
}

/** True where some member of the group is to blame, so that halving finds it. */
function isBlame(failure: unknown): boolean {
  if (failure instanceof RefusedError) return failure.status !== 404 && failure.status !== 405
  return failure instanceof PayloadTooLargeError || failure instanceof ForbiddenError
}

/** Turned away before anything was done. Of any other failure one cannot know: part of the batch may be there. */
function isSurelyUndone(failure: unknown): boolean {
  return failure instanceof ThrottledError && failure.status === 429
}

/** A gateway's errors (502, 503, 504) never are about a member: a catalog that restarts comes back. */
function mayBeBlame(failure: unknown): boolean {
  return failure instanceof CatalogFailedError && ![502, 503, 504].includes(failure.status)
}

function overload(failure: unknown): { readonly pauseMs: number } | undefined {
  if (failure instanceof ThrottledError) return { pauseMs: failure.retryAfterMs ?? 0 }
  const busy =
    failure instanceof CatalogTimeoutError || (failure instanceof CatalogFailedError && failure.status === 503)
  return busy || failure instanceof CatalogAwayError ? { pauseMs: 0 } : undefined
}

function retryAfterOf(failure: HeadwaterError): number {
  return failure instanceof ThrottledError ? (failure.retryAfterMs ?? 0) : 0
}
