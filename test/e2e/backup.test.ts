/** A backup of the runner goes into an empty database, and there is the same afterwards. */
import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { BACKUP_TABLE_NAMES } from '../../src/store/backup/tables.ts'
import { silentLogger } from '../../src/observe/logger.ts'
import { restoreBackup } from '../../src/store/backup/restore.ts'
import { takeBackup } from '../../src/store/backup/take.ts'
import { openDatabase, type Database } from '../../src/store/database.ts'
import { migrate } from '../../src/store/migrate.ts'
import { headwater } from '../support/command.ts'
import { testDatabase } from '../support/embedded.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const PATIENCE = { timeout: 180_000 }

const CSV = `resource,tags
"urn:li:dataset:(urn:li:dataPlatform:hive,db.a,PROD)",urn:li:tag:pii
"urn:li:dataset:(urn:li:dataPlatform:hive,db.b,PROD",urn:li:tag:pii
`

test('runs, plans, dead letters, schedules and tokens come back as they were', PATIENCE, async () => {
  await using folder = await temporaryFolder()
  const at = { cwd: folder.path }
  await writeFile(join(folder.path, 'tags.csv'), CSV)
  await headwater(['run', 'import-csv', '--file', 'tags.csv', '--missing', 'create'], at)
  const plans = JSON.parse((await headwater(['plans', '--json'], at)).stdout) as { plans: { id: string }[] }
  await headwater(['approve', plans.plans[0]?.id ?? ''], at)
  await headwater(['catalog', 'token', 'create', 'ci', '--actor', 'ann', '--scope', 'read'], at)
  const taken = await headwater(['backup', 'ledger.ndjson.gz'], at)
  expect(taken.code, taken.stderr).toBe(0)
  expect((await stat(join(folder.path, 'ledger.ndjson.gz'))).mode & 0o777).toBe(0o600)

  const restored = await headwater(['restore-backup', 'ledger.ndjson.gz', '--data', 'other', '--json'], at)
  expect(restored.code, restored.stderr).toBe(0)
  const { rows } = JSON.parse(restored.stdout) as { rows: Record<string, number> }
  expect(rows).toMatchObject({ 'ledger.run': 2, 'ledger.plan': 1, 'ledger.attempt': 2 })
  expect(rows['ledger.dead_letter']).toBeGreaterThan(0)
  const again = await headwater(['backup', 'again.ndjson', '--data', 'other'], at)
  expect(again.code, again.stderr).toBe(0)
  const before = gunzipSync(await readFile(join(folder.path, 'ledger.ndjson.gz')))
    .toString()
    .split('\n')
  const after = (await readFile(join(folder.path, 'again.ndjson'), 'utf8')).split('\n')
  // All but the header's moment, and with it the checksum.
  expect(after.slice(1, -2)).toEqual(before.slice(1, -2))
  const full = await headwater(['restore-backup', 'ledger.ndjson.gz'], at)
  expect(full).toMatchObject({ code: 4, stderr: expect.stringContaining('BACKUP_TARGET_NOT_EMPTY') })
})

async function emptyDatabase(): Promise<AsyncDisposable & { readonly database: Database }> {
  const server = await testDatabase()
  const database = openDatabase(server.address, { max: 2, applicationName: 'test', logger: silentLogger() })
  await migrate(database)
  return {
    database,
    async [Symbol.asyncDispose]() {
      await database.close()
      await server.close()
    },
  }
}

async function* linesOf(lines: readonly string[]): AsyncGenerator<string> {
  yield* lines
}

async function backupOf(database: Database): Promise<string[]> {
  const lines: string[] = []
  for await (const line of takeBackup(database, 0)) lines.push(line.trimEnd())
  return lines
}

test('what is damaged, broken off, foreign or newer is refused, and nothing is left behind', async () => {
  await using source = await emptyDatabase()
  await source.database.execute(
    `insert into ledger.schedule (id, cron, time_zone, job, input, apply, catch_up, catch_up_max, overlap, enabled, updated_ms)
      select 'schedule-' || n, '* * * * *', 'UTC', 'job', '{"text": "a\\nb"}', true, 'all', 1, 'skip', true, 1
      from generate_series(1, 1200) n`,
  )
  const lines = await backupOf(source.database)
  await using target = await emptyDatabase()
  const wrong: readonly (readonly [readonly string[], string])[] = [
    [lines.slice(0, -1), 'breaks off'],
    [lines.with(5, (lines[5] ?? '').replace('* * * * *', '0 * * * *')), 'checksum'],
    [[...lines.slice(0, 3), 'nonsense'], 'line 4'],
    [['{"some":"json"}'], 'no backup'],
    [lines.with(0, (lines[0] ?? '').replace(/"schema":\d+/, '"schema":9999')), 'newer Headwater'],
    [[], 'breaks off'],
  ]
  for (const [damaged, words] of wrong) {
    await expect(restoreBackup(target.database, linesOf(damaged))).rejects.toMatchObject({
      code: 'BACKUP_UNREADABLE',
      message: expect.stringContaining(words),
    })
  }
  expect(await target.database.rows('select 1 from ledger.schedule')).toEqual([])
  await restoreBackup(target.database, linesOf(lines))
  expect(await backupOf(target.database)).toEqual(lines)
})

test('each table of the ledger is in the backup', async () => {
  await using empty = await emptyDatabase()
  const tables = await empty.database.rows<{ name: string }>(
    `select schemaname || '.' || tablename as name from pg_tables where schemaname = 'ledger'`,
  )
  expect(tables.map(({ name }) => name).filter((name) => !BACKUP_TABLE_NAMES.some((known) => known === name))).toEqual(
    [],
  )
})
