import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Day, type Month, monthOf, startOfDay } from '../../src/domain/day.ts'
import {
  addMonths,
  boundaryOf,
  breakageOf,
  everyMonth,
  flowsOf,
  type Lot,
  leftOf,
  NO_SUMS,
  netOf,
  type ReportMonth,
  shareOf,
  sumMonths,
  sumWallets,
} from '../../src/domain/liability.ts'
import { halalasOfMicroSar, type MicroSarPerPoint } from '../../src/domain/points.ts'

const day = (text: string) => text as Day
const month = (text: string) => `${text}-01` as Month
const rate = (value: number) => value as MicroSarPerPoint
const lot = (of: string, kept: number, returned = 0, value = 5_000): Lot => ({
  month: month(of),
  micro_sar_per_point: rate(value),
  kept_points: BigInt(kept),
  returned_points: BigInt(returned),
})
const left = (posted: number, lots: readonly Lot[]) =>
  leftOf(BigInt(posted), lots).map(({ left_points }) => Number(left_points))

describe('the remaining points of a wallet', () => {
  const lots = [lot('2026-01', 100), lot('2026-02', 50), lot('2026-03', 30)]
  it.each([
    ['all of it, while nothing is used', 180, lots, [100, 50, 30]],
    ['the newest, because points are used oldest first', 60, lots, [0, 30, 30]],
    ['nothing, in an empty wallet', 0, lots, [0, 0, 0]],
    ['nothing, in a wallet below zero', -20, lots, [0, 0, 0]],
    ['the rest of the points that ended a debt', 40, [lot('2026-01', 100), lot('2026-02', 160)], [0, 40]],
    [
      'nothing of a month in which more was taken back than earned',
      40,
      [lot('2026-01', 50), lot('2026-02', -10)],
      [40, 0],
    ],
    [
      'what came back, in the month in which it did, where nothing had been used',
      70,
      [lot('2026-01', 50), lot('2026-02', 0, 20)],
      [50, 20],
    ],
    ['the age that it had, where a use came back', 70, [lot('2026-01', 100), lot('2026-02', 0, 20)], [70, 0]],
  ])('is %s', (_what, posted, of, expected) => {
    expect(left(posted, of)).toEqual(expected)
  })

  it('equal those of a queue of single points, for any history', () => {
    const event = fc.record({
      kind: fc.constantFrom('earn' as const, 'use' as const, 'reverse' as const, 'return' as const),
      points: fc.integer({ min: 1, max: 20 }),
      which: fc.nat(9),
    })
    fc.assert(
      fc.property(fc.array(event, { maxLength: 40 }), (events) => {
        const earned: { readonly month: number; points: number; taken: number }[] = []
        let used = 0
        events.forEach(({ kind, points, which }, at) => {
          const order = earned[which % Math.max(earned.length, 1)]
          if (kind === 'earn') earned.push({ month: Math.floor(at / 4), points, taken: 0 })
          if (kind === 'use') used += points
          if (kind === 'return') used -= Math.min(points, used)
          if (kind === 'reverse' && order !== undefined) order.taken += Math.min(points, order.points - order.taken)
        })
        const queue = earned.flatMap(({ month, points, taken }) => new Array<number>(points - taken).fill(month))
        const rest = queue.slice(used)
        const posted = queue.length - used
        const months = [...new Set(earned.map((one) => one.month))]
        const lots = months.map((at) => {
          const kept = earned.filter((one) => one.month === at).reduce((sum, one) => sum + one.points - one.taken, 0)
          return lot(addMonths(month('2020-01'), at).slice(0, 7), kept)
        })
        expect(left(posted, lots)).toEqual(months.map((at) => rest.filter((one) => one === at).length))
      }),
    )
  })

  it('sum to the balances, for any wallets in any parts', () => {
    const wallet = fc
      .array(
        fc.record({ kept: fc.bigInt({ min: -50n, max: 10n ** 15n }), returned: fc.bigInt({ min: 0n, max: 50n }) }),
        { maxLength: 6 },
      )
      .chain((given) => {
        const lots = given.map(({ kept, returned }, n) => ({
          ...lot(addMonths(month('2025-01'), n).slice(0, 7), 0, 0, 5_000 + n),
          ...{ kept_points: kept, returned_points: returned },
        }))
        const most = lots.reduce((sum, one) => sum + one.kept_points + one.returned_points, 0n)
        return fc.record({
          posted: fc.bigInt({ min: most - 10n ** 15n, max: most }),
          held: fc.constant(0n),
          lots: fc.constant(lots),
        })
      })
    fc.assert(
      fc.property(fc.array(wallet, { maxLength: 12 }), fc.nat(12), (wallets, cut) => {
        const sums = sumWallets(wallets)
        const total = wallets.reduce((sum, { posted }) => sum + posted, 0n)
        expect(sums.owed_points - sums.receivable_points).toBe(total)
        expect(sums.months.reduce((sum, { left_points }) => sum + left_points, 0n)).toBe(sums.owed_points)
        const parts = [sumWallets(wallets.slice(0, cut)), sumWallets(wallets.slice(cut))]
        expect(parts.reduce((sum, { owed_points }) => sum + owed_points, 0n)).toBe(sums.owed_points)
        const value = (of: typeof sums) => of.months.reduce((sum, { left_micro_sar }) => sum + left_micro_sar, 0n)
        expect(parts.reduce((sum, one) => sum + value(one), 0n)).toBe(value(sums))
      }),
    )
  })
})

