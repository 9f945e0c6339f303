/** Statements that a harvest did not understand, harvested again once somebody knows better. */
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { testCatalog } from '../support/catalog.ts'
import { headwater } from '../support/command.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/** Each command starts a database of its own. */
const PATIENCE = { timeout: 300_000 }

test('retry-failed harvests what was not understood, in another dialect, and leaves the rest', PATIENCE, async () => {
  await using catalog = await testCatalog()
  await using folder = await temporaryFolder()
  const at = { cwd: folder.path }
  await mkdir(join(folder.path, 'sql'))
  await writeFile(join(folder.path, 'sql/good.sql'), 'create table mart.good as select id from raw.y;\n')
  // A backslash escapes a quote in some dialects, and ends the text in others.
  await writeFile(join(folder.path, 'sql/bad.sql'), "insert into x (note, id) select 'it\\'s', id from y;\n")
  const harvest = ['run', 'harvest-lineage', '--source', 'sql', '--platform', 'postgres', '--schema', 'mart']
  const first = await headwater([...harvest, '--catalog', catalog.url, '--json'], at)
  expect(first.code, first.stderr).toBe(2)
  const { applied } = JSON.parse(first.stdout) as { applied: { id: string; report: { files: { failures: string } } } }
  const failure = JSON.parse(await readFile(applied.report.files.failures, 'utf8')) as object
  expect(failure).toMatchObject({ dialect: 'postgres', schema: 'mart', place: { file: 'bad.sql', line: 1 } })

  const same = await headwater(['retry-failed', applied.id], at)
  expect(same.code, same.stdout).toBe(2)
  const other = await headwater(['retry-failed', applied.id, '--dialect', 'mysql', '--schema', 'raw'], at)
  expect(other.code, other.stdout).toBe(0)
  expect((await catalog.aspect(dataset('raw.x'), 'upstreamLineage')).text).toContain('raw.y,PROD),id)')
  expect((await catalog.aspect(dataset('mart.good'), 'upstreamLineage')).text).toContain('raw.y,PROD),id)')
  // Nothing was left to understand there.
  const none = await headwater(['retry-failed', lastRun(other.stdout)], at)
  expect(none.stderr + none.stdout).toContain('understood every statement')
  expect(none.code).toBe(0)
})

function dataset(name: string): string {
  return `urn:li:dataset:(urn:li:dataPlatform:postgres,${name},PROD)`
}

function lastRun(stdout: string): string {
  return /(apply-plan-\S+)/.exec(stdout)?.[1] ?? ''
}
