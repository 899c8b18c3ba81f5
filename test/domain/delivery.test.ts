import { describe, expect, it } from 'vitest'
import {
  isDelivered,
  longestWait_ms,
  maxAttempts,
  nextWindow,
  parseRetryAfter,
  waitAfter,
  windows,
} from '../../src/domain/delivery.ts'
import { readTable } from '../support/tables.ts'

const standard = [10, 100, 1000]
const wait = (attempt: number, random: number, retry_after_s: number | null = null, retry_delays_s = standard) =>
  waitAfter({ attempt, retry_delays_s, retry_after_s, random })

describe('a delivered event', () => {
  it('has a 2xx answer and nothing else', () => {
    const delivered = [null, 100, 199, 200, 201, 204, 299, 300, 301, 304, 400, 410, 500, 599].filter(isDelivered)
    expect(delivered).toEqual([200, 201, 204, 299])
  })
})

describe('the waits between attempts', () => {
  it('are 10 s, 100 s and 1,000 s, and then it is over', () => {
    expect([1, 2, 3, 4].map((attempt) => wait(attempt, 0.5))).toEqual([10_000, 100_000, 1_000_000, null])
  })

  it('vary by a fifth in both directions', () => {
    expect([0, 0.25, 1].map((random) => wait(1, random))).toEqual([8_000, 9_000, 12_000])
  })

  it('are never below a second', () => {
    expect(wait(1, 0, null, [1])).toBe(1_000)
  })

  it('are as many as are configured, and never more than three', () => {
    expect(maxAttempts([])).toBe(1)
    expect(wait(1, 0.5, null, [])).toBeNull()
    expect(maxAttempts([5])).toBe(2)
    expect(wait(2, 0.5, null, [5])).toBeNull()
    expect(maxAttempts([1, 2, 3, 4, 5])).toBe(4)
    expect(wait(4, 0.5, null, [1, 2, 3, 4, 5])).toBeNull()
  })

  it('are lengthened by `Retry-After`, up to an hour, and never shortened', () => {
    expect(wait(1, 0.5, 60)).toBe(60_000)
    expect(wait(1, 0.5, 2)).toBe(10_000)
    expect(wait(1, 0.5, 1_000_000)).toBe(3_600_000)
    expect(wait(4, 0.5, 60)).toBeNull()
  })

  it('are never longer than `longestWait_ms`', () => {
    for (const delays of [standard, [1], [86_400]]) {
      const longest = Math.max(
        ...[0, 1].flatMap((random) => [wait(1, random, null, delays), wait(1, random, 1e9, delays)]).map(Number),
      )
      expect(longest).toBeLessThanOrEqual(longestWait_ms(delays))
    }
  })
})

describe('Retry-After', () => {
  const now_ms = Date.parse('2026-01-31T09:00:00Z')

  it('is read in seconds and as a date', () => {
    const rows = readTable(`
      header                        | seconds
      0                             | 0
      120                           | 120
      Sat, 31 Jan 2026 09:01:30 GMT | 90
      Sat, 31 Jan 2026 08:00:00 GMT | null
      soon                          | null
      -5                            | null
      1.5                           | null
      99999999999999                | null
      2026-01-31                    | null
    `)
    for (const { header, seconds } of rows) expect(String(parseRetryAfter(header, now_ms)), header).toBe(seconds)
    expect(parseRetryAfter(undefined, now_ms)).toBeNull()
  })
})

describe('the window of an endpoint', () => {
  it('grows by one after any response, and halves after none', () => {
    expect(nextWindow(8, true)).toBe(9)
    expect(nextWindow(8, false)).toBe(4)
  })

  it('stays within its bounds', () => {
    let window: number = windows.first
    for (let i = 0; i < 100; i += 1) window = nextWindow(window, true)
    expect(window).toBe(windows.most)
    for (let i = 0; i < 100; i += 1) window = nextWindow(window, false)
    expect(window).toBe(windows.least)
  })
})
