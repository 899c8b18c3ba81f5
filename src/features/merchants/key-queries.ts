import type { CompiledQuery } from 'kysely'
import { builder } from '../../db/builder.ts'
import { prepared, preparedRows, type Statement } from '../../db/statement.ts'
import type { Day } from '../../domain/day.ts'
import type { Uuid } from '../../domain/ids.ts'
import type { Locale } from '../../domain/locale.ts'
import type { MerchantKey } from '../../domain/merchant.ts'
import type { PaymentMethod } from '../../domain/payment-method.ts'
import type { Points, PointsPerSarE4 } from '../../domain/points.ts'
import type { Rates } from '../../domain/rates.ts'
import type { PaymentProviderName } from '../../providers/payment/port.ts'
import { ratesOf } from './rate-queries.ts'
import { versionOn } from './terms-queries.ts'

/** A merchant's standing, flows and rates, as they are stored. */
export interface MerchantColumns {
  readonly merchant_id: number
  readonly program_id: number
  readonly name: string
  readonly verified: boolean
  readonly published: boolean
  readonly earning_on: boolean
  readonly product_rating_on: boolean
  readonly store_rating_on: boolean
  readonly checkout_on: boolean
  readonly points_per_sar_e4: PointsPerSarE4
  readonly product_rating_points: Points
  readonly store_rating_points: Points
  readonly refund_window_days: number
}

/** The columns of `MerchantColumns`, of a merchant `m`. */
export const merchantColumns = [
  'm.merchant_id',
  'm.program_id',
  'm.name',
  'm.verified',
  'm.published',
  'm.earning_on',
  'm.product_rating_on',
  'm.store_rating_on',
  'm.checkout_on',
  'm.points_per_sar_e4',
  'm.product_rating_points',
  'm.store_rating_points',
  'm.refund_window_days',
] as const satisfies readonly `m.${keyof MerchantColumns}`[]

/** A key pair with its merchant and program. All three are reference tables, so any node of a cluster answers. */
export interface KeyRow extends MerchantColumns {
  readonly public_key: string
  readonly private_key_hash: Buffer
  readonly status: boolean
  readonly integration_active: boolean
  readonly account_id: Uuid
  readonly program_account_id: Uuid
  readonly activation: 'automatic' | 'required'
  readonly rates: Rates
  readonly locale: Locale
}

/** Key pairs with their merchants and programs. `key` selects one pair for each row of `asked`, `more` adds columns. */
const withMerchant = (asked: string, key: string, more = ''): string => `
  select k.public_key, k.private_key_hash, k.status, k.integration_active, ${merchantColumns.join(', ')}, m.account_id,
    p.account_id as program_account_id, p.activation, p.locale, ${ratesOf('k.program_id')} as rates${more}
  from ${asked}
  cross join lateral (${key} limit 1) k
  cross join lateral (
    select m.* from merchant m
    where m.program_id = k.program_id and m.merchant_id = k.merchant_id
      and (m.program_id, m.merchant_id) >= (k.program_id, k.merchant_id)
    limit 1
  ) m
  cross join lateral (select p.* from program p where p.program_id = k.program_id limit 1) p`

const byPrivateKeys = preparedRows<KeyRow>('keys.private', (rows) =>
  withMerchant(rows('$1::bytea[]', 'asked(hash)'), 'select k.* from api_key k where k.private_key_hash = asked.hash'),
)
const byPublicKeys = preparedRows<KeyRow>('keys.public', (rows) =>
  withMerchant(rows('$1::text[]', 'asked(key)'), 'select k.* from api_key k where k.public_key = asked.key'),
)

/** Key pairs by the SHA-256 of their private keys. */
export function findPrivateKeys(hashes: readonly Buffer[]): Statement<KeyRow> {
  return byPrivateKeys(hashes)
}

