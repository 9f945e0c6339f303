import { Client, DatabaseError } from 'pg'

import { SUPERUSER } from './cluster.ts'
import { SOCKET_PORT } from './socket-folder.ts'

/**
 * Who uses the server is counted by the server: every process keeps one session with a shared advisory lock. The one
 * that can change its own into an exclusive lock is the last, and stops the server. A killed process drops out of the
 * count with its connection. Advisory locks hold within one database, so all of these sessions are in `postgres`.
 */
export class Membership {
  readonly #client: Client
  /** Resolves when the session ends in any way. */
  readonly ended: Promise<void>

  private constructor(client: Client) {
    this.#client = client
    this.ended = new Promise((resolve) => client.once('end', resolve))
  }

  /** Joins the server behind a socket folder. */
  static async enter(socketFolder: string): Promise<Membership> {
    const client = await openSession(socketFolder)
    try {
      await client.query('select pg_advisory_lock_shared($1)', [MEMBER_LOCK])
      // A server that has begun to shut down keeps us until it ends us, but takes nobody new.
      await (await openSession(socketFolder)).end()
    } catch (error) {
      await client.end().catch(() => undefined)
      throw error
    }
    return new Membership(client)
  }

  /** Makes the database unless it is there. */
  async ensureDatabase(name: string): Promise<void> {
    const { rowCount } = await this.#client.query('select from pg_database where datname = $1', [name])
    if (rowCount === 0) await this.#client.query(`create database ${this.#client.escapeIdentifier(name)}`)
  }

  /** Gives the lock up. Resolves to true when nobody else is left: then the server is the caller's to stop. */
  async resign(): Promise<boolean> {
    const { rows } = await this.#client.query<{ last: boolean }>(
      'select pg_advisory_unlock_shared($1), pg_try_advisory_lock($1) as last',
      [MEMBER_LOCK],
    )
    return rows[0]?.last === true
  }

  async end(): Promise<void> {
    await this.#client.end().catch(() => undefined)
  }
}

/** Any number that nothing else uses in the database `postgres`: "HDWATER" in ASCII. */
const MEMBER_LOCK = '20341339872052562'

/** `pg` fills gaps from PG* variables, so that none is left open. */
async function openSession(socketFolder: string): Promise<Client> {
  const client = new Client({
    host: socketFolder,
    port: SOCKET_PORT,
    user: SUPERUSER,
    password: 'none', // never asked for
    database: 'postgres',
    ssl: false,
    options: '-c statement_timeout=0',
    application_name: 'headwater-member',
    connectionTimeoutMillis: 10_000,
  })
  client.on('error', () => undefined) // `end` follows
  await client.connect()
  return client
}

/** True when a server that is not ready yet, or going away, explains the failure, so that it is worth another look. */
export function mayPass(error: unknown): boolean {
  if (error instanceof DatabaseError)
    return error.code?.startsWith('57') === true || error.code === TOO_MANY_CONNECTIONS
  const { code } = error as { code?: unknown }
  return code !== 'EACCES' && code !== 'EPERM'
}

const TOO_MANY_CONNECTIONS = '53300'
