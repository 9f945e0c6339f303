import { spawn } from 'node:child_process'
import { join, resolve } from 'node:path'

export const PROJECT = resolve(import.meta.dirname, '../..')

export interface CommandResult {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
}

export interface CommandOptions {
  readonly cwd?: string
  /** Added to a bare environment: PATH and HOME only. */
  readonly env?: Readonly<Record<string, string>>
  readonly stdin?: string
  readonly timeoutMs?: number
}

/** Runs a program to its end, in an environment without the variables of whoever runs the tests. */
export function runCommand(
  file: string,
  args: readonly string[],
  { cwd = PROJECT, env = {}, stdin, timeoutMs = 120_000 }: CommandOptions = {},
): Promise<CommandResult> {
  const { PATH = '', HOME = '' } = process.env
  const child = spawn(file, args, { cwd, env: { PATH, HOME, NO_COLOR: '1', ...env }, timeout: timeoutMs })
  const output = { stdout: '', stderr: '' }
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output.stdout += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output.stderr += text))
  child.stdin.end(stdin)
  return new Promise((settle, reject) => {
    child.on('error', reject)
    child.on('close', (code, signal) => settle({ code, signal, ...output }))
  })
}

/** Runs `headwater …` from the sources. */
export function headwater(args: readonly string[], options: CommandOptions = {}): Promise<CommandResult> {
  return runCommand(process.execPath, [join(PROJECT, 'src/cli.ts'), ...args], options)
}
