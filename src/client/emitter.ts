/**
 * Makes a catalog say what a job wants:
 *
 *     changes ─► batches ─► journal: answered before? ─► read and compare ─► journal: sent ─► deliver ─► journal: answered
 *
 * Several batches are under way at once, as many as the catalog bears; batches that share an entity wait for one
 * another, so that the order of an entity's changes is kept and each reads what the former wrote. Memory is bounded by
 * the batches under way.
 */
import type { SystemMetadata } from '../model/proposal.ts'
import { systemClock, type Clock } from '../observe/clock.ts'
import { silentLogger, type Logger } from '../observe/logger.ts'
import { noProgress, type Progress } from '../observe/progress.ts'
import { othersTurn } from '../observe/turns.ts'
import {
  batchChanges,
  compare,
  isEvent,
  type AspectChange,
  type ChangeBatch,
  type Changes,
  type Comparison,
} from './change.ts'
import { Deliverer, imageOf, refusal, type Conditions } from './deliver.ts'
import {
  addCounts,
  NO_PROPOSALS,
  type BatchRecord,
  type BeforeImage,
  type DeadLetter,
  type Journal,
  type ProposalCounts,
} from './journal.ts'
import { Pace } from './pace.ts'
import { PATIENT, waitText, type Random, type RetryPolicy, type Wait } from './retry.ts'
import { aspectId, type Sink, type StoredAspect } from './sink.ts'

/** Limits of the contract's own client (contract §4.2): 200 proposals and 15 MiB a call. */
const MAX_BATCH = 200
const MAX_BATCH_BYTES = 15 * 1024 * 1024
const MAX_CONCURRENCY = 8
/** Of intents; what is read, merged and sent for them takes several times as much. */
const MAX_BYTES_UNDER_WAY = 8 * 1024 * 1024

/** Where to, how fast, and who is told. */
export interface EmitOptions {
  readonly sink: Sink
  readonly journal: Journal
  /** Travels with each proposal, so that one can see which run wrote an aspect. */
  readonly runId: string
  /** Between batches: no new ones; those under way are finished, then its reason is thrown. */
  readonly stop?: AbortSignal
  /** At once. */
  readonly signal?: AbortSignal
  readonly policy?: RetryPolicy
  readonly maxBatch?: number
  readonly maxBatchBytes?: number
  readonly startConcurrency?: number
  readonly maxConcurrency?: number
  /** Told of each finished batch: how many changes it held and where they ended. */
  readonly onBatch?: (made: number, counts: ProposalCounts, deadLetters: readonly DeadLetter[]) => void
  readonly progress?: Progress
  readonly logger?: Logger
  readonly clock?: Clock
  readonly random?: Random
}

/** What came of the changes. */
export interface EmitReport {
  readonly made: number
  readonly counts: ProposalCounts
  /** Of this attempt. */
  readonly deadLetters: number
  /** Of this attempt's writes; absent where the sink has nothing that could come in between. */
  readonly conditions?: Conditions
}

/**
 * Carries out all changes. What single proposals suffer is counted and kept as dead letters.
 * @throws what makes going on pointless (no catalog, no access, deadline of a batch passed); the reason of `stop` or `signal`
 */
export async function emit(changes: Changes, options: EmitOptions): Promise<EmitReport> {
  const emitter = new Emitter(options)
  return emitter.run(changes)
}

class Emitter {
  readonly #options: EmitOptions
  readonly #deliverer: Deliverer
  readonly #pace: Pace
  readonly #maxUnderWay: number
  readonly #failed = new AbortController()
  readonly #underWay = new Set<Promise<void>>()
  /** Per entity, the last batch that holds it. */
  readonly #lastOf = new Map<string, Promise<void>>()
  #bytesUnderWay = 0
  #failure: unknown
  #made = 0
  #counts = NO_PROPOSALS
  #deadLetters = 0

