import type { Clock } from '../../clock.ts'
import { announce } from '../../db/outbox.ts'
import type { Database } from '../../db/pool.ts'
import { postFacts } from '../../db/posting.ts'
import type { BeforeCommit, Transaction } from '../../db/transaction.ts'
import { eventPayload } from '../../domain/events.ts'
import { Refused } from '../../domain/failures.ts'
import type { Uuid } from '../../domain/ids.ts'
import type { Merchant } from '../../domain/merchant.ts'
import { asHalalas, type Halalas, NO_MONEY } from '../../domain/money.ts'
import { asPoints, NO_POINTS } from '../../domain/points.ts'
import { decideRefund, type Refund, type RefundFacts } from '../../domain/refund.ts'
import { newUuid } from '../../entropy.ts'
import type { PaymentProviders } from '../../providers/payment/port.ts'
import { type LockedOrder, type Order, snapshotChanged } from '../orders/order.ts'
import { updateOrder } from '../orders/queries.ts'
import { changeOrder } from '../orders/story.ts'
import { payBack } from './pay-back.ts'
import { findPaid, insertRefund, type PaidPayment } from './queries.ts'

export interface AskedRefund {
  /** Null for all that is left. */
  readonly amount_halalas: Halalas | null
  readonly reason: string | null
}

/** Refunds an order of this merchant and gives it as it is then. Refused: `order_not_found`, and what `decideRefund` says. */
export type RefundOrder = (
  merchant: Merchant,
  order_uuid: Uuid,
  asked: AskedRefund,
  beforeCommit?: BeforeCommit<Order>,
) => Promise<Order>

export interface RefundOptions {
  readonly db: Database
  readonly clock: Clock
  readonly payments: PaymentProviders
}

/**
 * Decisions §8. Points of both legs, the order and the event change together; money that a provider collected is paid
 * back after the commit, and stays due until the provider has said that it was.
 */
export function createRefundOrder({ db, clock, payments }: RefundOptions): RefundOrder {
  return async (merchant, order_uuid, asked, beforeCommit) => {
    const refund_uuid = newUuid()
    const { order, due } = await changeOrder(db, merchant, order_uuid, async (tx, before) => {
      const now = clock.now()
      const paid = await tx.one(findPaid(before))
      const refund = decideRefund(factsOf(merchant, before, paid), asked.amount_halalas, now.getTime())
      if (refund.kind !== 'refund') throw new Refused(refund)
      writeRefund(tx, { refund_uuid, merchant, order: before, paid, refund, reason: asked.reason }, now)
      const refunded = refundedOrder(before, refund, now)
      await beforeCommit?.(tx, refunded)
      return { order: refunded, due: refund.provider_refund_halalas > 0 }
    })
    const { program_id, merchant_id } = merchant
    if (due) await payBack(db, payments, { program_id, merchant_id, refund_uuid })
    return order
  }
}

function factsOf(merchant: Merchant, order: LockedOrder, paid: PaidPayment | undefined): RefundFacts {
  return {
    type: order.type === 1 ? 'earning' : 'replacing',
    state: order.order_status,
    total_halalas: order.total_halalas,
    refunded_halalas: order.refunded_halalas,
    earned_points: order.earned_points,
    redeemed_points: order.type === 1 ? NO_POINTS : order.total_points,
    provider_paid_halalas: paid?.amount_halalas ?? NO_MONEY,
    paid_at_ms: order.paid_at?.getTime() ?? null,
    refund_window_days: merchant.refund_window_days,
    settled: order.settlement_id !== null,
  }
}

/** The order's columns after a refund: what has gone back counts on. */
function columnsOf(order: LockedOrder, refund: Refund) {
  return {
    order_status: refund.transition.to,
    refunded_halalas: asHalalas(order.refunded_halalas + refund.refund_halalas),
    reversed_points: asPoints(order.reversed_points + refund.reversed_points),
    returned_points: asPoints(order.returned_points + refund.returned_points),
  }
}

function refundedOrder(order: LockedOrder, refund: Refund, now: Date): LockedOrder {
  return { ...order, ...columnsOf(order, refund), updated_at: now }
}

interface Writing {
  readonly refund_uuid: Uuid
  readonly merchant: Merchant
  readonly order: LockedOrder
  readonly paid: PaidPayment | undefined
  readonly refund: Refund
  readonly reason: string | null
}

function writeRefund(tx: Transaction, writing: Writing, now: Date): void {
  const { refund_uuid, merchant, order, paid, refund, reason } = writing
  const { program_id, merchant_id, order_uuid, wallet } = order
  if (wallet !== null) {
    const of = { cause: refund_uuid, wallet: wallet.account_id, merchant: merchant.account_id }
    const facts = [
      { kind: 'return', points: refund.returned_points, ...of },
      { kind: 'reverse', points: refund.reversed_points, ...of },
    ] as const
    postFacts(tx, { program_id, now, order_uuid, reason, wallet, facts, newId: newUuid })
  }
  const { refund_halalas, reversed_points, returned_points, provider_refund_halalas: provider_halalas } = refund
  const payment_uuid = provider_halalas === 0 ? null : (paid?.payment_uuid ?? null)
  const amounts = { refund_halalas, reversed_points, returned_points, provider_halalas, payment_uuid }
  void tx.run(insertRefund({ program_id, refund_uuid, order_uuid, ...amounts, reason }, now))
  void tx.run(updateOrder(order, columnsOf(order, refund), now))
  const payload = eventPayload('refunded', snapshotChanged(refundedOrder(order, refund, now)), { refund, reason })
  const event = { event_id: newUuid(), merchant_id, order_uuid, name: 'refunded', payload: JSON.stringify(payload) }
  announce(tx, program_id, now, [event])
}
