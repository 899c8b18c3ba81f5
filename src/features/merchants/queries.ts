import type { CompiledQuery } from 'kysely'
import { builder } from '../../db/builder.ts'
import { prepared, type Statement } from '../../db/statement.ts'
import type { Uuid } from '../../domain/ids.ts'
import type { MerchantKey, MerchantTerms } from '../../domain/merchant.ts'
import type { PaymentMethod } from '../../domain/payment-method.ts'
import type { PaymentProviderName } from '../../providers/payment/port.ts'
import { type MerchantColumns, merchantColumns } from './key-queries.ts'

/** A merchant with the state of its keys, for operators. */
export interface MerchantRow extends MerchantColumns {
  /** On Arabic pages; null for the same name in both languages. */
  readonly name_ar: string | null
  readonly payment_provider: PaymentProviderName
  /** Whether a checkout takes the money at once, or reserves it until the merchant captures it. */
  readonly payment_flow: 'sale' | 'two_step'
  /** Whether the merchant's server must sign checkouts. */
  readonly signed_checkouts: boolean
  /** The hosts that checkouts may return to; empty allows any. */
  readonly return_hosts: readonly string[]
  /** What its payment page takes. */
  readonly payment_methods: readonly PaymentMethod[]
  readonly key_status: boolean
  readonly integration_active: boolean
  readonly public_key: string
  readonly created_at: Date
  /** Null for one that was verified when it was made. */
  readonly verified_at: Date | null
  readonly verified_by: string | null
  readonly suspended_at: Date | null
  readonly suspended_by: string | null
  readonly suspended_reason: string | null
}

type Unchangeable =
  | ('merchant_id' | 'program_id' | 'name' | 'key_status' | 'integration_active' | 'public_key' | 'created_at')
  | ('suspended_at' | 'suspended_by' | 'suspended_reason')

export type MerchantChanges = Partial<Omit<MerchantRow, Unchangeable>>

function selectMerchants() {
  return builder
    .selectFrom('merchant as m')
    .innerJoin('api_key as k', (join) =>
      join.onRef('k.program_id', '=', 'm.program_id').onRef('k.merchant_id', '=', 'm.merchant_id'),
    )
    .select([
      ...merchantColumns,
      'm.name_ar',
      'm.payment_provider',
      'm.payment_flow',
      'm.signed_checkouts',
      'm.return_hosts',
      'm.payment_methods',
      'k.status as key_status',
      'k.integration_active',
      'k.public_key',
      'm.created_at',
      'm.verified_at',
      'm.verified_by',
      'm.suspended_at',
      'm.suspended_by',
      'm.suspended_reason',
    ])
    .orderBy('m.created_at')
    .orderBy('m.merchant_id')
    .$castTo<MerchantRow>()
}

/** Every merchant of the deployment, the oldest first. */
export function findMerchants(): CompiledQuery<MerchantRow> {
  return selectMerchants().compile()
}

/** A page of merchants: those with ids below `before`, the newest first. */
export function findNewestMerchants(before: number | undefined, size: number): CompiledQuery<MerchantRow> {
  let query = selectMerchants().clearOrderBy()
  if (before !== undefined) query = query.where('m.merchant_id', '<', before)
  return query.orderBy('m.merchant_id', 'desc').limit(size).compile()
}

/** The merchants with this exact name, and the one with this id. */
export function findMerchantsCalled(name: string, merchant_id: number | null): CompiledQuery<MerchantRow> {
  return selectMerchants()
    .where((where) => where.or([where('m.name', '=', name), where('m.merchant_id', '=', merchant_id ?? 0)]))
    .compile()
}

export interface NewMerchants {
  readonly program_id: number
  readonly now: Date
  readonly verified: boolean
  readonly published: boolean
  readonly payment_provider: PaymentProviderName
  readonly terms: MerchantTerms
  readonly merchants: readonly { readonly account_id: Uuid; readonly name: string }[]
}

/** Creates any number of merchants. */
export function insertMerchants(fresh: NewMerchants): Statement<{ merchant_id: number; account_id: Uuid }> {
  return {
    text: `insert into merchant
        (program_id, account_id, name, verified, published, payment_provider, created_at, updated_at,
        points_per_sar_e4, product_rating_points, store_rating_points, refund_window_days)
      select $1::bigint, m.account_id, m.name, $2, $3, $4, $5::timestamptz, $5::timestamptz, $8, $9, $10, $11
      from unnest($6::uuid[], $7::text[]) with ordinality as m(account_id, name, position) order by m.position
      returning merchant_id, account_id`,
    values: [
      fresh.program_id,
      fresh.verified,
      fresh.published,
      fresh.payment_provider,
      fresh.now,
      fresh.merchants.map(({ account_id }) => account_id),
      fresh.merchants.map(({ name }) => name),
      fresh.terms.points_per_sar_e4,
      fresh.terms.product_rating_points,
      fresh.terms.store_rating_points,
      fresh.terms.refund_window_days,
    ],
  }
}

interface Rows {
  readonly program_id: number
  readonly now: Date
}

/** Creates the rows that earnings of new merchants lock. docs/spec/earning.md#lock */
export function insertEarningLocks(program_id: number, merchant_ids: readonly number[]): Statement<never> {
  return {
    text: 'insert into earning_lock (program_id, merchant_id) select $1::bigint, m.id from unnest($2::bigint[]) as m(id)',
    values: [program_id, merchant_ids],
  }
}

export interface NewKey {
  readonly merchant_id: number
  readonly public_key: string
  readonly private_key_hash: Buffer
  readonly status: boolean
  readonly integration_active: boolean
}

