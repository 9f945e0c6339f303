import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { testCatalog } from '../support/catalog.ts'

/** The Python of a virtual environment with acryl-datahub 1.7.0.17 (README.md); `.ci/run` makes one. */
const PYTHON = process.env['HEADWATER_SDK_PYTHON']
const TEN_MINUTES = 600_000

test.skipIf(PYTHON === undefined)(
  'DataHub’s own SDK, CLI and recipes work against the catalog (skipped without HEADWATER_SDK_PYTHON)',
  async () => {
    await using c = await testCatalog()
    const lines = await run([join(import.meta.dirname, 'check.py'), c.url])
    expect(lines.filter((line) => line.startsWith('FAIL'))).toEqual([])
    expect(lines.at(-1)).toBe('59 passed, 0 failed')
  },
  TEN_MINUTES,
)

function run(args: readonly string[]): Promise<readonly string[]> {
  return new Promise((resolve, reject) => {
    const child = spawn(PYTHON ?? 'python3', args, { stdio: ['ignore', 'pipe', 'ignore'] })
    let text = ''
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
    child.on('error', reject).on('close', () => resolve(text.trim().split('\n')))
  })
}
