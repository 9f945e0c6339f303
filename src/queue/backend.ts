import type { JobsOptions, Queue, QueueOptions, Worker, WorkerOptions, Job } from 'bullmq'
import type { Closable } from '../observe/resources.ts'

/** What a queue and a worker are given besides their connection. */
export type QueueSettings = Omit<QueueOptions, 'connection' | 'prefix'>
export type WorkerSettings = Omit<WorkerOptions, 'connection' | 'prefix'>
export type Processor = (job: Job, token?: string) => Promise<unknown>

/** One of BullMQ's stores, opened: the only place that knows its connections. */
export interface Backend extends Closable {
  readonly kind: 'postgres' | 'redis'
  /** What becomes of jobs that ended. */
  readonly retention: Pick<JobsOptions, 'removeOnComplete' | 'removeOnFail'>
  newQueue(name: string, settings: QueueSettings): Queue
  newWorker(name: string, processor: Processor, settings: WorkerSettings): Worker
  ping(): Promise<void>
  close(): Promise<void>
}
