import { expect, test } from 'vitest'
import { asHalalas } from '../../src/domain/money.ts'
import { asPoints, DEFAULT_SAR_PER_POINT, type MicroSarPerPoint } from '../../src/domain/points.ts'
import { decideRedemption, equivalence, type PointsChoice, redeemablePoints } from '../../src/domain/redemption.ts'

const value = DEFAULT_SAR_PER_POINT // 2 points are a halala

/** Available points, total in halalas and choice, with points used, their value and the rest to pay, or the failure. */
const table: [number, number, 'none' | 'all' | number, [number, number, number] | string][] = [
  [1_000, 10_000, 'none', [0, 0, 10_000]],
  [1_000, 10_000, 'all', [1_000, 500, 9_500]],
  [1_000, 10_000, 0, [0, 0, 10_000]],
  [1_000, 10_000, 300, [300, 150, 9_850]],
  [1_000, 10_000, 301, [300, 150, 9_850]],
  [1_001, 10_000, 'all', [1_000, 500, 9_500]],
  [777, 10_000, 'all', [776, 388, 9_612]],
  [7, 10_000, 7, [6, 3, 9_997]],
  [2, 10_000, 2, [2, 1, 9_999]],
  [1, 10_000, 'all', [0, 0, 10_000]],
  [1, 10_000, 1, 'buys_nothing'],
  [1_000, 10_000, 1, 'buys_nothing'],
  [1_000, 10_000, 1_000, [1_000, 500, 9_500]],
  [1_000, 10_000, 1_001, 'insufficient_points'],
  [50_000, 10_000, 'all', [20_000, 10_000, 0]],
  [50_000, 10_000, 20_000, [20_000, 10_000, 0]],
  [50_000, 10_000, 60_000, [20_000, 10_000, 0]],
  [0, 10_000, 'all', [0, 0, 10_000]],
  [0, 10_000, 1, 'insufficient_points'],
  [-500, 10_000, 'all', [0, 0, 10_000]],
  [-500, 10_000, 'none', [0, 0, 10_000]],
  [-500, 10_000, 1, 'insufficient_points'],
  [1_000, 0, 'all', [0, 0, 0]],
  [1_000, 0, 5, [0, 0, 0]],
]

test.each(table)('with %d points available and %d halalas to pay, %s', (available, total, chosen, expected) => {
  const facts = { available_points: asPoints(available), total_halalas: asHalalas(total), value }
  const choice: PointsChoice = typeof chosen === 'number' ? asPoints(chosen) : chosen
  const redemption = decideRedemption(facts, choice)
  if (redemption.kind !== 'redemption') expect(redemption.kind).toBe(expected)
  else expect([redemption.points, redemption.value_halalas, redemption.due_halalas]).toEqual(expected)
})

test('no point is used that pays no further halala', () => {
  const facts = (available: number) => ({
    available_points: asPoints(available),
    total_halalas: asHalalas(10_000),
    value,
  })
  expect([0, 1, 2, 3, 7].map((available) => redeemablePoints(facts(available)))).toEqual([0, 0, 2, 2, 6])
})

test('rounding up the last point never pays more than the total', () => {
  const facts = { total_halalas: asHalalas(100), value: 3_000 as MicroSarPerPoint }
  expect(equivalence(asPoints(334), facts)).toBe(100)
  expect(equivalence(asPoints(333), facts)).toBe(99)
})

test('a negative wallet can redeem nothing', () => {
  expect(redeemablePoints({ available_points: asPoints(-1), total_halalas: asHalalas(100), value })).toBe(0)
})

test('a negative choice throws', () => {
  const facts = { available_points: asPoints(10), total_halalas: asHalalas(100), value }
  expect(() => decideRedemption(facts, asPoints(-1))).toThrow(RangeError)
})