/** Key pairs by their public keys. */
export function findPublicKeys(keys: readonly string[]): Statement<KeyRow> {
  return byPublicKeys(keys)
}

const oneMerchant = (more?: string): string =>
  withMerchant(
    '(values (1)) as asked',
    `select k.* from api_key k
     where k.program_id = $1 and k.merchant_id = $2 and (k.program_id, k.merchant_id) >= ($1, $2)`,
    more,
  )

const byMerchant = prepared<KeyRow>('keys.merchant', oneMerchant())

/** The key pair of a merchant. */
export function findMerchantWithKeys(program_id: number, merchant_id: number): Statement<KeyRow> {
  return byMerchant(program_id, merchant_id)
}

/** A merchant with what a checkout shows of it, and how its money is collected. */
export interface CheckoutMerchantRow extends KeyRow {
  readonly payment_provider: PaymentProviderName
  readonly payment_flow: 'sale' | 'two_step'
  readonly name_ar: string | null
  readonly colour: string | null
  /** The hosts that checkouts may return to; empty allows any. */
  readonly return_hosts: readonly string[]
  /** What its payment page takes. */
  readonly payment_methods: readonly PaymentMethod[]
  readonly logo_digest: string | null
  readonly wide_logo_digest: string | null
  /** Who runs the program. */
  readonly operator_name: string | null
  readonly operator_contact: string | null
  /** The version of the program's own terms in force; null for the product's. */
  readonly terms_version: string | null
  /** The points that a remembered browser may spend within 24 hours. */
  readonly remembered_limit: Points
}

const ofCheckout = prepared<CheckoutMerchantRow>(
  'checkout.merchant',
  oneMerchant(`, m.name_ar, m.payment_provider, m.payment_flow, m.colour, m.return_hosts, m.payment_methods,
    p.operator_name, p.operator_contact, p.remembered_limit, (
    select l.digest from merchant_logo l
    where l.program_id = $1 and l.merchant_id = $2 and (l.program_id, l.merchant_id) >= ($1, $2)
  ) as logo_digest, (
    select l.digest from merchant_wide_logo l
    where l.program_id = $1 and l.merchant_id = $2 and (l.program_id, l.merchant_id) >= ($1, $2)
  ) as wide_logo_digest, ${versionOn('$1', '$3')} as terms_version`),
)

/** A merchant for the page of one of its checkouts, with the version of the terms of a day. */
export function findCheckoutMerchant(
  program_id: number,
  merchant_id: number,
  day: Day,
): Statement<CheckoutMerchantRow> {
  return ofCheckout(program_id, merchant_id, day)
}

/** Sets the flag of a merchant's key pair; gives nothing if the pair was replaced at the same moment. */
export function updateIntegration(
  { program_id, merchant_id }: MerchantKey,
  integration_active: boolean,
): CompiledQuery<{ integration_active: boolean }> {
  return builder
    .updateTable('api_key')
    .set({ integration_active })
    .where('program_id', '=', program_id)
    .where('merchant_id', '=', merchant_id)
    .returning('integration_active')
    .compile()
}

/** The public key of the oldest merchant. */
export function findFirstPublicKey(): CompiledQuery<{ public_key: string }> {
  return builder
    .selectFrom('api_key as k')
    .innerJoin('merchant as m', (join) =>
      join.onRef('m.program_id', '=', 'k.program_id').onRef('m.merchant_id', '=', 'k.merchant_id'),
    )
    .select('k.public_key')
    .orderBy('m.created_at')
    .orderBy('m.merchant_id')
    .limit(1)
    .compile()
}

/** The program of a merchant: one look-up of the primary key for each program. */
export function findProgramOf(merchant_id: number): Statement<{ program_id: number }> {
  return {
    text: `select m.program_id from program p
      cross join lateral (
        select m.program_id from merchant m where m.program_id = p.program_id and m.merchant_id = $1 limit 1
      ) m limit 1`,
    values: [merchant_id],
  }
}
