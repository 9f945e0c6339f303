import { Client } from 'pg'
import { expect, test } from 'vitest'

import { pgConfig, testDatabase, type TestDatabase } from '../../support/embedded.ts'

async function query<Row>(db: TestDatabase, sql: string): Promise<readonly Row[]> {
  const client = new Client(pgConfig(db.address))
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

test('each test gets an empty database of its own, on one server', async () => {
  await using first = await testDatabase()
  await using second = await testDatabase()
  await query(first, 'create table thing (id int)')
  const tables = "select count(*)::int as n from pg_tables where schemaname = 'public'"
  expect(await query(first, tables)).toEqual([{ n: 1 }])
  expect(await query(second, tables)).toEqual([{ n: 0 }])
})

test('a database that is closed is gone, also under an open connection', async () => {
  await using witness = await testDatabase()
  const db = await testDatabase()
  const open = new Client(pgConfig(db.address))
  open.on('error', () => undefined)
  await open.connect()
  await db.close()
  const left = await query(witness, `select from pg_database where datname = '${db.address.database}'`)
  expect(left).toEqual([])
  await expect(open.query('select 1')).rejects.toThrow(/terminat|connection/i)
})

test('the server sorts by code point and keeps time in UTC, durable by default', async () => {
  await using db = await testDatabase()
  const [settings] = await query(
    db,
    `select current_setting('TimeZone') as zone, current_setting('fsync') as fsync,
            current_setting('data_checksums') as checksums, current_setting('listen_addresses') as tcp,
            (select string_agg(c, '' order by c) from unnest(array['b','a','Z','ä']) c) as sorted`,
  )
  expect(settings).toEqual({ zone: 'UTC', fsync: 'on', checksums: 'on', tcp: '', sorted: 'Zabä' })
})
