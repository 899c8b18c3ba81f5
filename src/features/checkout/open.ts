import { isUniqueViolation } from '../../db/failure.ts'
import type { Database } from '../../db/pool.ts'
import type { BeforeCommit } from '../../db/transaction.ts'
import { storedBytes } from '../../domain/checkout.ts'
import type { Uuid } from '../../domain/ids.ts'
import type { Locale } from '../../domain/locale.ts'
import type { Phone } from '../../domain/phone.ts'
import type { Clock } from '../../lib/clock.ts'
import { hashSecret, newReferenceNumber, newUuid } from '../../lib/ids.ts'
import { insertSession } from '../orders/session-queries.ts'
import { insertReplacingOrder, type NewReplacingOrder } from '../orders/write-queries.ts'
import { findActiveCustomer } from './queries.ts'
import { newToken } from './session.ts'

/** A checkout as a merchant's site asks for it, checked. Amounts in halalas. */
export type CheckoutAsked = Omit<NewReplacingOrder, 'customer_id' | 'reference_number'> & {
  readonly phone: Phone | null
  readonly name: string | null
  readonly callback_url: string | null
  /** The language that the store asked for, in which the pages begin. */
  readonly locale?: Locale | null
}

export interface OpenedCheckout {
  readonly checkout_url: string
  readonly order_uuid: Uuid
  readonly reference_number: string
  readonly expires_at: Date
}

/** Makes a replacing order and opens its checkout (spec, "POST /v1/orders/checkout"; decisions §6). Never refuses. */
export type OpenCheckout = (
  asked: CheckoutAsked,
  beforeCommit?: BeforeCommit<OpenedCheckout>,
) => Promise<OpenedCheckout>

export interface CheckoutParts {
  readonly db: Database
  readonly clock: Clock
  readonly checkout_ttl_s: number
  /** Where links begin, without a trailing slash. */
  readonly public_url: string
}

export function createOpenCheckout({ db, clock, checkout_ttl_s, public_url }: CheckoutParts): OpenCheckout {
  return ({ phone, name, callback_url, locale = null, ...order }, beforeCommit) =>
    db.transaction(
      async (tx) => {
        const { program_id, merchant_id, order_uuid } = order
        const now = clock.now()
        const expires_at = new Date(now.getTime() + checkout_ttl_s * 1000)
        const reference_number = newReferenceNumber()
        const token = newToken(program_id)
        const customer = phone === null ? undefined : await tx.one(findActiveCustomer(program_id, phone))
        const customer_id = customer?.customer_id ?? null
        void tx.run(insertReplacingOrder({ ...order, customer_id, reference_number }, now))
        const given = { phone, name, callback_url, locale }
        const session = { program_id, session_uuid: newUuid(), merchant_id, order_uuid, ...given }
        const { items, metadata, shipping_address, order_number } = order
        const stored_bytes = storedBytes([items, metadata, shipping_address, order_number, callback_url, name])
        void tx.run(insertSession({ ...session, token_hash: hashSecret(token), expires_at, stored_bytes }, now))
        const checkout_url = `${public_url}/checkout/${token}`
        const opened = { checkout_url, order_uuid, reference_number, expires_at }
        await beforeCommit?.(tx, opened)
        return opened
      },
      { retryOn: (error) => isUniqueViolation(error, 'orders_reference_number_key') },
    )
}