/** Creates key pairs, one per merchant. */
export function insertKeys({ program_id, now }: Rows, keys: readonly NewKey[]): Statement<never> {
  return {
    text: `insert into api_key
        (program_id, merchant_id, public_key, private_key_hash, status, integration_active, created_at)
      select $1::bigint, k.merchant_id, k.public_key, k.private_key_hash, k.status, k.integration_active, $2
      from unnest($3::bigint[], $4::text[], $5::bytea[], $6::boolean[], $7::boolean[])
        as k(merchant_id, public_key, private_key_hash, status, integration_active)`,
    values: [
      program_id,
      now,
      keys.map(({ merchant_id }) => merchant_id),
      keys.map(({ public_key }) => public_key),
      keys.map(({ private_key_hash }) => private_key_hash),
      keys.map(({ status }) => status),
      keys.map(({ integration_active }) => integration_active),
    ],
  }
}

/** Deletes a key pair: no process accepts it after the commit. Gives what stays for the next pair. */
export function deleteKey(
  program_id: number,
  merchant_id: number,
): CompiledQuery<{ public_key: string; status: boolean; integration_active: boolean }> {
  return builder
    .deleteFrom('api_key')
    .where('program_id', '=', program_id)
    .where('merchant_id', '=', merchant_id)
    .returning(['public_key', 'status', 'integration_active'])
    .compile()
}

/** Replaces a merchant's private key; gives nothing if it has no pair. */
export function updatePrivateKey(
  { program_id, merchant_id }: MerchantKey,
  private_key_hash: Buffer,
  now: Date,
): CompiledQuery<{ public_key: string }> {
  return builder
    .updateTable('api_key')
    .set({ private_key_hash, private_key_created_at: now })
    .where('program_id', '=', program_id)
    .where('merchant_id', '=', merchant_id)
    .returning('public_key')
    .compile()
}

export interface KeyDates {
  readonly public_key: string
  readonly status: boolean
  readonly created_at: Date
  /** Null where the private key is as old as the pair. */
  readonly private_key_created_at: Date | null
}

/** What a merchant may see of its key pair at any time. */
export function findKeyDates({ program_id, merchant_id }: MerchantKey): CompiledQuery<KeyDates> {
  return builder
    .selectFrom('api_key')
    .select(['public_key', 'status', 'created_at', 'private_key_created_at'])
    .where('program_id', '=', program_id)
    .where('merchant_id', '=', merchant_id)
    .compile()
}

/** Locks a merchant until the transaction ends. */
export function lockMerchant({ program_id, merchant_id }: MerchantKey): CompiledQuery<{ merchant_id: number }> {
  return builder
    .selectFrom('merchant')
    .select('merchant_id')
    .where('program_id', '=', program_id)
    .where('merchant_id', '=', merchant_id)
    .forNoKeyUpdate()
    .compile()
}

/** Changes a merchant, from its next request on. */
export function updateMerchant(
  merchant: MerchantKey,
  { return_hosts, payment_methods, ...changes }: MerchantChanges,
  now: Date,
): CompiledQuery<unknown> {
  const lists = {
    ...(return_hosts === undefined ? {} : { return_hosts: [...return_hosts] }),
    ...(payment_methods === undefined ? {} : { payment_methods: [...payment_methods] }),
  }
  return builder
    .updateTable('merchant')
    .set({ ...changes, ...lists, updated_at: now })
    .where('program_id', '=', merchant.program_id)
    .where('merchant_id', '=', merchant.merchant_id)
    .compile()
}

/** Switches a merchant's key pair on or off. */
export function updateKeyStatus(merchant: MerchantKey, status: boolean): CompiledQuery<unknown> {
  return builder
    .updateTable('api_key')
    .set({ status })
    .where('program_id', '=', merchant.program_id)
    .where('merchant_id', '=', merchant.merchant_id)
    .compile()
}

/** A merchant's rules for its checkouts. */
export interface CheckoutRules {
  readonly signed_checkouts: boolean
  /** Sealed. */
  readonly checkout_secret: Buffer | null
  readonly return_hosts: readonly string[]
}

const rulesText = prepared<CheckoutRules>(
  'checkout.rules',
  `select signed_checkouts, checkout_secret, return_hosts from merchant
   where program_id = $1 and merchant_id = $2 and (program_id, merchant_id) >= ($1, $2) limit 1`,
)

/** The current rules: a change counts from the next checkout on. */
export function findCheckoutRules({ program_id, merchant_id }: MerchantKey): Statement<CheckoutRules> {
  return rulesText(program_id, merchant_id)
}

/** Sets a merchant's first secret; gives nothing if it has one, which stays. */
export function fillCheckoutSecret(
  { program_id, merchant_id }: MerchantKey,
  checkout_secret: Buffer,
  now: Date,
): CompiledQuery<{ merchant_id: number }> {
  return builder
    .updateTable('merchant')
    .set({ checkout_secret, updated_at: now })
    .where('program_id', '=', program_id)
    .where('merchant_id', '=', merchant_id)
    .where('checkout_secret', 'is', null)
    .returning('merchant_id')
    .compile()
}

/** Sets or replaces a merchant's secret. */
export function updateCheckoutSecret(
  { program_id, merchant_id }: MerchantKey,
  checkout_secret: Buffer,
  now: Date,
): CompiledQuery<unknown> {
  return builder
    .updateTable('merchant')
    .set({ checkout_secret, updated_at: now })
    .where('program_id', '=', program_id)
    .where('merchant_id', '=', merchant_id)
    .compile()
}
