import { chown, mkdtemp, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

import type { Binaries } from './binaries.ts'
import {
  DatabaseStartError,
  DataFolderForeignError,
  DataFolderRightsError,
  DataFolderWrongMajorError,
  DiskFullError,
  NoAccountError,
} from './errors.ts'
import type { Identity, Owner } from './identity.ts'
import { folderId, killAll, processesIn } from './process-table.ts'
import { runBinary } from './run-binary.ts'

/** The data folder as files: what is in it, and how a new one is made. */
export const MAJOR = 18
export const SUPERUSER = 'postgres'

export type ClusterState = { readonly kind: 'absent' } | { readonly kind: 'present'; readonly owner: Owner }

/** Looks at the data folder; throws when it cannot be used as one. */
export async function inspectCluster(dataDir: string): Promise<ClusterState> {
  const version = await readVersion(dataDir)
  if (version === undefined) {
    const content = await readdir(dataDir).catch(() => [])
    if (content.length > 0) throw new DataFolderForeignError(dataDir)
    return { kind: 'absent' }
  }
  if (version !== String(MAJOR)) throw new DataFolderWrongMajorError(dataDir, version, MAJOR)
  const { uid, gid } = await stat(dataDir)
  return { kind: 'present', owner: { uid, gid } }
}

async function readVersion(dataDir: string): Promise<string | undefined> {
  try {
    return (await readFile(join(dataDir, 'PG_VERSION'), 'utf8')).trim()
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    if (code === 'ENOENT') return undefined
    throw new DataFolderRightsError(`${dataDir} cannot be read (${code})`, {
      cause,
      remedy: 'run the command as its owner or as root, choose another folder with --data',
    })
  }
}

const INITDB_ARGS = [
  `--username=${SUPERUSER}`,
  '--auth=trust',
  '--encoding=UTF8',
  '--locale=C',
  '--locale-provider=builtin',
  '--builtin-locale=C.UTF-8', // the same order of texts on every machine
  '--data-checksums',
  '--no-instructions',
]

/**
 * Makes a new cluster in a folder beside and renames it, so that a half-made one is never taken for a database. To be
 * called under the start lock: what an earlier, killed attempt left beside is removed.
 */
export async function createCluster(dataDir: string, binaries: Binaries, identity: Identity): Promise<void> {
  if (!identity.hasAccount) throw new NoAccountError(identity.uid)
  await removeLeftovers(dataDir)
  const staging = await mkdtemp(stagingPrefix(dataDir))
  try {
    if (identity.foreign) await chown(staging, identity.uid, identity.gid)
    const args = ['-D', dataArgument(staging), ...INITDB_ARGS]
    const { code, output } = await runBinary(binaries.initdb, args, { identity, cwd: staging, timeoutMs: 120_000 })
    if (code !== 0) throw startFailure(dataDir, 'initdb failed', output)
    await rename(staging, dataDir)
  } finally {
    await rm(staging, { recursive: true, force: true })
  }
}

function stagingPrefix(dataDir: string): string {
  return join(dirname(dataDir), `.${basename(dataDir)}.initdb-`)
}

async function removeLeftovers(dataDir: string): Promise<void> {
  const prefix = basename(stagingPrefix(dataDir))
  for (const name of await readdir(dirname(dataDir))) {
    if (name.startsWith(prefix)) await removeLeftover(join(dirname(dataDir), name))
  }
}

/** An initdb outlives the process that started it, and would go on writing while we remove. */
async function removeLeftover(staging: string): Promise<void> {
  await killAll(async () => processesIn(await folderId(staging)))
  await rm(staging, { recursive: true, force: true })
}

/**
 * How the folder is named to PostgreSQL, which is started with it as working directory. Through /proc its uid needs no
 * right to any folder above, so the data may lie below one of mode 0700.
 */
export function dataArgument(dataDir: string): string {
  return process.platform === 'linux' ? '/proc/self/cwd' : dataDir
}

/** The reason of a failed start, from what the program said. */
export function startFailure(dataDir: string, what: string, output: string, log?: string): Error {
  if (/No space left on device|could not extend file|Disk quota exceeded/i.test(output)) {
    return new DiskFullError(dataDir, { cause: new Error(output) })
  }
  const lines = output.split('\n')
  // The reason often stands in the line before: "unrecognized parameter", then "configuration file contains errors".
  const fatal = lines.findIndex((line) => /FATAL|PANIC|error:/.test(line))
  const telling = (fatal < 0 ? lines.slice(-5) : lines.slice(Math.max(0, fatal - 1), fatal + 4)).join('; ')
  return new DatabaseStartError(what, telling, log === undefined ? {} : { log })
}
