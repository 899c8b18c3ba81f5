import { AUTO_REFUND_REASON } from '../../domain/events.ts'

/** How the rows of a person are found. `queries.ts` has the values of each. */
export type FoundBy = FoundAtOnce | 'account'
/** All but the entries of wallets, which may be many. */
export type FoundAtOnce = 'phone' | 'customer_id' | 'order_uuid' | 'pending_uuid' | 'delivery_id' | 'label'

/** Columns of a table that can hold personal data, and what an erasure does with them. */
export interface PersonalData {
  readonly table: string
  readonly columns: readonly string[]
  readonly found_by: FoundBy
  /** `rows`: deletes the rows. `values`: sets the columns to null. `own`: a statement of its own, named above the row. */
  readonly erases: 'rows' | 'values' | 'own'
  /** A text that the service itself writes and reads again: it stays. */
  readonly keeps?: string
}

/** A receiver may repeat what it got. */
export const answersOfReceivers = {
  ...{ table: 'delivery_attempt', found_by: 'delivery_id', erases: 'values', columns: ['response', 'error'] },
} as const satisfies PersonalData

/** Every column that can hold personal data. A new one is a row of this table. docs/spec/customers.md#erasure */
// biome-ignore format: one row per table, to be read as a table
export const personalData: readonly PersonalData[] = [
  { table: 'otp',              found_by: 'phone',        erases: 'rows',   columns: ['phone'] },
  { table: 'wallet_session',   found_by: 'phone',        erases: 'rows',   columns: ['phone'] },
  { table: 'remembered_browser', found_by: 'phone',      erases: 'rows',   columns: ['phone'] },
  { table: 'card_session',     found_by: 'phone',        erases: 'rows',   columns: ['phone'] },
  { table: 'sms_queue',        found_by: 'customer_id',  erases: 'rows',   columns: ['error'] },
  { table: 'translation',      found_by: 'label',        erases: 'rows',   columns: ['text', 'translated'] },
  { table: 'orders',           found_by: 'order_uuid',   erases: 'values', columns: ['shipping_address', 'items', 'metadata', 'reason', 'label_ar', 'label_en'] },
  { table: 'order_rating',     found_by: 'order_uuid',   erases: 'values', columns: ['product_id', 'product_name', 'comment'] },
  { table: 'order_refund',     found_by: 'order_uuid',   erases: 'values', columns: ['reason'], keeps: AUTO_REFUND_REASON },
  { table: 'reconciliation_finding', found_by: 'order_uuid', erases: 'values', columns: ['note'] },
  { table: 'settlement_exclusion', found_by: 'order_uuid', erases: 'values', columns: ['reason'] },
  { table: 'pending_earning',  found_by: 'pending_uuid', erases: 'values', columns: ['shipping_address', 'items', 'metadata'] },
  answersOfReceivers,
  { table: 'transfer',         found_by: 'account',      erases: 'values', columns: ['reason'] },
  { table: 'account',          found_by: 'customer_id',  erases: 'values', columns: ['blocked_reason', 'given_up_phone'] },
  { table: 'proposal',         found_by: 'customer_id',  erases: 'values', columns: ['reason'] },
  { table: 'erasure_request',  found_by: 'customer_id',  erases: 'values', columns: ['reason'] },
  // The constraints of a checkout bind these columns to others: `eraseSessions`.
  { table: 'checkout_session', found_by: 'phone',        erases: 'own',    columns: ['phone', 'proven_phone', 'name', 'joined_name', 'callback_url'] },
  // The payload without what a store wrote: `replacePayload`.
  { table: 'event',            found_by: 'order_uuid',   erases: 'own',    columns: ['payload'] },
  // The answer likewise, sealed again: `eraseAnswers`.
  { table: 'idempotency',      found_by: 'order_uuid',   erases: 'own',    columns: ['answer'] },
  // The reason of an adjustment: `eraseReasons`.
  { table: 'audit',            found_by: 'customer_id',  erases: 'own',    columns: ['after'] },
  // Without the phone nobody finds the customer any more: `eraseIdentity`.
  { table: 'customer',         found_by: 'customer_id',  erases: 'own',    columns: ['phone', 'name'] },
]