describe('a report', () => {
  const flow = (of: string, added: Readonly<Record<string, number>>): ReportMonth =>
    Object.entries(added).reduce<ReportMonth>(
      (sum, [kind, points]) => ({
        ...sumMonths([sum, { ...NO_SUMS, ...flowsOf(kind, BigInt(points)), month: month(of) }]),
        month: month(of),
      }),
      { ...NO_SUMS, month: month(of) },
    )

  it('counts up to the end of a day in Riyadh, or to a minute ago', () => {
    const end = startOfDay(day('2026-02-01'))
    expect(end.toISOString()).toBe('2026-01-31T21:00:00.000Z')
    const at = (now: string) => boundaryOf(day('2026-01-31'), new Date(now))
    expect(at('2026-01-31T21:01:00Z')).toEqual({ until: end, is_final: true })
    expect(at('2026-01-31T21:00:59Z')).toEqual({ until: new Date('2026-01-31T20:59:59Z'), is_final: false })
    expect(at('2026-01-30T20:59:59Z')).toBeNull()
  })

  it('names each flow by a positive number, and sums them to what is outstanding at the end of each month', () => {
    const november = flow('2025-11', { earn: 100, post: -30 })
    const january = flow('2026-01', { return: 10, reverse: -5, adjust: -7 })
    expect(november).toMatchObject({ issued_points: 100n, redeemed_points: 30n })
    expect(january).toMatchObject({ returned_points: 10n, reversed_points: 5n, adjusted_points: -7n })
    expect(netOf(january)).toBe(-2n)
    const all = everyMonth([november, january], day('2026-02-03'))
    expect(all.map(({ month: of, outstanding_points }) => [of.slice(0, 7), Number(outstanding_points)])).toEqual([
      ['2025-11', 70],
      ['2025-12', 70],
      ['2026-01', 68],
      ['2026-02', 68],
    ])
    expect(everyMonth([], day('2026-02-03'))).toMatchObject([{ month: '2026-02-01', outstanding_points: 0n }])
  })

  it('bases its breakage only on months whose points are all old enough', () => {
    const months = ['2024-12', '2025-01', '2025-02'].map((of) => ({
      ...NO_SUMS,
      month: month(of),
      kept_points: 100n,
      left_points: 20n,
    }))
    const until = (at: string, age: number) => breakageOf(months, day(at), age).until_month
    expect(breakageOf(months, day('2026-01-31'), 12)).toEqual({
      until_month: '2025-01-01',
      kept_points: 200n,
      left_points: 40n,
    })
    expect(until('2026-01-30', 12)).toBe('2024-12-01')
    expect(until('2025-12-30', 12)).toBeNull()
    expect(until('2026-02-28', 12)).toBe('2025-02-01')
    expect(shareOf(40n, 200n)).toBe(0.2)
    expect(shareOf(0n, 0n)).toBeNull()
  })

  it.each([
    [4_999n, 0n],
    [5_000n, 1n],
    [-5_000n, -1n],
    [10n ** 25n, 10n ** 21n],
  ])('shows %s millionths of a SAR as %s halalas', (micro, halalas) => {
    expect(halalasOfMicroSar(micro)).toBe(halalas)
  })

  it('knows months', () => {
    expect(monthOf(day('2026-02-03'))).toBe('2026-02-01')
    expect([addMonths(month('2026-01'), -1), addMonths(month('2025-12'), 13)]).toEqual(['2025-12-01', '2027-01-01'])
  })
})
