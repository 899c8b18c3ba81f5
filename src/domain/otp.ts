/** One-time codes: lifetime, limits per session, and verification. docs/spec/customers.md#codes */

import type { Limit } from './limit.ts'
import type { Phone } from './phone.ts'
import { day_s, hour_ms, minute_ms } from './spans.ts'
import { foldDigits, numberSeparators } from './text.ts'

/** The kind of session for which a code proves a phone. */
export type OtpPurpose = 'checkout' | 'wallet'

/** Lifetime of a code, in milliseconds. */
export const code_life_ms = 5 * minute_ms

/** The number of tries per code, including the right one. */
export const most_tries = 5

/** The least time between two codes to the same phone in one session, in milliseconds. */
export const resend_after_ms = 30_000

/** How long a browser is known in which a phone was proven, in seconds. docs/spec/customers.md#known-browser */
export const known_for_s = 30 * day_s

/** A limit of one session, stored with the program's data. Limits of phones and addresses are in `limit.ts`. */
export interface SessionLimit extends Limit {
  /** The key of the counter. */
  readonly by: 'session' | 'phone in session'
}

export type LimitKind = 'send_again' | 'send_session' | 'try_session'

/** How often a code may be sent. docs/spec/customers.md#code-limits */
export const sendLimits = {
  send_again: { name: 'send_again', by: 'phone in session', rules: [{ most: 1, within_ms: resend_after_ms }] },
  send_session: { name: 'send_session', by: 'session', rules: [{ most: 5, within_ms: hour_ms }] },
} as const satisfies Readonly<Partial<Record<LimitKind, SessionLimit>>>

/** How many wrong codes a session may try. */
export const tryLimits = {
  try_session: { name: 'try_session', by: 'session', rules: [{ most: 15, within_ms: hour_ms }] },
} as const satisfies Readonly<Partial<Record<LimitKind, SessionLimit>>>

/** A stored code. */
export interface KeptCode {
  readonly phone: Phone
  /** Wrong tries so far. */
  readonly tries: number
  readonly used_at: Date | null
  readonly expires_at: Date
}

export type TryOutcome =
  | { readonly kind: 'right' }
  | { readonly kind: 'wrong'; readonly tries_left: number }
  /** The code is expired, used, for another phone, tried too often, or was never sent. */
  | { readonly kind: 'over' }

/** Gives how many tries a code has left for a phone at `now`; 0 without a usable code. */
export function triesLeft(code: KeptCode | undefined, phone: Phone, now: Date): number {
  if (code === undefined || code.used_at !== null || code.phone !== phone || code.expires_at <= now) return 0
  return Math.max(0, most_tries - code.tries)
}

/** Takes a code and whether the typed digits match it; gives the outcome of the try. */
export function decideTry(
  code: KeptCode | undefined,
  { phone, matches, now }: { readonly phone: Phone; readonly matches: boolean; readonly now: Date },
): TryOutcome {
  const left = triesLeft(code, phone, now)
  if (left === 0) return { kind: 'over' }
  return matches ? { kind: 'right' } : { kind: 'wrong', tries_left: left - 1 }
}

/** The longest text that is searched for a code. */
const longest_message = 1_000

/**
 * Takes a code as typed or pasted, with spaces and in any digits, or the message that it came with; gives its six ASCII digits.
 * Null for anything else, and for a message with more than one number of six digits.
 */
export function readCode(text: string): string | null {
  const folded = foldDigits(text.slice(0, longest_message))
  const compact = folded.replace(numberSeparators, '')
  if (/^[0-9]{6}$/.test(compact)) return compact
  if (!/\p{L}/u.test(folded)) return null
  const found = new Set(folded.match(/(?<![0-9])[0-9]{6}(?![0-9])/g))
  const [code] = found
  return found.size === 1 && code !== undefined ? code : null
}
