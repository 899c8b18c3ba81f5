/** When a webhook delivery is tried again, and when it has ended. docs/spec/webhooks.md#attempts */

import { minute_ms } from './spans.ts'

/** The most bytes of a receiver's response that are read and stored. */
export const response_limit_bytes = 16_384

const jitter_share = 0.2
const shortest_wait_s = 1
/** The longest wait that `Retry-After` can ask for. */
const longest_retry_after_s = 3_600

/** The longest time that an attempt may take, in seconds. */
export const longest_timeout_s = 300

/** How long a delivery waits that we cannot send now, in milliseconds. */
export const unsent_wait_ms = minute_ms

/** Takes the HTTP status, null for no response; true for a 2xx. Redirects are not followed, so a 3xx is a failure. */
export function isDelivered(status: number | null): boolean {
  return status !== null && status >= 200 && status <= 299
}

/** The number of automatic attempts: the first, and one after each delay; at most 4. docs/spec/webhooks.md#attempts */
export function maxAttempts(retry_delays_s: readonly number[]): number {
  return 1 + Math.min(retry_delays_s.length, 3)
}

export interface FailedAttempt {
  /** The number of the failed attempt in its series, 1 to 4. */
  readonly attempt: number
  readonly retry_delays_s: readonly number[]
  /** The value of `Retry-After`, in seconds; null without one. */
  readonly retry_after_s: number | null
  /** Random number from 0 to 1, for the jitter. */
  readonly random: number
}

/**
 * Gives the wait in milliseconds before the next attempt, or null after the last one. It is the configured delay with
 * ±20 % jitter, at least 1 s. `Retry-After` can lengthen it, up to an hour, but never shorten it.
 */
export function waitAfter({ attempt, retry_delays_s, retry_after_s, random }: FailedAttempt): number | null {
  const delay_s = retry_delays_s[attempt - 1]
  if (delay_s === undefined || attempt >= maxAttempts(retry_delays_s)) return null
  const own_s = Math.max(shortest_wait_s, delay_s * (1 + jitter_share * (2 * random - 1)))
  const asked_s = Math.min(retry_after_s ?? 0, longest_retry_after_s)
  return Math.round(Math.max(own_s, asked_s) * 1000)
}

/** The longest wait that `waitAfter` can give, in milliseconds. */
export function longestWait_ms(retry_delays_s: readonly number[]): number {
  const own_s = Math.max(0, ...retry_delays_s) * (1 + jitter_share)
  return Math.ceil(Math.max(own_s, longest_retry_after_s, shortest_wait_s) * 1000)
}

/** The longest time between an event and the end of its automatic attempts, in milliseconds. */
export function longestSeries_ms({
  retry_delays_s,
  timeout_s,
}: {
  readonly retry_delays_s: readonly number[]
  readonly timeout_s: number
}): number {
  const attempts = maxAttempts(retry_delays_s)
  const waits = retry_delays_s.slice(0, attempts - 1).map((delay_s) => longestWait_ms([delay_s]))
  return waits.reduce((sum, wait_ms) => sum + wait_ms, attempts * timeout_s * 1000)
}

/**
 * Takes a `Retry-After` header (seconds or a date) and the time in milliseconds; gives seconds, or null if unusable.
 */
export function parseRetryAfter(header: string | undefined, now_ms: number): number | null {
  const text = header?.trim() ?? ''
  if (/^\d{1,9}$/.test(text)) return Number(text)
  if (!/^[A-Z][a-z]{2}, /.test(text)) return null
  const wait_s = (Date.parse(text) - now_ms) / 1000
  return Number.isFinite(wait_s) && wait_s > 0 ? wait_s : null
}

/** Bounds of the window: how many deliveries one endpoint may have in flight. It adapts to the endpoint. */
export const windows = { first: 8, least: 2, most: 32 } as const

/**
 * Gives the next window of an endpoint after an attempt: one more after a response, half after none (a time-out or a
 * failed connection). A receiver that hangs soon occupies next to nothing.
 */
export function nextWindow(window: number, answered: boolean): number {
  return answered ? Math.min(windows.most, window + 1) : Math.max(windows.least, Math.floor(window / 2))
}
