/** When the clocks of a zone were last put forward. Pure. */

const formats = new Map<string, Intl.DateTimeFormat>()

/** How far the zone's clock is ahead of UTC. */
function offsetMinutes(timeZone: string, ms: number): number {
  let format = formats.get(timeZone)
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' })
    formats.set(timeZone, format)
  }
  const name = format.formatToParts(ms).find(({ type }) => type === 'timeZoneName')?.value ?? ''
  const [, sign = '+', hours = '0', minutes = '0'] = /([+-])(\d+):(\d+)/.exec(name) ?? []
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes))
}

/** The first moment after the clocks were put forward, where that was within the span before `ms`. */
export function gapBefore(timeZone: string, ms: number, spanMs: number): number | undefined {
  const now = offsetMinutes(timeZone, ms)
  let [before, after] = [ms - spanMs, ms]
  if (offsetMinutes(timeZone, before) >= now) return undefined
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2)
    if (offsetMinutes(timeZone, middle) === now) after = middle
    else before = middle
  }
  return after
}
