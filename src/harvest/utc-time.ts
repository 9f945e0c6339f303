/** Times as logs and people write them. */

/** Zones by the names that PostgreSQL's `log_timezone` prints; those that mean several zones are left out. */
const ZONES: Readonly<Record<string, string>> = {
  UTC: 'Z',
  GMT: 'Z',
  Z: 'Z',
  WET: 'Z',
  WEST: '+01:00',
  CET: '+01:00',
  CEST: '+02:00',
  EET: '+02:00',
  EEST: '+03:00',
  MSK: '+03:00',
  SAST: '+02:00',
  JST: '+09:00',
  KST: '+09:00',
  AEST: '+10:00',
  AEDT: '+11:00',
  NZST: '+12:00',
  NZDT: '+13:00',
  EST: '-05:00',
  EDT: '-04:00',
  CDT: '-05:00',
  MST: '-07:00',
  MDT: '-06:00',
  PST: '-08:00',
  PDT: '-07:00',
}

const TIME = /^(\d{4}-\d{2}-\d{2})(?:[T ]+(\d{2}:\d{2}(?::\d{2})?)(?:[.,](\d+))?)?\s*([A-Z]+|[+-]\d{2}:?(?:\d{2})?)?$/i

/**
 * Milliseconds since the epoch of a date or a time; a time without a zone is UTC. Zones stand behind a blank, too
 * (`2026-11-21 02:00:00.123 +0100`, `… CET`). Undefined for what is no time, or in a zone whose name is ambiguous.
 */
export function utcTimeOf(text: string): number | undefined {
  const [, date, time = '00:00', fraction = '0', zone = 'Z'] = TIME.exec(text.trim()) ?? []
  if (date === undefined) return asMilliseconds(Date.parse(text))
  const offset = /^[+-]/.test(zone) ? offsetOf(zone) : ZONES[zone.toUpperCase()]
  if (offset === undefined) return undefined
  const seconds = time.length === 5 ? `${time}:00` : time
  return asMilliseconds(Date.parse(`${date}T${seconds}.${fraction.slice(0, 3).padEnd(3, '0')}${offset}`))
}

/** `+0100`, `+01` and `+01:00`. */
function offsetOf(zone: string): string {
  const digits = zone.slice(1).replace(':', '').padEnd(4, '0')
  return `${zone[0] ?? '+'}${digits.slice(0, 2)}:${digits.slice(2)}`
}

function asMilliseconds(parsed: number): number | undefined {
  return Number.isNaN(parsed) ? undefined : parsed
}
