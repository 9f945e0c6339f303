import { setTimeout as sleep } from 'node:timers/promises'

import type { DatabaseAddress } from '../model/database-address.ts'
import type { Clock } from '../observe/clock.ts'
import type { Logger } from '../observe/logger.ts'
import { SUPERUSER } from './cluster.ts'
import { explained } from './explain.ts'
import { joinServer, leaveServer, type Joined, type JoinOptions } from './join-server.ts'
import { findPlace, type Place } from './place.ts'
import { SOCKET_PORT } from './socket-folder.ts'
import { withStartLock } from './start-lock.ts'

/**
 * The PostgreSQL that we start ourselves, so that a machine with Node and npm needs nothing else. Any number of
 * processes share one server per data folder: the first starts it, later ones attach, the last one out stops it.
 * Nobody owns it; a killed process leaves it running, and the next one attaches. When the server dies under its
 * members, they start it again, one of them does and the others attach; pools of `pg` connect again by themselves.
 */
export interface EmbeddedPostgres extends AsyncDisposable {
  readonly address: DatabaseAddress
  /** How this process got in. */
  readonly state: 'started' | 'attached'
  /** Leaves the server and, as the last one, stops it: sessions that are still open are ended. Safe to call twice. */
  close(): Promise<void>
}

export interface EmbeddedPostgresOptions {
  /** Folder of the database's files; made when absent, with the folders above it. */
  readonly dataDir: string
  readonly logger: Logger
  readonly clock: Clock
  /** Name of the database, made on first use. Default `headwater`. */
  readonly database?: string
  /** Longest wait for the server, a crash recovery included. Default 5 minutes. */
  readonly startTimeoutMs?: number
  /** Where root copies the binaries when the server's account cannot reach them. Default `/var/lib/headwater`. */
  readonly installDir?: string
  /** Folder with `bin`, `lib` and `share` of PostgreSQL. Default: that of the installed package. */
  readonly nativeDir?: string
}

export const DEFAULT_INSTALL_DIR = '/var/lib/headwater'
const DEFAULT_START_TIMEOUT_MS = 5 * 60_000
const STOP_TIMEOUT_MS = 60_000
const REJOIN_FIRST_WAIT_MS = 50
const REJOIN_MAX_WAIT_MS = 10_000

/** Attaches to the server of the data folder, or starts it. Errors: errors.ts, each with its remedy. */
export async function openEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const place = await findPlace(options.dataDir)
  const joined = await join(place, options, { create: true, signal: new AbortController().signal })
  return new Member(place, options, joined)
}

class Member implements EmbeddedPostgres {
  readonly address: DatabaseAddress
  readonly state: 'started' | 'attached'
  readonly #place: Place
  readonly #options: EmbeddedPostgresOptions
  readonly #closing = new AbortController()
  #joined: Joined
  #rejoining: Promise<void> = Promise.resolve()
  #closed: Promise<void> | undefined

  constructor(place: Place, options: EmbeddedPostgresOptions, joined: Joined) {
    this.address = {
      kind: 'socket',
      folder: joined.postmaster.socketFolder,
      port: SOCKET_PORT,
      user: SUPERUSER,
      database: databaseOf(options),
    }
    this.state = joined.state
    this.#place = place
    this.#options = options
    this.#joined = joined
    this.#watch()
  }

  close(): Promise<void> {
    this.#closed ??= this.#leave()
    return this.#closed
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  #watch(): void {
    void this.#joined.membership.ended.then(() => {
      if (!this.#closing.signal.aborted) this.#rejoining = this.#rejoin()
    })
  }

  /** The server went away under us: attach to it, or start it, until it works or we are closed. */
  async #rejoin(): Promise<void> {
    const { signal } = this.#closing
    const { logger, clock } = this.#options
    const lostAt = clock.monotonic()
    logger.warn({ dataDir: this.#place.dataDir }, 'embedded database lost')
    for (let waitMs = REJOIN_FIRST_WAIT_MS; !signal.aborted; waitMs = Math.min(waitMs * 2, REJOIN_MAX_WAIT_MS)) {
      try {
        this.#joined = await join(this.#place, this.#options, { create: false, signal })
        logger.info({ state: this.#joined.state, durationMs: clock.monotonic() - lostAt }, 'embedded database back')
        return this.#watch()
      } catch (err) {
        if (!signal.aborted) logger.error({ err, waitMs }, 'embedded database still away')
      }
      await sleep(waitMs, undefined, { signal }).catch(() => undefined)
    }
  }

  async #leave(): Promise<void> {
    this.#closing.abort()
    await this.#rejoining
    const { logger, clock } = this.#options
    const startedAt = clock.monotonic()
    const timeout = AbortSignal.timeout(STOP_TIMEOUT_MS)
    try {
      const leave = () => leaveServer(this.#place, this.#joined, timeout)
      const { stopped } = await withStartLock(lockName(this.#place), timeout, leave)
      logger.debug({ stopped, durationMs: clock.monotonic() - startedAt }, 'embedded database left')
    } catch (err) {
      // It ends by itself, or the next command that leaves stops it: no reason to fail what is done already.
      logger.warn({ err }, 'embedded database may still be running')
    } finally {
      await this.#joined.membership.end()
    }
  }
}

async function join(
  place: Place,
  options: EmbeddedPostgresOptions,
  { create, signal }: { readonly create: boolean; readonly signal: AbortSignal },
): Promise<Joined> {
  const startedAt = options.clock.monotonic()
  const timeoutMs = options.startTimeoutMs ?? DEFAULT_START_TIMEOUT_MS
  const timeout = AbortSignal.timeout(timeoutMs)
  const either = AbortSignal.any([timeout, signal])
  try {
    const joined = await withStartLock(lockName(place), either, () =>
      joinServer(place, joinOptions(options, create), either),
    )
    const durationMs = options.clock.monotonic() - startedAt
    options.logger.debug({ state: joined.state, pid: joined.postmaster.pid, durationMs }, 'embedded database joined')
    return joined
  } catch (error) {
    throw explained(error, place, { signal: timeout, ms: timeoutMs })
  }
}

function joinOptions(options: EmbeddedPostgresOptions, create: boolean): JoinOptions {
  return {
    create,
    database: databaseOf(options),
    installDir: options.installDir ?? DEFAULT_INSTALL_DIR,
    ...(options.nativeDir === undefined ? {} : { nativeDir: options.nativeDir }),
  }
}

function databaseOf(options: EmbeddedPostgresOptions): string {
  return options.database ?? 'headwater'
}

function lockName(place: Place): string {
  return `headwater-${place.hash}`
}
