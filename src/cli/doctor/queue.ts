import { Redis } from 'ioredis'
import { maskUrl } from '../../observe/logger.ts'
import { infoFields, isAtLeast } from '../../queue/redis-backend.ts'
import { fail, ok, warn, worstOf, type Check, type Finding, type Patient } from './check.ts'

const LEAST_VERSION = [6, 2] as const

export const queueCheck: Check = {
  name: 'queue',
  run(patient) {
    const url = patient.config.queueUrl?.reveal()
    if (url === undefined) return ok('in the database (QUEUE_URL is not set)')
    if (/^rediss?:/.test(url)) return checkRedis(url, patient)
    if (/^postgres(ql)?:/.test(url)) return ok(`PostgreSQL at ${maskUrl(url)}`)
    return fail(`QUEUE_URL is not an address of a queue: ${maskUrl(url)}`, 'use redis://, rediss:// or postgres://')
  },
}

async function checkRedis(url: string, { signal }: Patient): Promise<Finding> {
  const redis = new Redis(url, {
    lazyConnect: true,
    maxRetriesPerRequest: 1,
    retryStrategy: null,
    connectTimeout: 5000,
  })
  let reason = ''
  redis.on('error', (error: Error) => (reason = error.message))
  const stop = (): void => redis.disconnect()
  signal.addEventListener('abort', stop)
  try {
    await redis.connect()
    return judgeRedis(maskUrl(url), await redis.info())
  } catch (error) {
    return fail(
      `Redis at ${maskUrl(url)} does not answer: ${reason || String(error)}`,
      'start it, check address and password in QUEUE_URL, or unset QUEUE_URL to keep the queue in the database',
    )
  } finally {
    signal.removeEventListener('abort', stop)
    redis.disconnect()
  }
}

/** @param info answer to INFO */
export function judgeRedis(where: string, info: string): Finding {
  const facts = infoFields(info)
  const version = facts.get('valkey_version') ?? facts.get('redis_version') ?? '0'
  const findings = [ok(`${facts.has('valkey_version') ? 'Valkey' : 'Redis'} ${version} at ${where}`)]
  if (!isAtLeast(version, LEAST_VERSION)) {
    findings.push(fail('version too old', `use Redis ${LEAST_VERSION.join('.')} or newer, or Valkey`))
  }
  const policy = facts.get('maxmemory_policy') ?? 'unknown'
  if (policy !== 'noeviction') {
    findings.push(fail(`maxmemory-policy ${policy}: may evict jobs`, 'set maxmemory-policy noeviction in redis.conf'))
  }
  if (facts.get('aof_enabled') === '0') {
    findings.push(
      warn(
        'no append-only file',
        'set appendonly yes, or after a crash of Redis runs start only when the sweeper finds them',
      ),
    )
  }
  if (facts.get('role') === 'slave') findings.push(fail('it is a replica', 'point QUEUE_URL to the primary'))
  return worstOf(findings)
}
