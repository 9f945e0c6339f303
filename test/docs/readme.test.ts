/**
 * Everything that the README shows is run. A `console` block holds commands after `$ ` and, below each, what it prints:
 *
 *   - a line stands for itself; `…` in it for any text
 *   - a line that is only `…` for any number of lines
 *   - sizes and times (`4.5 MB`, `0.3 s`), which vary, for any other size or time
 *   - a heading `<!-- exit 3 -->` above the block is the exit code of its last command (0 when absent)
 *
 * Blocks run in order, in one new folder that holds `examples/`, with `headwater` on PATH as in a clone. `sh` blocks are
 * not run here and must be in the list below, each with the test that does.
 */
import { cp, mkdir, readFile, symlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PROJECT, runCommand } from '../support/command.ts'
import { temporaryFolder, type TemporaryFolder } from '../support/temporary-folder.ts'

const NOT_RUN_HERE: Readonly<Record<string, string>> = {
  'npm ci && npm run demo': 'test/e2e/demo.test.ts',
  'npm ci && npm test': 'this is what runs it',
  'docker compose up': 'needs a Docker engine; its files are checked by test/e2e/compose.test.ts',
}

interface Block {
  readonly language: string
  readonly text: string
  readonly line: number
  readonly exitCode: number
}

interface Shown {
  readonly command: string
  readonly output: readonly string[]
}

const readme = await readFile(join(PROJECT, 'README.md'), 'utf8')
const blocks = codeBlocks(readme)
let folder: TemporaryFolder

beforeAll(async () => {
  folder = await temporaryFolder()
  await mkdir(join(folder.path, 'bin'))
  await symlink(join(PROJECT, 'bin/headwater.cjs'), join(folder.path, 'bin/headwater'))
  await mkdir(join(folder.path, 'work'))
  await cp(join(PROJECT, 'examples'), join(folder.path, 'work/examples'), { recursive: true })
})
afterAll(() => folder[Symbol.asyncDispose]())

describe('the README', () => {
  for (const block of blocks.filter(({ language }) => language === 'console')) {
    test(`line ${block.line}: ${block.text.split('\n')[0]}`, { timeout: 180_000 }, async () => {
      expect.hasAssertions()
      await runBlock(block)
    })
  }

  test('shows the picture that the demo draws', async () => {
    const drawn = await readFile(join(folder.path, 'work/.headwater/demo/warehouse.svg'), 'utf8')
    expect(
      drawn === (await readFile(join(PROJECT, 'docs/demo-lineage.svg'), 'utf8')),
      'draw it anew: npm run demo',
    ).toBe(true)
  })

  test('shows no shell block that nothing runs', () => {
    const commands = blocks.filter(({ language }) => language === 'sh').flatMap(({ text }) => text.split('\n'))
    const bare = commands.map((line) => line.replace(/ +#.*$/, '').trim()).filter((line) => line !== '')
    expect(bare.filter((command) => !(command in NOT_RUN_HERE))).toEqual([])
  })

  test('links to nothing that is not there', async () => {
    expect.hasAssertions()
    const targets = [...readme.matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map((match) => match[1] ?? '')
    for (const target of targets) expect(await readFile(join(PROJECT, target)), target).toBeDefined()
  })
})

async function runBlock(block: Block): Promise<void> {
  const shown = shownCommands(block.text)
  for (const [index, { command, output }] of shown.entries()) {
    const result = await runCommand('bash', ['-c', command], {
      cwd: join(folder.path, 'work'),
      env: { PATH: `${join(folder.path, 'bin')}:${dirname(process.execPath)}:${process.env['PATH'] ?? ''}` },
      timeoutMs: 170_000,
    })
    const expected = index === shown.length - 1 ? block.exitCode : 0
    expect(result.code, `${command}\n${result.stdout}${result.stderr}`).toBe(expected)
    expectOutput(command, result.stdout + result.stderr, output)
  }
}

function expectOutput(command: string, actual: string, expected: readonly string[]): void {
  if (expected.length === 0) return
  const pattern = expected.map((line) => (line.trim() === '…' ? '(?:.*\\n)*?' : `${linePattern(line)} *\\n`)).join('')
  const matches = new RegExp(`^${pattern}$`, 'u').test(`${actual.trimEnd()}\n`)
  expect(matches, `$ ${command}\nprints\n${actual}\nbut the README shows\n${expected.join('\n')}`).toBe(true)
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

function codeBlocks(markdown: string): readonly Block[] {
  const found = markdown.matchAll(/(?:<!-- exit (\d+) -->\n+)?^```(\w+)\n([\s\S]*?)^```$/gm)
  return [...found].map((match) => ({
    language: match[2] ?? '',
    text: (match[3] ?? '').trimEnd(),
    line: markdown.slice(0, match.index).split('\n').length,
    exitCode: Number(match[1] ?? 0),
  }))
}
