import { mkdtemp, readdir, rm, stat, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import type { TestProject } from 'vitest/node'

import { openEmbeddedPostgres } from '../../src/embedded/embedded-postgres.ts'
import { systemClock } from '../../src/observe/clock.ts'
import { silentLogger } from '../../src/observe/logger.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Data folder of the embedded server that all workers of this run share (test/support/embedded.ts). */
    readonly sharedDataDir: string
  }
}

const PREFIX = 'headwater-shared-'
const OWNER = new RegExp(`^${PREFIX}(\\d+)-`)

/** Runs once around all tests: names a folder for the shared server, which the first test that needs it starts. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const parent = await fastestFolder()
  await removeAbandoned(parent)
  const folder = await mkdtemp(join(parent, `${PREFIX}${process.pid}-`))
  project.provide('sharedDataDir', join(folder, 'postgres'))
  return () => remove(folder)
}

/** Memory where there is plenty, since a new database takes 15 ms there and 140 ms on a disk; else the temporary folder. */
async function fastestFolder(): Promise<string> {
  const memory = await statfs('/dev/shm').catch(() => undefined)
  return memory !== undefined && memory.bavail * memory.bsize > 2 * GIB ? '/dev/shm' : tmpdir()
}

const GIB = 1024 ** 3

/** A run that was killed could not clean up; its folder carries the pid it had. */
async function removeAbandoned(parent: string): Promise<void> {
  for (const name of await readdir(parent)) {
    const pid = OWNER.exec(name)?.[1]
    if (pid !== undefined && !isAlive(Number(pid))) await remove(join(parent, name))
  }
}

/** Stops the server if a killed worker left it running, which whoever leaves last does, and removes its data. */
async function remove(folder: string): Promise<void> {
  const dataDir = join(folder, 'postgres')
  if (await stat(join(dataDir, 'postmaster.pid')).catch(() => undefined)) {
    const server = await openEmbeddedPostgres({ dataDir, logger: silentLogger(), clock: systemClock })
    await server.close()
  }
  await rm(folder, { recursive: true, force: true })
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
