import { fail, ok, warn, type Check, type Finding } from './check.ts'

const WARN_MS = 2_000
const FAIL_MS = 60_000

/** Slots, cut-offs and leases compare times of several machines; the database's is the one that all of them see. */
export const clockCheck: Check = {
  name: 'clock',
  async run({ clock, database }) {
    const opened = await database()
    if (opened === undefined) return ok(`${new Date(clock.now()).toISOString()}; nothing to compare with yet`)
    const sentAt = clock.now()
    const [row] = await opened.rows<{ ms: number }>(
      'select (extract(epoch from clock_timestamp()) * 1000)::bigint as ms',
    )
    const receivedAt = clock.now()
    return judgeClock({ sentAt, receivedAt, theirs: Number(row?.ms) })
  },
}

/** All in milliseconds since the epoch; the database read its clock somewhere between sending and receiving. */
export function judgeClock(times: {
  readonly sentAt: number
  readonly receivedAt: number
  readonly theirs: number
}): Finding {
  const { sentAt, receivedAt, theirs } = times
  const skewMs = theirs < sentAt ? sentAt - theirs : Math.max(0, theirs - receivedAt)
  const found = `${(skewMs / 1000).toFixed(1)} s apart from the database's`
  const remedy = 'let both machines keep time by NTP (timedatectl set-ntp true)'
  if (skewMs > FAIL_MS) return fail(found, remedy)
  if (skewMs > WARN_MS) return warn(found, remedy)
  return ok(found)
}
