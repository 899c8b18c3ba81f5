import fc from 'fast-check'
import { expect, test } from 'vitest'
import { MAX_HALALAS } from '../../src/domain/money.ts'
import { MAX_SAR_PER_POINT, MIN_SAR_PER_POINT } from '../../src/domain/points.ts'
import { decideChoice, readShown, writeShown } from '../../src/pages/checkout/choice.ts'

// The checkout's form says in a hidden field what the page showed. With a value of a point below any that a program can have,
// the largest order needs more than 2^53 points, and the confirmation answered 500.

const choices = [
  { use: 'all' },
  { use: 'part', amount: '1' },
  { use: 'part', amount: '0.01', unit: 'sar' },
  { use: '' },
]

test.each(['1', '99', String(MAX_SAR_PER_POINT + 1), '0', '9999999999'])(
  'a value of %s is none that was shown',
  (value) => {
    expect(readShown(`5.${MAX_HALALAS}.${value}`)).toBeNull()
  },
)

test.each([MIN_SAR_PER_POINT, MAX_SAR_PER_POINT])('a value of %d is one', (value) => {
  expect(readShown(`5.${MAX_HALALAS}.${value}`)).toMatchObject({ value })
})

test('whatever a form says was shown is decided, or was not shown', () => {
  const digits = (max: number) => fc.oneof(fc.constantFrom(0, 1, max), fc.integer({ min: 0, max }))
  const shown = fc.tuple(digits(999_999_999_999_999), digits(MAX_HALALAS), digits(9_999_999_999))
  fc.assert(
    fc.property(shown, fc.constantFrom(...choices), (numbers, choice) => {
      const facts = readShown(numbers.join('.'))
      if (facts === null) return
      decideChoice(facts, choice)
      expect(readShown(writeShown(facts))).not.toBeNull()
    }),
    { numRuns: 5_000 },
  )
})
