import { DelayedError, WaitingError, type Job, type Queue } from 'bullmq'
import type { DatabaseAddress } from '../model/database-address.ts'
import type { Clock } from '../observe/clock.ts'
import { maskUrl, type Logger } from '../observe/logger.ts'
import type { Backend, Processor } from './backend.ts'
import { QueueUrlError } from './errors.ts'
import { checkJobId, packPayload, unpackPayload } from './payload.ts'
import { openPostgresBackend } from './postgres-backend.ts'
import type { JobHandler, NewJob, QueueKit, QueueWorker, WorkOptions } from './queue-kit.ts'
import { openRedisBackend } from './redis-backend.ts'

export interface OpenQueuesOptions {
  /** redis://, rediss:// or postgres://; the ledger's database when absent. */
  readonly url?: string | undefined
  readonly databaseAddress: DatabaseAddress
  readonly logger: Logger
  readonly clock: Clock
  /** Connections to PostgreSQL; each queue that is worked on keeps one. Default 20. */
  readonly maxConnections?: number
  /** Beginning of all keys in Redis; `headwater` when absent. */
  readonly prefix?: string
}

/** Lets BullMQ keep handing out a job whose workers die: the ledger counts, and gives up. */
const MAX_STALLED = 1_000_000

/** Jobs in one call to the store. */
const ADDED_AT_ONCE = 500

/** Opens the queue's store; the one factory of queues and workers. @throws QueueUrlError, QueueUnavailableError, RedisUnfitError */
export async function openQueues(options: OpenQueuesOptions): Promise<QueueKit> {
  const backend = await openBackend(options)
  const { logger, clock } = options
  const queues = new Map<string, Queue>()
  const workers = new Set<QueueWorker>()

  function queueOf(name: string): Queue {
    const known = queues.get(name)
    if (known !== undefined) return known
    const queue = backend.newQueue(name, { defaultJobOptions: { attempts: 1, ...backend.retention } })
    // Without a listener an 'error' event would end the process.
    queue.on('error', (err) => logger.warn({ err, queue: name }, 'queue error'))
    queues.set(name, queue)
    return queue
  }

  async function add(name: string, { id, payload, delayMs = 0 }: NewJob): Promise<void> {
    await queueOf(name).add(name, packPayload(payload), { jobId: checkJobId(id), delay: delayMs })
  }

  async function addAll(name: string, jobs: readonly NewJob[]): Promise<void> {
    for (let at = 0; at < jobs.length; at += ADDED_AT_ONCE) {
      await queueOf(name).addBulk(
        jobs.slice(at, at + ADDED_AT_ONCE).map(({ id, payload, delayMs = 0 }) => ({
          name,
          data: packPayload(payload),
          opts: { jobId: checkJobId(id), delay: delayMs },
        })),
      )
    }
  }

  async function remove(name: string, id: string): Promise<void> {
    const job = (await queueOf(name).getJob(id)) as Job | undefined
    // A job that is worked on is locked; its worker learns from the ledger that it is no longer wanted.
    await job?.remove().catch((err: unknown) => logger.debug({ err, queue: name, run: id }, 'job not removed'))
  }

  async function ensure(name: string, job: NewJob): Promise<boolean> {
    const state = await queueOf(name).getJobState(checkJobId(job.id))
    if (state !== 'unknown' && state !== 'completed' && state !== 'failed') return false
    if (state !== 'unknown') await remove(name, job.id)
    await add(name, job)
    return true
  }

  async function work(name: string, handler: JobHandler, settings: WorkOptions): Promise<QueueWorker> {
    const worker = backend.newWorker(name, processorOf(name, handler, { logger, clock }), {
      concurrency: settings.concurrency,
      lockDuration: settings.lockDurationMs,
      stalledInterval: settings.lockDurationMs / 2,
      maxStalledCount: MAX_STALLED,
    })
    worker.on('error', (err) => logger.warn({ err, queue: name }, 'worker error'))
    worker.on('stalled', (run) => logger.warn({ queue: name, run }, 'job taken from a worker that went silent'))
    worker.on('lockRenewalFailed', (runs) => logger.warn({ queue: name, runs }, 'lock not renewed'))
    await worker.waitUntilReady()
    const entry: QueueWorker = {
      close: async () => {
        workers.delete(entry)
        await worker.close()
      },
    }
    workers.add(entry)
    return entry
  }

  async function close(): Promise<void> {
    await Promise.all([...workers].map((worker) => worker.close()))
    await Promise.all([...queues.values()].map((queue) => queue.close()))
    await backend.close()
  }

  let closing: Promise<void> | undefined
  return {
    kind: backend.kind,
    add,
    addAll,
    ensure,
    remove,
    work,
    depth: async (name) => {
      const queue = queueOf(name)
      const waiting = await queue.getJobCountByTypes('waiting', 'prioritized')
      const delayed = await queue.getJobCountByTypes('delayed')
      const active = await queue.getJobCountByTypes('active')
      return { waiting, delayed, active }
    },
    clean: async (name, olderThanMs) => {
      const completed = await queueOf(name).clean(olderThanMs, 1000, 'completed')
      const failed = await queueOf(name).clean(olderThanMs, 1000, 'failed')
      return completed.length + failed.length
    },
    ping: () => backend.ping(),
    queues: (names = []) => {
      for (const name of names) queueOf(name)
      return [...queues.values()]
    },
    close: () => (closing ??= close()),
  }
}

function openBackend({
  url,
  databaseAddress,
  logger,
  maxConnections = 20,
  prefix,
}: OpenQueuesOptions): Promise<Backend> {
  if (url === undefined) return openPostgresBackend(databaseAddress, { logger, maxConnections })
  if (/^rediss?:\/\//.test(url)) return openRedisBackend(url, { logger, prefix })
  if (/^postgres(ql)?:\/\//.test(url)) return openPostgresBackend({ kind: 'url', url }, { logger, maxConnections })
  throw new QueueUrlError(maskUrl(url))
}

/** How long a job waits whose handler failed to say what becomes of it, for example since the database was away. */
const HANDLER_FAILED_WAIT_MS = 2_000

/**
 * Turns a handler's answer into BullMQ's signs: a job that comes again is moved first and then reported by a special
 * error, so no attempt of BullMQ's is used up.
 */
function processorOf(
  name: string,
  handler: JobHandler,
  { logger, clock }: { logger: Logger; clock: Clock },
): Processor {
  return async (job, token) => {
    const result = await handler({ id: job.id ?? '', payload: unpackPayload(job.data) }).catch((err: unknown) => {
      logger.error({ err, queue: name, run: job.id }, 'job handler failed')
      return { kind: 'again', afterMs: HANDLER_FAILED_WAIT_MS } as const
    })
    if (result.kind === 'done') return undefined
    if (result.afterMs <= 0) {
      await job.moveToWait(token)
      throw new WaitingError()
    }
    await job.moveToDelayed(clock.now() + result.afterMs, token)
    throw new DelayedError()
  }
}
