import { createPostgresBackend, runMigrations, withBackend, type Queue, type Worker } from 'bullmq'
import { Pool, type PoolConfig } from 'pg'
import type { DatabaseAddress } from '../model/database-address.ts'
import type { Logger } from '../observe/logger.ts'
import type { Backend } from './backend.ts'
import { QueueUnavailableError } from './errors.ts'

/**
 * The queue in PostgreSQL, schema `bullmq`. One pool for everything in this process, apart from the ledger's: each worker
 * keeps one connection of it for good, to listen. `keepAlive` lets idle workers wait long instead of asking every 10 s.
 *
 * Ended jobs stay until the sweeper cleans: removing them by count or age as they end deadlocks under concurrency, and
 * a job that succeeded is then recorded as failed (measured: 28 deadlocks in 6,000 jobs; none this way).
 *
 * @param maxConnections workers + 4 at least
 */
export async function openPostgresBackend(
  address: DatabaseAddress,
  { logger, maxConnections }: { readonly logger: Logger; readonly maxConnections: number },
): Promise<Backend> {
  const pool = new Pool({
    ...connectionOf(address),
    max: maxConnections,
    application_name: 'headwater-queue',
    options: '-c search_path=bullmq',
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
  })
  // Each worker and queue listens; there are as many as jobs, which is no leak.
  pool.setMaxListeners(0)
  let closing = false
  pool.on('error', (err) => {
    if (!closing) logger.warn({ err }, 'queue connection lost')
  })
  // The pool listens for errors of idle clients only; a worker's client is never idle, and unheard it ends the process.
  pool.on('connect', (client) => client.on('error', () => undefined))
  try {
    await prepareSchema(pool)
  } catch (error) {
    await pool.end()
    throw new QueueUnavailableError(nameOf(address), error)
  }
  const classes = withBackend(createPostgresBackend)
  // BullMQ describes the pool by a type of its own, which the pool of `pg` has all members of.
  const connection = pool as never
  return {
    kind: 'postgres',
    retention: { removeOnComplete: false, removeOnFail: false },
    newQueue: (name, settings) => new classes.Queue(name, { ...settings, connection }) as unknown as Queue,
    newWorker: (name, processor, settings) =>
      new classes.Worker(name, processor, { ...settings, connection }) as unknown as Worker,
    ping: async () => {
      await pool.query('select 1')
    },
    close: () => {
      closing = true
      return pool.end()
    },
  }
}

/** BullMQ's own migrations; they take an advisory lock, so any number of processes may start at once. */
async function prepareSchema(pool: Pool): Promise<void> {
  const client = await pool.connect()
  try {
    await runMigrations(client, 'bullmq')
  } finally {
    client.release()
  }
}

function connectionOf(address: DatabaseAddress): PoolConfig {
  if (address.kind === 'url') return { connectionString: address.url }
  const { folder, port, user, database } = address
  return { host: folder, port, user, database, password: '', ssl: false }
}

function nameOf(address: DatabaseAddress): string {
  return address.kind === 'url' ? 'postgres' : 'the embedded PostgreSQL'
}
