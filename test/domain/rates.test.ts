import { describe, expect, it } from 'vitest'
import type { Day } from '../../src/domain/day.ts'
import type { MicroSarPerPoint } from '../../src/domain/points.ts'
import { max_waiting_rates, type Rates, rateAt, refuseRate } from '../../src/domain/rates.ts'

/** The latest first, as they are loaded. */
const rates = ratesOf(['2026-12-01', 20_000], ['2026-11-01', 10_000], ['2026-01-15', 5_000])

function ratesOf(...rows: readonly (readonly [day: string, value: number])[]): Rates {
  return rows.map(([day, value]) => ({ begins_on: day as Day, micro_sar_per_point: value as MicroSarPerPoint }))
}

describe('the value of a point', () => {
  it.each([
    ['2026-10-31T20:59:59.999Z', 5_000, 'the last millisecond of October in Riyadh'],
    ['2026-10-31T21:00:00.000Z', 10_000, 'the first one of November'],
    ['2026-11-30T20:59:59.999Z', 10_000, 'the last one of November'],
    ['2026-11-30T21:00:00.000Z', 20_000, 'the first one of December'],
    ['2030-01-01T00:00:00.000Z', 20_000, 'long after the last rate'],
    ['2025-01-01T00:00:00.000Z', 5_000, 'a sandbox whose clock was set to before the program'],
  ])('at %s is %i', (at, value) => {
    expect(rateAt(rates, new Date(at))).toBe(value)
  })

  it('is never that of a program without rates', () => {
    expect(() => rateAt([], new Date())).toThrow(RangeError)
  })
})

describe('a new rate', () => {
  const now = new Date('2026-11-30T21:30:00Z')
  const full = ratesOf(...Array.from({ length: max_waiting_rates }, (_, n) => [`2027-01-${31 - n}`, 1_000] as const), [
    '2026-01-15',
    5_000,
  ])
  it.each([
    [rates, '2026-11-30', 'past', 'yesterday in Riyadh, today in UTC'],
    [rates, '2026-12-01', null, 'today'],
    [rates, '2028-01-05', null, '400 days ahead'],
    [rates, '2028-01-06', 'far', '401 days ahead'],
    [full, '2027-02-01', 'many', 'one more than may wait'],
    [full, '2027-01-31', null, 'in the place of one that waits'],
    [full, '2026-12-01', null, 'today, although the others wait'],
  ] as const)('%# on %s: %s (%s)', (known, day, refused, _why) => {
    expect(refuseRate(known, day as Day, now)).toBe(refused)
  })
})
