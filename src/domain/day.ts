/** Days in Riyadh, by which business counts. docs/spec/api.md#timestamps */

import { after, day_ms, hour_ms } from './spans.ts'

/** A day in Riyadh: `2026-01-31`. */
export type Day = string & { readonly __unit: 'day' }

/** Days from one to another, both included. */
export interface Period {
  readonly from: Day
  readonly to: Day
}

/** Saudi Arabia is three hours ahead of UTC all year. */
export const riyadh_ms = 3 * hour_ms

/** The business day of an instant. */
export function dayOf(at: Date): Day {
  return after(at, riyadh_ms).toISOString().slice(0, 10) as Day
}

/** The time of day of an instant: `HH:MM:SS`. */
export function timeOfDay(at: Date): string {
  return after(at, riyadh_ms).toISOString().slice(11, 19)
}

/** The instant at which a day begins. */
export function startOfDay(day: Day): Date {
  return new Date(Date.parse(`${day}T00:00:00Z`) - riyadh_ms)
}

/** Takes `2026-01-31`; gives the day, or null if there is none of that name. */
export function parseDay(text: string): Day | null {
  // Days around those of other years have another form.
  if (!/^[12][0-9]{3}-[0-9]{2}-[0-9]{2}$/.test(text)) return null
  const time_ms = Date.parse(`${text}T00:00:00Z`)
  return Number.isNaN(time_ms) || new Date(time_ms).toISOString().slice(0, 10) !== text ? null : (text as Day)
}

/** The day `days` later, or earlier if below 0. */
export function addDays(day: Day, days: number): Day {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * day_ms).toISOString().slice(0, 10) as Day
}

/** The number of days from one to the other, both included; below 1 if they are the wrong way round. */
export function daysBetween(from: Day, to: Day): number {
  return (Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / day_ms + 1
}

/** The first day of a month, which stands for it. */
export type Month = Day

/** The month of a day. */
export function monthOf(day: Day): Month {
  return `${day.slice(0, 7)}-01` as Month
}

/** All days of a month. */
export function daysOf(month: Month): Period {
  return { from: month, to: addDays(monthOf(addDays(month, 31)), -1) }
}

/** The whole month before that of a day. */
export function monthBefore(day: Day): Period {
  return daysOf(monthOf(addDays(monthOf(day), -1)))
}

/** The months until a day, the newest first: it ends with that day. */
export function monthsUntil(last: Day, count: number): Period[] {
  const months: Period[] = []
  for (let month = { from: monthOf(last), to: last }; months.length < count; month = monthBefore(month.from)) {
    months.push(month)
  }
  return months
}

/** The period of equal length that ends where another begins. */
export function periodBefore({ from, to }: Period): Period {
  return { from: addDays(from, -daysBetween(from, to)), to: addDays(from, -1) }
}

/** The month before a whole month, or the same days of it before the first days of a month; null for any other period. */
export function daysOfMonthBefore({ from, to }: Period): Period | null {
  if (from !== monthOf(from) || monthOf(to) !== from) return null
  const before = monthBefore(from)
  const same_day = addDays(before.from, daysBetween(from, to) - 1)
  return to === daysOf(from).to || same_day > before.to ? before : { ...before, to: same_day }
}
