import { describe, expect, test } from 'vitest'
import { operationAspect, operationType, type DatasetWrite } from '../../../src/harvest/usage/operation.ts'
import { addCounts, UsageBook, usageAspect, type Use, type UsageCounts } from '../../../src/harvest/usage/usage-book.ts'
import { asUrn, datasetUrn } from '../../../src/model/urn.ts'

const ORDERS = datasetUrn({ platform: 'hive', name: 'sales.orders' })
const DAY = Date.UTC(2026, 0, 1)
const ETL = asUrn('urn:li:corpuser:etl')
const BO = asUrn('urn:li:corpuser:bo')

const WRITE: DatasetWrite = { timeMs: DAY, type: 'UPDATE', actor: ETL, query: asUrn('urn:li:query:q') }

function countsOf(usage: UsageBook): readonly UsageCounts[] {
  return [...usage.buckets()].map((day) => day.counts)
}

function id(change: Partial<DatasetWrite>, origin = 'log'): unknown {
  return operationAspect({ ...WRITE, ...change }, origin)['messageId']
}

function saying(shown: string, statement = shown): NonNullable<Use['statement']> {
  return { query: asUrn(`urn:li:query:${statement}`), shown }
}

function book(): UsageBook {
  const usage = new UsageBook()
  const report = 'insert into sales.report select id, sum(qty) from sales.orders group by id'
  const [fill, look] = [saying(report, 'r'), saying('select id from sales.orders', 'l')]
  usage.add({ of: ORDERS, timeMs: DAY + 5, user: ETL, fields: ['id', 'qty'], statement: fill })
  usage.add({ of: ORDERS, timeMs: DAY + 86_399_999, user: BO, fields: ['id'], statement: look })
  usage.add({ of: ORDERS, timeMs: DAY + 6, user: ETL, fields: ['qty'], statement: saying(`${report} limit 1`, 'r') })
  return usage
}

describe('usage', () => {
  test('is counted by UTC day: statements, users, fields and the most frequent texts', () => {
    const [day, ...others] = [...book().buckets()]
    expect(others).toEqual([])
    expect(usageAspect(ORDERS, day!.startMs, day!.counts, { bucket: 'DAY', top: 10, origin: 'log' })).toEqual({
      timestampMillis: DAY,
      eventGranularity: { unit: 'DAY', multiple: 1 },
      partitionSpec: { type: 'FULL_TABLE', partition: 'FULL_TABLE_SNAPSHOT' },
      messageId: 'headwater:log',
      uniqueUserCount: 2,
      totalSqlQueries: 3,
      topSqlQueries: [
        'insert into sales.report select id, sum(qty) from sales.orders group by id',
        'select id from sales.orders',
      ],
      userCounts: [
        { user: ETL, count: 2 },
        { user: BO, count: 1 },
      ],
      fieldCounts: [
        { fieldPath: 'id', count: 2 },
        { fieldPath: 'qty', count: 2 },
      ],
    })
  })

  test('begins a new day at midnight UTC', () => {
    const usage = book()
    usage.add({ of: ORDERS, timeMs: DAY + 86_400_000, fields: [], statement: saying('select 1') })
    expect([...usage.buckets()].map(({ startMs, counts }) => [startMs - DAY, counts.queries])).toEqual([
      [0, 3],
      [86_400_000, 1],
    ])
  })

  test('of two halves of a log adds up to that of the whole', () => {
    const [whole] = [...book().buckets()]
    const halves = [new UsageBook(), new UsageBook()]
    const reads = [
      { of: ORDERS, timeMs: DAY, user: ETL, fields: ['id', 'qty'], statement: saying('a') },
      { of: ORDERS, timeMs: DAY, user: BO, fields: ['id'], statement: saying('b') },
      { of: ORDERS, timeMs: DAY, user: ETL, fields: ['qty'], statement: saying('a, later', 'a') },
    ]
    for (const [at, read] of reads.entries()) halves[at % 2]!.add(read)
    const all = new UsageBook()
    for (const read of reads) all.add(read)
    expect(addCounts(halves.flatMap(countsOf))).toEqual(countsOf(all)[0])
    expect(whole?.counts.queries).toBe(3)
  })
})

describe('an operation', () => {
  test('has the time of its query and the kind of its statement', () => {
    expect(operationAspect(WRITE, 'log')).toMatchObject({
      timestampMillis: DAY,
      lastUpdatedTimestamp: DAY,
      operationType: 'UPDATE',
      actor: ETL,
      sourceType: 'DATA_PLATFORM',
      queries: ['urn:li:query:q'],
    })
  })

  test('is called as the log calls it, where that is a kind of operation', () => {
    expect(operationType('merge', 'CREATE_TABLE_AS_SELECT')).toBe('CREATE')
    expect(operationType('merge', 'whatever')).toBe('UPDATE')
    expect(operationType('other')).toBe('UNKNOWN')
  })

  test('has one id however often it is told, and another for another query, time or origin', () => {
    expect(id({})).toBe(id({}))
    expect(
      new Set([id({}), id({ timeMs: DAY + 1 }), id({ query: asUrn('urn:li:query:r') }), id({}, 'other')]).size,
    ).toBe(4)
  })
})
