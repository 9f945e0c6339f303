import { schedule, type Logger as CronLogger } from 'node-cron'
import type { Logger } from '../observe/logger.ts'
import type { Closable } from '../observe/resources.ts'
import type { RunnerParts } from './parts.ts'
import { tick } from './schedules.ts'

export interface Scheduler extends Closable {
  /** When the last tick ended well, in milliseconds since the epoch; the scheduler is not well when it is long ago. */
  lastTickMs(): number | undefined
  close(): Promise<void>
}

/** Ticks once a second until it is closed; run as many as you like, a slot is fired once. */
export function openScheduler(parts: RunnerParts): Scheduler {
  let lastTickMs: number | undefined
  let ticking: Promise<void> = Promise.resolve()

  async function tickOnce(): Promise<void> {
    try {
      const { fired, skipped } = await tick(parts)
      lastTickMs = parts.clock.now()
      for (const { slotMs, createdMs } of fired) {
        if (slotMs !== null) parts.metrics.scheduleDriftSeconds.observe(Math.max(0, createdMs - slotMs) / 1000)
      }
      for (const { id, slotMs } of fired) {
        parts.logger.info({ run: id, lateMs: slotMs === null ? 0 : lastTickMs - slotMs }, 'slot fired')
      }
      for (const { id, reason } of skipped) parts.logger.warn({ run: id, reason }, 'slot skipped')
    } catch (err) {
      parts.logger.error({ err }, 'tick failed, the next one follows')
    }
  }

  const task = schedule('* * * * * *', () => (ticking = tickOnce()), {
    name: 'tick',
    noOverlap: true,
    // A tick that comes late finds the same slots due.
    suppressMissedWarning: true,
    logger: cronLogger(parts.logger),
  })
  return {
    lastTickMs: () => lastTickMs,
    close: async () => {
      await task.destroy()
      await ticking
    },
  }
}

function cronLogger(logger: Logger): CronLogger {
  return {
    info: (message) => logger.debug(message),
    warn: (message) => logger.debug(message),
    error: (message, err) => logger.error({ err: err ?? message }, 'ticker failed'),
    debug: () => undefined,
  }
}
