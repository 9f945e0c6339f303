import { spawnSync } from 'node:child_process'
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import { Client } from 'pg'

import { openEmbeddedPostgres, type EmbeddedPostgresOptions } from '../../../src/embedded/embedded-postgres.ts'
import type { DatabaseAddress } from '../../../src/model/database-address.ts'
import { systemClock } from '../../../src/observe/clock.ts'
import { silentLogger } from '../../../src/observe/logger.ts'
import { pgConfig } from '../../support/embedded.ts'
import { startPiece, type Piece, type PieceOptions } from '../kit/piece.ts'

/** A folder with room for one embedded server, which is stopped and removed at the end whatever a test did to it. */
export interface Box extends AsyncDisposable {
  readonly folder: string
  readonly dataDir: string
  /** Options for a server in this process. */
  readonly options: EmbeddedPostgresOptions
  /** A process of its own that uses the server (member.ts). */
  member(options?: Partial<PieceOptions> & { readonly open?: Partial<EmbeddedPostgresOptions> }): Piece
}

export interface JoinedEvent {
  readonly state: 'started' | 'attached'
  readonly address: Extract<DatabaseAddress, { kind: 'socket' }>
  /** Start time of the postmaster: equal for all who share one. */
  readonly since: string
}

export interface RefusedEvent {
  readonly code: string
  readonly message: string
  readonly remedy: string
}

export const isJoined = ({ event }: Record<string, unknown>): boolean => event === 'joined'
export const isRefused = ({ event }: Record<string, unknown>): boolean => event === 'refused'

export async function emptyBox(): Promise<Box> {
  const folder = await mkdtemp(join(tmpdir(), 'headwater-box-'))
  await chmod(folder, 0o755)
  const dataDir = join(folder, 'postgres')
  const options = { dataDir, logger: silentLogger(), clock: systemClock }
  return {
    folder,
    dataDir,
    options,
    member({ open = {}, ...piece } = {}) {
      const args = [JSON.stringify({ dataDir, ...open })]
      return startPiece({ script: 'test/chaos/embedded/member.ts', args, ...piece })
    },
    async [Symbol.asyncDispose]() {
      if ((await postmasterPid(dataDir)) !== undefined) {
        await openEmbeddedPostgres(options).then(
          (server) => server.close(),
          () => undefined, // a folder that cannot be opened has no server
        )
      }
      await rm(folder, { recursive: true, force: true })
    },
  }
}

export async function postmasterPid(dataDir: string): Promise<number | undefined> {
  const text = await readFile(join(dataDir, 'postmaster.pid'), 'utf8').catch(() => '')
  return text === '' ? undefined : Number.parseInt(text, 10)
}

/** Runs one statement on a connection of its own. */
export async function query<Row extends object>(address: DatabaseAddress, sql: string): Promise<readonly Row[]> {
  if (address.kind !== 'socket') throw new TypeError('the embedded server listens on a socket')
  const client = new Client(pgConfig(address))
  client.on('error', () => undefined)
  await client.connect()
  try {
    return (await client.query<Row>(sql)).rows
  } finally {
    await client.end()
  }
}

/** Looks again until it is true; the test's own time limit bounds it. */
export async function until(isTrue: () => Promise<boolean> | boolean): Promise<void> {
  while (!(await isTrue())) await sleep(10)
}

/** True while a process runs; one that ended and that nobody has collected yet (a zombie) does not. */
export async function isAlive(pid: number): Promise<boolean> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  const state = stat.slice(stat.lastIndexOf(')') + 2)[0]
  return state !== undefined && state !== 'Z' && state !== 'X'
}

/** Why a test that needs root skips; undefined for root. */
export const needsRoot = process.getuid?.() === 0 ? undefined : 'needs root, to run as other accounts'

/** Why a test that runs our own code as another account skips: not root, or the checkout is closed to others. */
export const needsOtherAccounts =
  needsRoot ?? (othersCanRunUs() ? undefined : 'other accounts cannot read this checkout')

function othersCanRunUs(): boolean {
  const look = `require('node:fs').readFileSync(${JSON.stringify(import.meta.filename)})`
  return spawnSync(process.execPath, ['-e', look], { cwd: '/', uid: 65534, gid: 65534 }).status === 0
}
