/**
 * What a page of documentation shows is run. A `console` block holds commands after `$ ` and, below each, what it prints:
 *
 *   - a line stands for itself; `…` in it for any text
 *   - a line that is only `…` for any number of lines
 *   - sizes and times (`4.5 MB`, `0.3 s`), which vary, for any other size or time
 *   - a heading `<!-- exit 3 -->` above the block is the exit code of its last command (0 when absent)
 *
 * Blocks run in order, in one new folder that holds `examples/`, with `headwater` on PATH as in a clone.
 */
import { cp, mkdir, symlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect } from 'vitest'
import { PROJECT, runCommand } from './command.ts'
import { temporaryFolder } from './temporary-folder.ts'

export interface Block {
  readonly language: string
  readonly text: string
  readonly line: number
  readonly exitCode: number
}

interface Shown {
  readonly command: string
  readonly output: readonly string[]
}

/** A folder to run blocks in. */
export interface Workplace extends AsyncDisposable {
  /** Where commands run. */
  readonly folder: string
  run(block: Block): Promise<void>
}

export async function workplace(): Promise<Workplace> {
  const outer = await temporaryFolder()
  const bin = join(outer.path, 'bin')
  const folder = join(outer.path, 'work')
  await mkdir(bin)
  await symlink(join(PROJECT, 'bin/headwater.cjs'), join(bin, 'headwater'))
  await mkdir(folder)
  await cp(join(PROJECT, 'examples'), join(folder, 'examples'), { recursive: true })
  return {
    folder,
    run: (block) => runBlock(block, { folder, bin }),
    [Symbol.asyncDispose]: () => outer[Symbol.asyncDispose](),
  }
}

async function runBlock(
  block: Block,
  { folder, bin }: { readonly folder: string; readonly bin: string },
): Promise<void> {
  const shown = shownCommands(block.text)
  for (const [index, { command, output }] of shown.entries()) {
    const result = await runCommand('bash', ['-c', command], {
      cwd: folder,
      env: { PATH: `${bin}:${dirname(process.execPath)}:${process.env['PATH'] ?? ''}` },
      timeoutMs: 170_000,
    })
    const expected = index === shown.length - 1 ? block.exitCode : 0
    expect(result.code, `${command}\n${result.stdout}${result.stderr}`).toBe(expected)
    expectOutput(command, result.stdout + withoutProgress(result.stderr), output)
  }
}

function expectOutput(command: string, actual: string, expected: readonly string[]): void {
  if (expected.length === 0) return
  const pattern = expected.map((line) => (line.trim() === '…' ? '(?:.*\\n)*?' : `${linePattern(line)} *\\n`)).join('')
  const matches = new RegExp(`^${pattern}$`, 'u').test(`${actual.trimEnd()}\n`)
  expect(matches, `$ ${command}\nprints\n${actual}\nbut the page shows\n${expected.join('\n')}`).toBe(true)
}

function linePattern(line: string): string {
  return line
    .trimEnd()
    .split('…')
    .map((text) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join('.*?')
    .replaceAll(/ *\d+\\\.\d (MB|s)\b/g, ' *\\d+\\.\\d $1')
}

function shownCommands(text: string): readonly Shown[] {
  const shown: { command: string; output: string[] }[] = []
  for (const line of text.split('\n')) {
    const last = shown.at(-1)
    if (line.startsWith('$ ')) shown.push({ command: line.slice(2), output: [] })
    else if (last?.command.endsWith('\\') === true) last.command = `${last.command.slice(0, -1)} ${line.trim()}`
    else last?.output.push(line)
  }
  return shown
}

/** The fenced blocks of a page. */
export function codeBlocks(markdown: string): readonly Block[] {
  const found = markdown.matchAll(/(?:<!-- exit (\d+) -->\n+)?^```(\w+)\n([\s\S]*?)^```$/gm)
  return [...found].map((match) => ({
    language: match[2] ?? '',
    text: (match[3] ?? '').trimEnd(),
    line: markdown.slice(0, match.index).split('\n').length,
    exitCode: Number(match[1] ?? 0),
  }))
}

/** Where no terminal is, progress is one JSON line a second on stderr: how many come follows from the machine. */
function withoutProgress(stderr: string): string {
  return stderr.replaceAll(/^\{"time":.*"phase":.*\n/gm, '')
}
