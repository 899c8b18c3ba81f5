import type { Transaction } from '../../db/transaction.ts'
import { hourly } from '../../domain/limit.ts'
import { mayBeginPayment } from '../../domain/payment.ts'
import { homeOf } from '../../lib/client-network.ts'
import type { Limits } from '../limits/service.ts'
import type { OrderKey } from '../orders/order.ts'
import { findPayments } from '../orders/payment-queries.ts'
import type { PaymentOutcome } from './begin.ts'

/**
 * How many payments may be begun within an hour from one address for one merchant, without a proven phone. Each payment
 * makes us ask the provider for a page, and ask again until the payment is over.
 */
export const unproven_payments_per_hour = 120

const limit = hourly('payments', unproven_payments_per_hour)

/** Why a payment may not begin. `not counted`: nothing was changed; count it and try again. */
export type NotBegun = { readonly kind: 'no more payments' } | { readonly kind: 'not counted' }

/** Gives why another payment of a locked order may not begin, or null. `counted`: proven by a code, or counted already. */
export async function checkMayBegin(
  tx: Transaction,
  { program_id, order_uuid }: OrderKey,
  counted: boolean,
): Promise<NotBegun | null> {
  const begun = await tx.run(findPayments(program_id, order_uuid))
  if (!mayBeginPayment(begun.length)) return { kind: 'no more payments' }
  return counted ? null : { kind: 'not counted' }
}

/** The client that may begin a payment, and the merchant it pays. */
export interface PaymentClient {
  readonly program_id: number
  readonly merchant_id: number
  readonly client_address: string
}

type Attempted = { readonly kind: string; readonly leased?: boolean }
type Waiting = Extract<PaymentOutcome, { readonly kind: 'wait' }>

/**
 * Runs an attempt that may begin a payment. Where it says `not counted`, counts the payment, outside of the transaction,
 * and runs the attempt again. Takes the count back when no payment began after all.
 */
export type LimitPayments = <T extends Attempted>(
  client: PaymentClient,
  attempt: (counted: boolean) => Promise<T>,
) => Promise<Exclude<T, { readonly kind: 'not counted' }> | Waiting>

export function createLimitPayments(limits: Limits): LimitPayments {
  return async ({ program_id, merchant_id, client_address }, attempt) => {
    const first = await attempt(false)
    if (isCounted(first)) return first
    const admission = await limits.admit([{ limit, whom: [homeOf(client_address), program_id, merchant_id] }])
    if (!admission.admitted) return { kind: 'wait', retry_at: admission.retry_at }
    let began = false
    try {
      const second = await attempt(true)
      if (!isCounted(second)) throw new Error('an attempt that was counted says that it was not')
      began = second.leased === true
      return second
    } finally {
      if (!began) await limits.takeBack(admission.counts)
    }
  }
}

function isCounted<T extends Attempted>(attempted: T): attempted is Exclude<T, { readonly kind: 'not counted' }> {
  return attempted.kind !== 'not counted'
}
