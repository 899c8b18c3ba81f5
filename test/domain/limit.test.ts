import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  admittedAt,
  countedTallies,
  countWithin,
  type Limit,
  longestOf,
  type Tally,
  withOne,
  withoutOne,
} from '../../src/domain/limit.ts'
import { hour_ms } from '../../src/domain/spans.ts'

const noon_ms = Date.parse('2026-02-01T09:00:00Z')
const at = (s: number) => new Date(noon_ms + s * 1000)
const once = (...times: Date[]): Tally[] => times.map((time) => ({ at: time, count: 1 }))
const three: Limit = { name: 'three', rules: [{ most: 3, within_ms: 60_000 }] }
const many: Limit = { name: 'many', rules: [{ most: 600, within_ms: hour_ms }] }

describe('a limit', () => {
  it('admits events up to its maximum within any window', () => {
    expect(admittedAt(three, [], at(0))).toBeNull()
    expect(admittedAt(three, once(at(0), at(50)), at(55))).toBeNull()
    expect(admittedAt(three, once(at(0), at(50), at(55)), at(58))).toEqual(at(60))
    expect(admittedAt(three, once(at(0), at(50), at(55)), at(60))).toBeNull()
    // A sliding window: the second event is the next to leave.
    expect(admittedAt(three, once(at(0), at(50), at(55), at(60)), at(61))).toEqual(at(110))
  })

  it('waits until the excess events have left', () => {
    expect(admittedAt(three, once(at(0), at(10), at(20), at(30)), at(31))).toEqual(at(70))
    expect(admittedAt(three, [{ at: at(0), count: 5 }, ...once(at(20))], at(31))).toEqual(at(60))
  })

  it('accepts tallies in any order, and ignores expired ones and those from a clock that was ahead', () => {
    const times = once(at(55), at(-60), at(50), at(4_000))
    expect(countedTallies(three, times, at(56))).toEqual(once(at(50), at(55)))
    expect(admittedAt(three, times, at(56))).toBeNull()
  })

  it('with several rules admits when all rules do', () => {
    const both: Limit = { name: 'both', rules: [...three.rules, { most: 4, within_ms: hour_ms }] }
    expect(admittedAt(both, once(at(0), at(10), at(20)), at(30))).toEqual(at(60))
    expect(admittedAt(both, once(at(0), at(10), at(20), at(100)), at(200))).toEqual(at(3_600))
    expect(admittedAt(both, once(at(0), at(10), at(20), at(100)), at(3_600))).toBeNull()
    expect([longestOf(both), countWithin(60_000, once(at(0), at(50)), at(70))]).toEqual([hour_ms, 1])
  })

  it('that admits nothing gives the end of its window', () => {
    const none: Limit = { name: 'none', rules: [{ most: 0, within_ms: 60_000 }] }
    expect(admittedAt(none, [], at(0))).toEqual(at(60))
  })
})

describe('counting', () => {
  it('stores each event by itself if the maximum is small', () => {
    const first = withOne(three, [], at(1.001))
    expect(first).toEqual({ counted_at: at(1.001), tallies: once(at(1.001)) })
    expect(withOne(three, first.tallies, at(2)).tallies).toEqual(once(at(1.001), at(2)))
    // Expired tallies are dropped.
    expect(withOne(three, first.tallies, at(62)).tallies).toEqual(once(at(62)))
  })

  it('groups events in buckets, counted at the end of each, if the maximum is large', () => {
    const first = withOne(many, [], at(1))
    expect(first).toEqual({ counted_at: at(30), tallies: once(at(30)) })
    const second = withOne(many, first.tallies, at(30))
    expect(second.tallies).toEqual([{ at: at(30), count: 2 }])
    expect(withOne(many, second.tallies, at(31)).tallies).toEqual([{ at: at(30), count: 2 }, ...once(at(60))])
  })

  it('takes back a counted event, once', () => {
    const { tallies, counted_at } = withOne(many, withOne(many, [], at(1)).tallies, at(2))
    expect(withoutOne(tallies, counted_at)).toEqual(once(at(30)))
    expect(withoutOne(withoutOne(tallies, counted_at), counted_at)).toEqual([])
    expect(withoutOne([], counted_at)).toEqual([])
    expect(withoutOne(tallies, at(7))).toEqual(tallies)
  })
})

