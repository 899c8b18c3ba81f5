import { expect, test } from 'vitest'
import { asHalalas, MAX_HALALAS, MAX_SAR, parseSar, scaleDecimal, toSar } from '../../src/domain/money.ts'

test.each([
  [0, 0],
  [10, 1_000],
  [10.5, 1_050],
  [1.004, 100],
  [1.005, 101], // as a double it lies below 1.005
  [8.345, 835],
  [1.015, 102],
  [0.615, 62],
  [1.0049999999999, 100],
  [0.004, 0],
  [0.005, 1],
  [1e-7, 0],
  [5e-3, 1],
  [-1.005, -101],
  [-0.005, -1],
  [5e-324, 0],
  [MAX_SAR, MAX_HALALAS],
  [9_999_999_999.994, MAX_HALALAS],
  [-MAX_SAR, -MAX_HALALAS],
])('%d SAR is %d halalas', (sar, amount) => {
  expect(parseSar(sar)).toBe(amount)
})

test.each([-0, -0.001, -1e-9])('%d SAR is 0, not -0', (sar) => {
  expect(Object.is(parseSar(sar), 0)).toBe(true)
})

test.each([
  Number.NaN,
  Number.POSITIVE_INFINITY,
  Number.NEGATIVE_INFINITY,
  9_999_999_999.995,
  10_000_000_000,
  -10_000_000_000,
  1e21,
  Number.MAX_VALUE,
])('%d SAR is refused', (sar) => {
  expect(parseSar(sar)).toBeNull()
})

test.each([
  [1_005, '10.05'],
  [1_010, '10.1'],
  [1_000, '10'],
  [1, '0.01'],
  [0, '0'],
  [-1_005, '-10.05'],
  [MAX_HALALAS, '9999999999.99'],
])('%d halalas print as %s', (amount, printed) => {
  expect(JSON.stringify(toSar(asHalalas(amount)))).toBe(printed)
})

test('a number that is not a whole number of halalas throws', () => {
  for (const value of [1.5, Number.NaN, 2 ** 53]) expect(() => asHalalas(value)).toThrow(RangeError)
  expect(Object.is(asHalalas(-0), 0)).toBe(true)
})

test.each([
  ['1.005', 2, 101n, false],
  ['1.00', 2, 100n, true],
  ['1e2', 0, 100n, true],
  ['12e-1', 0, 1n, false],
  ['15E-1', 0, 2n, false],
  ['+7', 1, 70n, true],
  ['-0.05', 1, -1n, false],
])('%s with %d places is %d', (text, places, units, exact) => {
  expect(scaleDecimal(text, places)).toEqual({ units, exact })
})

test.each(['', '.', '1.', '.5', '1,5', '0x10', '1e', '1e9999', ' 1', '1\n', 'NaN', '--1', '١'])(
  '%j is not a decimal',
  (text) => {
    expect(scaleDecimal(text, 2)).toBeNull()
  },
)
