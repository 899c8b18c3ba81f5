/** How a stop of `serve` spends its time. */
export interface StopTimes {
  /** Not ready, and serving as ever. */
  readonly drain_ms: number
  /** Then kept-alive connections end with their next answer; those that stay silent are closed after this. */
  readonly settle_ms: number
  /** Then, for requests that still run. */
  readonly grace_ms: number
  /** For all of it, the database included: what process managers wait for (30 s) is longer. */
  readonly limit_ms: number
}

const most_settle_ms = 5_000
const usual_limit_ms = 25_000
/** Requests that run, and background work that ends after them. */
const least_after_drain_ms = 20_000
const background_ms = 5_000

/** Shares the time of a stop: 25 s in all, and more only where the drain alone is longer than 5 s. */
export function stopTimes({ drain_s }: { readonly drain_s: number }): StopTimes {
  const drain_ms = drain_s * 1_000
  const limit_ms = Math.max(usual_limit_ms, drain_ms + least_after_drain_ms)
  const settle_ms = Math.min(drain_ms, most_settle_ms)
  return { drain_ms, settle_ms, grace_ms: limit_ms - drain_ms - settle_ms - background_ms, limit_ms }
}
