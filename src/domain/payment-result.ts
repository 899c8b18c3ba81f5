/** What becomes of money that a provider reports for an order. Its record decides, never a redirect. Decisions §6. */
import { asHalalas, type Halalas } from './money.ts'
import type { OrderState } from './order.ts'
import type { FailureReason, PaymentState } from './payment.ts'

/** A payment as we know it, `auth` or `sale`. */
export interface AwaitedPayment {
  readonly state: PaymentState
  readonly kind: 'sale' | 'auth'
  readonly amount_halalas: Halalas
}

/** The same as its provider knows it. */
export interface ProviderRecord {
  readonly state: 'pending' | 'authorized' | 'paid' | 'voided' | 'failed'
  readonly amount_halalas: Halalas
  /** What has been paid back of it, in all. */
  readonly refunded_halalas: Halalas
  /** Of one that has failed: the bank's no, the customer's, or nobody's. */
  readonly failure?: 'declined' | 'cancelled' | 'page_expired' | undefined
}

/** The order that the money is for. */
export interface AwaitingOrder {
  readonly order_status: OrderState
  /** The customer has confirmed, a provider collects, and what was confirmed has not been let go. */
  readonly awaits_provider: boolean
  readonly remainder_halalas: Halalas
  /** The points chosen for it are held, or none were chosen. */
  readonly points_held: boolean
}

/** `surplus` goes back: it came for an order that cannot take it (`late`), or is not what was asked for (`amount`). */
export type PaymentResult =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'failed'; readonly why: FailureReason }
  | { readonly kind: 'taken'; readonly action: 'pay' | 'authorize'; readonly state: 'paid' | 'authorized' }
  | { readonly kind: 'surplus'; readonly why: 'late' | 'amount'; readonly amount_halalas: Halalas }

/**
 * Takes a payment, its provider's record and the order, all of one moment; gives what becomes of it. Only a payment that
 * is still awaited (`created`) is taken, so that asking again changes nothing; money for one that has failed is a surplus.
 */
export function decidePaymentResult(
  payment: AwaitedPayment,
  record: ProviderRecord,
  order: AwaitingOrder,
): PaymentResult {
  const awaited = payment.state === 'created'
  if (!awaited && payment.state !== 'failed') return { kind: 'nothing' }
  if (record.state === 'pending') return { kind: 'nothing' }
  const left = record.amount_halalas - record.refunded_halalas
  if (record.state === 'failed' || record.state === 'voided' || left <= 0)
    return awaited ? { kind: 'failed', why: reasonOf(record) } : { kind: 'nothing' }
  const surplus = { kind: 'surplus', amount_halalas: asHalalas(left) } as const
  if (left !== payment.amount_halalas || record.refunded_halalas !== 0) return { ...surplus, why: 'amount' }
  if (!awaited || !canTake(payment, order)) return { ...surplus, why: 'late' }
  if (record.state === 'paid') return { kind: 'taken', action: 'pay', state: 'paid' }
  // Money reserved where it was to be taken: the provider is not done with it.
  return payment.kind === 'sale' ? { kind: 'nothing' } : { kind: 'taken', action: 'authorize', state: 'authorized' }
}

function canTake({ amount_halalas }: AwaitedPayment, order: AwaitingOrder): boolean {
  const { order_status, awaits_provider, remainder_halalas, points_held } = order
  return order_status === 'new' && awaits_provider && points_held && remainder_halalas === amount_halalas
}

function reasonOf({ state, failure }: ProviderRecord): FailureReason {
  return state === 'failed' ? (failure ?? 'declined') : 'voided'
}
