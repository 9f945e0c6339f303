import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { checkExpression, dueSlots, nextSlot, slotName, slotsAfter, slotsBetween } from '../../../src/runner/slots.ts'

describe('an expression', () => {
  test.each(['*/5 * * * *', '30 2 * * *', '0 3 * * 1-5', '0 0 29 2 *', '0 0 L * *', '0 9 1,15 * *', '15 30 2 * * *'])(
    '%s is read alike by ticker and slots',
    (cron) => {
      expect(() => checkExpression(cron, 'Europe/Berlin')).not.toThrow()
    },
  )

  test.each([
    ['0 0 13 * 5', '0 0 13 * *" and "0 0 * * 5'],
    ['0 22-2 * * *', '22-23,0-2'],
    ['50-10 * * * *', '50-59,0-10'],
    ['5/15 * * * *', '5-59/15'],
    ['0 3 * * sat-sun', '0,6'],
  ])('%s is refused with a spelling that is not: %s', (cron, suggestion) => {
    expect(() => checkExpression(cron, 'UTC')).toThrow(
      expect.objectContaining({ code: 'SCHEDULE_EXPRESSION', remedy: expect.stringContaining(suggestion) }),
    )
  })

  test.each(['61 * * * *', 'daily', '* * *', '0 0 30 2 *', ''])('%j is refused', (cron) => {
    expect(() => checkExpression(cron, 'UTC')).toThrow(expect.objectContaining({ code: 'SCHEDULE_EXPRESSION' }))
  })

  test('a time zone that is none is refused', () => {
    expect(() => checkExpression('0 0 * * *', 'Europe/Berlim')).toThrow(/no time zone "Europe\/Berlim"/)
  })
})

describe('slots over a clock change', () => {
  test('a local time in the gap of spring fires once, right after it', () => {
    const slots = slotsBetween(BERLIN('30 2 * * *'), utc('2027-03-27T00:00'), utc('2027-03-30T00:00'), 10)
    expect(slots.map(iso)).toEqual(['2027-03-27T01:30', '2027-03-28T01:30', '2027-03-29T00:30'])
  })

  test('one in the gap is the same from wherever one looks', () => {
    for (const from of ['2027-03-27T01:30', '2027-03-28T00:59', '2027-03-28T01:00', '2027-03-28T01:29']) {
      expect(slotsBetween(BERLIN('30 2 * * *'), utc(from) + 1, utc('2027-03-28T20:00'), 10).map(iso)).toEqual([
        '2027-03-28T01:30',
      ])
    }
  })

  test('a local time in the repeated hour of autumn fires once', () => {
    const slots = slotsBetween(BERLIN('30 2 * * *'), utc('2026-10-24T00:00'), utc('2026-10-27T00:00'), 10)
    expect(slots.map(iso)).toEqual(['2026-10-24T00:30', '2026-10-25T00:30', '2026-10-26T01:30'])
  })

  test('an interval goes on through both', () => {
    for (const [from, to] of [
      ['2027-03-28T00:00', '2027-03-28T04:00'],
      ['2026-10-25T00:00', '2026-10-25T04:00'],
    ] as const) {
      const slots = slotsBetween(BERLIN('*/30 * * * *'), utc(from), utc(to), 100)
      expect(slots).toHaveLength(9)
      expect(new Set(slots.slice(1).map((slot, i) => slot - (slots[i] ?? 0)))).toEqual(new Set([1_800_000]))
    }
  })

  test('a zone whose clock moves by half an hour loses no day', () => {
    const zone = { cron: '30 3 * * *', timeZone: 'Australia/Lord_Howe' }
    const slots = slotsBetween(zone, utc('2026-03-25T00:00'), utc('2026-10-15T00:00'), 1000)
    expect(slots).toHaveLength(204)
  })

  test('leap days and month ends', () => {
    expect(slotsAfter('0 0 29 2 *', 'UTC', utc('2026-01-01T00:00'), 2).map(iso)).toEqual([
      '2028-02-29T00:00',
      '2032-02-29T00:00',
    ])
    expect(slotsAfter('0 0 31 * *', 'UTC', utc('2026-01-31T00:00'), 2).map(iso)).toEqual([
      '2026-03-31T00:00',
      '2026-05-31T00:00',
    ])
    expect(slotsAfter('0 0 L * *', 'UTC', utc('2028-02-01T00:00'), 1).map(iso)).toEqual(['2028-02-29T00:00'])
  })
})

