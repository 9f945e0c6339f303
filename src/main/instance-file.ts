/**
 * `instance.json` in the data folder says which process serves the catalog of this folder and which roles it has, so
 * that commands attach to it instead of starting their own. The file is a hint: who reads it
 * asks that catalog whether it answers.
 */
import { createHash } from 'node:crypto'
import { readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { Type, type Static } from 'typebox'
import { decode } from '../model/decode.ts'
import { HeadwaterError } from '../model/errors.ts'
import type { Closable } from '../observe/resources.ts'
import type { Database } from '../store/database.ts'
import { InstanceLock } from './instance-lock.ts'

export const INSTANCE_ROLES = ['catalog', 'worker', 'scheduler'] as const
export type InstanceRole = (typeof INSTANCE_ROLES)[number]

const InstanceRecord = Type.Object({
  pid: Type.Integer(),
  /** Base URL of the catalog that it serves. */
  catalogUrl: Type.String(),
  /** Base URL of the console, where it has one. */
  consoleUrl: Type.Optional(Type.String()),
  roles: Type.Array(Type.Enum(INSTANCE_ROLES)),
  startedAt: Type.String(),
})
export type InstanceRecord = Static<typeof InstanceRecord>

/** A second `up` or `catalog serve` on the same data folder. */
export class AlreadyRunningError extends HeadwaterError {
  readonly code = 'ALREADY_RUNNING'
  readonly running: InstanceRecord | undefined

  constructor(dataFolder: string, running: InstanceRecord | undefined) {
    const who = running === undefined ? 'another process' : `process ${running.pid}`
    const where = running === undefined ? '' : `, its catalog is at ${running.catalogUrl}`
    super(`${who} already serves ${dataFolder}${where}`, {
      remedy: 'use that one, stop it with SIGTERM, or choose another folder with --data',
    })
    this.running = running
  }
}

/** The instance that says it serves a data folder; undefined where none does. */
export function readInstance(dataFolder: string): InstanceRecord | undefined {
  try {
    const record = decode(InstanceRecord, JSON.parse(readFileSync(pathIn(dataFolder), 'utf8')))
    return isAlive(record.pid) ? record : undefined
  } catch {
    // Not there, or half written by a process that died: nobody to attach to.
    return undefined
  }
}

export interface Instance extends Closable {
  /** Tells others where to find this process; once it answers there. */
  announce(record: InstanceRecord): void
  close(): void
}

/**
 * Makes this process the one that serves a data folder, before it opens anything that others could reach: a lock of the
 * database decides, which a dead process cannot hold.
 * @throws AlreadyRunningError
 */
export async function claimInstance(database: Database, dataFolder: string): Promise<Instance> {
  const lock = await InstanceLock.take(database, folderKey(dataFolder))
  if (lock === undefined) throw new AlreadyRunningError(dataFolder, readInstance(dataFolder))
  return {
    announce(record) {
      const temporary = `${pathIn(dataFolder)}.${record.pid}`
      writeFileSync(temporary, `${JSON.stringify(record)}\n`, { mode: 0o600 })
      renameSync(temporary, pathIn(dataFolder))
    },
    close() {
      rmSync(pathIn(dataFolder), { force: true })
      lock.release()
    },
  }
}

function folderKey(dataFolder: string): number {
  return createHash('sha256')
    .update(`${hostname()}\n${realpathSync(dataFolder)}`)
    .digest()
    .readInt32BE()
}

function pathIn(dataFolder: string): string {
  return join(dataFolder, 'instance.json')
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // EPERM: it lives and belongs to somebody else.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
