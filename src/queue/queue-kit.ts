/**
 * What the runner asks of a queue, the same on PostgreSQL and on Redis. It is transport only: it may lose a job (the
 * sweeper puts it back from the ledger) and may hand one out twice (the ledger lets one worker have it).
 */
import type { Queue } from 'bullmq'
import type { JsonObject } from '../model/json.ts'
import type { Closable } from '../observe/resources.ts'

export interface QueueKit extends Closable {
  readonly kind: 'postgres' | 'redis'
  /** Adds a job. One with this id that is still there is left as it is. */
  add(queue: string, job: NewJob): Promise<void>
  /** The same for many, in few round trips. */
  addAll(queue: string, jobs: readonly NewJob[]): Promise<void>
  /**
   * Adds a job unless it is waiting, delayed or being worked on. One that the queue holds as ended is replaced.
   * @returns true where it had to be added
   */
  ensure(queue: string, job: NewJob): Promise<boolean>
  /** Takes a job away that nobody works on; nothing happens where it is not there. */
  remove(queue: string, id: string): Promise<void>
  /** Begins to work. */
  work(queue: string, handler: JobHandler, options: WorkOptions): Promise<QueueWorker>
  /** Jobs by what they wait for. */
  depth(queue: string): Promise<QueueDepth>
  /** Forgets jobs that ended more than `olderThanMs` ago; at most 1,000 in a call. @returns how many */
  clean(queue: string, olderThanMs: number): Promise<number>
  /** Resolves once the server answered. */
  ping(): Promise<void>
  /** The queues of these names, and all that were used so far; for the engineers' page. */
  queues(names?: readonly string[]): readonly Queue[]
  close(): Promise<void>
}

export interface NewJob {
  readonly id: string
  readonly payload: JsonObject
  readonly delayMs?: number
}

export type JobHandler = (job: { readonly id: string; readonly payload: JsonObject }) => Promise<HandlerResult>

/** What becomes of a job that was handled: it leaves the queue, or comes again. */
export type HandlerResult = { readonly kind: 'done' } | { readonly kind: 'again'; readonly afterMs: number }

export interface WorkOptions {
  /** Jobs at once. */
  readonly concurrency: number
  /** How long a job stays with a worker that went silent; looked at twice in that time. */
  readonly lockDurationMs: number
}

export interface QueueWorker extends Closable {
  /** Takes no more jobs and waits for those under way. */
  close(): Promise<void>
}

interface QueueDepth {
  readonly waiting: number
  readonly delayed: number
  readonly active: number
}
