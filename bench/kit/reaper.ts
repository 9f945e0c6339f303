/**
 * Clears up after a bench, however that ended: waits until its standard input ends, which it does when whoever holds the
 * other end is gone, kill -9 included. Then it ends the processes that it was told of, stops every PostgreSQL that still
 * works in the folder, and removes the folder. Lines: `+PID` for a process to be ended, `-PID` once it ended by itself.
 */
import { readdir, readFile, readlink, rm } from 'node:fs/promises'
import { basename, join, sep } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'

const [folder = ''] = process.argv.slice(2)
/** For a database to write down what it has, and a run to end at a batch border. */
const PATIENCE_MS = 20_000
const LOOK_EVERY_MS = 100

const watched = new Set<number>()
for await (const line of createInterface({ input: process.stdin })) {
  if (line.startsWith('+')) watched.add(Number(line.slice(1)))
  else watched.delete(Number(line.slice(1)))
}
await Promise.all([...watched].map((pid) => end(pid, 'SIGTERM')))
await Promise.all((await servers()).map((pid) => end(pid, 'SIGINT')))
await rm(folder, { recursive: true, force: true })

async function end(pid: number, signal: NodeJS.Signals): Promise<void> {
  send(pid, signal)
  for (let waited = 0; waited < PATIENCE_MS; waited += LOOK_EVERY_MS) {
    if (!send(pid, 0)) return
    await sleep(LOOK_EVERY_MS)
  }
  send(pid, 'SIGKILL')
}

/** @returns false where there is no such process any more */
function send(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal)
  } catch {
    return false
  }
}

/** The servers whose data lies in the folder: a number in a file may be anybody's by now, so where it works is looked at. */
async function servers(): Promise<readonly number[]> {
  const entries = await readdir(folder, { recursive: true }).catch(() => [])
  const files = entries.filter((entry) => basename(entry) === 'postmaster.pid')
  const pids = await Promise.all(files.map(async (file) => parseInt(await readFile(join(folder, file), 'utf8'), 10)))
  const works = await Promise.all(
    pids.map(async (pid) =>
      `${await readlink(`/proc/${pid}/cwd`).catch(() => '')}${sep}`.startsWith(`${folder}${sep}`),
    ),
  )
  return pids.filter((_, index) => works[index])
}
