import type { Database } from '../../db/pool.ts'
import type { BeforeCommit } from '../../db/transaction.ts'
import { DomainError } from '../../domain/failures.ts'
import type { Uuid } from '../../domain/ids.ts'
import type { Merchant } from '../../domain/merchant.ts'
import type { Halalas } from '../../domain/money.ts'
import { decideRefund } from '../../domain/refund.ts'
import type { Clock } from '../../lib/clock.ts'
import { newUuid } from '../../lib/ids.ts'
import type { Order } from './order.ts'
import { findPaid } from './refund-queries.ts'
import { refundFacts, writeRefund } from './refund-write.ts'
import { changeOrder } from './service.ts'

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
}

/**
 * Decisions §8. Points of both legs, the order and the event change together; money that a provider collected is due from
 * the commit on, and a worker tells the provider until it has said that it was paid back.
 */
export function createRefundOrder({ db, clock }: RefundOptions): RefundOrder {
  return async (merchant, order_uuid, asked, beforeCommit) => {
    const refund_uuid = newUuid()
    return changeOrder(db, merchant, order_uuid, async (tx, before) => {
      const now = clock.now()
      const paid = await tx.one(findPaid(before))
      const refund = decideRefund(refundFacts(merchant, before, paid), asked.amount_halalas, now.getTime())
      if (refund.kind !== 'refund') throw new DomainError(refund)
      const { reason } = asked
      const refunded = writeRefund(tx, { refund_uuid, merchant, order: before, paid, refund, reason }, now)
      await beforeCommit?.(tx, refunded)
      return refunded
    })
  }
}
