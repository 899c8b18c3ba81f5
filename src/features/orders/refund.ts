import { audit } from '../../db/audit.ts'
import type { Database } from '../../db/pool.ts'
import { postFacts } from '../../db/posting.ts'
import type { BeforeCommit, Transaction } from '../../db/transaction.ts'
import type { Actor, Change } from '../../domain/audit.ts'
import { bookedLater } from '../../domain/booking.ts'
import { DomainError, type FailureKind } from '../../domain/failures.ts'
import type { Uuid } from '../../domain/ids.ts'
import type { Merchant } from '../../domain/merchant.ts'
import { asHalalas, type Halalas, NO_MONEY, toSar } from '../../domain/money.ts'
import { orderType } from '../../domain/order.ts'
import { asPoints, type MicroSarPerPoint, NO_POINTS } from '../../domain/points.ts'
import { decideRefund, type Refund, type RefundFacts } from '../../domain/refund.ts'
import type { Clock } from '../../lib/clock.ts'
import { newUuid } from '../../lib/ids.ts'
import { enqueueOrderEvents, type OrderEvent } from './events.ts'
import { recordPaidBack } from './money-queries.ts'
import type { LockedOrder, Order } from './order.ts'
import { queueTask } from './payment-tasks.ts'
import { findEarnedValue, findPaid, insertRefund, type LockedRow, type PaidPayment, updateOrder } from './queries.ts'
import { changeOrder } from './service.ts'

export interface RefundRequest {
  /** Null for all that is left. */
  readonly amount_halalas: Halalas | null
  readonly reason: string | null
  /** Who asks, for the audit log; undefined for the merchant's own system. */
  readonly by?: Actor | undefined
}

/** Why a refund may be refused. */
export const refund_failures = [
  'order_not_found',
  'cannot_refund',
  'order_settled',
  'refund_window_over',
  'refund_amount_zero',
  'refund_exceeds_left',
  'refund_exceeds_wallet',
] as const satisfies readonly FailureKind[]

/** Refunds an order of this merchant and gives it as it is then. Refuses with `order_not_found` or as `decideRefund` does. */
export type RefundOrder = (
  merchant: Merchant,
  order_uuid: Uuid,
  request: RefundRequest,
  beforeCommit?: BeforeCommit<Order>,
) => Promise<Order>

export interface RefundOptions {
  readonly db: Database
  readonly clock: Clock
}

/**
 * The points, the order and the event change in one transaction. Money that a provider collected becomes a task, which a
 * worker retries until the provider has paid it back (docs/spec/orders.md#refund-recorded).
 */
export function createRefundOrder({ db, clock }: RefundOptions): RefundOrder {
  return async (merchant, order_uuid, request, beforeCommit) => {
    const refund_uuid = newUuid()
    return changeOrder(db, merchant, order_uuid, async (tx, before) => {
      const now = clock.now()
      const [paid, earned] = await Promise.all([tx.one(findPaid(before)), tx.one(findEarnedValue(before))])
      const facts = refundFacts(merchant, before, paid, before.wallet)
      const refund = decideRefund(facts, request.amount_halalas, now.getTime())
      if (refund.kind !== 'refund') throw new DomainError(refund)
      const { reason, by } = request
      const earned_value = earned?.value ?? null
      const refunded = writeRefund(
        tx,
        { refund_uuid, merchant, order: before, paid, refund, reason, earned_value },
        now,
      )
      audit(tx, by, [changeOf(before, refunded, refund)])
      await beforeCommit?.(tx, refunded)
      return refunded
    })
  }
}

/** Without the reason: it stays with the order, where an erasure finds it. */
function changeOf(before: LockedOrder, after: LockedOrder, refund: Refund): Change {
  const amount = toSar(refund.refund_halalas)
  return {
    program_id: before.program_id,
    action: 'orders.refund',
    object: `order:${before.order_uuid}`,
    before: { order_status: before.order_status },
    after: { order_status: after.order_status, amount },
  }
}

