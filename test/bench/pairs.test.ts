import { expect, it } from 'vitest'
import { measurePair, medianOf, rangeOfMedian } from '../../src/bench/pairs.ts'

const upTo = (count: number) => Array.from({ length: count }, (_, index) => count - index)

// The ranks of the tables of this interval.
it.each([
  [5, 1, 5],
  [6, 1, 6],
  [9, 2, 8],
  [12, 3, 10],
  [25, 8, 18],
  [100, 40, 61],
])('takes as the interval of the median of %i values those at %i and %i', (count, low, high) => {
  expect(rangeOfMedian(upTo(count))).toEqual([low, high])
})

it('takes the upper one of the two values in the middle as the median', () => {
  expect([medianOf([3, 1, 2]), medianOf([4, 1, 3, 2])]).toEqual([2, 3])
  expect([medianOf([]), ...rangeOfMedian([])]).toEqual([Number.NaN, Number.NaN, Number.NaN])
})

it('begins with another side in each pair', async () => {
  const order: string[] = []
  const measure = (side: string) => async () => {
    order.push(side)
    return `of ${side}`
  }
  for (const pair of [0, 1]) expect(await measurePair(pair, measure('a'), measure('b'))).toEqual(['of a', 'of b'])
  expect(order).toEqual(['b', 'a', 'a', 'b'])
})
