/** `headwater catalog token|export|import` as a user runs them. */
import { spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { headwater, PROJECT } from '../support/command.ts'
import { eventually } from '../support/eventually.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/** Slow where the machine is busy: each command starts a server. */
const WITHIN = { timeout: 240_000 }

const bookmarksIn = (path: string) =>
  existsSync(path) ? readdirSync(path).filter((name) => name.endsWith('.json')) : []

test('tokens are created once in the open, listed without their text, and revoked', WITHIN, async () => {
  await using folder = await temporaryFolder()
  const data = ['--data', join(folder.path, 'state')]
  const created = await headwater([
    'catalog',
    'token',
    'create',
    'nightly',
    '--actor',
    'etl',
    '--scope',
    'read',
    ...data,
  ])
  expect([created.code, created.stdout]).toEqual([0, expect.stringMatching(/^hw_[\w-]{43}\n$/)])
  expect(created.stderr).toContain('urn:li:corpuser:etl: read')
  const listed = await headwater(['catalog', 'token', 'list', '--json', ...data])
  const { tokens } = JSON.parse(listed.stdout)
  expect(tokens).toEqual([expect.objectContaining({ name: 'nightly', scopes: ['read'], lastUsedAt: null })])
  expect(listed.stdout).not.toContain(created.stdout.trim())
  expect((await headwater(['catalog', 'token', 'revoke', tokens[0].id, ...data])).code).toBe(0)
  expect((await headwater(['catalog', 'token', 'list', ...data])).stdout).toBe('no access tokens\n')
  const wrong = await headwater(['catalog', 'token', 'create', 'x', '--scope', 'reed', ...data])
  expect([wrong.code, wrong.stderr]).toEqual([4, expect.stringContaining('did you mean "read"?')])
})

test('an import that was killed goes on, and what it brought can be exported again, the same', WITHIN, async () => {
  await using folder = await temporaryFolder()
  const file = join(folder.path, 'in.ndjson')
  const data = ['--data', join(folder.path, 'state')]
  const lines = Array.from({ length: 12_000 }, (_, i) => {
    const entityUrn = `urn:li:tag:t${String(i).padStart(5, '0')}`
    const [key, properties] = [
      ['tagKey', { name: entityUrn.slice('urn:li:tag:'.length) }],
      ['tagProperties', { name: `Tag ${i}` }],
    ].map(([aspectName, json]) =>
      JSON.stringify({ entityType: 'tag', entityUrn, changeType: 'UPSERT', aspectName, aspect: { json } }),
    )
    return `${key}\n${properties}\n`
  })
  await writeFile(file, lines.join(''))

  const args = [join(PROJECT, 'src/cli.ts'), 'catalog', 'import', file, ...data]
  const child = spawn(process.execPath, args, { stdio: 'ignore' })
  const ended = new Promise((resolve) => child.on('close', resolve))
  const bookmarks = join(folder.path, 'state/imports')
  await eventually(() => expect(bookmarksIn(bookmarks)).toHaveLength(1), 120_000)
  child.kill('SIGKILL')
  await ended

  const again = await headwater(['catalog', 'import', file, '--json', ...data])
  const report = JSON.parse(again.stdout)
  expect([again.code, report.read, report.rejected]).toEqual([0, 24_000, 0])
  expect(report.resumedAfter).toBeGreaterThan(0)
  expect(report.sent).toBe(24_000 - report.resumedAfter)
  expect(readdirSync(bookmarks)).toEqual([])

  const out = join(folder.path, 'out.ndjson')
  const exported = await headwater(['catalog', 'export', out, ...data])
  expect([exported.code, exported.stdout]).toEqual([0, expect.stringContaining('24000 proposals')])
  expect(readFileSync(out, 'utf8') === readFileSync(file, 'utf8')).toBe(true)
  const refused = await headwater(['catalog', 'export', out, ...data])
  expect([refused.code, refused.stderr]).toEqual([4, expect.stringContaining('FILE_EXISTS')])
  expect((await headwater(['export', 'tags', '-o', out, ...data])).code).toBe(4)
  expect((await headwater(['export', 'tags', '-o', out, '--force', ...data])).code).toBe(0)
  expect(readFileSync(out, 'utf8')).toMatch(/^resource,/)
})