/** Gives what a refund of an order is decided on. `paid` is the payment that a provider has collected, if any. */
export function refundFacts(
  merchant: Pick<Merchant, 'refund_window_days'>,
  order: LockedRow,
  paid: Pick<PaidPayment, 'amount_halalas'> | undefined,
  wallet: RefundFacts['wallet'],
): RefundFacts {
  return {
    type: orderType(order.type),
    state: order.order_status,
    total_halalas: order.total_halalas,
    refunded_halalas: order.refunded_halalas,
    earned_points: order.earned_points,
    redeemed_points: order.type === 1 ? NO_POINTS : order.total_points,
    provider_paid_halalas: paid?.amount_halalas ?? NO_MONEY,
    paid_at_ms: order.paid_at?.getTime() ?? null,
    refund_window_days: merchant.refund_window_days,
    settled: order.settled,
    wallet,
  }
}

export interface DecidedRefund {
  readonly refund_uuid: Uuid
  readonly merchant: Merchant
  readonly order: LockedOrder
  readonly paid: PaidPayment | undefined
  readonly refund: Refund
  readonly reason: string | null
  /** The value of a point with which the order earned. */
  readonly earned_value: MicroSarPerPoint | null
}

/**
 * Writes a refund in the caller's transaction: its points, its row, the task for the payment provider, the order and the
 * event. Gives the order as it is then.
 */
export function writeRefund(tx: Transaction, decided: DecidedRefund, now: Date): LockedOrder {
  const { refund_uuid, merchant, order, paid, refund, reason, earned_value } = decided
  const { program_id, order_uuid, wallet } = order
  const booked_at = bookedLater(now, order.closing_to)
  if (wallet !== null) {
    const of = { cause: refund_uuid, wallet: wallet.account_id, merchant: merchant.account_id }
    const facts = [
      { kind: 'return', points: refund.returned_points, ...of },
      { kind: 'reverse', points: refund.reversed_points, ...of },
    ] as const
    const values = { return: order.micro_sar_per_point, reverse: earned_value }
    postFacts(tx, { program_id, now, order_uuid, reason, wallet, facts, values, booked_at, newId: newUuid })
  }
  const { refund_halalas, reversed_points, returned_points, provider_refund_halalas: provider_halalas } = refund
  const payment_uuid = provider_halalas === 0 ? null : (paid?.payment_uuid ?? null)
  const amounts = { refund_halalas, reversed_points, returned_points, provider_halalas, payment_uuid }
  void tx.run(insertRefund({ program_id, refund_uuid, order_uuid, ...amounts, reason }, now))
  if (payment_uuid !== null) {
    const task = { kind: 'refund', refund_uuid, amount_halalas: provider_halalas } as const
    queueTask(tx, { program_id, order_uuid, payment_uuid, ...task })
    void tx.run(recordPaidBack(order, { money_uuid: refund_uuid, amount_halalas: provider_halalas, booked_at }, now))
  }
  const changes = changesOf(order, refund)
  void tx.run(updateOrder(order, changes, now))
  const refunded = { ...order, ...changes, updated_at: now }
  enqueueOrderEvents(tx, refunded, eventsOf(refund, reason))
  return refunded
}

function changesOf(order: LockedOrder, refund: Refund) {
  return {
    order_status: refund.transition.to,
    refunded_halalas: asHalalas(order.refunded_halalas + refund.refund_halalas),
    reversed_points: asPoints(order.reversed_points + refund.reversed_points),
    returned_points: asPoints(order.returned_points + refund.returned_points),
    ...(refund.transition.to === 'fully_refunded' && order.closed ? { refunded_late: true } : {}),
  }
}

/** `refunded`, or `auto_refunded` for an automatic reversal. */
function eventsOf(refund: Refund, reason: string | null): OrderEvent[] {
  return refund.transition.events.map((name) => {
    if (name !== 'refunded' && name !== 'auto_refunded') throw new Error(`${name} is not an event of a refund`)
    return { name, extras: { refund, reason } }
  })
}
