/**
 * The one way to PostgreSQL for catalog and ledger: a pool that takes nothing from the surroundings (`pg` reads PG*
 * variables where it is told nothing), statements that are prepared once per connection under their name, and a
 * transaction that always ends.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { Pool, types, type PoolClient, type PoolConfig, type QueryConfig, type QueryResult } from 'pg'
import type { DatabaseAddress } from '../model/database-address.ts'
import type { Logger } from '../observe/logger.ts'
import type { Closable } from '../observe/resources.ts'
import {
  DatabaseFullError,
  DatabaseUnavailableError,
  isConnectionFailure,
  sqlState,
  UnstorableValueError,
} from './errors.ts'

/** A statement with a name is prepared once per connection and planned no more; the name must be unique to its text. */
export interface Statement {
  readonly name: string
  readonly text: string
}

/** Whatever runs statements: the database itself, or one transaction of it. */
export interface Queryable {
  /** Runs a statement and gives its rows. `bigint` comes as a number, `json` parsed. */
  rows<Row extends object>(statement: Statement | string, values?: readonly unknown[]): Promise<readonly Row[]>
  /** Runs a statement and gives the number of rows it touched. */
  execute(statement: Statement | string, values?: readonly unknown[]): Promise<number>
}

/** One transaction. Statements travel in the order in which they are given, without waiting for one another's answers. */
export interface Transaction extends Queryable {
  /** Gives a statement whose result nobody needs; the transaction fails where it does. Goes out together with the commit. */
  send(statement: Statement, values: readonly unknown[]): void
}

export interface Database extends Queryable, Closable {
  /** For what needs a connection of its own (LISTEN, COPY, cursors); give it back with `release()`. */
  readonly pool: Pool
  /** How it is reached: by DATABASE_URL, or as the embedded server. */
  readonly kind: DatabaseAddress['kind']
  /** A connection from the pool; waits a few seconds for a server that restarts. Give it back with `release()`. */
  connect(): Promise<PoolClient>
  close(): Promise<void>
}

export interface DatabaseOptions {
  /** Most connections at a time. */
  readonly max: number
  /** Shown in pg_stat_activity. */
  readonly applicationName: string
  readonly logger: Logger
}

/** Opens a pool; connects only when the first statement runs. `close()` waits for the statements under way. */
export function openDatabase(address: DatabaseAddress, options: DatabaseOptions): Database {
  const pool = new Pool({
    ...connectionOf(address),
    max: options.max,
    application_name: options.applicationName,
    // Schema names are written out in every statement; nothing may depend on the role's own search_path.
    options: '-c search_path=pg_catalog',
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
    // Statements go out as they are given; the answers come in the same order.
    pipeline: true,
    types: { getTypeParser: parserOf as typeof types.getTypeParser },
  })
  // An idle connection that breaks (server restarted) is replaced by the pool; without a listener it would end the process.
  const connect = patiently(pool, address.kind)
  let closing: Promise<void> | undefined
  pool.on('error', (err) => {
    // While closing, the server may be quicker than we are.
    if (closing === undefined) options.logger.warn({ err }, 'database connection lost')
  })
  return {
    pool,
    kind: address.kind,
    connect,
    ...queryable((config) => once(connect, address.kind, config)),
    close: () => (closing ??= pool.end()),
  }
}

/** Runs one statement on a connection of its own. A connection that broke is thrown away. */
async function once(connect: Database['connect'], kind: Database['kind'], config: QueryConfig): Promise<QueryResult> {
  const client = await connect()
  try {
    const result = await client.query(config)
    client.release()
    return result
  } catch (error) {
    client.release(isConnectionFailure(error))
    throw translated(error, kind)
  }
}

/** Longest wait for a server that was there before. */
const PATIENCE_MS = 5_000
const ASK_AGAIN_MS = 50

/**
 * Takes connections from a pool. A server that answered before and is away now is most likely being restarted (the
 * embedded one is back within a second), and nothing has been sent yet: so it is asked again for a while. One that
 * never answered is an error at once.
 */
