import { mkdtemp, rm, stat, statfs } from 'node:fs/promises'
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

/** Runs once around all tests: names a folder for the shared server, which the first test that needs it starts. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(await fastestFolder(), 'headwater-test-'))
  const dataDir = join(folder, 'postgres')
  project.provide('sharedDataDir', dataDir)
  return async () => {
    await stopLeftBehind(dataDir)
    await rm(folder, { recursive: true, force: true })
  }
}

/** Memory where there is plenty, since a new database takes 15 ms there and 140 ms on a disk; else the temporary folder. */
async function fastestFolder(): Promise<string> {
  const memory = await statfs('/dev/shm').catch(() => undefined)
  return memory !== undefined && memory.bavail * memory.bsize > 2 * GIB ? '/dev/shm' : tmpdir()
}

const GIB = 1024 ** 3

/** A worker that was killed could not leave; whoever leaves last stops the server. */
async function stopLeftBehind(dataDir: string): Promise<void> {
  if (!(await stat(join(dataDir, 'postmaster.pid')).catch(() => undefined))) return
  const server = await openEmbeddedPostgres({ dataDir, logger: silentLogger(), clock: systemClock })
  await server.close()
}
