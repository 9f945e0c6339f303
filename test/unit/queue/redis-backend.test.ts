import { describe, expect, test } from 'vitest'
import { openQueues } from '../../../src/queue/open-queues.ts'
import { infoFields, isAtLeast } from '../../../src/queue/redis-backend.ts'
import { systemClock } from '../../../src/observe/clock.ts'
import { silentLogger } from '../../../src/observe/logger.ts'
import { hasRedis, NO_REDIS, startRedis } from '../../support/redis.ts'

const databaseAddress = { kind: 'url', url: 'postgres://127.0.0.1:1/none' } as const
const options = { databaseAddress, logger: silentLogger(), clock: systemClock }

test('versions are compared by number', () => {
  expect(isAtLeast('6.2.0', [6, 2])).toBe(true)
  expect(isAtLeast('7.0.15', [6, 2])).toBe(true)
  expect(isAtLeast('10.1', [6, 2])).toBe(true)
  expect(isAtLeast('6.0.16', [6, 2])).toBe(false)
  expect(isAtLeast('5.9', [6, 2])).toBe(false)
})

test('an INFO reply is read by its fields', () => {
  const facts = infoFields('# Server\r\nredis_version:7.0.15\r\nconfig_file:/etc/a:b\r\n\r\n')
  expect(facts.get('redis_version')).toBe('7.0.15')
  expect(facts.get('config_file')).toBe('/etc/a:b')
})

test('an address that is no queue is refused', async () => {
  await expect(async () => openQueues({ ...options, url: 'amqp://user:hidden@host' })).rejects.toMatchObject({
    code: 'QUEUE_URL',
    message: expect.not.stringContaining('hidden'),
  })
})

test('a Redis that is away is named, without its password', async () => {
  await expect(openQueues({ ...options, url: 'redis://:hidden@127.0.0.1:1' })).rejects.toMatchObject({
    code: 'QUEUE_UNAVAILABLE',
    message: expect.not.stringContaining('hidden'),
  })
})

test('a PostgreSQL that is away is named', async () => {
  await expect(openQueues(options)).rejects.toMatchObject({ code: 'QUEUE_UNAVAILABLE' })
})

describe.skipIf(!hasRedis)(`with a Redis server ${hasRedis ? '' : `(skipped: ${NO_REDIS})`}`, () => {
  test('a server that evicts keys is refused', async () => {
    await using redis = await startRedis({ 'maxmemory-policy': 'allkeys-lru' })
    await expect(openQueues({ ...options, url: redis.url })).rejects.toMatchObject({
      code: 'REDIS_UNFIT',
      message: expect.stringContaining('allkeys-lru'),
    })
  })
})
