import { describe, expect, it } from 'vitest'
import { changeOf, type DayOfOverview, isByWeek, weeksOf } from '../../dashboard/src/pages/overview/figures.ts'

const dayAt = (index: number) =>
  ({ day: new Date(Date.UTC(2026, 0, 1 + index)).toISOString().slice(0, 10), sales: index + 0.5 }) as DayOfOverview
const daysOf = (count: number) => Array.from({ length: count }, (_, index) => dayAt(index))

describe('the weeks of a long period', () => {
  it.each([7, 8, 13, 365, 400])('of %i days keep the sum, and the last one ends with the last day', (count) => {
    const days = daysOf(count)
    const weeks = weeksOf(days)
    const sum = (list: readonly DayOfOverview[]) => list.reduce((total, { sales }) => total + sales, 0)
    expect(sum(weeks)).toBe(sum(days))
    expect(weeks).toHaveLength(Math.ceil(count / 7))
    expect(weeks.at(-1)?.day).toBe(days.at(-7)?.day)
  })

  it('are drawn for a year, not for 90 days', () => {
    expect([isByWeek(daysOf(90)), isByWeek(daysOf(365))]).toEqual([false, true])
  })
})

describe('a change', () => {
  it.each([
    [150, 100, 0.5],
    [50, 100, -0.5],
    [10, 0, null],
    [5_000, 3, null],
  ])('to %i from %i is %s', (now, before, change) => {
    expect(changeOf(now, before)).toBe(change)
  })
})
