import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { PROJECT } from './command.ts'

/** A `headwater` that serves until it is told to stop. */
export interface ServerProcess extends AsyncDisposable {
  readonly pid: number
  /** What it printed so far, both streams. */
  output(): string
  /** Resolves with the match when a line of its output matches; rejects when it ends before. */
  waitFor(pattern: RegExp): Promise<RegExpExecArray>
  /** Sends a signal and waits for the end. */
  stop(signal?: NodeJS.Signals): Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>
}

export function startServer(
  args: readonly string[],
  options: { readonly cwd: string; readonly env?: Readonly<Record<string, string>> },
): ServerProcess {
  const { PATH = '', HOME = '' } = process.env
  const child = spawn(process.execPath, [join(PROJECT, 'src/cli.ts'), ...args], {
    cwd: options.cwd,
    env: { PATH, HOME, NO_COLOR: '1', ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const listeners = new Set<() => void>()
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
      for (const listener of listeners) listener()
    })
  }
  const ended = once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]>

  async function stop(signal: NodeJS.Signals = 'SIGTERM') {
    if (isRunning(child)) child.kill(signal)
    const [code, endSignal] = await ended
    return { code, signal: endSignal }
  }

  return {
    pid: child.pid ?? 0,
    output: () => output,
    waitFor: (pattern) =>
      new Promise((settle, reject) => {
        const look = () => {
          const match = pattern.exec(output)
          if (match === null) return
          listeners.delete(look)
          settle(match)
        }
        listeners.add(look)
        void ended.then(([code]) => {
          look()
          reject(new Error(`ended with ${code} before ${String(pattern)} was printed:\n${output}`))
        })
        look()
      }),
    stop,
    async [Symbol.asyncDispose]() {
      await stop('SIGTERM')
    },
  }
}

function isRunning(child: ChildProcess): boolean {
  return child.exitCode === null && child.signalCode === null
}
