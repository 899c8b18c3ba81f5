import { expect, it } from 'vitest'
import { inTurns } from '../../src/bench/sizes.ts'

it('lets each database begin every second turn, and compares the two of a turn', async () => {
  const order: string[] = []
  const times: Record<string, number[]> = { small: [1, 2, 4, 5, 10, 20], grown: [2, 2, 6, 5, 30, 80] }
  const found = await inTurns({ small: 'small', grown: 'grown' }, async (side) => {
    order.push(side)
    return times[side]?.[order.filter((one) => one === side).length - 1] ?? Number.NaN
  })
  const [small, grown] = ['small', 'grown']
  expect(order).toEqual([small, grown, grown, small, small, grown, grown, small, small, grown, grown, small])
  expect(found).toEqual({
    // The upper one of the two in the middle.
    small: 5,
    grown: 6,
    // Of 2, 1, 1.5, 1, 3 and 4: not the ratio of the two above.
    ratio: 2,
    range: [1, 4],
    turns: { small: [1, 2, 4, 5, 10, 20], grown: [2, 2, 6, 5, 30, 80] },
  })
})
