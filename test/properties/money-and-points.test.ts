import fc from 'fast-check'
import { expect, test } from 'vitest'
import { asHalalas, type Halalas, MAX_HALALAS, MAX_SAR, parseSar, toSar } from '../../src/domain/money.ts'
import {
  asPoints,
  MAX_POINTS_PER_SAR,
  type MicroSarPerPoint,
  type PointsPerSarE4,
  pointsEarned,
  pointsNeeded,
  pointsValue,
  proportion,
} from '../../src/domain/points.ts'
import { decideRedemption } from '../../src/domain/redemption.ts'

const runs = { numRuns: 5_000 }
const money = fc.integer({ min: 0, max: MAX_HALALAS }).map(asHalalas)
const smallMoney = fc.integer({ min: 0, max: 100_000 }).map(asHalalas)
const anyMoney = fc.oneof(money, smallMoney)
const points = fc.integer({ min: 0, max: 10 ** 12 }).map(asPoints)
const rate = fc.integer({ min: 0, max: MAX_POINTS_PER_SAR }).map((value) => value as PointsPerSarE4)
const value = fc.integer({ min: 100, max: 10_000_000 }).map((micro) => micro as MicroSarPerPoint)

test('halalas come back from SAR as they went, printed with at most two decimals', () => {
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

test('a number is rounded by its decimal text, as one would on paper', () => {
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

test('points needed are the fewest whose worth is enough', () => {
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

test('the worth of points is the exact product, rounded down', () => {
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

test('whatever is chosen, points and remainder pay the order exactly, and no more points go than there are', () => {
  const available = fc.integer({ min: -10_000, max: 50_000_000 }).map(asPoints)
  const choice = fc.oneof(fc.constantFrom('none' as const, 'all' as const), points)
  fc.assert(
    fc.property(available, smallMoney, value, choice, (available_points, total_halalas, micro, chosen) => {
      const decision = decideRedemption({ available_points, total_halalas, value: micro }, chosen)
      if (decision.kind !== 'redemption') {
        expect(chosen).toBeGreaterThan(Math.max(0, available_points))
        return
      }
      expect(decision.value_halalas + decision.remainder_halalas).toBe(total_halalas)
      expect(decision.remainder_halalas).toBeGreaterThanOrEqual(0)
      expect(decision.points).toBeLessThanOrEqual(Math.max(0, available_points))
      expect(decision.points).toBeLessThanOrEqual(pointsNeeded(total_halalas, micro))
    }),
    runs,
  )
})

function partOfWhole(): fc.Arbitrary<readonly [Halalas, Halalas]> {
  return fc
    .tuple(anyMoney, anyMoney)
    .filter(([a, b]) => a > 0 || b > 0)
    .map(([a, b]): readonly [Halalas, Halalas] => (a <= b ? [a, b] : [b, a]))
}
