import { spawn } from 'node:child_process'

import { spawnIdentity, type Identity } from './identity.ts'

/** The whole environment of PostgreSQL: nothing of ours leaks in, and nothing depends on the user's locale. */
export const BINARY_ENV = { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' } as const

export interface BinaryResult {
  /** Exit code; undefined when it could not be started or died by a signal. */
  readonly code: number | undefined
  /** Standard output and error together, trimmed. */
  readonly output: string
}

const MAX_OUTPUT = 64 * 1024

/** Runs one of the binaries to its end, bounded in time and output. Never throws: a failed start is a result, too. */
export function runBinary(
  binary: string,
  args: readonly string[],
  options: { readonly identity: Identity; readonly cwd: string; readonly timeoutMs: number },
): Promise<BinaryResult> {
  return new Promise((resolve) => {
    const child = spawn(binary, args, {
      cwd: options.cwd,
      env: BINARY_ENV,
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: options.timeoutMs,
      killSignal: 'SIGKILL',
      ...spawnIdentity(options.identity),
    })
    let output = ''
    const gather = (chunk: Buffer): void => {
      if (output.length < MAX_OUTPUT) output += chunk.toString()
    }
    child.stdout.on('data', gather)
    child.stderr.on('data', gather)
    child.on('error', (error) => resolve({ code: undefined, output: error.message }))
    child.on('close', (code) => resolve({ code: code ?? undefined, output: output.trim() }))
  })
}
