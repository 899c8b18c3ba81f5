import type { DataOf } from '../../api/client.ts'

export type Overview = DataOf<'/merchants/{merchantId}/overview', 'get'>
export type DayOfOverview = Overview['days'][number]

/** A larger change is no useful comparison: the merchant has only just begun. */
const largest_change = 9.99

/** How much more than before, as a share of 1; null where there was nothing or next to nothing before. */
export function changeOf(now: number, before: number): number | null {
  const change = before === 0 ? null : (now - before) / before
  return change === null || change > largest_change ? null : change
}

/** Longer periods are drawn by week: single days would be a thicket. */
const most_days = 120

export function isByWeek(days: readonly DayOfOverview[]): boolean {
  return days.length > most_days
}

/** The sums of weeks, each at its first day. The last week ends with the last day; the first may be short. */
export function weeksOf(days: readonly DayOfOverview[]): DayOfOverview[] {
  const first = days.length % 7
  const weeks = first === 0 ? [] : [days.slice(0, first)]
  for (let at = first; at < days.length; at += 7) weeks.push(days.slice(at, at + 7))
  return weeks.map((week) => week.reduce(add))
}

function add(sum: DayOfOverview, day: DayOfOverview): DayOfOverview {
  const total = (name: string, value: unknown): unknown =>
    typeof value === 'number' ? value + Number(Object.entries(day).find(([one]) => one === name)?.[1]) : value
  return Object.fromEntries(Object.entries(sum).map(([name, value]) => [name, total(name, value)])) as DayOfOverview
}

/** A share of 1; null of nothing. */
export function shareOf(part: number, whole: number): number | null {
  return whole === 0 ? null : part / whole
}
