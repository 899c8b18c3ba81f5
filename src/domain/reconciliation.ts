/** Whether a provider's record bears out that an order was paid. Decisions §12. */

import type { Halalas } from './money.ts'
import type { ProviderRecord } from './payment-result.ts'

/** A payment that we hold to have paid for its order. */
export interface HeldPayment {
  readonly amount_halalas: Halalas
  /** What we have asked the provider to pay back of it, whether or not it has been. */
  readonly refunds_halalas: Halalas
  /** Whether the provider is still to be told to take money that it has reserved. */
  readonly capture_due: boolean
  /** The merchant's account with the provider is not the one through which it was paid. */
  readonly account_changed: boolean
}

/** What the provider answered, by the payment port's kinds. */
export type ProviderAnswer =
  | ({ readonly kind: 'payment' } & ProviderRecord)
  | { readonly kind: 'unknown' | 'declined' | 'refused' | 'not_found' | 'credentials' | 'unsupported' }

/**
 * `right`: the record bears the payment out. `missing` and `not_paid` reverse the order. The others reverse nothing, and are
 * for a person to look at: no answer, other money than ours, or something that is still to be done.
 */
export type Judgement =
  | 'right'
  | 'missing'
  | 'not_paid'
  | 'not_answered'
  | 'capture_due'
  | 'account_changed'
  | 'amount_differs'
  | 'refunded_elsewhere'

/** Takes a payment and its provider's answer after the grace period; gives the judgement. Decisions §12. */
export function judgePayment(payment: HeldPayment, answer: ProviderAnswer): Judgement {
  if (answer.kind === 'not_found') return payment.account_changed ? 'account_changed' : 'missing'
  if (answer.kind !== 'payment') return 'not_answered'
  if (answer.state !== 'paid') return payment.capture_due ? 'capture_due' : 'not_paid'
  if (answer.amount_halalas !== payment.amount_halalas) return 'amount_differs'
  return answer.refunded_halalas > payment.refunds_halalas ? 'refunded_elsewhere' : 'right'
}

/** Whether a judgement takes an order back that its table allows to be taken back. Decisions §12. */
export function reverses(judgement: Judgement): judgement is 'missing' | 'not_paid' {
  return judgement === 'missing' || judgement === 'not_paid'
}
