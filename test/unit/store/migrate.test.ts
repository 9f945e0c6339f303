import { expect, test } from 'vitest'
import { silentLogger } from '../../../src/observe/logger.ts'
import { openDatabase } from '../../../src/store/database.ts'
import { migrate, requireFit } from '../../../src/store/migrate.ts'
import { MIGRATIONS } from '../../../src/store/migrations/index.ts'
import { testDatabase } from '../../support/embedded.ts'

const OPTIONS = { max: 2, applicationName: 'test', logger: silentLogger() }

test('an empty database and one of each earlier version end with the same schema', async () => {
  const schemas: string[] = []
  for (let version = 0; version <= MIGRATIONS.length; version++) {
    await using server = await testDatabase()
    const database = openDatabase(server.address, OPTIONS)
    if (version > 0) await migrate(database, { version })
    expect(await migrate(database)).toEqual({ from: version, to: MIGRATIONS.length })
    const columns = await database.rows(
      `select table_schema, table_name, column_name, data_type, is_nullable from information_schema.columns
       where table_schema in ('catalog', 'ledger') order by 1, 2, 3`,
    )
    schemas.push(JSON.stringify(columns))
    await database.close()
  }
  expect(new Set(schemas).size).toBe(1)
})

test('several processes that migrate at the same moment all succeed, and each step runs once', async () => {
  await using server = await testDatabase()
  const databases = [1, 2, 3, 4].map(() => openDatabase(server.address, OPTIONS))
  const results = await Promise.all(databases.map((database) => migrate(database)))
  expect(results.map((result) => result.to)).toEqual(databases.map(() => MIGRATIONS.length))
  const [row] = await databases[0]!.rows<{ count: number }>('select count(*) from headwater.migration')
  expect(row?.count).toBe(MIGRATIONS.length)
  await Promise.all(databases.map((database) => database.close()))
})

test('a database that a newer program wrote is refused', async () => {
  await using server = await testDatabase()
  const database = openDatabase(server.address, OPTIONS)
  await migrate(database)
  await database.execute(`insert into headwater.migration (version, name) values (9999, 'from the future')`)
  await expect(migrate(database)).rejects.toMatchObject({ code: 'DATABASE_TOO_NEW' })
  await database.close()
})

test('a database ahead of this program is taken where the steps in between leave room for it', async () => {
  await using server = await testDatabase()
  const database = openDatabase(server.address, OPTIONS)
  await migrate(database)
  const known = MIGRATIONS.length
  await database.execute('insert into headwater.migration (version, name, least) values ($1, $2, $3)', [
    known + 1,
    'a column more',
    known,
  ])
  expect(await migrate(database)).toEqual({ from: known + 1, to: known + 1 })
  // The next version's next step no longer does.
  await database.execute('insert into headwater.migration (version, name, least) values ($1, $2, $3)', [
    known + 2,
    'a column less',
    known + 1,
  ])
  await expect(requireFit(database)).rejects.toMatchObject({ code: 'DATABASE_TOO_NEW' })
  await requireFit(database, known + 1)
  await database.close()
})
