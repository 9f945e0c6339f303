import { hash } from 'node:crypto'
import { canonicalJson, sameJson, type JsonObject } from '../model/json.ts'
import type { Proposal } from '../model/proposal.ts'
import type { Urn } from '../model/urn.ts'

/** One aspect of one entity. */
export interface AspectKey {
  readonly urn: Urn
  readonly aspectName: string
}

/** An aspect as a catalog has it. */
export interface StoredAspect {
  readonly value: JsonObject
  /** For conditional writes (contract §6); absent where the catalog does not say. */
  readonly version?: string
  /** Whose write this is (contract §3.7); absent where the catalog does not say. */
  readonly runId?: string
}

/** Text by which aspects are found in maps. A URN holds no blank before its key's end that could be mistaken: the name comes first. */
export function aspectId(key: AspectKey): string {
  return `${key.aspectName} ${key.urn}`
}

/** How much a sink bears; the emitter's own limits hold where it does not say. */
export interface SinkLimits {
  /** Proposals in one request. */
  readonly maxBatch?: number
  /** Bytes of one request. */
  readonly maxBatchBytes?: number
  /** Requests under way at once. */
  readonly maxConcurrency?: number
  /** How long one batch may be tried again. */
  readonly deadlineMs?: number
}

/** Where an emitter reads and writes: a catalog, or a file or terminal, which have nothing to read. */
export interface Sink {
  readonly limits?: SinkLimits
  /** True once it is known that conditions of writes are checked, so that a write can name what it was made for. */
  readonly checksConditions?: boolean
  /**
   * Aspects that exist, by `aspectId`.
   * @param onRetry told of each failure that is followed by another attempt
   */
  read(
    keys: readonly AspectKey[],
    signal?: AbortSignal,
    onRetry?: (failure: unknown) => void,
  ): Promise<ReadonlyMap<string, StoredAspect>>
  /**
   * All upserts, or none, in their order; then what is to be removed (changeType DELETE). Sending the same again has no
   * further effect.
   */
  write(proposals: readonly Proposal[], signal?: AbortSignal): Promise<void>
}

/** True when both aspects say the same, whatever the order of their keys. */
export function sameAspect(a: JsonObject, b: JsonObject): boolean {
  return sameJson(a, b)
}

/** Short text that is equal for aspects that say the same. */
export function aspectHash(value: JsonObject): string {
  return hash('sha256', canonicalJson(value), 'base64url').slice(0, 22)
}
