import { dayOf, startOfDay } from './day.ts'
import { hour_ms } from './spans.ts'

/** The spans by which messages are counted. docs/messages.md */

/** Takes an instant; gives the beginning of its hour. */
export function beginOfHour(at: Date): Date {
  return new Date(Math.floor(at.getTime() / hour_ms) * hour_ms)
}

/** Takes an instant; gives the beginning of its day in Riyadh. */
export function beginOfDay(at: Date): Date {
  return startOfDay(dayOf(at))
}
