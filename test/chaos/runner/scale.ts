/** The tests of chaos have a short form for CI and a long one: `npm run chaos:runner`. */
export const LONG = process.env['HEADWATER_CHAOS'] === 'long'

export function byScale<T>(short: T, long: T): T {
  return LONG ? long : short
}

/** Vitest's limit for one test. */
export const PATIENCE = { timeout: byScale(180_000, 600_000) }
