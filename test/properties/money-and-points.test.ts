import fc from 'fast-check'
import { expect, test } from 'vitest'
import { asHalalas, type Halalas, MAX_HALALAS, MAX_SAR, parseSar, toSar } from '../../src/domain/money.ts'
import {
  asPoints,
  MAX_POINTS_PER_SAR,
  MAX_SAR_PER_POINT,
  MIN_SAR_PER_POINT,
  type MicroSarPerPoint,
  type PointsPerSarE4,
  pointsEarned,
  pointsNeeded,
  pointsValue,
  pointsWorth,
  proportion,
} from '../../src/domain/points.ts'
import { decideRedemption, equivalence, redeemablePoints } from '../../src/domain/redemption.ts'

const runs = { numRuns: 5_000 }
const money = fc.integer({ min: 0, max: MAX_HALALAS }).map(asHalalas)
const smallMoney = fc.integer({ min: 0, max: 100_000 }).map(asHalalas)
const anyMoney = fc.oneof(money, smallMoney)
const points = fc.integer({ min: 0, max: 10 ** 12 }).map(asPoints)
const rate = fc.integer({ min: 0, max: MAX_POINTS_PER_SAR }).map((value) => value as PointsPerSarE4)
const value = fc.integer({ min: 100, max: 10_000_000 }).map((micro) => micro as MicroSarPerPoint)

test('halalas survive the conversion to SAR and back, with at most two decimals', () => {
  const signed = fc.integer({ min: -MAX_HALALAS, max: MAX_HALALAS }).map(asHalalas)
  fc.assert(
    fc.property(signed, (amount) => {
      const printed = JSON.stringify(toSar(amount))
      expect(printed).toMatch(/^-?\d+(\.\d{1,2})?$/)
      expect(parseSar(JSON.parse(printed))).toBe(amount)
    }),
    runs,
  )
})

test('a number is rounded by its decimal text', () => {
  const decimal = fc.tuple(fc.integer({ min: 0, max: 9_999_999 }), fc.stringMatching(/^[0-9]{1,7}$/))
  fc.assert(
    fc.property(decimal, fc.boolean(), ([whole, fraction], negative) => {
      const kept = Number(whole) * 100 + Number(fraction.padEnd(2, '0').slice(0, 2))
      const onPaper = kept + (Number(fraction[2] ?? '0') >= 5 ? 1 : 0)
      const amount = parseSar(Number(`${negative ? '-' : ''}${whole}.${fraction}`))
      expect(Math.abs(amount ?? Number.NaN)).toBe(onPaper)
      if (onPaper > 0) expect(amount).toBe(negative ? -onPaper : onPaper)
    }),
    runs,
  )
})

test('any JSON number is either whole halalas within bounds, less than half a halala away, or refused', () => {
  fc.assert(
    fc.property(fc.double(), (sar) => {
      const amount = parseSar(sar)
      if (amount === null) {
        expect(Number.isFinite(sar) && Math.abs(sar) <= MAX_SAR).toBe(false)
        return
      }
      expect(Number.isSafeInteger(amount) && !Object.is(amount, -0) && Math.abs(amount) <= MAX_HALALAS).toBe(true)
      expect(Math.abs(amount / 100 - sar)).toBeLessThanOrEqual(0.005 + Math.abs(sar) * Number.EPSILON)
    }),
    runs,
  )
})

test('points earned are the exact product, rounded down', () => {
  fc.assert(
    fc.property(anyMoney, rate, (total, perSar) => {
      expect(BigInt(pointsEarned(total, perSar))).toBe((BigInt(total) * BigInt(perSar)) / 1_000_000n)
    }),
    runs,
  )
})

test('points needed are the fewest that pay the amount', () => {
  fc.assert(
    fc.property(anyMoney, value, (amount, micro) => {
      const needed = BigInt(pointsNeeded(amount, micro))
      const asked = BigInt(amount) * 10_000n
      expect(needed * BigInt(micro) >= asked).toBe(true)
      expect(needed === 0n || (needed - 1n) * BigInt(micro) < asked).toBe(true)
    }),
    runs,
  )
})

test('the value of points is the exact product, rounded down', () => {
  fc.assert(
    fc.property(points, value, (count, micro) => {
      expect(BigInt(pointsValue(count, micro))).toBe((BigInt(count) * BigInt(micro)) / 10_000n)
    }),
    runs,
  )
})

