const DAYS_OF: Readonly<Record<string, number>> = { h: 1 / 24, d: 1, w: 7 }

export const DAY_MS = 86_400_000

/** Days of a text such as `14d`, `36h`, `2w`, `14`; undefined where it is no such text, or nothing. */
export function daysOf(text: string): number | undefined {
  const match = /^(\d+(?:\.\d+)?)\s*([hdw]?)$/.exec(text.trim())
  if (match === null) return undefined
  const days = Number(match[1]) * (DAYS_OF[match[2] === '' ? 'd' : (match[2] ?? 'd')] ?? 1)
  return days > 0 ? days : undefined
}
