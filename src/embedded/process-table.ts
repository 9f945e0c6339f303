import { execFile } from 'node:child_process'
import { readdir, readFile, stat } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'

/**
 * Which processes work in a data folder. A pid says little: it may be recycled. But every process of a PostgreSQL keeps
 * its data folder as working directory, so device and inode of `/proc/<pid>/cwd` tell whose it is, also after the folder
 * was moved or removed. macOS has no /proc: there the command line must do, and orphans are left to end by themselves.
 */
export interface FolderId {
  readonly dev: bigint
  readonly ino: bigint
}

export async function folderId(path: string): Promise<FolderId> {
  const { dev, ino } = await stat(path, { bigint: true })
  return { dev, ino }
}

/** True while `pid` is a PostgreSQL process of this data folder, and not a recycled pid or a shell that looks around. */
export async function isPostgresOf(pid: number, folder: FolderId): Promise<boolean> {
  if (process.platform !== 'linux') return /postgres/.test(await commandLine(pid))
  return (await worksIn(pid, folder)) && /postgres/.test(await title(pid))
}

/** True while a process of this pid is there, whoever it belongs to. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

async function worksIn(pid: number, folder: FolderId): Promise<boolean> {
  try {
    const cwd = await folderId(`/proc/${pid}/cwd`)
    return cwd.dev === folder.dev && cwd.ino === folder.ino
  } catch {
    return false // gone, a zombie, or another user's: not ours in any case
  }
}

/** All processes of PostgreSQL, initdb included, that work in a folder. */
export async function processesIn(folder: FolderId): Promise<readonly number[]> {
  if (process.platform !== 'linux') return []
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number)
  const inFolder = await keep(pids, (pid) => worksIn(pid, folder))
  return keep(inFolder, async (pid) => /postgres|initdb/.test(await title(pid)))
}

/**
 * Backends that outlived their postmaster: they work in the folder, call themselves `postgres: …`, and their parent does
 * not work there. A busy one keeps the shared memory, and with it every new server, blocked until its statement ends.
 */
export async function orphanedBackends(folder: FolderId): Promise<readonly number[]> {
  const inFolder = await processesIn(folder)
  return keep(
    inFolder,
    async (pid) => (await title(pid)).startsWith('postgres: ') && !inFolder.includes(await parent(pid)),
  )
}

/** Sends SIGKILL to the processes that `find` finds until it finds none. */
export async function killAll(find: () => Promise<readonly number[]>, signal?: AbortSignal): Promise<void> {
  for (let pids = await find(); pids.length > 0; pids = await find()) {
    signal?.throwIfAborted()
    for (const pid of pids) kill(pid, 'SIGKILL')
    await sleep(10)
  }
}

/** Sends a signal; a process that is gone already is no error. */
export function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

async function keep(pids: readonly number[], test: (pid: number) => Promise<boolean>): Promise<readonly number[]> {
  const verdicts = await Promise.all(pids.map(test))
  return pids.filter((_, index) => verdicts[index])
}

async function title(pid: number): Promise<string> {
  return readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
}

async function parent(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  return Number(/^PPid:\s*(\d+)/m.exec(status)?.[1] ?? 0)
}

async function commandLine(pid: number): Promise<string> {
  const { stdout } = await promisify(execFile)('ps', ['-o', 'command=', '-p', String(pid)]).catch(() => ({
    stdout: '',
  }))
  return stdout
}