const limits = fc
  .array(
    fc.record({ most: fc.integer({ min: 1, max: 300 }), within_ms: fc.integer({ min: 1_000, max: 86_400_000 }) }),
    {
      minLength: 1,
      maxLength: 2,
    },
  )
  .map((rules): Limit => ({ name: 'any', rules }))

// The guarantee: at any times of requests, no window of a rule admits more than its maximum.
it('no window admits more than its maximum, and a row stays small', () => {
  fc.assert(
    fc.property(limits, fc.array(fc.integer({ min: 0, max: 2_000_000 }), { maxLength: 400 }), (limit, pauses) => {
      let tallies: Tally[] = []
      let now_ms = noon_ms
      const admitted: number[] = []
      for (const pause of pauses) {
        now_ms += pause % (longestOf(limit) / 50)
        const now = new Date(now_ms)
        const free_at = admittedAt(limit, tallies, now)
        if (free_at !== null) {
          expect(free_at.getTime()).toBeGreaterThan(now_ms)
          continue
        }
        tallies = withOne(limit, tallies, now).tallies
        expect(tallies.length).toBeLessThanOrEqual(125)
        admitted.push(now_ms)
      }
      for (const { most, within_ms } of limit.rules)
        for (const [index, time] of admitted.entries())
          expect(admitted.slice(index).filter((one) => one - time < within_ms).length).toBeLessThanOrEqual(most)
    }),
  )
})

// The clock of a sandbox can be set, and the row of a counter holds at most 200 tallies.
it('a row stays small when the clock is set back under steady traffic', () => {
  // How far the clock is set back, in windows of the limit, and how long it then runs, in 120ths of a window.
  const moves = fc.array(
    fc.record({ back: fc.double({ min: 0, max: 1.2, noNaN: true }), steps: fc.integer({ min: 0, max: 130 }) }),
    {
      minLength: 1,
      maxLength: 5,
    },
  )
  fc.assert(
    fc.property(limits, moves, (limit, all) => {
      const span_ms = longestOf(limit)
      let tallies: Tally[] = []
      let now_ms = noon_ms
      for (const { back, steps } of all) {
        now_ms -= Math.round(back * span_ms)
        for (let step = 0; step < steps; step += 1) {
          now_ms += Math.ceil(span_ms / 120)
          const now = new Date(now_ms)
          if (admittedAt(limit, tallies, now) === null) tallies = withOne(limit, tallies, now).tallies
          expect(tallies.length).toBeLessThanOrEqual(135)
        }
      }
    }),
  )
})

// A changed maximum, or the half that a program has while others wait, can change the size of the buckets.
it('a row stays small when its limit changes to larger buckets, and loses no event', () => {
  const few: Limit = { name: 'many', rules: [{ most: 100, within_ms: hour_ms }] }
  let tallies: Tally[] = []
  for (let step = 0; step < 100; step += 1) tallies = withOne(few, tallies, at(step / 10)).tallies
  expect(tallies).toHaveLength(100)
  for (let step = 1; step < 120; step += 1) {
    tallies = withOne(many, tallies, at(step * 30)).tallies
    expect(tallies.length).toBeLessThanOrEqual(135)
    expect(countWithin(hour_ms, tallies, at(step * 30))).toBe(100 + step)
  }
})

it('an event that another process has just counted is kept, though its clock is a little ahead', () => {
  expect(countedTallies(many, once(at(250), at(350)), at(0))).toEqual(once(at(250)))
  expect(countedTallies(three, once(at(0.05), at(20)), at(0))).toEqual(once(at(0.05)))
})
