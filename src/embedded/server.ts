import { spawn, type ChildProcess } from 'node:child_process'
import { constants } from 'node:fs'
import { open, rename, rm, stat, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import type { Binaries } from './binaries.ts'
import { dataArgument, startFailure } from './cluster.ts'
import { spawnIdentity, type Identity } from './identity.ts'
import { PID_FILE, readPidFile } from './pid-file.ts'
import type { Place } from './place.ts'
import { folderId, isAlive, isPostgresOf, kill, killAll, orphanedBackends, type FolderId } from './process-table.ts'
import { BINARY_ENV } from './run-binary.ts'
import { clearSocketFolder, makeSocketFolder, SOCKET_PORT, socketFolderOf } from './socket-folder.ts'

/** The postmaster of a data folder: found, started, stopped. All of this happens under the start lock. */
export interface Postmaster {
  readonly pid: number
  /** The data folder as the kernel knows it, which stays true when the folder is moved. */
  readonly folder: FolderId
  readonly socketFolder: string
}

const SETTINGS = [
  'listen_addresses=',
  `port=${SOCKET_PORT}`,
  'shared_buffers=128MB',
  'max_connections=200',
  'wal_level=minimal',
  'max_wal_senders=0',
  'max_wal_size=2GB',
  'checkpoint_timeout=15min',
  'log_checkpoints=off',
  'jit=off',
  'io_method=sync',
  'timezone=UTC',
  'log_timezone=UTC',
  // After a crash: one call instead of an fsync for each of 1000 files; 0.2 s against 2 s on a busy disk (measured).
  ...(process.platform === 'linux' ? ['recovery_init_sync_method=syncfs'] : []),
]

const POLL_MS = 10
const MAX_LOG_BYTES = 8 * 1024 * 1024

/** The server that runs on the data folder, once it is ready; undefined when none does. Waits while one comes or goes. */
export async function runningPostmaster(place: Place, signal: AbortSignal): Promise<Postmaster | undefined> {
  for (;;) {
    signal.throwIfAborted()
    const file = await readPidFile(place.dataDir)
    if (file === undefined) return undefined
    const folder = await folderId(place.dataDir)
    if (!(await isPostgresOf(file.pid, folder))) return undefined
    if (file.status === 'ready' && file.socketFolder !== undefined) {
      return { pid: file.pid, folder, socketFolder: file.socketFolder }
    }
    await sleep(POLL_MS)
  }
}

/** Starts a server on a cluster on which none runs, and waits until it takes connections. */
export async function startServer(
  place: Place,
  binaries: Binaries,
  identity: Identity,
  signal: AbortSignal,
): Promise<Postmaster> {
  const folder = await folderId(place.dataDir)
  await clearRemains(place, folder, signal)
  const socketFolder = socketFolderOf(place.hash)
  await makeSocketFolder(socketFolder, identity)
  await clearSocketFolder(socketFolder)
  await using log = await openLog(place.logFile, identity)
  const logStart = (await log.stat()).size
  const settings = [...SETTINGS, `unix_socket_directories=${socketFolder}`]
  const child = spawn(
    binaries.postgres,
    ['-D', dataArgument(place.dataDir), ...settings.flatMap((setting) => ['-c', setting])],
    {
      cwd: place.dataDir,
      env: BINARY_ENV,
      stdio: ['ignore', log.fd, log.fd],
      detached: true, // its own process group: Ctrl-C in our terminal is not meant for it
      ...spawnIdentity(identity),
    },
  )
  child.unref() // it is to outlive us
  const failed = await readyOrFailed(child, place, signal)
  if (failed !== undefined) {
    const said = `${failed}\n${await textSince(log, logStart)}`
    throw startFailure(place.dataDir, 'PostgreSQL did not start', said.trim(), place.logFile)
  }
  return { pid: child.pid ?? -1, folder, socketFolder }
}

/** Waits for the word `ready` in the pid file; gives what went wrong when the process ends before. */
async function readyOrFailed(child: ChildProcess, place: Place, signal: AbortSignal): Promise<string | undefined> {
  const end: { reason?: string } = {}
  child.on('error', (error) => (end.reason = error.message))
  child.on('exit', (code, by) => (end.reason ??= `it ended with ${by ?? `code ${code}`}`))
  while (end.reason === undefined) {
    signal.throwIfAborted()
    const file = await readPidFile(place.dataDir)
    if (file?.pid === child.pid && file?.status === 'ready') return undefined
    await sleep(POLL_MS)
  }
  return end.reason
}

/** Removes what a killed server left behind and what would keep the next one from starting. */
async function clearRemains(place: Place, folder: FolderId, signal: AbortSignal): Promise<void> {
  await killAll(() => orphanedBackends(folder), signal)
  // A pid file whose pid is dead is left to PostgreSQL, which then also looks at the shared memory it names. A pid
  // that lives again as something else it would take for a server. One that is a server has come up since we looked.
  const file = await readPidFile(place.dataDir)
  if (file === undefined || !isAlive(file.pid) || (await isPostgresOf(file.pid, folder))) return
  await rm(join(place.dataDir, PID_FILE), { force: true })
}

/** Fast shutdown: sessions end, transactions roll back. Resolves when the process is gone. */
export async function stopServer({ pid, folder }: Postmaster, signal: AbortSignal): Promise<void> {
  if (await isPostgresOf(pid, folder)) kill(pid, 'SIGINT')
  while (await isPostgresOf(pid, folder)) {
    signal.throwIfAborted()
    await sleep(POLL_MS)
  }
}

/** Opened by us and handed to the server, whose uid may not reach the path; never through a link. */
async function openLog(logFile: string, identity: Identity): Promise<FileHandle> {
  const size = await stat(logFile).then(
    (found) => found.size,
    () => 0,
  )
  if (size > MAX_LOG_BYTES) await rename(logFile, `${logFile}.1`)
  const flags = constants.O_CREAT | constants.O_RDWR | constants.O_APPEND | constants.O_NOFOLLOW
  const log = await open(logFile, flags, 0o600)
  if (identity.foreign) await log.chown(identity.uid, identity.gid)
  return log
}

async function textSince(log: FileHandle, start: number): Promise<string> {
  const { size } = await log.stat()
  const length = Math.min(size - start, 16 * 1024)
  const { buffer, bytesRead } = await log.read(Buffer.alloc(length), 0, length, size - length)
  return buffer.toString('utf8', 0, bytesRead)
}
