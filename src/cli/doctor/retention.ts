import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readPolicy, type RetentionPolicy } from '../../retention/policy.ts'
import type { ScheduleEntry } from '../../config/schedules-file.ts'
import { listPlans } from '../../store/ledger/plans.ts'
import { ok, warn, type Check, type Finding } from './check.ts'

const MOST_PLANS = 100

/** The policy can be read, something runs it, and nobody waits for a decision. */
export const retentionCheck: Check = {
  name: 'retention',
  async run({ config, database }) {
    const file = join(config.configFolder, 'retention.yaml')
    if (!existsSync(file)) return ok('no policy: nothing is truncated')
    const policy = readPolicy(readFileSync(file, 'utf8'), file)
    const ledger = await database()
    const plans = ledger === undefined ? [] : await listPlans(ledger, { states: ['awaiting'], limit: MOST_PLANS })
    return judgeRetention(policy, config.schedules, plans.filter(({ job }) => job === 'retention').length)
  },
}

/** @param waiting plans that nobody has decided */
export function judgeRetention(
  { rules }: Pick<RetentionPolicy, 'rules'>,
  schedules: readonly Pick<ScheduleEntry, 'id' | 'job' | 'enabled'>[],
  waiting: number,
): Finding {
  const ids = schedules.filter(({ job, enabled }) => job === 'retention' && enabled).map(({ id }) => id)
  const runs = ids.length === 0 ? 'no schedule runs them' : `run by ${ids.join(', ')}`
  const found = `${rules.length} ${rules.length === 1 ? 'rule' : 'rules'}, ${runs}`
  if (waiting === 0) return ok(found)
  const plans = waiting === 1 ? '1 plan waits' : `${waiting} plans wait`
  return warn(`${found}; ${plans} for a decision`, 'see headwater plans --state awaiting, then approve or reject')
}
