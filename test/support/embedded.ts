import { randomBytes } from 'node:crypto'

import { Client, type ClientConfig } from 'pg'
import { afterAll, inject } from 'vitest'

import { openEmbeddedPostgres, type EmbeddedPostgres } from '../../src/embedded/embedded-postgres.ts'
import type { DatabaseAddress } from '../../src/model/database-address.ts'
import { systemClock } from '../../src/observe/clock.ts'
import { silentLogger } from '../../src/observe/logger.ts'

/**
 * An empty database of a test's own: `await using db = await testDatabase()`. All test files of a run share one
 * embedded server, which the first starts and the last stops.
 */
export interface TestDatabase extends AsyncDisposable {
  readonly address: Extract<DatabaseAddress, { kind: 'socket' }>
  /** Drops the database, whoever is still connected. */
  close(): Promise<void>
}

let server: Promise<EmbeddedPostgres> | undefined

afterAll(async () => {
  await (await server)?.close()
  server = undefined
})

export async function testDatabase(): Promise<TestDatabase> {
  server ??= openEmbeddedPostgres({
    dataDir: inject('sharedDataDir'),
    logger: silentLogger(),
    clock: systemClock,
    database: 'postgres',
  })
  const { address: shared } = await server
  if (shared.kind !== 'socket') throw new TypeError('the embedded server listens on a socket')
  const database = `test_${randomBytes(6).toString('hex')}`
  await administer(shared, `create database ${database} template template0`)
  const address = { ...shared, database }
  const close = () => administer(shared, `drop database if exists ${database} with (force)`)
  return { address, close, [Symbol.asyncDispose]: close }
}

/** What `pg` needs to connect to a test database. */
export function pgConfig(address: TestDatabase['address']): ClientConfig {
  const { folder, port, user, database } = address
  return { host: folder, port, user, database, password: 'none', ssl: false }
}

/** The same as DATABASE_URL has it, for processes of their own. */
export function urlOf({ address }: TestDatabase): string {
  const { folder, port, user, database } = address
  return `postgres://${user}@localhost:${port}/${database}?host=${encodeURIComponent(folder)}`
}

async function administer(address: TestDatabase['address'], sql: string): Promise<void> {
  const client = new Client(pgConfig(address))
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}
