/** How long a person stays signed in, and how often others may try. docs/staff.md */
import { hourly, type Limit } from './limit.ts'
import { day_ms, hour_ms, minute_ms } from './spans.ts'
import { foldDigits, numberSeparators } from './text.ts'

export const sessionTimes = {
  /** Without a request a session ends after this long. */
  idle_ms: 12 * hour_ms,
  longest_ms: 30 * day_ms,
  /** A use is recorded at most this often. */
  touch_after_ms: minute_ms,
  /** For this long after a person has proven who they are, nobody asks for the password again. */
  fresh_ms: 15 * minute_ms,
} as const

/** Sessions of one person; the oldest ends when there is one more. */
export const max_sessions = 50
export const max_passkeys = 20
export const recovery_codes = 10
/** People and open invitations of one merchant. */
export const max_team = 200

/** What a link is for, and how long it works. */
export const linkTimes = {
  invitation: 7 * day_ms,
  reset: hour_ms,
  first_sign_in: 7 * day_ms,
  recovery: day_ms,
} as const satisfies Readonly<Record<string, number>>

export type LinkPurpose = keyof typeof linkTimes

/** How long after the password the second factor can be given, and a challenge for a passkey be answered. */
export const challenge_ms = 5 * minute_ms

/** How a person proved who they are. */
export type SignInMethod = 'password' | 'two_factors' | 'passkey' | 'link'

/** How somebody who is signed in proves again who they are. */
export const proofs = ['password', 'passkey'] as const
export type Proof = (typeof proofs)[number]

/** The ways to complete a sign-in by password. */
export type SecondFactor = 'totp' | 'passkey' | 'recovery_code'

/** The second factors of an account. */
export interface Factors {
  readonly totp: boolean
  readonly passkeys: number
  readonly recovery_codes: number
}

/** Takes the factors of an account; gives those that must follow the password, none if the password is enough. */
export function secondFactors({ totp, passkeys, recovery_codes: codes }: Factors): SecondFactor[] {
  const has: SecondFactor[] = [...(totp ? (['totp'] as const) : []), ...(passkeys > 0 ? (['passkey'] as const) : [])]
  return has.length > 0 && codes > 0 ? [...has, 'recovery_code'] : has
}

/** Takes a code of an app as typed, with spaces and in any digits; gives its six ASCII digits, or null for anything else. */
export function readAppCode(typed: string): string | null {
  const code = foldDigits(typed.replace(numberSeparators, ''))
  return /^[0-9]{6}$/.test(code) ? code : null
}

/** Whether a session has ended at `now`: nobody used it for too long, or its last moment has come. */
export function hasEnded(
  { seen_at, expires_at }: { readonly seen_at: Date; readonly expires_at: Date },
  now: Date,
): boolean {
  return expires_at <= now || now.getTime() - seen_at.getTime() >= sessionTimes.idle_ms
}

/**
 * Limits of the whole deployment. Some of an account's wrong tries are kept for browsers in which the person has signed in
 * before, so that nobody can lock an owner out. The names are part of the keys of stored counters: never change them.
 */
export const signInLimits = {
  account: hourly('wrong sign-ins to an account', 15),
  account_strangers: hourly('wrong sign-ins of strangers to an account', 10),
  address: hourly('wrong sign-ins from an address', 100),
  /** A site is an IPv6 /48. Its 256 homes, each within its own limit, could keep every comparison of passwords busy. */
  site: hourly('wrong sign-ins from a site', 400),
  /**
   * Counts right passwords too, by the address that signs in or by the person who confirms a change. Few passwords are
   * compared at a time, so whoever knows one could keep everybody else waiting.
   */
  compared: hourly('compared passwords', 300),
  second: hourly('wrong second factors of an account', 15),
  second_strangers: hourly('wrong second factors of strangers', 10),
  confirm: hourly('wrong passwords in a session', 10),
  resets: hourly('resets of an account', 3),
  resets_address: hourly('resets from an address', 20),
  invitations: hourly('invitations to a team', 30),
  mails: hourly('mails', 500),
  /**
   * Counts sign-ins that succeed. Each leaves a row in the audit log, which a program that signs in for every request must
   * not fill.
   */
  sign_ins: { name: 'sign-ins to an account from an address', rules: [{ most: 200, within_ms: day_ms }] },
} as const satisfies Readonly<Record<string, Limit>>
