/** Times, spans and counts as people read them. */

/** `2026-11-21 02:00:00`, UTC. */
export function utcTime(ms: number | null): string {
  return ms === null ? '' : new Date(ms).toISOString().slice(0, 19).replace('T', ' ')
}

/** `2026-11-21 02:00`, UTC. */
export function utcMinute(ms: number): string {
  return utcTime(ms).slice(0, 16)
}

/** The same moment on the clocks of a zone, `2026-11-21 03:00:00 GMT+1`. */
export function zonedTime(ms: number, timeZone: string): string {
  const parts = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    dateStyle: 'short',
    timeStyle: 'medium',
    hourCycle: 'h23',
  }).format(ms)
  const offset = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'shortOffset' })
    .formatToParts(ms)
    .find(({ type }) => type === 'timeZoneName')
  return `${parts.replace(',', '')} ${offset?.value ?? ''}`.trimEnd()
}

/** `0.4 s`, `2 min 5 s`, `3 h 12 min`. */
export function span(ms: number): string {
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`
  const minutes = Math.floor(ms / 60_000)
  if (minutes < 60) return `${minutes} min ${Math.floor((ms % 60_000) / 1000)} s`
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

export function grouped(count: number): string {
  return count.toLocaleString('en')
}

/** How long a run took, or has taken so far. */
export function runSpan(run: { readonly startedMs: number | null; readonly finishedMs: number | null }, nowMs: number) {
  return run.startedMs === null ? '' : span((run.finishedMs ?? nowMs) - run.startedMs)
}
