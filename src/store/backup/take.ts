/** A backup as lines of JSON: header, one line a row, end. All of one moment, while everything else goes on. */
import { createHash } from 'node:crypto'
import type { PoolClient } from 'pg'
import type { Database } from '../database.ts'
import { MIGRATIONS } from '../migrations/index.ts'
import { BACKUP_FORMAT, BACKUP_TABLE_NAMES, BACKUP_TABLES, type BackupEnd, type BackupTable } from './tables.ts'

/** Rows that are fetched at once. */
const FETCH = 500

/** Lines with their newlines. Rows come by their keys, so that equal ledgers give equal backups, but for the moment. */
export async function* takeBackup(database: Database, takenAtMs: number): AsyncGenerator<string> {
  const digest = createHash('sha256')
  const counts: Partial<Record<BackupTable, number>> = {}
  const hashed = (line: string): string => {
    digest.update(line)
    return line
  }
  const client = await database.connect()
  try {
    await client.query('begin isolation level repeatable read read only')
    const takenAt = new Date(takenAtMs).toISOString()
    yield hashed(lineOf({ format: BACKUP_FORMAT, version: 1, schema: MIGRATIONS.length, takenAt }))
    for (const table of BACKUP_TABLE_NAMES) {
      counts[table] = 0
      for await (const row of rowsOf(client, table)) {
        counts[table]++
        yield hashed(`{"table":"${table}","row":${row}}\n`)
      }
    }
    const end: BackupEnd = { rows: counts, sha256: digest.digest('hex') }
    yield lineOf({ end })
  } finally {
    await client.query('rollback').catch(() => undefined)
    client.release()
  }
}

function lineOf(value: object): string {
  return `${JSON.stringify(value)}\n`
}

/** Each row as JSON on one line: a newline in it can only stand between its parts. */
async function* rowsOf(client: PoolClient, table: BackupTable): AsyncGenerator<string> {
  const order = BACKUP_TABLES[table].join(', ')
  await client.query(
    `declare backup no scroll cursor for select row_to_json(t)::text as row from ${table} t order by ${order}`,
  )
  for (let fetched = FETCH; fetched === FETCH;) {
    const { rows } = await client.query<{ row: string }>(`fetch ${FETCH} from backup`)
    for (const { row } of rows) yield row.replaceAll('\n', ' ')
    fetched = rows.length
  }
  await client.query('close backup')
}
