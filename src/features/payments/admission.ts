import type { Transaction } from '../../db/transaction.ts'
import type { Uuid } from '../../domain/ids.ts'
import type { Limit } from '../../domain/limit.ts'
import { mayBeginPayment } from '../../domain/payment.ts'
import { homeOf } from '../../net/client-network.ts'
import type { Limits } from '../limits/service.ts'
import { findPayments } from '../orders/payment-queries.ts'
import type { PaymentOutcome } from './outcome.ts'

/** Payments that strangers begin are counted: each asks the provider for a page, and is asked about until it is over. */

/** Begun from one address for one merchant, by people who proved no phone. */
export const strangers_payments_per_hour = 120

const limit: Limit = { name: 'payments', rules: [{ most: strangers_payments_per_hour, within_ms: 3_600_000 }] }

/** Why a payment does not begin; `not counted`: nothing was changed, and it is to be counted first. */
export type NotBegun = { readonly kind: 'no more payments' } | { readonly kind: 'not counted' }

/** Gives why another payment of a locked order does not begin, or null. `counted`: its customer is known, or was counted. */
export async function notBegun(
  tx: Transaction,
  { program_id, order_uuid }: { readonly program_id: number; readonly order_uuid: Uuid },
  counted: boolean,
): Promise<NotBegun | null> {
  const begun = await tx.run(findPayments(program_id, order_uuid))
  if (!mayBeginPayment(begun.length)) return { kind: 'no more payments' }
  return counted ? null : { kind: 'not counted' }
}

/** Who may begin a payment without a code, and of which merchant. */
export interface Stranger {
  readonly program_id: number
  readonly merchant_id: number
  readonly client_address: string
}

type Attempted = { readonly kind: string; readonly leased?: boolean }
type Waiting = Extract<PaymentOutcome, { readonly kind: 'wait' }>

/**
 * Runs what may begin a payment, and where it says `not counted`, runs it again once the payment has been counted. It is
 * counted outside of the transaction, and taken back when no payment began after all.
 */
export type CountStranger = <T extends Attempted>(
  stranger: Stranger,
  attempt: (counted: boolean) => Promise<T>,
) => Promise<Exclude<T, { readonly kind: 'not counted' }> | Waiting>

export function createCountStranger(limits: Limits): CountStranger {
  return async ({ program_id, merchant_id, client_address }, attempt) => {
    const first = await attempt(false)
    if (isCounted(first)) return first
    const admission = await limits.admit([{ limit, whom: [homeOf(client_address), program_id, merchant_id] }])
    if (!admission.admitted) return { kind: 'wait', retry_at: admission.retry_at }
    let began = false
    try {
      const second = await attempt(true)
      if (!isCounted(second)) throw new Error('a payment was counted, and was not')
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
