/** The spans by which messages are counted. docs/messages.md */

export const hour_ms = 3_600_000
export const day_ms = 24 * hour_ms
/** Riyadh is three hours ahead of UTC, without daylight saving. */
const riyadh_ms = 3 * hour_ms

/** Takes an instant; gives the beginning of its hour. */
export function beginOfHour(at: Date): Date {
  return new Date(Math.floor(at.getTime() / hour_ms) * hour_ms)
}

/** Takes an instant; gives the beginning of its day in Riyadh. */
export function beginOfDay(at: Date): Date {
  return new Date(Math.floor((at.getTime() + riyadh_ms) / day_ms) * day_ms - riyadh_ms)
}
