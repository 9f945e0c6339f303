import { expect, test } from 'vitest'
import { silentLogger } from '../../../src/observe/logger.ts'
import { openDatabase, transaction } from '../../../src/store/database.ts'
import { testDatabase } from '../../support/embedded.ts'

test('a full disk is told with what to do, and may pass', async () => {
  await using server = await testDatabase()
  const database = openDatabase(server.address, { max: 1, applicationName: 'test', logger: silentLogger() })
  const noRoom = `do $$ begin raise exception 'No space left on device' using errcode = '53100'; end $$`
  const full = {
    code: 'DISK_FULL',
    retryable: true,
    message: 'the database has no room left: No space left on device',
    remedy: expect.stringContaining('free space'),
  }
  await expect(database.execute(noRoom, [])).rejects.toMatchObject(full)
  await expect(transaction(database, (tx) => tx.execute(noRoom, []))).rejects.toMatchObject(full)
  await database.close()
})