describe('catching up', () => {
  const minutely = { cron: '* * * * *', timeZone: 'UTC', catchUpMax: 3, nextRunMs: utc('2026-01-01T00:01') }

  test('in time, each policy runs the slot', () => {
    for (const catchUp of ['none', 'latest', 'all'] as const) {
      const due = dueSlots({ ...minutely, catchUp }, utc('2026-01-01T00:01') + 400)
      expect([due.run.map(iso), iso(due.next ?? 0)]).toEqual([['2026-01-01T00:01'], '2026-01-01T00:02'])
    }
  })

  test('after an outage: nothing, the last one, or the last catchUpMax', () => {
    const now = utc('2026-01-01T00:10') + 45_000
    expect(dueSlots({ ...minutely, catchUp: 'none' }, now).run).toEqual([])
    expect(dueSlots({ ...minutely, catchUp: 'latest' }, now).run.map(iso)).toEqual(['2026-01-01T00:10'])
    expect(dueSlots({ ...minutely, catchUp: 'all' }, now).run.map(iso)).toEqual([
      '2026-01-01T00:08',
      '2026-01-01T00:09',
      '2026-01-01T00:10',
    ])
    for (const catchUp of ['none', 'latest', 'all'] as const) {
      expect(iso(dueSlots({ ...minutely, catchUp }, now).next ?? 0)).toBe('2026-01-01T00:11')
    }
  })

  test('a month of missed seconds costs little', () => {
    const started = performance.now()
    const secondly = { ...minutely, cron: '* * * * * *', catchUp: 'all' as const, catchUpMax: 100 }
    expect(dueSlots(secondly, utc('2026-02-01T00:00')).run).toHaveLength(100)
    expect(performance.now() - started).toBeLessThan(20_000)
  })

  test('the slots of two spans are those of the whole, in any zone', () => {
    const zones = fc.constantFrom('UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kathmandu', 'Australia/Sydney')
    const crons = fc.constantFrom('*/15 * * * *', '30 2 * * *', '0 */3 * * *', '0 12 * * 1', '0 0 1 * *')
    const hours = fc.integer({ min: 0, max: 24 * 365 })
    fc.assert(
      fc.property(zones, crons, hours, fc.integer({ min: 1, max: 24 * 20 }), (timeZone, cron, from, length) => {
        const schedule = { cron, timeZone }
        const start = utc('2026-01-01T00:00') + from * 3_600_000
        const middle = start + Math.floor(length / 2) * 3_600_000
        const end = start + length * 3_600_000
        const whole = slotsBetween(schedule, start, end, Infinity)
        const parts = [
          ...slotsBetween(schedule, start, middle, Infinity),
          ...slotsBetween(schedule, middle + 1, end, Infinity),
        ]
        expect(parts).toEqual(whole)
        expect(whole.every((slot) => nextSlot(cron, timeZone, slot - 1) === slot)).toBe(true)
      }),
      { numRuns: 15 },
    )
  })
})

test('the name of a slot sorts by time and is fit for an id', () => {
  expect(slotName(utc('2026-11-21T02:00'))).toBe('20261121T020000Z')
  expect(slotName(utc('2026-11-21T02:00') + 7)).toBe('20261121T020000007Z')
})

function BERLIN(cron: string) {
  return { cron, timeZone: 'Europe/Berlin' }
}

function utc(text: string): number {
  return Date.parse(`${text}Z`)
}

function iso(ms: number): string {
  return new Date(ms).toISOString().slice(0, 16)
}
