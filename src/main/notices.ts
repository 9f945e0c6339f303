import type { Config } from '../config/config.ts'
import type { Logger } from '../observe/logger.ts'
import { NOTICE_DEFAULTS, type NoticeSettings, type Receiver } from '../runner/notices/notices.ts'

const MINUTE_MS = 60_000

/** Who is told what; a receiver without its address is left out, and said so. Undefined where nobody is told. */
export function noticeSettings(config: Config, logger: Logger): NoticeSettings | undefined {
  const receivers = Object.entries(config.webhooks).flatMap(([name, webhook]): readonly Receiver[] => {
    const { url, urlEnv, secret, on, lateMinutes, foldMinutes } = webhook
    if (url === undefined) {
      logger.warn({ webhook: name, remedy: `set ${urlEnv} to its address` }, 'webhook without an address')
      return []
    }
    return [{ name, url, secret, on, lateMs: lateMinutes * MINUTE_MS, foldMs: foldMinutes * MINUTE_MS }]
  })
  if (receivers.length === 0) return undefined
  const others = [config.databaseUrl, config.queueUrl, config.token, ...tokensOf(config)]
  const secrets = [...receivers.flatMap(({ url, secret }) => [url, secret]), ...others]
  return {
    ...NOTICE_DEFAULTS,
    receivers,
    secrets: secrets.filter((secret) => secret !== undefined),
    chance: Math.random,
  }
}

function tokensOf(config: Config) {
  return Object.values(config.connections).map(({ token }) => token)
}