test('a share is within half a point of the exact one, and a tie goes up', () => {
  fc.assert(
    fc.property(points, partOfWhole(), (count, [part, whole]) => {
      const share = BigInt(proportion(count, part, whole))
      const twice_error = 2n * (share * BigInt(whole) - BigInt(count) * BigInt(part))
      expect(twice_error > -BigInt(whole) && twice_error <= BigInt(whole)).toBe(true)
    }),
    runs,
  )
})

test('for any choice, points and money pay the order exactly, with no more points than are available', () => {
  const available = fc.integer({ min: -10_000, max: 50_000_000 }).map(asPoints)
  const choice = fc.oneof(fc.constantFrom('none' as const, 'all' as const), points)
  fc.assert(
    fc.property(available, smallMoney, value, choice, (available_points, total_halalas, micro, chosen) => {
      const decision = decideRedemption({ available_points, total_halalas, value: micro }, chosen)
      if (decision.kind === 'buys_nothing') {
        expect(chosen).toBeGreaterThan(0)
        expect(equivalence(asPoints(Number(chosen)), { total_halalas, value: micro })).toBe(0)
        return
      }
      if (decision.kind !== 'redemption') {
        expect(chosen).toBeGreaterThan(Math.max(0, available_points))
        return
      }
      expect(decision.value_halalas + decision.due_halalas).toBe(total_halalas)
      expect(decision.due_halalas).toBeGreaterThanOrEqual(0)
      expect(decision.points).toBeLessThanOrEqual(Math.max(0, available_points))
      expect(decision.points).toBeLessThanOrEqual(pointsNeeded(total_halalas, micro))
    }),
    runs,
  )
})

// For any `sar_per_point`, any balance up to the bound of a wallet, and any total.
const anyValue = fc
  .oneof(value, fc.integer({ min: MIN_SAR_PER_POINT, max: MAX_SAR_PER_POINT }))
  .map((micro) => micro as MicroSarPerPoint)
const balance = fc
  .oneof(fc.integer({ min: -(10 ** 14), max: 10 ** 14 }), fc.integer({ min: -5, max: 5_000 }))
  .map(asPoints)

test('no point is wasted: one fewer always pays less, and the maximum can be chosen', () => {
  const choice = fc.oneof(fc.constantFrom('none' as const, 'all' as const), points)
  fc.assert(
    fc.property(balance, anyMoney, anyValue, choice, (available_points, total_halalas, micro, chosen) => {
      const facts = { available_points, total_halalas, value: micro }
      const decision = decideRedemption(facts, chosen)
      const most = redeemablePoints(facts)
      expect(decideRedemption(facts, most)).toEqual(decideRedemption(facts, 'all'))
      expect(most).toBeLessThanOrEqual(Math.max(0, available_points))
      if (decision.kind !== 'redemption') return
      expect(decision.value_halalas).toBe(equivalence(decision.points, facts))
      expect(decision.value_halalas).toBeLessThanOrEqual(total_halalas)
      expect(decision.points).toBeLessThanOrEqual(most)
      if (decision.points > 0)
        expect(equivalence(asPoints(decision.points - 1), facts)).toBeLessThan(decision.value_halalas)
    }),
    runs,
  )
})

test('the value of a balance is exact in halalas and as SAR, or null', () => {
  const largest = 100n * 2n ** 46n
  fc.assert(
    fc.property(
      balance.map((count) => asPoints(Math.abs(count))),
      anyValue,
      (count, micro) => {
        const exact = (BigInt(count) * BigInt(micro)) / 10_000n
        const told = pointsWorth(count, micro)
        expect(told === null ? null : BigInt(told)).toBe(exact > largest ? null : exact)
        if (told !== null)
          expect(toSar(told).toFixed(2)).toBe(`${exact / 100n}.${String(exact % 100n).padStart(2, '0')}`)
      },
    ),
    runs,
  )
})

function partOfWhole(): fc.Arbitrary<readonly [Halalas, Halalas]> {
  return fc
    .tuple(anyMoney, anyMoney)
    .filter(([a, b]) => a > 0 || b > 0)
    .map(([a, b]): readonly [Halalas, Halalas] => (a <= b ? [a, b] : [b, a]))
}
