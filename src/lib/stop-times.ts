/** The phases of a stop of `serve`. */
export interface StopTimes {
  /** First, `/readyz` answers 503 while requests are still served. */
  readonly drain_ms: number
  /** Then kept-alive connections end with their next answer; silent ones are closed after this. */
  readonly settle_ms: number
  /** Then requests that still run may finish. */
  readonly grace_ms: number
  /** All of it, the database included; process managers wait longer (30 s). */
  readonly limit_ms: number
}

const most_settle_ms = 5_000
const usual_limit_ms = 25_000
/** For requests that run, and background work that ends after them. */
const least_after_drain_ms = 20_000
const background_ms = 5_000

/** Divides the time of a stop: 25 s in all, longer only when the drain takes more than 5 s. */
export function stopTimes({ drain_s }: { readonly drain_s: number }): StopTimes {
  const drain_ms = drain_s * 1_000
  const limit_ms = Math.max(usual_limit_ms, drain_ms + least_after_drain_ms)
  const settle_ms = Math.min(drain_ms, most_settle_ms)
  return { drain_ms, settle_ms, grace_ms: limit_ms - drain_ms - settle_ms - background_ms, limit_ms }
}
