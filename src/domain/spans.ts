/** Spans of time, by their units. */

export const minute_ms = 60_000
export const hour_ms = 60 * minute_ms
export const day_ms = 24 * hour_ms
export const day_s = 86_400

/** Gives the seconds from `then_ms` to `now`; 0 for a time that a clock running ahead has written. */
export function secondsSince(then_ms: number, now: Date): number {
  return Math.max(0, now.getTime() - then_ms) / 1000
}

/** The instant `ms` after another. */
export function after(instant: Date, ms: number): Date {
  return new Date(instant.getTime() + ms)
}

/** The instant `ms` before another. */
export function before(instant: Date, ms: number): Date {
  return new Date(instant.getTime() - ms)
}
