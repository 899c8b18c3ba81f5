/** One-time codes: how long they live, how often one is sent and tried. Issue "Hosted checkout, onboarding and wallet", "OTP". */
import { foldDigits, numberSeparators } from './digits.ts'
import type { Limit } from './limit.ts'
import type { Locale, LocalText } from './locale.ts'
import type { Phone } from './phone.ts'

/** What a code is to prove a phone for: the session of a checkout, or of the wallet. */
export type OtpPurpose = 'checkout' | 'wallet'

/** How long a code can be used, in milliseconds. */
export const code_life_ms = 300_000

/** How often a code may be tried, the right try included. */
export const most_tries = 5

/** How long after a code the next one can be sent to the same phone in the same session, in milliseconds. */
export const resend_after_ms = 30_000

const hour_ms = 3_600_000

/** A limit of one session, counted with the program's data; those of phones and addresses are in `message-limits.ts`. */
export interface SessionLimit extends Limit {
  /** Whose times are counted together. */
  readonly by: 'session' | 'phone in session'
}

export type LimitKind = 'send_again' | 'send_session' | 'try_session'

/** How often a code is sent. */
export const sendLimits = {
  send_again: { name: 'send_again', by: 'phone in session', rules: [{ most: 1, within_ms: resend_after_ms }] },
  send_session: { name: 'send_session', by: 'session', rules: [{ most: 5, within_ms: hour_ms }] },
} as const satisfies Readonly<Partial<Record<LimitKind, SessionLimit>>>

/** How often a wrong code is taken. */
export const tryLimits = {
  try_session: { name: 'try_session', by: 'session', rules: [{ most: 15, within_ms: hour_ms }] },
} as const satisfies Readonly<Partial<Record<LimitKind, SessionLimit>>>

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
