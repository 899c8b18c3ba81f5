/** One-time codes: how long they live, how often one is sent and tried. Issue "Hosted checkout, onboarding and wallet", "OTP". */
import { foldDigits, numberSeparators } from './digits.ts'
import type { Phone } from './phone.ts'
import type { Locale, LocalText } from './shipping.ts'

/** What a code is to prove a phone for: the session of a checkout, or of the wallet. */
export type OtpPurpose = 'checkout' | 'wallet'

/** How long a code can be used, in milliseconds. */
export const code_life_ms = 300_000

/** How often a code may be tried, the right try included. */
export const most_tries = 5

/** How long after a code the next one can be sent to the same phone in the same session, in milliseconds. */
export const resend_after_ms = 30_000

const hour_ms = 3_600_000

/** At most `most` times within any span of `within_ms`. */
export interface Limit {
  /** Whose times are counted together. */
  readonly by: 'session' | 'phone' | 'address' | 'phone in session'
  readonly most: number
  readonly within_ms: number
}

export type LimitKind = `${'send' | 'try'}_${'again' | 'session' | 'phone' | 'address'}`

/** How often a code is sent. */
// biome-ignore format: one row per limit, to be read as a table
export const sendLimits = {
  send_again:   { by: 'phone in session', most: 1,  within_ms: resend_after_ms },
  send_session: { by: 'session',          most: 5,  within_ms: hour_ms },
  send_phone:   { by: 'phone',            most: 5,  within_ms: hour_ms },
  send_address: { by: 'address',          most: 100, within_ms: hour_ms }, // mobile networks give one to many people
} as const satisfies Readonly<Partial<Record<LimitKind, Limit>>>

/** How often a wrong code is taken. */
// biome-ignore format: one row per limit, to be read as a table
export const tryLimits = {
  try_session:  { by: 'session', most: 15, within_ms: hour_ms },
  try_phone:    { by: 'phone',   most: 15, within_ms: hour_ms },
  try_address:  { by: 'address', most: 200, within_ms: hour_ms },
} as const satisfies Readonly<Partial<Record<LimitKind, Limit>>>

/** The times that a limit counts at an instant. One far ahead was written by a clock that has been set back since. */
export function countedTimes(limit: Limit, times: readonly Date[], now: Date): Date[] {
  const counted = times.filter((time) => Math.abs(now.getTime() - time.getTime()) < limit.within_ms)
  return counted.sort((a, b) => a.getTime() - b.getTime())
}

/** When a limit admits one more after these times: null for at once. */
export function admittedAt(limit: Limit, times: readonly Date[], now: Date): Date | null {
  const inTheWay = countedTimes(limit, times, now).at(-limit.most)
  return inTheWay === undefined ? null : new Date(inTheWay.getTime() + limit.within_ms)
}

/** A code as it is kept. */
export interface KeptCode {
  readonly phone: Phone
  /** Wrong ones so far. */
  readonly tries: number
  readonly used_at: Date | null
  readonly expires_at: Date
}

export type TryOutcome =
  | { readonly kind: 'right' }
  | { readonly kind: 'wrong'; readonly tries_left: number }
  /** Expired, used, for another phone, tried too often, or never sent. */
  | { readonly kind: 'over' }

/** How often a code can still be tried for a phone at an instant; 0 when it is over, or there is none. */
export function triesLeft(code: KeptCode | undefined, phone: Phone, now: Date): number {
  if (code === undefined || code.used_at !== null || code.phone !== phone || code.expires_at <= now) return 0
  return Math.max(0, most_tries - code.tries)
}

/** What a try with six digits leads to; `matches` says whether they are those of the code. */
export function judgeTry(
  code: KeptCode | undefined,
  { phone, matches, now }: { readonly phone: Phone; readonly matches: boolean; readonly now: Date },
): TryOutcome {
  const left = triesLeft(code, phone, now)
  if (left === 0) return { kind: 'over' }
  return matches ? { kind: 'right' } : { kind: 'wrong', tries_left: left - 1 }
}

/** Takes a code as it was typed or pasted, with spaces and in any digits; gives its six digits, or null. */
export function readCode(text: string): string | null {
  const compact = foldDigits(text.replace(numberSeparators, ''))
  return /^[0-9]{6}$/.test(compact) ? compact : null
}

// One part of an SMS each: 160 letters, or 70 when there are others than Latin ones.
const messages: LocalText = {
  en: '{code} is your verification code. It is valid for 5 minutes. Do not share it with anyone.',
  ar: 'رمز التحقق: {code}\nصالح لمدة 5 دقائق. لا تشاركه مع أحد.',
}

/** The text message that brings a code. */
export function codeMessage(code: string, locale: Locale): string {
  return messages[locale].replace('{code}', code)
}
