/**
 * What a refund gives back: points follow the money, exactly, however it is split. docs/spec/orders.md#refund-shares
 */
import type { Failure } from './failures.ts'
import type { Wallet } from './ledger.ts'
import { asHalalas, type Halalas, NO_MONEY } from './money.ts'
import { decideTransition, type OrderState, type OrderType, type Transition } from './order.ts'
import { asPoints, MAX_REFUNDED_POINTS, type Points, proportion } from './points.ts'
import { day_ms } from './spans.ts'

/** The refund window of a new merchant, in days. docs/spec/orders.md#refund-window */
export const DEFAULT_REFUND_WINDOW_DAYS = 30

/** The stored order, with what has been refunded so far. */
export interface RefundFacts {
  readonly type: OrderType
  readonly state: OrderState
  /** `total_price`. */
  readonly total_halalas: Halalas
  readonly refunded_halalas: Halalas
  /** Points earned by an earning order, or by the money part of a replacing order. */
  readonly earned_points: Points
  /** 0 for an earning order. */
  readonly redeemed_points: Points
  /** The money that a payment provider collected and can refund; 0 if the merchant collected it. */
  readonly provider_paid_halalas: Halalas
  /** The time of approval or capture in milliseconds; null before it. */
  readonly paid_at_ms: number | null
  readonly refund_window_days: number
  /** True if a settlement contains the order. */
  readonly settled: boolean
  /** Where its points move; null while the order has no customer, and where only the order is asked about. */
  readonly wallet: Pick<Wallet, 'posted' | 'held'> | null
}

/** What one refund takes and gives back, and what is left of the order. */
export interface Refund {
  readonly kind: 'refund'
  readonly transition: Transition
  readonly refund_halalas: Halalas
  /** Earned points that the customer loses. */
  readonly reversed_points: Points
  /** Redeemed points that the customer gets back. */
  readonly returned_points: Points
  /** Money to refund through the provider. */
  readonly provider_refund_halalas: Halalas
  readonly left_halalas: Halalas
  /** Of the order's `total_points`: earned and not reversed, or redeemed and not returned. */
  readonly left_points: Points
}

/**
 * Takes an order, the requested amount (null: all that is left) and the time in milliseconds; gives the refund, or the
 * first of `cannot_refund`, `order_settled`, `refund_window_over`, `refund_amount_zero`, `refund_exceeds_left` and
 * `refund_exceeds_wallet`. docs/spec/orders.md#refund, docs/spec/orders.md#refund-amount
 */
export function decideRefund(order: RefundFacts, amount: Halalas | null, now_ms: number): Refund | Failure {
  const left = leftOf(order)
  const asked = amount ?? left
  const transition = decideTransition(order, asked === left ? 'refund_all' : 'refund_part')
  if (transition.kind !== 'transition') return transition
  if (order.settled) return { kind: 'order_settled' }
  if (!withinWindow(order, now_ms)) return { kind: 'refund_window_over' }
  if (asked === 0 && order.total_halalas > 0) return { kind: 'refund_amount_zero' }
  if (asked > left) return { kind: 'refund_exceeds_left' }
  return unlessBeyond(order.wallet, refundOf(order, transition, asked))
}

/**
 * Takes an order whose payment its provider does not have; gives the full reversal, or `cannot_refund` or
 * `refund_exceeds_wallet`. Refund window and settlement do not prevent it, and no money is refunded, for none was paid.
 * docs/spec/payments.md#automatic-reversal
 */
export function decideAutoRefund(order: RefundFacts): Refund | Failure {
  const transition = decideTransition(order, 'auto_refund')
  if (transition.kind !== 'transition') return transition
  const refund = { ...refundOf(order, transition, leftOf(order)), provider_refund_halalas: NO_MONEY }
  return unlessBeyond(order.wallet, refund)
}

/** True while the refund window is open, including its last millisecond. docs/spec/orders.md#refund-window */
function withinWindow(order: Pick<RefundFacts, 'paid_at_ms' | 'refund_window_days'>, now_ms: number): boolean {
  const until_ms = refundableUntil(order)
  return until_ms !== null && now_ms <= until_ms
}

/** The last millisecond of the refund window; null before the order is paid. docs/spec/orders.md#refund-window */
export function refundableUntil(order: Pick<RefundFacts, 'paid_at_ms' | 'refund_window_days'>): number | null {
  return order.paid_at_ms === null ? null : order.paid_at_ms + order.refund_window_days * day_ms
}

function leftOf(order: RefundFacts): Halalas {
  return asHalalas(order.total_halalas - order.refunded_halalas)
}

function refundOf(order: RefundFacts, transition: Transition, amount: Halalas): Refund {
  const before = refundedShares(order, order.refunded_halalas, false)
  const after = refundedShares(order, asHalalas(order.refunded_halalas + amount), transition.to === 'fully_refunded')
  const pointsLeft =
    order.type === 'earning' ? order.earned_points - after.reversed : order.redeemed_points - after.returned
  return {
    kind: 'refund',
    transition,
    refund_halalas: amount,
    reversed_points: asPoints(after.reversed - before.reversed),
    returned_points: asPoints(after.returned - before.returned),
    provider_refund_halalas: asHalalas(after.repaid - before.repaid),
    left_halalas: asHalalas(leftOf(order) - amount),
    left_points: asPoints(pointsLeft),
  }
}

/** A wallet that is beyond the bound may still come back. docs/spec/points-and-money.md#wallet-bound */
function unlessBeyond(wallet: RefundFacts['wallet'], refund: Refund): Refund | Failure {
  if (wallet === null) return refund
  const moved = refund.returned_points - refund.reversed_points
  const isBeyond =
    (moved > 0 && wallet.posted + moved > MAX_REFUNDED_POINTS) ||
    (moved < 0 && wallet.posted - wallet.held + moved < -MAX_REFUNDED_POINTS)
  return isBeyond ? { kind: 'refund_exceeds_wallet' } : refund
}

/**
 * Gives the totals once `refunded` of the order is refunded. Computed from the start, so rounding does not accumulate.
 */
function refundedShares(order: RefundFacts, refunded: Halalas, whole: boolean) {
  const share = <Unit extends Points | Halalas>(of: Unit): Unit => {
    if (whole) return of
    return refunded === 0 ? (0 as Unit) : proportion(of, refunded, order.total_halalas)
  }
  return {
    reversed: share(order.earned_points),
    returned: share(order.redeemed_points),
    repaid: share(order.provider_paid_halalas),
  }
}
