import { enqueueEvents } from '../../db/outbox.ts'
import { postFacts } from '../../db/posting.ts'
import type { Transaction } from '../../db/transaction.ts'
import { eventPayload } from '../../domain/events.ts'
import type { Uuid } from '../../domain/ids.ts'
import type { Merchant } from '../../domain/merchant.ts'
import { asHalalas, NO_MONEY } from '../../domain/money.ts'
import { asPoints, NO_POINTS } from '../../domain/points.ts'
import type { Refund, RefundFacts } from '../../domain/refund.ts'
import { newUuid } from '../../lib/ids.ts'
import { type LockedOrder, snapshotChanged } from './order.ts'
import { queueTask } from './payment-task.ts'
import { updateOrder } from './queries.ts'
import { insertRefund, type PaidPayment } from './refund-queries.ts'

/** What a refund of a locked order is decided on. `paid` is what a provider has collected for it, where one has. */
export function refundFacts(merchant: Merchant, order: LockedOrder, paid: PaidPayment | undefined): RefundFacts {
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

export interface Writing {
  readonly refund_uuid: Uuid
  readonly merchant: Merchant
  readonly order: LockedOrder
  readonly paid: PaidPayment | undefined
  readonly refund: Refund
  readonly reason: string | null
}

/**
 * Writes a refund in the caller's transaction: points of both legs, its row, what its
 * provider is to be told, the order and the event. Gives the order as it
 * is then.
 */
export function writeRefund(tx: Transaction, writing: Writing, now: Date): LockedOrder {
  const { refund_uuid, merchant, order, paid, refund, reason } = writing
  const { program_id, order_uuid, wallet } = order
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
  if (payment_uuid !== null)
    queueTask(tx, {
      program_id,
      order_uuid,
      payment_uuid,
      kind: 'refund',
      refund_uuid,
      amount_halalas: provider_halalas,
    })
  const changes = columnsOf(order, refund)
  void tx.run(updateOrder(order, changes, now))
  const refunded = { ...order, ...changes, updated_at: now }
  announceRefund(tx, refunded, { refund, reason }, now)
  return refunded
}

/** `refunded`, or `auto_refunded` for a reversal, as the transition says. */
function announceRefund(
  tx: Transaction,
  order: LockedOrder,
  extras: { readonly refund: Refund; readonly reason: string | null },
  now: Date,
): void {
  const { program_id, merchant_id, order_uuid } = order
  const snapshot = snapshotChanged(order)
  const rows = extras.refund.transition.events.map((name) => {
    if (name !== 'refunded' && name !== 'auto_refunded') throw new Error(`${name} is not an event of a refund`)
    const payload = JSON.stringify(eventPayload(name, snapshot, extras))
    return { event_id: newUuid(), merchant_id, order_uuid, name, payload }
  })
  enqueueEvents(tx, program_id, now, rows)
}
