import { setTimeout as sleep } from 'node:timers/promises'
import type { PoolClient } from 'pg'
import type { Database } from '../store/database.ts'
import { LOCK } from '../store/locks.ts'

const TRY_AGAIN_MS = 1_000

/**
 * A lock of the database that lasts as long as this process holds on to it: the session that has it ends with the
 * process, however that dies. Where the session ends first (the server was restarted), the lock is taken again.
 */
export class InstanceLock {
  readonly #database: Database
  readonly #key: number
  readonly #released = new AbortController()
  #session: PoolClient | undefined

  private constructor(database: Database, key: number, session: PoolClient) {
    this.#database = database
    this.#key = key
    this.#hold(session)
  }

  /** Undefined where somebody else has it. */
  static async take(database: Database, key: number): Promise<InstanceLock | undefined> {
    const session = await tryLock(database, key)
    return session === undefined ? undefined : new InstanceLock(database, key, session)
  }

  release(): void {
    this.#released.abort()
    this.#session?.release(true) // ends the session, and with it the lock
  }

  #hold(session: PoolClient): void {
    this.#session = session
    session.once('end', () => {
      if (this.#released.signal.aborted) return
      this.#session = undefined
      session.release(true)
      void this.#takeAgain()
    })
  }

  async #takeAgain(): Promise<void> {
    const { signal } = this.#released
    while (!signal.aborted) {
      const session = await tryLock(this.#database, this.#key).catch(() => undefined)
      if (session !== undefined) return signal.aborted ? session.release(true) : this.#hold(session)
      await sleep(TRY_AGAIN_MS, undefined, { signal }).catch(() => undefined)
    }
  }
}

async function tryLock(database: Database, key: number): Promise<PoolClient | undefined> {
  const session = await database.connect()
  try {
    const { rows } = await session.query<{ locked: boolean }>('select pg_try_advisory_lock($1, $2) as locked', [
      LOCK.instance,
      key,
    ])
    if (rows[0]?.locked === true) return session
  } catch (error) {
    session.release(true)
    throw error
  }
  session.release()
  return undefined
}
