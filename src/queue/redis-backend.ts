import { createRedisBackend, withBackend } from 'bullmq'
import { Redis, type RedisOptions } from 'ioredis'
import { maskUrl, type Logger } from '../observe/logger.ts'
import type { Backend } from './backend.ts'
import { QueueUnavailableError, RedisUnfitError } from './errors.ts'

/** The least version with everything that the queue uses. */
const LEAST_VERSION = [6, 2] as const

/**
 * The queue in Redis or Valkey. Adding fails at once while the server is away (the ledger keeps the run, the sweeper adds
 * it later); workers wait for it.
 * @throws RedisUnfitError where the server is too old or would evict jobs
 * @throws QueueUnavailableError where it does not answer
 */
export async function openRedisBackend(
  url: string,
  { logger, prefix = 'headwater' }: { readonly logger: Logger; readonly prefix?: string | undefined },
): Promise<Backend> {
  const producer = connect(url, logger, { enableOfflineQueue: false, maxRetriesPerRequest: 1, lazyConnect: true })
  // A connection that fails is only said to be closed; why, it tells before.
  let reason: unknown
  producer.on('error', (error) => (reason ??= error))
  try {
    await producer.connect()
    await checkServer(producer, logger)
  } catch (error) {
    producer.disconnect()
    throw error instanceof RedisUnfitError ? error : new QueueUnavailableError(maskUrl(url), reason ?? error)
  }
  const consumer = connect(url, logger, { maxRetriesPerRequest: null })
  const classes = withBackend(createRedisBackend)
  const ended = { age: 3600, count: 1000 }
  return {
    kind: 'redis',
    retention: { removeOnComplete: ended, removeOnFail: ended },
    newQueue: (name, settings) => new classes.Queue(name, { ...settings, connection: producer, prefix }),
    newWorker: (name, processor, settings) =>
      new classes.Worker(name, processor, { ...settings, connection: consumer, prefix }),
    ping: async () => {
      // A write: a full Redis still answers PING.
      await producer.set(`${prefix}:ping`, 1, 'EX', 60)
    },
    close: () => {
      producer.disconnect()
      consumer.disconnect()
      return Promise.resolve()
    },
  }
}

type ConnectOptions = Pick<RedisOptions, 'enableOfflineQueue' | 'maxRetriesPerRequest' | 'lazyConnect'>

function connect(url: string, logger: Logger, options: ConnectOptions): Redis {
  const redis = new Redis(url, options)
  redis.on('error', (err: Error) => logger.warn({ err }, 'queue connection lost'))
  return redis
}

async function checkServer(redis: Redis, logger: Logger): Promise<void> {
  const facts = infoFields(await redis.info())
  const version = facts.get('valkey_version') ?? facts.get('redis_version') ?? '0'
  if (!isAtLeast(version, LEAST_VERSION)) {
    throw new RedisUnfitError(
      `the queue's Redis has version ${version}; it needs ${LEAST_VERSION.join('.')} or newer`,
      {
        remedy: 'update the server, or keep the queue in PostgreSQL',
      },
    )
  }
  const policy = facts.get('maxmemory_policy') ?? 'unknown'
  if (policy !== 'noeviction') {
    throw new RedisUnfitError(`the queue's Redis evicts keys when its memory is full (maxmemory-policy ${policy})`, {
      remedy: 'set maxmemory-policy noeviction: an evicted key is a lost job',
    })
  }
  if (facts.get('aof_enabled') === '0') {
    logger.warn(
      { remedy: 'set appendonly yes' },
      'the Redis of the queue keeps no append-only file; after its crash runs start late, when the sweeper finds them',
    )
  }
}

/** Fields of an INFO reply, which has one `name:value` a line. */
export function infoFields(info: string): ReadonlyMap<string, string> {
  const lines = info.split(/\r?\n/).filter((line) => !line.startsWith('#') && line.includes(':'))
  return new Map(lines.map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1)]))
}

/** Whether a version such as `7.0.15` is at least major.minor. */
export function isAtLeast(version: string, [major, minor]: readonly [number, number]): boolean {
  const [foundMajor = 0, foundMinor = 0] = version.split('.').map(Number)
  return foundMajor > major || (foundMajor === major && foundMinor >= minor)
}
