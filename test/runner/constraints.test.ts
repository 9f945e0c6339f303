import { expect, test } from 'vitest'
import { silentLogger } from '../../src/observe/logger.ts'
import { openDatabase, type Database } from '../../src/store/database.ts'
import { insertRun } from '../../src/store/ledger/runs.ts'
import { migrate } from '../../src/store/migrate.ts'
import { testDatabase } from '../support/embedded.ts'

/** What the database itself refuses, whatever the program does. */
const REFUSED: readonly (readonly [what: string, assignments: string, constraint: string])[] = [
  ['records that do not add up', 'records_read = 5, records_used = 4', 'run_records_balance'],
  ['proposals that do not add up', 'proposals_made = 5, proposals_written = 6', 'run_proposals_balance'],
  ['success with something unsettled', 'records_read = 5, records_used = 4, records_unsettled = 1', 'run_settled'],
  ['success with a rejected record', 'records_read = 1, records_rejected = 1', 'run_success_is_whole'],
  ['success with a refused proposal', 'proposals_made = 1, proposals_refused = 1', 'run_success_is_whole'],
]

test.each(REFUSED)('the database refuses %s', async (_, assignments, constraint) => {
  await using db = await testDatabase()
  const database = openDatabase(db.address, { max: 2, applicationName: 'test', logger: silentLogger() })
  try {
    await migrate(database)
    await aRun(database)
    await expect(
      database.execute(`update ledger.run set state = 'succeeded', finished_ms = 1, ${assignments} where id = 'run-1'`),
    ).rejects.toMatchObject({ code: '23514', constraint })
  } finally {
    await database.close()
  }
})

test('the database refuses ids that the queue would refuse, and a failure without its error', async () => {
  await using db = await testDatabase()
  const database = openDatabase(db.address, { max: 2, applicationName: 'test', logger: silentLogger() })
  try {
    await migrate(database)
    for (const id of ['a:b', '123', '', 'a b'])
      await expect(aRun(database, id)).rejects.toMatchObject({ code: '23514' })
    await aRun(database)
    await expect(
      database.execute(`update ledger.run set state = 'failed', finished_ms = 1 where id = 'run-1'`),
    ).rejects.toMatchObject({ constraint: 'run_failure_has_error' })
    await expect(
      database.execute(`update ledger.run set state = 'succeeded' where id = 'run-1'`),
    ).rejects.toMatchObject({
      constraint: 'run_end',
    })
  } finally {
    await database.close()
  }
})

function aRun(database: Database, id = 'run-1') {
  return insertRun(database, {
    id,
    job: 'job',
    mode: 'apply',
    applies: false,
    trigger: 'hand',
    requestedBy: null,
    scheduleId: null,
    slotMs: null,
    planId: null,
    retryOf: null,
    target: null,
    resources: [],
    input: {},
    inputHash: 'hash',
    maxAttempts: 3,
    protocol: 1,
    createdMs: 0,
  })
}
