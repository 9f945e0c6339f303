import { expect, test } from 'vitest'
import { judgeExposure } from '../../../../src/cli/doctor/catalog.ts'
import { worstOf } from '../../../../src/cli/doctor/check.ts'
import { judgeClock } from '../../../../src/cli/doctor/clock.ts'
import { judgeServer } from '../../../../src/cli/doctor/database.ts'
import { judgeSpace } from '../../../../src/cli/doctor/disk.ts'
import { judgeNode } from '../../../../src/cli/doctor/node.ts'
import { judgeRedis } from '../../../../src/cli/doctor/queue.ts'
import { judgeMode } from '../../../../src/cli/doctor/rights.ts'
import { judgeSchema } from '../../../../src/cli/doctor/versions.ts'

const GB = 1024 ** 3

test('Node 24 or newer is well, older is not', () => {
  expect(judgeNode('24.0.0').status).toBe('ok')
  expect(judgeNode('26.1.0').status).toBe('ok')
  expect(judgeNode('22.22.1')).toMatchObject({ status: 'fail', remedy: expect.stringContaining('Node 24') })
})

const server = {
  version: '16.4',
  versionNum: 160_004,
  encoding: 'UTF8',
  maxConnections: 100,
  isReplica: false,
  mayCreate: true,
}

test('a PostgreSQL from 14 on, UTF8, writable, with the right to create schemas, is well', () => {
  expect(judgeServer('DATABASE_URL', server, 3.4)).toEqual({
    status: 'ok',
    found: 'DATABASE_URL: PostgreSQL 16.4, answers in 3 ms',
  })
})

test.each([
  [{ versionNum: 130_010 }, 'fail', 'use PostgreSQL 14 or newer'],
  [{ encoding: 'SQL_ASCII' }, 'fail', "make the database anew with encoding 'UTF8'"],
  [{ isReplica: true }, 'fail', 'point DATABASE_URL to the primary'],
  [{ mayCreate: false }, 'fail', 'grant create on the database to the role of DATABASE_URL'],
  [{ maxConnections: 20 }, 'warn', 'raise max_connections to 50 or more'],
])('a PostgreSQL with %j is a %s', (facts, status, remedy) => {
  expect(judgeServer('DATABASE_URL', { ...server, ...facts }, 3)).toMatchObject({ status, remedy })
})

test('several faults are told together, the worst decides', () => {
  const both = judgeServer('DATABASE_URL', { ...server, maxConnections: 20, encoding: 'LATIN1' }, 3)
  expect(both.status).toBe('fail')
  expect(both).toMatchObject({ remedy: expect.stringMatching(/UTF8.*; raise max_connections/) })
  expect(worstOf([])).toEqual({ status: 'ok', found: '' })
})

const info = (fields: Record<string, string>): string =>
  ['# Server', ...Object.entries(fields).map(([name, value]) => `${name}:${value}`), ''].join('\r\n')
const redis = { redis_version: '7.0.15', maxmemory_policy: 'noeviction', aof_enabled: '1', role: 'master' }

test('a Redis that keeps every job is well, and so is a Valkey', () => {
  expect(judgeRedis('redis://r', info(redis))).toEqual({ status: 'ok', found: 'Redis 7.0.15 at redis://r' })
  const valkey = info({ ...redis, redis_version: '7.2.4', valkey_version: '8.1.0' })
  expect(judgeRedis('redis://r', valkey)).toEqual({ status: 'ok', found: 'Valkey 8.1.0 at redis://r' })
})

test.each([
  [{ redis_version: '5.0.14' }, 'fail', /6\.2 or newer/],
  [{ maxmemory_policy: 'allkeys-lru' }, 'fail', /noeviction/],
  [{ aof_enabled: '0' }, 'warn', /appendonly yes/],
  [{ role: 'slave' }, 'fail', /primary/],
])('a Redis with %j is a %s', (fields, status, remedy) => {
  const finding = judgeRedis('redis://r', info({ ...redis, ...fields }))
  expect(finding).toMatchObject({ status, remedy: expect.stringMatching(remedy) })
})

test('clocks: the time on the way is not held against anybody', () => {
  expect(judgeClock({ sentAt: 1000, receivedAt: 9000, theirs: 5000 }).status).toBe('ok')
  expect(judgeClock({ sentAt: 10_000, receivedAt: 10_010, theirs: 5000 })).toMatchObject({
    status: 'warn',
    found: expect.stringContaining('5.0 s'),
  })
  expect(judgeClock({ sentAt: 10_000, receivedAt: 10_010, theirs: 90_000 }).status).toBe('fail')
})

test('disks: little space is a warning, hardly any a failure, and so are file entries', () => {
  expect(judgeSpace('/data', 3 * GB, 0.5)).toEqual({ status: 'ok', found: '3.0 GB free for /data' })
  expect(judgeSpace('/data', 1 * GB, 0.5).status).toBe('warn')
  expect(judgeSpace('/data', 0.1 * GB, 0.5)).toMatchObject({
    status: 'fail',
    remedy: expect.stringContaining('--data'),
  })
  expect(judgeSpace('/data', 3 * GB, 0.001).status).toBe('warn')
})

test('a data folder that others may write into is a warning', () => {
  expect(judgeMode('/data', 0o40755).status).toBe('ok')
  expect(judgeMode('/data', 0o40777)).toMatchObject({ status: 'warn', remedy: 'chmod go-w /data' })
})

test('a database that is ahead of the program fails, one behind will follow', () => {
  expect(judgeSchema('1.0.0', 4, 4).status).toBe('ok')
  expect(judgeSchema('1.0.0', 4, 2)).toMatchObject({ status: 'ok', found: expect.stringContaining('next start') })
  expect(judgeSchema('1.0.0', 4, 5)).toMatchObject({ status: 'fail', remedy: expect.stringContaining('newer') })
})

test('a catalog beyond loopback needs a token', () => {
  expect(judgeExposure('127.0.0.1', false).status).toBe('ok')
  expect(judgeExposure('0.0.0.0', true).status).toBe('ok')
  expect(judgeExposure('0.0.0.0', false)).toMatchObject({
    status: 'fail',
    remedy: expect.stringMatching(/HEADWATER_TOKEN/),
  })
})