function patiently(pool: Pool, kind: Database['kind']): Database['connect'] {
  let hasAnswered = false
  pool.on('connect', (client) => {
    hasAnswered = true
    // The pool listens for errors of idle clients only. Whoever holds one learns of its end by the next statement.
    client.on('error', () => undefined)
  })
  return async () => {
    for (let tries = hasAnswered ? PATIENCE_MS / ASK_AGAIN_MS : 0; ; tries--) {
      try {
        return await pool.connect()
      } catch (error) {
        if (tries <= 0 || !isConnectionFailure(error) || pool.ending) throw translated(error, kind)
      }
      await sleep(ASK_AGAIN_MS)
    }
  }
}

/**
 * Runs `work` in a transaction: committed when it returns, rolled back when it throws or a statement fails. What `work`
 * sent and the commit travel as one, so that locks are held no longer than the server needs. A connection that fails to
 * roll back is thrown away.
 */
export async function transaction<T>(database: Database, work: (tx: Transaction) => Promise<T>): Promise<T> {
  const client = await database.connect()
  const sent: Promise<unknown>[] = []
  const packet = packets(client)
  const send = (statement: Statement | string, values?: readonly unknown[]): void => {
    packet()
    const answer = client.query(configOf(statement, values))
    // Looked at below; until then a failure must not count as unhandled.
    answer.catch(() => undefined)
    sent.push(answer)
  }
  let broken: Error | undefined
  try {
    send('begin')
    const result = await work({ ...queryable((config) => client.query(config)), send })
    // After a failed statement the server takes this for a rollback.
    send('commit')
    await Promise.all(sent)
    return result
  } catch (error) {
    await client.query('rollback').catch((failure: unknown) => {
      broken = failure instanceof Error ? failure : new Error(String(failure))
    })
    throw translated(firstFailure(error, await Promise.allSettled(sent)), database.kind)
  } finally {
    client.release(broken)
  }
}

/**
 * @returns holds back what is written from now to the end of this turn, which then goes to the server as one packet:
 * each packet costs a call of the system and wakes the server
 */
function packets(client: PoolClient): () => void {
  let held = false
  return () => {
    if (held) return
    held = true
    const { stream } = client.connection
    stream.cork()
    process.nextTick(() => {
      held = false
      stream.uncork()
    })
  }
}

/** After the first failure the server refuses every later statement of the transaction; the first one tells why. */
function firstFailure(error: unknown, sent: readonly PromiseSettledResult<unknown>[]): unknown {
  if (sqlState(error) !== IN_FAILED_TRANSACTION) return error
  const failure = sent.find((one) => one.status === 'rejected')
  return failure?.status === 'rejected' ? failure.reason : error
}

const IN_FAILED_TRANSACTION = '25P02'

type Run = (config: QueryConfig) => Promise<QueryResult>

function queryable(run: Run): Queryable {
  return {
    rows: async <Row extends object>(statement: Statement | string, values?: readonly unknown[]) =>
      (await run(configOf(statement, values))).rows as Row[],
    execute: async (statement, values) => (await run(configOf(statement, values))).rowCount ?? 0,
  }
}

function configOf(statement: Statement | string, values: readonly unknown[] = []): QueryConfig {
  if (typeof statement === 'string') return { text: statement, values: [...values] }
  return { name: statement.name, text: statement.text, values: [...values] }
}

function connectionOf(address: DatabaseAddress): PoolConfig {
  if (address.kind === 'url') return { connectionString: address.url }
  const { folder, port, user, database } = address
  return { host: folder, port, user, database, password: '', ssl: false }
}

/** Times are milliseconds and counts stay far below 2^53, so `bigint` (oid 20) may be a number. */
function parserOf(oid: number, format?: 'text' | 'binary'): (text: string) => unknown {
  return oid === 20 ? Number : (types.getTypeParser(oid, format ?? 'text') as (text: string) => unknown)
}

/** What callers tell apart: the database is away, or a value cannot be held (SQLSTATE class 22). */
function translated(error: unknown, kind: Database['kind']): unknown {
  if (isConnectionFailure(error)) return new DatabaseUnavailableError(error, kind)
  const state = sqlState(error)
  if (state === '53100') return new DatabaseFullError(error as Error, kind)
  return state?.startsWith('22') === true ? new UnstorableValueError(error) : error
}
