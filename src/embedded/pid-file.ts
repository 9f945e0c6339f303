import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** What `postmaster.pid` says; the server writes it line by line while it comes up. */
export interface PidFile {
  readonly pid: number
  /** Folder of the Unix socket; absent until the server listens. */
  readonly socketFolder: string | undefined
  readonly status: string | undefined
}

export const PID_FILE = 'postmaster.pid'

/** The pid file of a data folder; undefined when there is none, or it is still empty. */
export async function readPidFile(dataDir: string): Promise<PidFile | undefined> {
  let text: string
  try {
    text = await readFile(join(dataDir, PID_FILE), 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
  return parsePidFile(text)
}

/** Lines: pid, data folder, start time, port, socket folder, TCP address, shared memory, status. */
export function parsePidFile(text: string): PidFile | undefined {
  const lines = text.split('\n').map((line) => line.trim())
  const pid = Number(lines[0])
  if (!Number.isInteger(pid) || pid <= 0) return undefined
  return { pid, socketFolder: lines[4] || undefined, status: lines[7] || undefined }
}
