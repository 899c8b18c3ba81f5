import { expect, it } from 'vitest'
import { admittedAt, type Limit, withOne } from '../../src/domain/limit.ts'

// Events of a limit with a large maximum share buckets, and each counts at the end of its bucket. A rule whose window is shorter
// than a bucket took that end for the clock of another process that is far ahead, and admitted the next event at once.

it('a rule whose window is shorter than a bucket counts the event before', () => {
  const limit: Limit = {
    name: 'any',
    rules: [
      { most: 101, within_ms: 128_761 },
      { most: 1, within_ms: 1_000 },
    ],
  }
  // The first millisecond of a bucket of 1,074 milliseconds.
  const now = new Date(1_074 * 1_000_000 + 1)
  const { tallies, counted_at } = withOne(limit, [], now)
  expect(counted_at.getTime() - now.getTime()).toBe(1_073)
  expect(admittedAt(limit, tallies, now)).toEqual(new Date(counted_at.getTime() + 1_000))
})
