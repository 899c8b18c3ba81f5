/** Judges payments by their provider's record, never by a redirect. docs/spec/payments.md#provider-record */
import { asHalalas, type Halalas } from './money.ts'
import type { OrderState } from './order.ts'
import type { FailureReason, PaymentState, ProviderRecord } from './payment.ts'

/** A payment as we have stored it. */
export interface AwaitedPayment {
  readonly state: PaymentState
  readonly kind: 'sale' | 'auth'
  readonly amount_halalas: Halalas
}

/** The order of the payment. */
export interface AwaitingOrder {
  readonly order_status: OrderState
  /** The customer has confirmed, a provider collects, and the confirmed points are not released. */
  readonly awaits_provider: boolean
  readonly due_halalas: Halalas
  /** The chosen points are held, or none were chosen. */
  readonly points_held: boolean
}

/**
 * `surplus` is paid back: the order can no longer take it (`late`), or the amount is not the requested one (`amount`).
 */
export type PaymentResult =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'failed'; readonly why: FailureReason }
  | { readonly kind: 'taken'; readonly action: 'pay' | 'authorize'; readonly state: 'paid' | 'authorized' }
  | { readonly kind: 'surplus'; readonly why: 'late' | 'amount'; readonly amount_halalas: Halalas }

/**
 * Takes a payment, its provider's record and the order, all at one moment; gives the result. Only a payment that is
 * still `created` is taken, so a second call changes nothing. Money for a failed payment is a surplus, which is paid
 * back. docs/spec/payments.md#late-payments
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
  // A sale that is only authorized so far: the provider has yet to capture it.
  return payment.kind === 'sale' ? { kind: 'nothing' } : { kind: 'taken', action: 'authorize', state: 'authorized' }
}

function canTake({ amount_halalas }: AwaitedPayment, order: AwaitingOrder): boolean {
  const { order_status, awaits_provider, due_halalas, points_held } = order
  return order_status === 'new' && awaits_provider && points_held && due_halalas === amount_halalas
}

function reasonOf({ state, failure }: ProviderRecord): FailureReason {
  return state === 'failed' ? (failure ?? 'declined') : 'voided'
}

/** A payment that we have recorded as paid. */
export interface RecordedPayment {
  readonly amount_halalas: Halalas
  /** The sum of the refunds that we have requested, done or not. */
  readonly refunds_halalas: Halalas
  /** A capture is still to be requested. */
  readonly capture_due: boolean
  /** We asked the provider through another account than the one that had the payment, or do not know which one had it. */
  readonly account_changed: boolean
}

/** The provider's response, by the kinds of the payment port. */
export type ProviderAnswer =
  | ({ readonly kind: 'payment' } & ProviderRecord)
  | { readonly kind: 'unknown' | 'declined' | 'refused' | 'not_found' | 'credentials' | 'unsupported' }

/**
 * The result of reconciliation. `right`: the record confirms the payment. `missing` and `not_paid` reverse the order.
 * The others reverse nothing and need a person: no response, another amount than ours, or something still to be done.
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

/**
 * Takes a payment and its provider's response after the grace period; gives the judgement.
 * docs/spec/payments.md#automatic-reversal
 */
export function judgePayment(payment: RecordedPayment, answer: ProviderAnswer): Judgement {
  if (answer.kind === 'not_found') return payment.account_changed ? 'account_changed' : 'missing'
  if (answer.kind !== 'payment') return 'not_answered'
  if (answer.state !== 'paid') return payment.capture_due ? 'capture_due' : 'not_paid'
  if (answer.amount_halalas !== payment.amount_halalas) return 'amount_differs'
  return answer.refunded_halalas > payment.refunds_halalas ? 'refunded_elsewhere' : 'right'
}

/** True if a judgement reverses the order, provided that the order table allows it. */
export function reverses(judgement: Judgement): judgement is 'missing' | 'not_paid' {
  return judgement === 'missing' || judgement === 'not_paid'
}
