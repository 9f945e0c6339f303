/**
 * The folders of runs (log, artifacts) on this machine; they go when the ledger has forgotten their run. Inputs that were
 * kept for a run (standard input, pipes) go when no run is left that is as old.
 */
import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Closable } from '../../observe/resources.ts'
import type { Database } from '../../store/database.ts'
import { forgottenRuns } from '../../store/ledger/prune.ts'
import type { RunnerParts } from '../parts.ts'
import { repeatUntilClosed } from '../repeat.ts'

const HOUR_MS = 3_600_000
/** A folder is made a moment after its run; and a clock may be wrong by a little. */
const LEAST_AGE_MS = HOUR_MS
const ASKED_AT_ONCE = 500

/** Removes the folders of forgotten runs that are older than an hour. @returns how many */
export async function removeForgottenFolders(database: Database, runsFolder: string, nowMs: number): Promise<number> {
  const names = await readdir(runsFolder).catch(() => [])
  let removed = 0
  for (let at = 0; at < names.length; at += ASKED_AT_ONCE) {
    for (const name of await forgottenRuns(database, names.slice(at, at + ASKED_AT_ONCE))) {
      const folder = join(runsFolder, name)
      const facts = await stat(folder).catch(() => undefined)
      if (facts === undefined || nowMs - facts.mtimeMs < LEAST_AGE_MS) continue
      await rm(folder, { recursive: true, force: true })
      removed++
    }
  }
  return removed
}

/** Removes inputs that were kept before a time. @returns how many */
export async function removeOldInputs(inputsFolder: string, beforeMs: number): Promise<number> {
  let removed = 0
  for (const name of await readdir(inputsFolder).catch(() => [])) {
    const path = join(inputsFolder, name)
    const facts = await stat(path).catch(() => undefined)
    if (facts === undefined || facts.mtimeMs >= beforeMs) continue
    await rm(path, { recursive: true, force: true })
    removed++
  }
  return removed
}

export interface KeptFolders {
  readonly runs: string
  readonly inputs: string
  /** How long runs are remembered. */
  readonly runDays: number
}

/** Does both at once and every six hours, until it is closed: each machine has folders of its own. */
export function openFolderKeeper(
  { database, clock, logger }: Pick<RunnerParts, 'database' | 'clock' | 'logger'>,
  { runs, inputs, runDays }: KeptFolders,
): Closable {
  const once = async (): Promise<void> => {
    const removed = await removeForgottenFolders(database, runs, clock.now())
    if (removed > 0) logger.info({ removed }, 'folders of forgotten runs removed')
    const old = await removeOldInputs(inputs, clock.now() - runDays * 24 * HOUR_MS)
    if (old > 0) logger.info({ removed: old }, 'kept inputs of forgotten runs removed')
  }
  return repeatUntilClosed(once, {
    intervalMs: 6 * HOUR_MS,
    onError: (err) => logger.warn({ err }, 'folders of forgotten runs not removed'),
  })
}
