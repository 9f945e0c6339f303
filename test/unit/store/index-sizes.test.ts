import { expect, test } from 'vitest'
import { silentLogger } from '../../../src/observe/logger.ts'
import { openDatabase } from '../../../src/store/database.ts'
import { migrate } from '../../../src/store/migrate.ts'
import { ensureIndex, indexSizes } from '../../../src/store/timeseries-store.ts'
import { testDatabase } from '../../support/embedded.ts'

test('rows of an index are counted, and estimated only where there are very many', async () => {
  await using server = await testDatabase()
  const database = openDatabase(server.address, { max: 1, applicationName: 'test', logger: silentLogger() })
  await migrate(database)
  await ensureIndex(database, { entityType: 'dataset', aspect: 'operation' })
  const add = (from: number, to: number) =>
    database.execute(
      `insert into catalog.ts_dataset_operation (urn_id, ts, key, body)
       select 1, n, '', repeat('x', 100) from generate_series($1::int, $2::int) as n`,
      [from, to],
    )
  await add(1, 1000)
  await database.execute('vacuum analyze catalog.ts_dataset_operation')
  await add(1001, 1003)
  const [counted] = await indexSizes(database)
  expect(counted).toMatchObject({ rows: 1003, rowsEstimated: false, oldestMs: 1, newestMs: 1003 })
  const [estimated] = await indexSizes(database, 500)
  expect(estimated).toMatchObject({ rowsEstimated: true, bytes: counted?.bytes, newestMs: 1003 })
  expect(Math.abs((estimated?.rows ?? 0) - 1003)).toBeLessThan(100)
  await database.close()
})
