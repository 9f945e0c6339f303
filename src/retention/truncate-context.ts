/** What the carrying out of one step needs: the catalog, the clock, where it is remembered, and how it waits. */
import type { CatalogClient } from '../client/catalog-client.ts'
import type { TruncateRequest } from '../client/operations.ts'
import { pause } from '../client/retry.ts'
import type { Clock } from '../observe/clock.ts'
import { rowsOf } from './index-parts.ts'
import type { StepStore, TaskStore } from './memory.ts'
import type { Step } from './plan.ts'
import type { CatalogKind } from './survey.ts'

export interface TruncateSettings {
  readonly samples: number
  readonly settleMs: number
  readonly driftShare: number
  readonly archiveFolder: string
  readonly plan: string
}

export interface TruncateContext {
  readonly client: CatalogClient
  readonly kind: CatalogKind
  readonly clock: Clock
  /** Aborted when the run is to end; a task under way is then cancelled or left to go on, as the reason asks for. */
  readonly stop: AbortSignal
  readonly signal: AbortSignal
  readonly settings: TruncateSettings
  readonly store: StepStore
  readonly tasks: TaskStore
  /** Told how far a phase has come. */
  readonly onProgress: (phase: 'archive' | 'truncate', rows: number) => void
}

/** Polls come later and later, between these. */
export const FIRST_POLL_MS = 100
export const SLOWEST_POLL_MS = 10_000

/** What the catalog is asked for. */
export function requestOf(step: Step): TruncateRequest {
  return {
    entityType: step.entityType,
    aspectName: step.aspectName,
    endTimeMillis: step.endTimeMillis,
    ...rowsOf(step),
    ...(step.batchSize === null ? {} : { batchSize: step.batchSize }),
    ...(step.method === 'auto' ? {} : { method: step.method }),
    // A delete stops halfway and keeps what it did; a rebuild cannot.
    ...(step.method === 'delete' ? { timeoutSeconds: Math.ceil(step.timeoutMs / 1000) } : {}),
  }
}

/** A pause that ends with the run. @throws the reason of `stop` or `signal` */
export function wait(delayMs: number, { stop, signal }: TruncateContext): Promise<void> {
  return pause(delayMs, AbortSignal.any([stop, signal]))
}
