/** When a webhook delivery is tried again, and when it has ended. Spec, "Delivery semantics"; decisions §10, "Attempts". */

/** What of a receiver's answer is read and kept. */
export const response_limit_bytes = 16_384

const jitter_share = 0.2
const shortest_wait_s = 1
/** A receiver may ask for more time than our own waits, up to this. */
const longest_retry_after_s = 3_600

/** Success is a 2xx; redirects are not followed, so that a 3xx is a failure. `null` stands for no answer. */
export function isDelivered(status: number | null): boolean {
  return status !== null && status >= 200 && status <= 299
}

/** Attempts that are made by themselves: the first, and one after each wait; never more than four (spec). */
export function maxAttempts(retry_delays_s: readonly number[]): number {
  return 1 + Math.min(retry_delays_s.length, 3)
}

export interface FailedAttempt {
  /** Which attempt of its series failed: 1, 2, 3 or 4. */
  readonly attempt: number
  readonly retry_delays_s: readonly number[]
  /** What the receiver asked for by `Retry-After`. */
  readonly retry_after_s: number | null
  /** From 0 to 1: decides the jitter. */
  readonly random: number
}

/**
 * The wait in milliseconds before the next attempt, or null when that was the last. Our own wait with ±20 % of jitter,
 * never below 1 s; longer, up to an hour, where `Retry-After` asks for it, never shorter.
 */
export function waitAfter({ attempt, retry_delays_s, retry_after_s, random }: FailedAttempt): number | null {
  const delay_s = retry_delays_s[attempt - 1]
  if (delay_s === undefined || attempt >= maxAttempts(retry_delays_s)) return null
  const own_s = Math.max(shortest_wait_s, delay_s * (1 + jitter_share * (2 * random - 1)))
  const asked_s = Math.min(retry_after_s ?? 0, longest_retry_after_s)
  return Math.round(Math.max(own_s, asked_s) * 1000)
}

/** The longest that `waitAfter` ever gives, in milliseconds: what is due later than that was not put there by it. */
export function longestWait_ms(retry_delays_s: readonly number[]): number {
  const own_s = Math.max(0, ...retry_delays_s) * (1 + jitter_share)
  return Math.ceil(Math.max(own_s, longest_retry_after_s, shortest_wait_s) * 1000)
}

/** Reads `Retry-After`, in seconds or as a date, at an instant in milliseconds; null where it says nothing usable. */
export function parseRetryAfter(header: string | undefined, now_ms: number): number | null {
  const text = header?.trim() ?? ''
  if (/^\d{1,9}$/.test(text)) return Number(text)
  if (!/^[A-Z][a-z]{2}, /.test(text)) return null
  const wait_s = (Date.parse(text) - now_ms) / 1000
  return Number.isFinite(wait_s) && wait_s > 0 ? wait_s : null
}

/** How many deliveries one endpoint may have under way at once: what it has shown that it can take. */
export const windows = { first: 8, least: 2, most: 32 } as const

/**
 * The next window of an endpoint after an attempt: one more after an answer, half after silence (a time-out, a connection
 * that could not be made), so that a receiver which hangs soon occupies next to nothing.
 */
export function nextWindow(window: number, answered: boolean): number {
  return answered ? Math.min(windows.most, window + 1) : Math.max(windows.least, Math.floor(window / 2))
}
