import { chown, lstat, mkdir, rm, rmdir } from 'node:fs/promises'
import { join } from 'node:path'

import { SocketFolderError } from './errors.ts'
import type { Identity } from './identity.ts'

/** Part of the socket's name only; nothing listens on TCP. */
export const SOCKET_PORT = 5432

/**
 * The server listens on a Unix socket only, in a folder that nobody but its owner (and root) can enter: no port to
 * clash, no password to keep. It lies directly below /tmp because a socket's path may have 107 bytes at most, and not
 * below $TMPDIR, which is another one for every process.
 */
export function socketFolderOf(placeHash: string): string {
  return `/tmp/hw-${placeHash}`
}

/** Makes the folder, or takes the one that is there if it is ours. /tmp is sticky: once ours, nobody can swap it. */
export async function makeSocketFolder(folder: string, identity: Identity): Promise<void> {
  try {
    await mkdir(folder, { mode: 0o700 })
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException
    if (code !== 'EEXIST') throw new SocketFolderError(folder, message, { cause })
  }
  const found = await lstat(folder)
  if (!found.isDirectory()) throw new SocketFolderError(folder, 'it is not a folder')
  // New, or made by a starter of ours that was killed before it could give the folder away.
  const toGiveAway = identity.foreign && found.uid === process.getuid?.()
  if (toGiveAway) await chown(folder, identity.uid, identity.gid)
  else if (found.uid !== identity.uid) {
    throw new SocketFolderError(folder, `it belongs to uid ${found.uid}, not ${identity.uid}`)
  }
  if ((found.mode & 0o077) !== 0) throw new SocketFolderError(folder, 'other users can enter it')
}

/** Removes the socket and its lock file, which a killed server leaves behind. */
export async function clearSocketFolder(folder: string): Promise<void> {
  const socket = socketFile(folder)
  await rm(socket, { force: true })
  await rm(`${socket}.lock`, { force: true })
}

/** For after a stop; a folder that is not empty stays. */
export async function removeSocketFolder(folder: string): Promise<void> {
  await rmdir(folder).catch(() => undefined)
}

export function socketFile(folder: string): string {
  return join(folder, `.s.PGSQL.${SOCKET_PORT}`)
}
