/**
 * How far the truncation of one index has come, kept so that another attempt goes on from there:
 *
 *   (nothing) ─► counted ─► archived ─► asked ─► started ─► (result)
 *                   │  no archive wanted ▲  │ answer lost: wait until the counts stand still, then ask again
 *                   └────────────────────┘  └ ended without success, or unknown: back to counted
 */
import type { JsonObject } from '../model/json.ts'
import type { Sample } from './samples.ts'

/** Rows older than the cut-off, and all. */
export interface RowCount extends JsonObject {
  readonly matching: number
  readonly total: number
}

export interface StepMemory extends JsonObject {
  readonly stage: 'counted' | 'archived' | 'asked' | 'started' | 'done'
  /** As counted before the first truncation of this step. */
  readonly before: RowCount
  readonly sizeMbBefore: number
  readonly samples: Sample[]
  /** Path and rows of the archive. */
  readonly archive: { path: string; rows: number } | null
  readonly taskId: string | null
  readonly startedAtMs: number
  readonly result: StepResult | null
}

/** What became of a step. */
export interface StepResult extends JsonObject {
  readonly indexName: string
  readonly cutoffMs: number
  readonly deleted: number
  readonly rowsBefore: number
  readonly rowsAfter: number
  /** Rows older than the cut-off that came while it ran, and are still there. */
  readonly lateRows: number
  readonly sizeMbBefore: number
  /** Null where the catalog does not tell. */
  readonly sizeMbAfter: number | null
  readonly samplesChecked: number
  readonly archive: string | null
  readonly taskId: string | null
  readonly durationMs: number
  /** What a person should know although it went well. */
  readonly notes: string[]
}

/**
 * The task that an index was last truncated by and whose end nobody saw, kept from run to run: a catalog must not be asked
 * for a second truncation of an index while the first is under way.
 */
export interface TaskStore {
  read(): Promise<string | undefined>
  /** @param taskId undefined once it is known to have ended */
  save(taskId: string | undefined): Promise<void>
}

/** Where the memory of one step is kept. */
export interface StepStore {
  read(): Promise<StepMemory | undefined>
  save(memory: StepMemory): Promise<void>
}
