import { describe, expect, test } from 'vitest'
import { isTaskId, parseDryRun, parseIndexSizes, parseTaskStatus } from '../../../src/client/operations.ts'

const DRY = 'This was a dry run. Run with dryRun = false to execute.'

describe('a dry run', () => {
  test.each([
    [`Delete 30 out of 100 rows (30.00%). Issuing a delete by query request. ${DRY}`, 30, 100, 'delete'],
    [
      `Delete 80 out of 100 rows (80.00%). Reindexing the aspect without the deleted records. ${DRY}`,
      80,
      100,
      'rebuild',
    ],
    [`Delete 0 out of 0 rows (NaN%). Issuing a delete by query request. ${DRY}`, 0, 0, 'delete'],
  ])('%s', (sentence, matching, total, method) => {
    expect(parseDryRun(sentence)).toMatchObject({ matching, total, method })
  })

  test.each([
    'please only set forceReindex OR forceDeleteByQuery flags',
    'Delete 30 out of 100 rows (30.00%). Issuing a delete by query request. ',
    `Delete -1 out of 100 rows (30.00%). Issuing a delete by query request. ${DRY}`,
    'aB1cdEf2GHIJKLMnoPQr3S:123456',
    '',
  ])('any other text is not understood: %s', (text) => {
    expect(parseDryRun(text)).toBeUndefined()
  })
})

test('a task id is a node and a number that is not zero', () => {
  expect(['aB1-_x:123456', 'node:0', 'node', 'node:x', 'node:12 '].map(isTaskId)).toEqual([
    true,
    false,
    false,
    false,
    false,
  ])
})

test('index sizes come as an object or as JSON text, in either field', () => {
  const row = { entityName: 'dataset', aspectName: 'datasetProfile', indexName: 'i', sizeMb: 0, sizeInMb: 0.2 }
  const expected = [{ entityType: 'dataset', aspectName: 'datasetprofile', indexName: 'i', sizeMb: 0.2 }]
  expect(parseIndexSizes({ indexSizes: [row] })).toEqual(expected)
  expect(parseIndexSizes(JSON.stringify({ indexSizes: [{ ...row, sizeMb: 0.2, sizeInMb: undefined }] }))).toEqual(
    expected,
  )
  expect(parseIndexSizes('not JSON')).toBeUndefined()
})

describe('the status of a task', () => {
  const inner = JSON.stringify({ total: 80, deleted: 80, failures: [] })

  test('is JSON text in JSON text', () => {
    const text = JSON.stringify({ completed: true, taskId: 'n:1', runTimeNanos: 1, status: inner })
    expect(parseTaskStatus(text)).toEqual({ state: 'completed', deleted: 80, total: 80, failures: 0 })
  })

  test('a vanished task is unknown, not done', () => {
    const text = JSON.stringify({ error: 'Could not get task status for n:1' })
    expect(parseTaskStatus(text)).toEqual({ state: 'unknown', reason: 'Could not get task status for n:1' })
  })

  test('anything else is not understood', () => {
    expect(parseTaskStatus('done')).toBeUndefined()
    expect(parseTaskStatus('{}')).toBeUndefined()
  })
})
