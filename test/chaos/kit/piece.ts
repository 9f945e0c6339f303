import { spawn, type ChildProcess } from 'node:child_process'
import { resolve } from 'node:path'
import { createInterface } from 'node:readline'

/**
 * A piece of the system in a process of its own, to be watched by its lines and killed at will. Tests wait for what it
 * says, never for a time. Whatever happens, it is gone at the end of `await using piece = startPiece(…)`.
 */
export interface PieceOptions {
  /** A script, relative to the root of the repository; `headwater` stands for the command line. */
  readonly script: string
  readonly args?: readonly string[]
  /** Added to the environment of this process; undefined removes a variable. */
  readonly env?: Readonly<Record<string, string | undefined>>
  readonly cwd?: string
  /** Run it as somebody else; only root may. */
  readonly uid?: number
  readonly gid?: number
}

export interface PieceEnd {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
}

const ROOT = resolve(import.meta.dirname, '../../..')

export function startPiece(options: PieceOptions): Piece {
  const { uid, gid, args = [] } = options
  const script = resolve(ROOT, options.script === 'headwater' ? 'src/cli.ts' : options.script)
  const child = spawn(process.execPath, [script, ...args], {
    cwd: options.cwd ?? ROOT,
    env: { ...process.env, NO_COLOR: '1', ...options.env },
    stdio: 'pipe',
    ...(uid === undefined ? {} : { uid }),
    ...(gid === undefined ? {} : { gid }),
  })
  return new Piece(child, [options.script, ...args].join(' '))
}

export class Piece implements AsyncDisposable {
  /** Resolves when the process has ended and all that it said has been read. */
  readonly ended: Promise<PieceEnd>
  readonly #child: ChildProcess
  readonly #name: string
  /** Everything it said on both streams, in the order in which it came. */
  readonly #lines: string[] = []
  readonly #listeners = new Set<() => void>()
  #end: PieceEnd | undefined

  constructor(child: ChildProcess, name: string) {
    this.#child = child
    this.#name = name
    for (const stream of [child.stdout, child.stderr]) {
      if (stream === null) continue
      createInterface({ input: stream }).on('line', (line) => {
        this.#lines.push(line)
        this.#notify()
      })
    }
    // A test that ran out of time never comes to its end; its pieces go with the process at the latest.
    const killAtExit = (): void => void child.kill('SIGKILL')
    process.once('exit', killAtExit)
    child.stdin?.on('error', () => undefined) // it may die while we speak
    this.ended = new Promise((done, failed) => {
      child.on('error', failed)
      child.on('close', (code, signal) => {
        process.removeListener('exit', killAtExit)
        this.#end = { code, signal }
        this.#notify()
        done(this.#end)
      })
    })
  }

  get pid(): number {
    if (this.#child.pid === undefined) throw new Error(`${this.#name} was not started`)
    return this.#child.pid
  }

  get lines(): readonly string[] {
    return this.#lines
  }

  /** The first line that matches, said or still to come. Rejects when the piece ends without saying it. */
  line(pattern: RegExp): Promise<RegExpExecArray> {
    return this.#when(pattern.source, () => {
      for (const line of this.#lines) {
        const match = pattern.exec(line)
        if (match !== null) return match
      }
      return undefined
    })
  }

  /** The first JSON line of which the test holds, said or still to come. */
  event<T>(isWanted: (value: Record<string, unknown>) => boolean): Promise<T & Record<string, unknown>> {
    return this.#when('an event', () => {
      for (const line of this.#lines) {
        const value = parseObject(line)
        if (value !== undefined && isWanted(value)) return value as T & Record<string, unknown>
      }
      return undefined
    })
  }

  /** Writes a line to its standard input. */
  say(line: string): void {
    this.#child.stdin?.write(`${line}\n`)
  }

  /** Sends a signal and waits for the end. */
  async kill(signal: NodeJS.Signals): Promise<PieceEnd> {
    this.#child.kill(signal)
    return this.ended
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#end === undefined && this.#child.pid !== undefined) await this.kill('SIGKILL')
  }

  #when<T>(what: string, look: () => T | undefined): Promise<T> {
    return new Promise((found, failed) => {
      const check = (): void => {
        const value = look()
        if (value === undefined && this.#end === undefined) return
        this.#listeners.delete(check)
        if (value === undefined) failed(new Error(this.#endedWithout(what)))
        else found(value)
      }
      this.#listeners.add(check)
      check()
    })
  }

  #notify(): void {
    for (const listener of this.#listeners) listener()
  }

  #endedWithout(what: string): string {
    const { code, signal } = this.#end ?? {}
    return `${this.#name} ended (${signal ?? code}) without ${what}; it said:\n${this.#lines.slice(-30).join('\n')}`
  }
}

function parseObject(line: string): Record<string, unknown> | undefined {
  if (!line.startsWith('{')) return undefined
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}
