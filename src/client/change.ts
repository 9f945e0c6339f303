/**
 * What a job asks of the emitter: not "write this aspect" but "make this aspect say so". The emitter reads what is
 * there, lets `merge` say how it should read, and sends only what differs. So nobody's additions are lost (contract
 * §13, trap 15), a second run sends nothing, and a plan is the same thing without the sending.
 */
import { hash } from 'node:crypto'
import type { JsonObject } from '../model/json.ts'
import { aspectNamed } from '../model/registry/registry.ts'
import type { Urn } from '../model/urn.ts'
import { aspectId, sameAspect, type StoredAspect } from './sink.ts'

/** How an aspect should read, given how it reads now; `undefined` when it shall stay as it is. Pure; throws to refuse. */
export type Merge = (current: JsonObject | undefined, intent: JsonObject) => JsonObject | undefined

/** What a merge gives back where the aspect shall not be there any more. */
export const ABSENT = Symbol('absent')

/** How an aspect shall read. */
export type Wanted = JsonObject | typeof ABSENT

/** A merge that may remove the aspect, and that looks at what the catalog says about it besides its value. */
export type AspectMerge = (
  current: JsonObject | undefined,
  intent: JsonObject,
  stored: StoredAspect | undefined,
) => Wanted | undefined

/** A wanted state of one aspect of one entity. */
export interface AspectChange {
  readonly urn: Urn
  readonly aspectName: string
  /** What is wanted, as data. Equal for equal wishes in each attempt of a run: no times, no random ids. */
  readonly intent: JsonObject
  readonly merge: AspectMerge
  /** Name of the merge, by which a plan's file finds it again, where the name of the aspect does not say it. */
  readonly rule?: string
  /** PATCH: the merge gives the patch itself, of which only the catalog knows what it comes to; UPSERT when absent. */
  readonly changeType?: 'PATCH'
  /**
   * What a plan found: nothing there, or all as it should be. Taken as it is by a catalog that checks conditions, so that
   * a plan which is carried out at once reads nothing twice: a write for an aspect that is there by now is refused, and
   * the aspect read and merged after all.
   */
  readonly found?: 'absent' | 'same'
}

/** Between changes: all before it are answered before any after it is begun (definitions before their values). */
export const BARRIER = Symbol('barrier')

/** What an emitter is fed with. */
export type Changes = AsyncIterable<AspectChange | typeof BARRIER> | Iterable<AspectChange | typeof BARRIER>

/** The aspect shall read exactly as the intent. */
export const replaceAspect: Merge = (_current, intent) => intent

/**
 * Whether an aspect is a timeseries: each of its values is an event of its own, with an id by which the catalog knows it
 * again. So nothing is there to be compared with or to be overwritten, and events of one entity need no order.
 */
export function isEvent({ aspectName }: Pick<AspectChange, 'aspectName'>): boolean {
  return aspectNamed(aspectName)?.kind === 'timeseries'
}

/** A change measured against what is there. */
export type Comparison =
  | (Compared & { readonly kind: 'differs'; readonly after: Wanted })
  | (Compared & { readonly kind: 'same' })
  | (Compared & { readonly kind: 'refused'; readonly error: unknown })

interface Compared {
  readonly change: AspectChange
  readonly before: StoredAspect | undefined
}

/** What a change comes to, given what is there. */
export function compare(change: AspectChange, before: StoredAspect | undefined): Comparison {
  try {
    const after = change.merge(before?.value, change.intent, before)
    return after === undefined || (change.changeType !== 'PATCH' && isSame(before, after))
      ? { kind: 'same', change, before }
      : { kind: 'differs', change, before, after }
  } catch (error) {
    return { kind: 'refused', change, before, error }
  }
}

function isSame(before: StoredAspect | undefined, after: Wanted): boolean {
  if (before === undefined || after === ABSENT) return before === undefined && after === ABSENT
  return sameAspect(before.value, after)
}

/** Changes that are read, compared and sent together; no aspect occurs twice, but events as often as they come. */
export interface ChangeBatch {
  /** By which the journal finds the batch again: the same for the same changes at the same place of the run. */
  readonly key: string
  readonly changes: readonly AspectChange[]
  /** Of their intents' text. */
  readonly bytes: number
  /** Whether a barrier stands before it. */
  readonly afterBarrier: boolean
}

export interface BatchLimits {
  readonly maxChanges: number
  /** Of the intents' text; bounds memory. The bytes on the wire are bounded when sending. */
  readonly maxIntentBytes: number
}

/** Groups changes in their order. An aspect that comes again begins the next batch, so that it is read after its write. */
export async function* batchChanges(changes: Changes, limits: BatchLimits): AsyncGenerator<ChangeBatch> {
  let batch = new BatchBuilder(0, false)
  for await (const change of changes) {
    const isBarrier = change === BARRIER
    if (isBarrier || batch.isFull(limits) || batch.has(change)) {
      if (batch.size > 0) yield batch.build()
      const afterBarrier = isBarrier || (batch.size === 0 && batch.afterBarrier)
      batch = new BatchBuilder(batch.position + 1, afterBarrier)
    }
    if (!isBarrier) batch.add(change)
  }
  if (batch.size > 0) yield batch.build()
}

class BatchBuilder {
  readonly position: number
  readonly afterBarrier: boolean
  readonly #changes: AspectChange[] = []
  readonly #seen = new Set<string>()
  /** What the key is made of. */
  readonly #said: string[]
  #key: string | undefined
  #bytes = 0

  constructor(position: number, afterBarrier: boolean) {
    this.position = position
    this.afterBarrier = afterBarrier
    this.#said = [`${position}`]
  }

  get size(): number {
    return this.#changes.length
  }

  isFull(limits: BatchLimits): boolean {
    return this.size > 0 && (this.size >= limits.maxChanges || this.#bytes >= limits.maxIntentBytes)
  }

  has(change: AspectChange): boolean {
    return this.#seen.has(aspectId(change))
  }

  add(change: AspectChange): void {
    const id = aspectId(change)
    if (!isEvent(change)) this.#seen.add(id)
    // Intents of one change are built by the same code in each attempt, so their keys stand in the same order.
    const intent = JSON.stringify(change.intent)
    this.#said.push(`${id} ${intent}`)
    this.#bytes += intent.length
    this.#changes.push(change)
  }

  build(): ChangeBatch {
    const keyOf = (): string => {
      this.#key ??= hash('sha256', `${this.#said.splice(0).join('\n')}\n`)
      return this.#key
    }
    return {
      changes: this.#changes,
      bytes: this.#bytes,
      afterBarrier: this.afterBarrier,
      // A plan does not ask for it.
      get key() {
        return keyOf()
      },
    }
  }
}