  constructor(options: EmitOptions) {
    const { clock = systemClock, startConcurrency = 2, sink } = options
    const maxConcurrency = options.maxConcurrency ?? sink.limits?.maxConcurrency ?? MAX_CONCURRENCY
    const policy = options.policy ?? PATIENT
    const deadlineMs = sink.limits?.deadlineMs ?? policy.deadlineMs
    const systemMetadata: SystemMetadata = { lastObserved: clock.now(), runId: options.runId }
    const signals = [this.#failed.signal, ...(options.signal === undefined ? [] : [options.signal])]
    this.#options = options
    this.#maxUnderWay = 2 * maxConcurrency
    this.#pace = new Pace({
      startConcurrency: Math.min(startConcurrency, maxConcurrency),
      maxConcurrency,
      clock,
      // A catalog may ask for minutes of peace: whoever watches learns why nothing moves.
      onBackOff: () => this.#report(),
    })
    this.#deliverer = new Deliverer({
      sink: options.sink,
      pace: this.#pace,
      policy: options.policy ?? { ...policy, deadlineMs },
      clock,
      random: options.random ?? Math.random,
      logger: options.logger ?? silentLogger(),
      onWait: (wait) => this.#report(wait),
      systemMetadata,
      maxBatchBytes: options.maxBatchBytes ?? sink.limits?.maxBatchBytes ?? MAX_BATCH_BYTES,
      signal: AbortSignal.any(signals),
    })
  }

  async run(changes: Changes): Promise<EmitReport> {
    const limits = {
      maxChanges: this.#options.maxBatch ?? this.#options.sink.limits?.maxBatch ?? MAX_BATCH,
      maxIntentBytes: MAX_BATCH_BYTES / 2,
    }
    try {
      for await (const batch of batchChanges(changes, limits)) {
        if (batch.afterBarrier) await Promise.all(this.#underWay)
        if (this.#isStopped()) break
        this.#begin(batch)
        while (this.#isBusy()) await Promise.race(this.#underWay)
      }
    } catch (error) {
      this.#fail(error)
    }
    await Promise.all(this.#underWay)
    // What fails because everything was told to end is no failure of its own.
    this.#options.signal?.throwIfAborted()
    if (this.#failure !== undefined) throw this.#failure
    this.#options.stop?.throwIfAborted()
    const { conditions } = this.#deliverer
    return {
      made: this.#made,
      counts: this.#counts,
      deadLetters: this.#deadLetters,
      ...(this.#options.sink.checksConditions === undefined ? {} : { conditions }),
    }
  }

  #isBusy(): boolean {
    return this.#underWay.size >= this.#maxUnderWay || this.#bytesUnderWay >= MAX_BYTES_UNDER_WAY
  }

  #isStopped(): boolean {
    const { stop, signal } = this.#options
    return this.#failure !== undefined || stop?.aborted === true || signal?.aborted === true
  }

  /** The first failure counts; it ends what is under way. */
  #fail(error: unknown): void {
    this.#failure ??= error
    this.#failed.abort(this.#failure)
  }

  #begin(batch: ChangeBatch): void {
    const ordered = batch.changes.filter((change) => !isEvent(change))
    const urns = [...new Set(ordered.map((change) => change.urn))]
    const former = new Set(urns.flatMap((urn) => this.#lastOf.get(urn) ?? []))
    const done = this.#carryOut(batch, former)
      .catch((error: unknown) => this.#fail(error))
      .finally(() => {
        this.#underWay.delete(done)
        this.#bytesUnderWay -= batch.bytes
        for (const urn of urns) if (this.#lastOf.get(urn) === done) this.#lastOf.delete(urn)
      })
    this.#underWay.add(done)
    this.#bytesUnderWay += batch.bytes
    for (const urn of urns) this.#lastOf.set(urn, done)
  }

  async #carryOut(batch: ChangeBatch, former: ReadonlySet<Promise<void>>): Promise<void> {
    await Promise.all(former)
    if (this.#failure !== undefined) return
    const { journal } = this.#options
    const known = await journal.find(batch.key)
    if (known?.state === 'answered') return this.#count(batch, known.counts, [])
    const comparisons = await this.#deliverer.compareAll(batch.changes, known === undefined)
    const same = comparisons.filter((comparison) => comparison.kind === 'same').length
    // What an earlier attempt sent and what reads as wanted now, it wrote.
    const unchanged = known === undefined ? same : Math.min(known.unchanged, same)
    const { written, deadLetters } = await this.#write(batch, comparisons, { unchanged, known })
    const dead = deadLetters.filter((letter) => letter.outcome === 'dead').length
    const counts = { written: written + same - unchanged, unchanged, refused: deadLetters.length - dead, dead }
    await journal.answered(batch.key, counts, deadLetters)
    this.#count(batch, counts, deadLetters)
  }

  async #write(
    batch: ChangeBatch,
    comparisons: readonly Comparison[],
    { unchanged, known }: { readonly unchanged: number; readonly known: BatchRecord | undefined },
  ): Promise<{ readonly written: number; readonly deadLetters: readonly DeadLetter[] }> {
    const differing = comparisons.filter((comparison) => comparison.kind === 'differs')
    const refused = comparisons.filter((comparison) => comparison.kind === 'refused').map(refusal)
    if (differing.length === 0) return { written: 0, deadLetters: refused }
    const images = new Map<string, BeforeImage>()
    // What an earlier attempt wrote is as it was kept then; what is still to be written may have changed since.
    if (known?.state === 'sent') for (const image of known.images) images.set(aspectId(image), image)
    const delivery = await this.#deliverer.deliver(differing, async (members) => {
      for (const member of members) {
        const image = imageOf(member, this.#options.runId)
        if (image !== undefined) images.set(aspectId(image), image)
      }
      const { key, changes } = batch
      await this.#options.journal.sent({ key, members: changes.length, unchanged, images: [...images.values()] })
    })
    return { written: delivery.written, deadLetters: [...refused, ...delivery.deadLetters] }
  }

  #count(batch: ChangeBatch, counts: ProposalCounts, deadLetters: readonly DeadLetter[]): void {
    const made = batch.changes.length
    this.#made += made
    this.#counts = addCounts(this.#counts, counts)
    this.#deadLetters += deadLetters.length
    this.#options.onBatch?.(made, counts, deadLetters)
    this.#report()
  }

  #report(wait?: Wait): void {
    const { concurrency, backOffs } = this.#pace
    const progress = this.#options.progress ?? noProgress
    progress.report({
      phase: 'emit',
      done: this.#made,
      unit: 'proposals',
      counts: { ...this.#counts, concurrency, ...(backOffs === 0 ? {} : { backOffs }) },
      ...(wait === undefined ? {} : { waiting: waitText(wait) }),
    })
  }
}

/** Batches of which a plan asks at once, so that it does not wait for each answer. */
const READS_AHEAD = 4

/** What the changes come to, without sending anything: the stuff of a plan. */
export async function* compareChanges(changes: Changes, sink: Sink, signal?: AbortSignal): AsyncGenerator<Comparison> {
  const limits = { maxChanges: MAX_BATCH, maxIntentBytes: MAX_BATCH_BYTES / 2 }
  const asked: Asked[] = []
  for await (const { changes: batch } of batchChanges(changes, limits)) {
    const known = batch.filter((change) => !isEvent(change))
    const stored = known.length === 0 ? Promise.resolve(new Map<string, StoredAspect>()) : sink.read(known, signal)
    // Whoever waits for an earlier one will learn of it; until then nobody does.
    stored.catch(() => {})
    asked.push({ batch, stored })
    if (asked.length >= READS_AHEAD) yield* answered(asked.shift())
  }
  while (asked.length > 0) yield* answered(asked.shift())
}

interface Asked {
  readonly batch: readonly AspectChange[]
  readonly stored: Promise<ReadonlyMap<string, StoredAspect>>
}

async function* answered(asked: Asked | undefined): AsyncGenerator<Comparison> {
  const stored = await asked?.stored
  for (const change of asked?.batch ?? []) {
    await othersTurn()
    yield compare(change, stored?.get(aspectId(change)))
  }
}
