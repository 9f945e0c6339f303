import { expect, test } from 'vitest'
import type { DatabaseAddress } from '../../src/model/database-address.ts'
import { silentLogger } from '../../src/observe/logger.ts'
import { openDatabase, transaction } from '../../src/store/database.ts'
import { InstanceLock } from '../../src/main/instance-lock.ts'
import { eventually } from '../support/eventually.ts'
import { testDatabase } from '../support/embedded.ts'
import { Wire } from './kit/wire.ts'

/** A database behind a wire that can be cut. */
async function wired() {
  const resources = new AsyncDisposableStack()
  const { address } = resources.use(await testDatabase())
  const wire = resources.use(await Wire.to({ path: `${address.folder}/.s.PGSQL.${address.port}` }))
  const url = `postgres://${address.user}@127.0.0.1:${wire.port}/${address.database}`
  const open = (to: DatabaseAddress) => {
    const database = openDatabase(to, { max: 4, applicationName: 'test', logger: silentLogger() })
    resources.defer(() => database.close())
    return database
  }
  return {
    wire,
    database: open({ kind: 'url', url }),
    beside: open(address),
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  }
}

test('a statement waits for a server that is being restarted', async () => {
  await using world = await wired()
  const { wire, database } = world
  expect(await database.rows('select 1 as one')).toEqual([{ one: 1 }])
  wire.cut()
  await eventually(() => expect(database.pool.totalCount).toBe(0))
  const waiting = database.rows('select 2 as two')
  await eventually(() => expect(wire.refusals).toBeGreaterThan(1))
  wire.mend()
  expect(await waiting).toEqual([{ two: 2 }])
})

test('a server that never answered is an error at once', async () => {
  await using world = await wired()
  world.wire.cut()
  await expect(world.database.rows('select 1')).rejects.toMatchObject({ code: 'DATABASE_UNAVAILABLE', retryable: true })
})

test('a connection that breaks between two statements of a transaction fails the transaction, not the process', async () => {
  await using world = await wired()
  const { wire, database } = world
  await database.execute('create table public.thing (id int)')
  const failing = transaction(database, async (tx) => {
    await tx.execute('insert into public.thing values (1)')
    wire.cut()
    await new Promise((resolve) => setImmediate(resolve))
    await tx.execute('insert into public.thing values (2)')
  })
  await expect(failing).rejects.toMatchObject({ code: 'DATABASE_UNAVAILABLE' })
  wire.mend()
  expect(await database.rows('select id from public.thing')).toEqual([])
})

test('a statement that fails keeps its connection, one whose connection broke loses it', async () => {
  await using world = await wired()
  const { database } = world
  await expect(database.rows('select nothing_of_that_name')).rejects.toMatchObject({ code: '42703' })
  expect(database.pool.totalCount).toBe(1)
})

test('the lock of an instance is taken again when its session was lost', async () => {
  await using world = await wired()
  const { wire, database, beside } = world
  const lock = await InstanceLock.take(database, 7)
  if (lock === undefined) throw new Error('nobody else has it')
  expect(await InstanceLock.take(beside, 7)).toBe(undefined)
  wire.cut()
  wire.mend()
  const held = "select from pg_locks where locktype = 'advisory' and objid = 7 and pid <> $1"
  const first = await beside.rows<{ pid: number }>("select pid from pg_locks where locktype = 'advisory' and objid = 7")
  await eventually(async () => expect(await beside.rows(held, [first[0]?.pid ?? 0])).toHaveLength(1))
  expect(await InstanceLock.take(beside, 7)).toBe(undefined)
  lock.release()
  await eventually(async () => {
    const other = await InstanceLock.take(beside, 7)
    expect(other).toBeDefined()
    other?.release()
  })
})
