/**
 * What a write is. A `Write` is carried out whole or not at all; it holds changes of versioned aspects and timeseries
 * events. Many writes travel in one transaction (commit.ts), each with an outcome of its own.
 */
import type { JsonObject } from '../../model/json.ts'
import type { SystemMetadata } from '../../model/proposal.ts'
import type { AspectType } from '../../model/registry/registry.ts'
import type { Urn } from '../../model/urn.ts'

/** What is stored of an aspect. */
export interface StoredAspect {
  readonly value: JsonObject
  /** 1 for the first version, one more with each change. */
  readonly version: number
  readonly systemMetadata: SystemMetadata
  readonly writtenMs: number
  readonly writtenBy: Urn
}

/** At once where it is at hand: a promise for each look would cost a small write as much as what it does. */
export type Soon<T> = T | Promise<T>

/** What a write sees of the catalog: everything committed before it and the writes before it in its transaction. */
export interface View {
  exists(urn: Urn): Soon<boolean>
  aspect(urn: Urn, name: string): Soon<StoredAspect | undefined>
}

/** A change of one versioned aspect of one entity. */
export interface Change {
  readonly urn: Urn
  readonly aspect: AspectType
  /**
   * The value to store, from the stored one; `undefined` leaves it as it is. Throws to refuse the whole write.
   */
  next(stored: StoredAspect | undefined, view: View): Soon<JsonObject | undefined>
  readonly systemMetadata?: SystemMetadata | undefined
}

/** One event of a timeseries aspect. */
export interface TimeseriesEvent {
  readonly urn: Urn
  readonly aspect: AspectType
  readonly value: JsonObject
  readonly systemMetadata?: SystemMetadata | undefined
}

export interface Write {
  readonly actor: Urn
  readonly changes: readonly Change[]
  readonly events?: readonly TimeseriesEvent[]
  /** Entities and aspects that the write will look at, fetched together beforehand; others are fetched one by one. */
  readonly reads?: { readonly entities?: readonly Urn[]; readonly aspects?: readonly AspectRef[] }
  /** URNs that the new values will point to, so that their ids are at hand. */
  readonly mentions?: readonly Urn[]
  /** Throws to refuse the write; runs before its changes. */
  check?(view: View): Soon<void>
}

export interface AspectRef {
  readonly urn: Urn
  readonly name: string
}

export interface ChangeResult {
  readonly urn: Urn
  readonly aspect: string
  /** `unchanged`: the value was stored already, and nothing was written. */
  readonly outcome: 'written' | 'unchanged'
  /** What is stored now; undefined when the change left an absent aspect absent, and for events. */
  readonly stored: StoredAspect | undefined
}

export type WriteOutcome =
  { readonly ok: true; readonly results: readonly ChangeResult[] } | { readonly ok: false; readonly error: unknown }
