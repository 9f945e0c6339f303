/** The folder of a bench, and a watcher that removes it and ends what works there, whatever becomes of the bench. */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, realpath } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

let watcher: ChildProcess | undefined

export interface BenchFolder extends AsyncDisposable {
  readonly path: string
}

/** One at a time in a process. */
export async function benchFolder(): Promise<BenchFolder> {
  const path = await realpath(await mkdtemp(join(tmpdir(), 'headwater-bench-')))
  // In a session of its own, so that what a terminal sends to the bench does not end whoever clears up after it.
  const reaper = spawn(process.execPath, [join(import.meta.dirname, 'reaper.ts'), path], {
    detached: true,
    stdio: ['pipe', 'ignore', 'inherit'],
  })
  reaper.unref()
  watcher = reaper
  return {
    path,
    async [Symbol.asyncDispose]() {
      reaper.ref()
      const ended = once(reaper, 'close')
      reaper.stdin.end()
      await ended
    },
  }
}

/** Ends the process with the bench. @returns to be called once it has ended by itself: its number is somebody else's then */
export function endWithBench(pid: number | undefined): () => void {
  if (pid === undefined) return () => {}
  watcher?.stdin?.write(`+${pid}\n`)
  return () => void watcher?.stdin?.write(`-${pid}\n`)
}
