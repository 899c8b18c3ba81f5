import { expect, it } from 'vitest'
import { numbersOf } from './shopper.ts'

// The hundredth program of a worker had a name with 100, which a test took for the points of a blocked wallet.
it('finds the numbers of a page, not those in the names of its shop and program', () => {
  const text = '<p>Shops 100, Shop 7 of Program 12: 1,950 points, 40 held</p><a href="/x/01a1-4e32-9b">No. 8</a>'
  expect(numbersOf({ text })).toEqual(['1,950', '40', '8'])
})
