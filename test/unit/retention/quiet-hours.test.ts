import { describe, expect, test } from 'vitest'
import { describeQuiet, faultOf, quietAt, type QuietHours } from '../../../src/retention/quiet-hours.ts'
import { readPolicy } from '../../../src/retention/policy.ts'

const quiet = (from: string, to: string, more: Partial<QuietHours> = {}): QuietHours => ({
  from,
  to,
  timeZone: 'Europe/Berlin',
  days: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'],
  ...more,
})
const isQuiet = (hours: QuietHours, at: string): boolean => quietAt([hours], Date.parse(at)) !== undefined

describe('quiet hours by the clock of a zone', () => {
  test.each([
    ['2026-01-15T05:59:59Z', false],
    ['2026-01-15T06:00:00Z', true],
    ['2026-01-15T18:59:59Z', true],
    ['2026-01-15T19:00:00Z', false],
    // In summer the same clock is an hour earlier in UTC.
    ['2026-07-15T04:59:59Z', false],
    ['2026-07-15T05:00:00Z', true],
    ['2026-07-15T17:59:59Z', true],
    ['2026-07-15T18:00:00Z', false],
  ])('07:00 to 20:00 in Berlin at %s: %s', (at, expected) => {
    expect(isQuiet(quiet('07:00', '20:00'), at)).toBe(expected)
  })

  test.each([
    ['2026-01-15T20:59:00Z', false],
    ['2026-01-15T21:00:00Z', true],
    ['2026-01-16T04:59:00Z', true],
    ['2026-01-16T05:00:00Z', false],
  ])('over midnight, 22:00 to 06:00, at %s: %s', (at, expected) => {
    expect(isQuiet(quiet('22:00', '06:00'), at)).toBe(expected)
  })

  test.each([
    ['2026-01-16T22:30:00Z', true], // Friday evening
    ['2026-01-17T04:30:00Z', true], // Saturday early: it began on Friday
    ['2026-01-17T22:30:00Z', false], // Saturday evening
    ['2026-01-16T04:30:00Z', false], // Friday early: Thursday is not among the days
  ])('the day counts on which they begin, friday, at %s: %s', (at, expected) => {
    expect(isQuiet(quiet('22:00', '06:00', { days: ['fri'] }), at)).toBe(expected)
  })

  test('the hour that spring skips is never quiet', () => {
    // 2026-03-29: 02:00 becomes 03:00 in Berlin, at 01:00 UTC.
    const minutes = Array.from({ length: 240 }, (_, n) => Date.parse('2026-03-28T23:00:00Z') + n * 60_000)
    expect(minutes.filter((at) => quietAt([quiet('02:00', '03:00')], at) !== undefined)).toEqual([])
    expect(isQuiet(quiet('02:30', '03:30'), '2026-03-29T01:00:00Z')).toBe(true)
    expect(isQuiet(quiet('02:30', '03:30'), '2026-03-29T01:30:00Z')).toBe(false)
  })

  test('the hour that autumn repeats is quiet twice', () => {
    // 2026-10-25: 03:00 becomes 02:00 in Berlin, at 01:00 UTC.
    const minutes = Array.from({ length: 240 }, (_, n) => Date.parse('2026-10-24T23:00:00Z') + n * 60_000)
    expect(minutes.filter((at) => quietAt([quiet('02:00', '03:00')], at) !== undefined)).toHaveLength(120)
  })

  test('24:00 is the end of the day', () => {
    expect(isQuiet(quiet('00:00', '24:00'), '2026-03-29T01:30:00Z')).toBe(true)
    expect(describeQuiet(quiet('00:00', '24:00', { days: ['sat', 'sun'] }))).toBe(
      '00:00–24:00 Europe/Berlin (sat, sun)',
    )
  })
})

describe('a policy with wrong quiet hours is refused at its place', () => {
  test('unknown zone, same minute', () => {
    expect(faultOf(quiet('07:00', '07:00'))).toContain('same minute')
    const text = "quietHours:\n  - { from: '07:00', to: '20:00', timeZone: Berlin }\n"
    expect(() => readPolicy(text, 'r.yaml')).toThrow(/^r\.yaml:2:5 at quietHours\.0: "Berlin" is no time zone/)
  })

  test('a time that is none', () => {
    expect(() => readPolicy("quietHours: [{ from: '7:00', to: '20:00' }]", 'r.yaml')).toThrow(/r\.yaml:1:\d+.*from/s)
  })

  test('a rule by which nothing would go', () => {
    expect(() => readPolicy('rules: [{ aspect: operation, decide: auto }]', 'r.yaml')).toThrow(
      /neither keepDays nor maxGb/,
    )
    expect(readPolicy('rules: [{ aspect: operation, decide: never }]', 'r.yaml').rules).toHaveLength(1)
  })
})
