import fc from 'fast-check'
import { expect, test } from 'vitest'
import { asHalalas, MAX_HALALAS, parseSar, toSar } from '../../src/domain/money.ts'
import { MAX_POINTS_PER_SAR, type PointsPerSarE4, pointsEarned, toPointsPerSar } from '../../src/domain/points.ts'
import { widgetRules } from '../support/widget.ts'

// Guarantee: the widget shows the points that the earning endpoint awards. It implements the same rules for browsers.

const runs = { numRuns: 5_000 }
const { toHalalas, toPoints } = widgetRules()
const amount = fc.oneof(fc.integer({ min: 0, max: MAX_HALALAS }), fc.integer({ min: 0, max: 100_000 })).map(asHalalas)
const rate = fc
  .oneof(fc.integer({ min: 0, max: MAX_POINTS_PER_SAR }), fc.integer({ min: 0, max: 1_000_000 }))
  .map((value) => value as PointsPerSarE4)

test('the points shown for an amount equal those awarded for it, at any rate', () => {
  fc.assert(
    fc.property(amount, rate, (halalas, points_per_sar_e4) => {
      // The rate is sent as a JSON number.
      const sent: unknown = JSON.parse(JSON.stringify(toPointsPerSar(points_per_sar_e4)))
      expect(toPoints(halalas, Number(sent))).toBe(pointsEarned(halalas, points_per_sar_e4))
    }),
    runs,
  )
})

test('an amount with any number of decimals is parsed as the endpoint parses it', () => {
  const text = fc.oneof(
    fc
      .tuple(fc.integer({ min: 0, max: 10_000_000_000 }), fc.stringMatching(/^[0-9]{1,20}$/))
      .map((parts) => parts.join('.')),
    fc.tuple(fc.integer({ min: 0, max: 999 }), fc.stringMatching(/^[0-9]{2}5$/)).map((parts) => parts.join('.')),
    fc
      .double({ min: 0, noNaN: true })
      .map(String)
      .filter((number) => !number.includes('e')),
    amount.map((halalas) => toSar(halalas).toFixed(2)),
    fc.constantFrom(
      '0',
      '0.004',
      '0.005',
      '0.0049999999999999999',
      '0.0000001',
      '1.005',
      '9999999999.99',
      '9999999999.994',
    ),
    fc.constantFrom(
      '9999999999.995',
      '9999999999.999',
      '10000000000',
      '1'.repeat(30),
      `1.${'9'.repeat(30)}`,
      '9'.repeat(400),
    ),
  )
  fc.assert(
    fc.property(text, (given) => {
      expect(toHalalas(given), given).toBe(parseSar(Number(given)))
    }),
    { numRuns: 20_000 },
  )
})

test('any text is parsed as an amount or as none, and never throws', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[-+0-9.,e ٠-٩]{0,20}$/)), (given) => {
      const halalas = toHalalas(given)
      if (halalas !== null) expect(Number.isSafeInteger(halalas) && halalas >= 0 && halalas <= MAX_HALALAS).toBe(true)
    }),
    runs,
  )
})
