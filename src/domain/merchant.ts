import type { Flow } from './failures.ts'
import type { Uuid } from './ids.ts'
import type { Locale } from './locale.ts'
import { asPoints, DEFAULT_POINTS_PER_SAR, type Points, type PointsPerSarE4 } from './points.ts'
import type { Rates } from './rates.ts'
import { DEFAULT_REFUND_WINDOW_DAYS } from './refund.ts'

/** Which of a merchant's two keys. docs/spec/api.md#keys */
export type KeyKind = 'private' | 'public'

/** What names a merchant. Every key leads with the program. */
export interface MerchantKey {
  readonly program_id: number
  readonly merchant_id: number
}

/** The settings of a program for all its merchants and customers. docs/spec/terms.md#program */
export interface Program {
  readonly program_id: number
  readonly account_id: Uuid
  /** A new phone becomes an active customer (`automatic`) or an invited one (`required`). */
  readonly activation: 'automatic' | 'required'
  /** What a point is worth, by days: ask `rateAt`. */
  readonly rates: Rates
  readonly locale: Locale
}

/** A program as pages for its operators need it. */
export type ProgramFacts = Pick<Program, 'program_id' | 'account_id' | 'locale'> & { readonly name: string }

/** A merchant with its current standing, flows and rates. docs/spec/terms.md#merchant */
export interface Merchant {
  readonly program: Program
  readonly program_id: number
  readonly merchant_id: number
  readonly account_id: Uuid
  readonly name: string
  readonly verified: boolean
  readonly published: boolean
  readonly flows: Readonly<Record<Flow, boolean>>
  readonly points_per_sar_e4: PointsPerSarE4
  readonly product_rating_points: Points
  readonly store_rating_points: Points
  readonly refund_window_days: number
  readonly integration_active: boolean
}

/** What a merchant awards, and how long it takes refunds. */
export type MerchantTerms = Pick<
  Merchant,
  'points_per_sar_e4' | 'product_rating_points' | 'store_rating_points' | 'refund_window_days'
>

/** Those of a new merchant. docs/spec/points-and-money.md#default-rates, docs/spec/orders.md#refund-window */
export const newMerchantTerms: MerchantTerms = {
  points_per_sar_e4: DEFAULT_POINTS_PER_SAR,
  product_rating_points: asPoints(50),
  store_rating_points: asPoints(100),
  refund_window_days: DEFAULT_REFUND_WINDOW_DAYS,
}

/** A merchant's own credentials at a payment provider, used instead of `NUQTA_PAYMENT_*`. */
export type PaymentAccount =
  | { readonly provider: 'paytabs'; readonly profile_id: string; readonly server_key: string }
  | { readonly provider: 'moyasar'; readonly secret_key: string; readonly webhook_secret: string }

/** Takes a merchant's names; gives the one for readers of a language. */
export function nameIn(
  { name, name_ar }: { readonly name: string; readonly name_ar: string | null },
  locale: Locale,
): string {
  return locale === 'ar' ? (name_ar ?? name) : name
}

/** The longest name of a merchant. A column for names has 10 characters more, for numbered ones. */
export const max_merchant_name = 245

/** The field names of each provider's account. */
export const accountFields = {
  paytabs: ['profile_id', 'server_key'],
  moyasar: ['secret_key', 'webhook_secret'],
} as const

export type AccountProvider = keyof typeof accountFields

const max_characters = 200

/** What is wrong with the fields of an account, by their names. */
export interface AccountMistakes {
  readonly unknown: readonly string[]
  readonly missing: readonly string[]
  /** Not of printable ASCII characters, or too long. */
  readonly unusable: readonly string[]
}

/** Moyasar charges no cards for a key that begins so. */
export const isTestKey = (secret_key: string): boolean => secret_key.startsWith('sk_test_')

/** Takes the fields of an account by name; gives the account, or what is wrong. */
export function readAccount(
  provider: AccountProvider,
  fields: Readonly<Record<string, unknown>>,
): PaymentAccount | AccountMistakes {
  const names: readonly string[] = accountFields[provider]
  const unknown = Object.keys(fields).filter((name) => !names.includes(name))
  const missing = names.filter((name) => fields[name] === undefined || fields[name] === '')
  const unusable = names.filter((name) => !missing.includes(name) && !isUsable(fields[name]))
  if (unknown.length + missing.length + unusable.length > 0) return { unknown, missing, unusable }
  return { provider, ...fields } as unknown as PaymentAccount
}

function isUsable(value: unknown): boolean {
  return typeof value === 'string' && /^[\x21-\x7e]+$/.test(value) && value.length <= max_characters
}
