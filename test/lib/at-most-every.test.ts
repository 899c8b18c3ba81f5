import { expect, it } from 'vitest'
import { atMostEvery } from '../../src/lib/at-most-every.ts'

// However often collectors call, the database is queried once in 15 s.

it('queries again only after that time, or after a failure', async () => {
  let [now_ms, asked, fails] = [0, 0, false]
  const ask = atMostEvery(
    15_000,
    async () => {
      asked += 1
      if (fails) throw new Error('away')
      return asked
    },
    () => now_ms,
  )
  expect(await Promise.all([ask(), ask()])).toEqual([1, 1])
  now_ms = 14_999
  expect(await ask()).toBe(1)
  now_ms = 15_000
  expect(await ask()).toBe(2)
  now_ms = 30_000
  fails = true
  await expect(ask()).rejects.toThrow('away')
  fails = false
  expect(await ask()).toBe(4)
})
