/** The tests of the three jobs once more, with the queue in Redis. */
import { afterAll, expect, test } from 'vitest'
import { hasRedis, NO_REDIS } from '../support/redis.ts'

if (hasRedis) {
  process.env['HEADWATER_TEST_QUEUE'] = 'redis'
  await import('./import-job.test.ts')
  await import('./harvest-job.test.ts')
  await import('./retention-job.test.ts')
  afterAll(() => void delete process.env['HEADWATER_TEST_QUEUE'])
}

test.runIf(hasRedis)('Redis is here for the jobs', () => expect(process.env['HEADWATER_TEST_QUEUE']).toBe('redis'))
test.skipIf(hasRedis)(`the jobs on Redis: ${NO_REDIS}`, () => expect(hasRedis).toBe(true))
