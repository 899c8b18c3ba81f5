import { expect, it } from 'vitest'
import { type Day, daysBetween, daysOf, daysOfMonthBefore, monthsUntil } from '../../src/domain/day.ts'

it.each([
  ['2026-03-01', ['2026-03-01 2026-03-01', '2026-02-01 2026-02-28', '2026-01-01 2026-01-31', '2025-12-01 2025-12-31']],
  ['2024-03-31', ['2024-03-01 2024-03-31', '2024-02-01 2024-02-29', '2024-01-01 2024-01-31', '2023-12-01 2023-12-31']],
])('the months until %s begin and end with their own days', (last, months) => {
  const found = monthsUntil(last as Day, 4)
  expect(found.map(({ from, to }) => `${from} ${to}`)).toEqual(months)
  expect(found.slice(1).map(({ from }) => daysOf(from))).toEqual(found.slice(1))
  expect(daysBetween(found[3]?.from as Day, found[0]?.to as Day)).toBe(
    found.reduce((sum, { from, to }) => sum + daysBetween(from, to), 0),
  )
})

it.each([
  ['2026-11-01 2026-11-30', '2026-10-01 2026-10-31'],
  ['2026-03-01 2026-03-31', '2026-02-01 2026-02-28'],
  ['2026-11-01 2026-11-12', '2026-10-01 2026-10-12'],
  ['2026-01-01 2026-01-01', '2025-12-01 2025-12-01'],
  // The month before has fewer days.
  ['2026-03-01 2026-03-30', '2026-02-01 2026-02-28'],
  ['2024-03-01 2024-03-29', '2024-02-01 2024-02-29'],
  ['2026-11-02 2026-11-30', null],
  ['2026-11-01 2026-12-01', null],
])('before the days %s of a month are those of the month before: %s', (days, expected) => {
  const [from, to] = days.split(' ') as [Day, Day]
  const found = daysOfMonthBefore({ from, to })
  expect(found === null ? null : `${found.from} ${found.to}`).toBe(expected)
})
