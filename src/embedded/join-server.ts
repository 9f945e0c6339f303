import { access } from 'node:fs/promises'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import { findBinaries } from './binaries.ts'
import { createCluster, inspectCluster, type ClusterState } from './cluster.ts'
import { DatabaseStartError, DataFolderGoneError } from './errors.ts'
import { chooseIdentity, readIdentityFacts } from './identity.ts'
import { mayPass, Membership } from './membership.ts'
import type { Place } from './place.ts'
import { runningPostmaster, startServer, stopServer, type Postmaster } from './server.ts'
import { clearSocketFolder, removeSocketFolder, socketFile } from './socket-folder.ts'

/**
 * Attach or start, and leave: the two things that a process does with the server. Both run under the start lock of the
 * data folder (start-lock.ts), so that no two processes of ours ever look and act at the same time.
 *
 *   join:   inspect folder ─► running? ── no ──► (initdb) ─► clear remains ─► start ─┐
 *                              └── yes ──────────────────────────────────────────────┴─► enter as a member
 *   leave:  resign ─► last one? ── yes ──► stop, remove the socket folder
 */
export interface Joined {
  readonly state: 'started' | 'attached'
  readonly postmaster: Postmaster
  readonly membership: Membership
}

export interface JoinOptions {
  /** Whether a new cluster may be made; false for a process that has been a member before. */
  readonly create: boolean
  readonly database: string
  /** For the copy of the binaries, when root must make one; others copy beside their data. */
  readonly installDir: string
  readonly nativeDir?: string
}

export async function joinServer(place: Place, options: JoinOptions, signal: AbortSignal): Promise<Joined> {
  let state: Joined['state'] = 'attached'
  for (;;) {
    signal.throwIfAborted()
    const cluster = await inspectCluster(place.dataDir)
    if (cluster.kind === 'absent' && !options.create) throw new DataFolderGoneError(place.dataDir)
    let postmaster = await reachablePostmaster(place, signal)
    if (postmaster === undefined) {
      postmaster = await startUnlessStarted(place, cluster, options, signal)
      if (postmaster === undefined) continue
      state = 'started'
    }
    const membership = await enterUnlessGone(postmaster, options.database)
    if (membership !== undefined) return { state, postmaster, membership }
    await sleep(20)
  }
}

/** A server whose socket somebody has cleaned away serves nobody any more: it is stopped, to be started again. */
async function reachablePostmaster(place: Place, signal: AbortSignal): Promise<Postmaster | undefined> {
  const postmaster = await runningPostmaster(place, signal)
  if (postmaster === undefined || (await exists(socketFile(postmaster.socketFolder)))) return postmaster
  await stopServer(postmaster, signal)
  return undefined
}

/** Undefined when a server was in the way that a starter, killed right after, had spawned: it holds no lock any more. */
async function startUnlessStarted(
  place: Place,
  cluster: ClusterState,
  options: JoinOptions,
  signal: AbortSignal,
): Promise<Postmaster | undefined> {
  try {
    return await start(place, cluster, options, signal)
  } catch (error) {
    if (error instanceof DatabaseStartError && (await runningPostmaster(place, signal)) !== undefined) return undefined
    throw error
  }
}

async function start(
  place: Place,
  cluster: ClusterState,
  options: JoinOptions,
  signal: AbortSignal,
): Promise<Postmaster> {
  const owner = cluster.kind === 'present' ? cluster.owner : undefined
  const identity = chooseIdentity(await readIdentityFacts(place.dataDir, owner))
  const installDir = identity.foreign ? options.installDir : dirname(place.dataDir)
  const native = options.nativeDir === undefined ? {} : { nativeDir: options.nativeDir }
  const binaries = await findBinaries({ identity, installDir, ...native })
  if (cluster.kind === 'absent') await createCluster(place.dataDir, binaries, identity)
  return startServer(place, binaries, identity, signal)
}

async function enterUnlessGone(postmaster: Postmaster, database: string): Promise<Membership | undefined> {
  try {
    const membership = await Membership.enter(postmaster.socketFolder)
    await membership.ensureDatabase(database)
    return membership
  } catch (error) {
    if (!mayPass(error)) throw error
    return undefined
  }
}

/** Leaves; the last one stops the server. A session that was lost is entered anew first, or it would not be counted. */
export async function leaveServer(place: Place, joined: Joined, signal: AbortSignal): Promise<{ stopped: boolean }> {
  const last = await joined.membership.resign().catch(() => undefined)
  if (last === true) await stop(joined.postmaster, signal)
  await joined.membership.end()
  if (last !== undefined) return { stopped: last }

  const postmaster = await runningPostmaster(place, signal)
  if (postmaster === undefined) {
    await removeSocket(joined.postmaster.socketFolder)
    return { stopped: true }
  }
  const membership = await Membership.enter(postmaster.socketFolder)
  const lastAfterAll = await membership.resign()
  if (lastAfterAll) await stop(postmaster, signal)
  await membership.end()
  return { stopped: lastAfterAll }
}

async function stop(postmaster: Postmaster, signal: AbortSignal): Promise<void> {
  await stopServer(postmaster, signal)
  await removeSocket(postmaster.socketFolder)
}

async function removeSocket(folder: string): Promise<void> {
  await clearSocketFolder(folder)
  await removeSocketFolder(folder)
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}
