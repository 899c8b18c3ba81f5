import { expect, test } from 'vitest'
import { asHalalas, MAX_HALALAS } from '../../src/domain/money.ts'
import {
  asPoints,
  DEFAULT_POINTS_PER_SAR,
  DEFAULT_SAR_PER_POINT,
  MAX_POINTS_PER_SAR,
  MAX_SAR_PER_POINT,
  MAX_WALLET_POINTS,
  MIN_SAR_PER_POINT,
  parsePointsPerSar,
  parseSarPerPoint,
  pointsEarned,
  pointsNeeded,
  pointsRoom,
  pointsValue,
  proportion,
  toPointsPerSar,
  toSarPerPoint,
} from '../../src/domain/points.ts'

test('a new program earns 10 points per SAR and redeems a point for 0.005 SAR', () => {
  expect(toPointsPerSar(DEFAULT_POINTS_PER_SAR)).toBe(10)
  expect(toSarPerPoint(DEFAULT_SAR_PER_POINT)).toBe(0.005)
  expect(parsePointsPerSar(10)).toBe(DEFAULT_POINTS_PER_SAR)
  expect(parseSarPerPoint(0.005)).toBe(DEFAULT_SAR_PER_POINT)
})

test.each([
  ['0', 0],
  ['0.0001', 1],
  ['1.5', 15_000],
  [' 2.50 ', 25_000],
  [0.1, 1_000],
  [100_000, MAX_POINTS_PER_SAR],
  ['1.50000', 15_000],
])('an earn rate of %j is read', (rate, expected) => {
  expect(parsePointsPerSar(rate)).toBe(expected)
})

test.each(['', '0.00001', '-1', '100000.0001', 'ten', Number.NaN, Number.POSITIVE_INFINITY, 1e-5])(
  'an earn rate of %j is refused',
  (rate) => {
    expect(parsePointsPerSar(rate)).toBeNull()
  },
)

test.each([
  ['0.0001', MIN_SAR_PER_POINT],
  ['1000', MAX_SAR_PER_POINT],
  ['0.005001', 5_001],
])('a point worth %s SAR is read', (value, expected) => {
  expect(parseSarPerPoint(value)).toBe(expected)
})

test.each(['0', '0.00009', '0.0050001', '1000.000001', '-0.005'])('a point worth %s SAR is refused', (value) => {
  expect(parseSarPerPoint(value)).toBeNull()
})

test.each([
  [0, 10, 0],
  [9, 10, 0],
  [10, 10, 1],
  [19, 10, 1],
  [15_000, 10, 1_500],
  [999, 0.1, 0],
  [1_000, 0.1, 1],
  [12_345, 0.0001, 0],
  [12_345, 0, 0],
])('%d halalas at %d points per SAR earn %d points, rounded down', (total, rate, points) => {
  expect(pointsEarned(asHalalas(total), rateOf(rate))).toBe(points)
})

test.each([
  [0, 0],
  [1, 2],
  [50, 100],
  [12_345, 24_690],
])('%d halalas need %d points at 0.005 SAR', (amount, points) => {
  expect(pointsNeeded(asHalalas(amount), DEFAULT_SAR_PER_POINT)).toBe(points)
})

test('points needed round up', () => {
  expect(pointsNeeded(asHalalas(1), MAX_SAR_PER_POINT)).toBe(1)
  expect(pointsNeeded(asHalalas(100), worthOf(0.003))).toBe(334)
})

test.each([
  [0, 0],
  [1, 0],
  [2, 1],
  [3, 1],
  [10_000, 5_000],
])('%d points are worth %d halalas at 0.005 SAR, rounded down', (points, amount) => {
  expect(pointsValue(asPoints(points), DEFAULT_SAR_PER_POINT)).toBe(amount)
})

test('the largest order at the largest rate, and at the smallest point, stays exact', () => {
  expect(pointsEarned(MAX_HALALAS, MAX_POINTS_PER_SAR)).toBe(999_999_999_999_000)
  expect(pointsNeeded(MAX_HALALAS, MIN_SAR_PER_POINT)).toBe(99_999_999_999_900)
})

test('a wallet can hold 10^14 points, including pending ones, and its room is never negative', () => {
  const room = (posted: number, waiting: number) => pointsRoom({ posted: asPoints(posted), waiting: asPoints(waiting) })
  expect(room(0, 0)).toBe(MAX_WALLET_POINTS)
  expect(room(60, 40)).toBe(MAX_WALLET_POINTS - 100)
  expect(room(-60, 0)).toBe(MAX_WALLET_POINTS + 60)
  expect(room(MAX_WALLET_POINTS, 0)).toBe(0)
  expect(room(9 * 10 ** 15, MAX_WALLET_POINTS)).toBe(0)
  expect(room(-Number.MAX_SAFE_INTEGER, 0)).toBe(Number.MAX_SAFE_INTEGER)
})

test('points earned stay exact where the product passes 2^53', () => {
  // The total is near 2^53 - 1 = 9,007,199,254,740,991, so the last digits of the product matter.
  expect(pointsEarned(asHalalas(900_719_925_474), rateOf(1))).toBe(9_007_199_254)
  expect(pointsEarned(asHalalas(999_999_999_999), rateOf(0.9999))).toBe(9_998_999_999)
  expect(pointsEarned(asHalalas(999_999_999_999), rateOf(12_345.6789))).toBe(123_456_788_999_876)
})

test.each([
  [5, 1, 2, 3],
  [5, 1, 4, 1],
  [6, 1, 4, 2],
  [10, 1, 3, 3],
  [10, 2, 3, 7],
  [7, 0, 9, 0],
  [7, 9, 9, 7],
])('%d × %d / %d is %d, half up', (amount, part, whole, share) => {
  expect(proportion(asPoints(amount), asHalalas(part), asHalalas(whole))).toBe(share)
})

test('invalid arguments throw', () => {
  const { one, none } = { one: asHalalas(1), none: asHalalas(0) }
  expect(() => proportion(asPoints(1), one, none)).toThrow(RangeError)
  expect(() => proportion(asPoints(1), asHalalas(2), one)).toThrow(RangeError)
  expect(() => proportion(asPoints(1), asHalalas(-1), one)).toThrow(RangeError)
  expect(() => proportion(asPoints(-1), one, one)).toThrow(RangeError)
  expect(() => pointsEarned(asHalalas(-1), DEFAULT_POINTS_PER_SAR)).toThrow(RangeError)
  expect(() => pointsNeeded(asHalalas(-1), DEFAULT_SAR_PER_POINT)).toThrow(RangeError)
  expect(() => pointsValue(asPoints(-1), DEFAULT_SAR_PER_POINT)).toThrow(RangeError)
  for (const value of [0.5, Number.NaN, 2 ** 53]) expect(() => asPoints(value)).toThrow(RangeError)
})

function rateOf(rate: number) {
  const parsed = parsePointsPerSar(rate)
  if (parsed === null) throw new Error(`no rate: ${rate}`)
  return parsed
}

function worthOf(value: number) {
  const parsed = parseSarPerPoint(value)
  if (parsed === null) throw new Error(`no value: ${value}`)
  return parsed
}
